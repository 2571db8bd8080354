/** Questions whose every sign counts: what is left out of one is answered as another. */
import type { SqlColumn } from '../../sql-task';
import { answerSqlTask, answerSqlTaskInTurns } from './answer-sql-task';

const column = (name: string, type: string, more: Partial<SqlColumn> = {}): SqlColumn => ({
  name,
  original: name,
  type,
  samples: [],
  notes: [],
  ...more,
});
const values = (...all: string[]) => ({ values: all.map((value) => ({ value, count: 1 })) });
const table = {
  name: 'shipments',
  origin: 'shipments.csv',
  rowCount: 50,
  notes: [],
  columns: [
    column('country', 'VARCHAR', values('US', 'DE', 'FR', 'IN')),
    column('grade', 'VARCHAR', values('A', 'A+', 'A-', 'B')),
    column('stage', 'VARCHAR', values('live', 'ended')),
    column('weight', 'DECIMAL(18,1)'),
    column('units', 'BIGINT'),
    column('shipped', 'DATE'),
  ],
};
const answer = (question: string) => answerSqlTask({ question, dialect: 'DuckDB', tables: [table] });

describe('a question over a table', () => {
  it.each([
    ['How many shipments to the US?', "WHERE country = 'US'"],
    ['How many shipments to DE and FR?', "WHERE country IN ('DE', 'FR')"],
    ['Total weight of the shipments to US', "WHERE country = 'US'"],
    ['¿Cuántos shipments hay de US?', "WHERE country = 'US'"],
    ['How many shipments in country FR?', "WHERE country = 'FR'"],
    ['¿Cuántos shipments hay de country FR?', "WHERE country = 'FR'"],
    ['Total weight by country in 2023', "WHERE shipped >= DATE '2023-01-01' AND shipped < DATE '2024-01-01'"],
    ['How many shipments of grade A?', "WHERE grade = 'A'"],
    ['How many shipments of grade A+?', "WHERE grade = 'A+'"],
    ['How many shipments of grade A-?', "WHERE grade = 'A-'"],
    ['How many shipments with units below -3?', 'WHERE units < -3'],
    ['How many shipments with weight between −2.5 and 1?', 'WHERE weight BETWEEN -2.5 AND 1'],
    ['How many shipments before 2023-04-03?', "WHERE shipped < DATE '2023-04-03'"],
    ['How many shipments after 05/13/2023?', "WHERE shipped >= DATE '2023-05-14'"],
    ['¿Cuántos shipments hay antes del 03/04/2023?', "WHERE shipped < DATE '2023-04-03'"],
  ])('keeps what is said: %s', (question, condition) => {
    expect(answer(question).split('\n')).toContain(condition);
  });

  it.each([
    ['How many shipments to us?', 'us'],
    ['How many shipments with country us in 2023?', 'us'],
    ['How many shipments to the UK?', 'UK'],
    ['How many shipments to the IT?', 'IT'],
    ['How many live shipments?', 'live'],
    ['How many shipments before 03/04/2023?', '03/04/2023'],
    ['How many shipments with weight != 3?', '!='],
    ['How many shipments with 18+ units?', '+'],
    ['How many shipments with weight over 1.500?', '1.500'],
    ['¿Cuántos shipments tienen units mayor que 1,500?', '1,500'],
    ['¿Cuántos shipments tienen units mayor que 2 mil?', ''],
    ['What is the maximum weight to FR and its shipment?', ''],
  ])('is not answered by half: %s', (question, word) => {
    expect(answer(question)).toMatch(/^NO ANSWER: /);
    expect(answer(question)).toContain(word);
  });

  describe('over a table whose rows have a number', () => {
    const orders = (name: string, distinct: number) => ({
      ...table,
      name: 'orders',
      origin: 'orders.csv',
      columns: [column(name, 'BIGINT', { distinct }), column('units', 'BIGINT'), column('amount', 'DECIMAL(18,2)')],
    });
    const asked = (question: string, name = 'order_', distinct = 50) =>
      answerSqlTask({ question, dialect: 'DuckDB', tables: [orders(name, distinct)] });

    it('does not add them up', () => {
      expect(asked('How many orders are there?')).toContain('SELECT count(DISTINCT order_) AS n');
      expect(asked('How many orders are there?', 'order_', 40)).toMatch(/^NO ANSWER: /);
      expect(asked('How many orders are there?', 'orders', 40)).toContain('sum(orders)');
    });

    it('compares what the number stands before', () => {
      expect(asked('How many orders with more than 50 units?')).toContain('WHERE units > 50');
      expect(asked('Total amount of the orders with amount over 50 units')).toMatch(/^NO ANSWER: /);
    });

    it('takes years for an age only where nothing else is named', () => {
      const columns = [column('edad', 'BIGINT'), column('antigüedad', 'BIGINT')];
      const staff = { ...table, name: 'empleados', origin: 'empleados.csv', columns };
      const said = (question: string) => answerSqlTask({ question, dialect: 'DuckDB', tables: [staff] });
      expect(said('¿Cuántos empleados tienen más de 40 años?')).toContain('WHERE edad > 40');
      expect(said('Edad media de los empleados con más de 5 años de antigüedad')).toMatch(/^NO ANSWER: /);
    });

    it('takes no quotient for a group', () => {
      expect(asked('Amount per unit')).toMatch(/^NO ANSWER: /);
    });
  });

  describe('over whose rows values are asked for', () => {
    const sales = {
      ...table,
      name: 'sales',
      origin: 'sales.csv',
      columns: [
        column('order_id', 'BIGINT', { identifier: true, distinct: 50 }),
        column('order_date', 'DATE', { nulls: 0, nullable: false }),
        column('region', 'VARCHAR', { nulls: 4, ...values('North', 'South') }),
        column('rep', 'VARCHAR', values('Ana', 'Luis')),
        column('status', 'VARCHAR', values('paid', 'cancelled')),
        column('ship_date', 'DATE', { nulls: 9 }),
        column('contrato', 'VARCHAR', values('temporal', 'indefinido')),
        column('urgent', 'BOOLEAN'),
      ],
    };
    const asked = (question: string) => answerSqlTask({ question, dialect: 'DuckDB', tables: [sales] });

    it.each([
      'Which regions have no paid orders in 2022?',
      'How many reps have no cancelled orders in 2022?',
      'Which reps have only paid orders?',
      'How many reps have only paid orders?',
      'Which reps have all orders paid?',
      '¿Qué reps tienen todos los sales paid?',
      '¿Qué reps tienen solo temporales?',
    ])('takes none for those of some row that is another: %s', (question) => {
      expect(asked(question)).toMatch(/^NO ANSWER: /);
    });

    it.each([
      ['Which reps have no cancelled orders?', 'rep', "status = 'cancelled'"],
      ['List the reps with no cancelled orders', 'rep', "status = 'cancelled'"],
      ['Which regions do not have paid orders?', 'region', "status = 'paid'"],
      ['Which reps are not urgent?', 'rep', 'urgent'],
      ['Which regions have no ship date?', 'region', 'ship_date IS NOT NULL'],
      ['¿Qué region no tienen temporales?', 'region', "contrato = 'temporal'"],
      ['¿En qué region no hay temporales?', 'region', "contrato = 'temporal'"],
      ['Which reps are not of region North or South?', 'rep', "region IN ('North', 'South')"],
      ['¿Qué reps no son de la region North?', 'rep', "region = 'North'"],
    ])('lists those of which no row is so: %s', (question, column, condition) => {
      const written = asked(question);
      expect(written).toContain(
        `WHERE ${column} IS NOT NULL\nGROUP BY 1\nHAVING count(CASE WHEN ${condition} THEN 1 END) = 0\n`,
      );
      expect(written).toMatch(/NOTE: .*(?:none of its rows|ninguna de sus filas)/);
    });

    it('counts those of which no row is so', () => {
      expect(asked('How many reps have no cancelled orders?')).toContain(
        "SELECT count(DISTINCT rep) - count(DISTINCT CASE WHEN status = 'cancelled' THEN rep END) AS n\nFROM sales\n```",
      );
    });

    it.each([
      ['How many orders have a region?', 'WHERE region IS NOT NULL'],
      ['How many orders have a ship date?', 'WHERE ship_date IS NOT NULL'],
      ['How many orders have region?', 'WHERE region IS NOT NULL'],
    ])('counts no values where rows are asked for that have one: %s', (question, condition) => {
      expect(asked(question)).toContain(`SELECT count(*) AS n\nFROM sales\n${condition}\n`);
    });

    it.each([
      ['Which reps have cancelled orders?', "SELECT DISTINCT rep FROM sales WHERE status = 'cancelled'"],
      ['Which reps have sales not paid?', "SELECT DISTINCT rep FROM sales WHERE (status <> 'paid' OR status IS NULL)"],
      ['Which reps have sales without region?', 'SELECT DISTINCT rep FROM sales WHERE region IS NULL'],
      ['How many sales have a region?', 'SELECT count(*) AS n FROM sales WHERE region IS NOT NULL'],
      ['How many sales are not paid?', "SELECT count(*) AS n FROM sales WHERE (status <> 'paid' OR status IS NULL)"],
    ])('still answers what is clear: %s', (question, statement) => {
      expect(asked(question).replace(/\s+/g, ' ')).toContain(statement);
    });
  });

  it('says that rows without a value are among those of a negation, or are not, where there are some', () => {
    const columns = (nulls: number) => [
      column('region', 'VARCHAR', { nulls, ...values('North', 'South') }),
      column('urgent', 'BOOLEAN', { nulls }),
    ];
    const said = (question: string, nulls: number) =>
      answerSqlTask({ question, dialect: 'DuckDB', tables: [{ ...table, columns: columns(nulls) }] });
    for (const question of ['How many shipments are not in the South?', 'How many shipments are not urgent?']) {
      expect(said(question, 3)).toMatch(/```\n+NOTE: .*(?:region|urgent)/);
      expect(said(question, 0)).not.toContain('NOTE:');
    }
  });

  it('takes the median of decimals exactly', () => {
    expect(answer('What is the median weight?')).toContain('median(weight::DECIMAL(38,2))');
    expect(answer('What is the median of units?')).toContain('median(units)');
  });
});

it.each([
  'Total units by month, per month',
  'Unidades totales por mes y por mes',
  'Which month had most units by country monthly?',
])('a period that is said twice is read to its end: %s', (question) => {
  expect(answer(question)).toMatch(/^(?:NO ANSWER|```sql)/);
});

describe('many tables', () => {
  afterEach(() => jest.restoreAllMocks());
  const tables = Array.from({ length: 40 }, (_, n) => ({ ...table, name: `shipments_${n}`, origin: `${n}.csv` }));
  const task = { question: 'Total weight by country', dialect: 'DuckDB', tables } as const;

  it('are read in turns, with the same answer', async () => {
    // Each look at the clock is a turn later.
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 5));
    let others = 0;
    let isDone = false;
    const count = () => {
      others++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const found = await answerSqlTaskInTurns(task, new AbortController().signal);
    isDone = true;
    expect(found).toBe(answerSqlTask(task));
    expect(others).toBeGreaterThan(tables.length);
  });

  it('are not read to their end for somebody who has gone', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 5));
    const caller = new AbortController();
    const reading = answerSqlTaskInTurns(task, caller.signal);
    caller.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
  });
});
