/** Questions over several tables: which join they come to, and where none is sure. */
import type { SqlColumn, SqlTable } from '../../sql-task';
import { answerSqlTask } from './answer-sql-task';

const column = (name: string, type: string, more: Partial<SqlColumn> = {}): SqlColumn => ({
  name,
  original: name,
  type,
  samples: [],
  notes: [],
  ...more,
});
const values = (...all: string[]) => ({ values: all.map((value) => ({ value })) });
const id = column('id', 'integer', { identifier: true, nullable: false });
const link = (name: string, nullable = false) => column(name, 'integer', { identifier: true, nullable });
function table(name: string, columns: SqlColumn[], more: Partial<SqlTable> = {}): SqlTable {
  const links = columns.filter((one) => /_id$/.test(one.name));
  const targets: Record<string, string> = { home_city_id: 'cities', work_city_id: 'cities', author_id: 'people' };
  return {
    name,
    origin: `public.${name}`,
    notes: [],
    columns,
    ...(columns.includes(id) && { primaryKey: ['id'] }),
    foreignKeys: links.map((one) => ({
      columns: [one.name],
      table: targets[one.name] ?? `${one.name.slice(0, -3).replace(/y$/, 'ie')}s`,
      references: ['id'],
    })),
    ...more,
  };
}

const cities = table('cities', [id, column('name', 'text', values('Vigo', 'Lugo'))]);
const people = table('people', [id, column('name', 'text'), link('home_city_id'), link('work_city_id', true)]);
const books = table('books', [
  id,
  column('title', 'text', values('Alpha', 'Beta')),
  link('author_id', true),
  column('pages', 'integer'),
  column('price', 'numeric(8,2)'),
]);
const loans = table('loans', [
  id,
  link('book_id'),
  link('member_id'),
  column('lent_on', 'date'),
  column('fee', 'numeric(8,2)'),
]);
const members = table('members', [id, column('name', 'text'), column('tier', 'text', values('gold', 'silver'))]);
const tables = [cities, people, books, loans, members];

const asked = (
  question: string,
  some: readonly SqlTable[] = tables,
  dialect = 'PostgreSQL' as 'PostgreSQL' | 'DuckDB',
) => answerSqlTask({ question, dialect, tables: some });
const statement = (said: string) => /```sql\n([^]*?)\n```/.exec(said)?.[1]?.replace(/\s+/g, ' ');

describe('a question over several tables', () => {
  it('joins what foreign keys lead to, and loses no row without a partner', () => {
    expect(statement(asked('How many loans by tier?'))).toBe(
      'SELECT m.tier AS member_tier, count(*) AS n FROM loans AS l JOIN members AS m ON m.id = l.member_id GROUP BY m.tier ORDER BY member_tier',
    );
    const said = asked('How many books per author?');
    expect(statement(said)).toContain('LEFT JOIN people AS p ON p.id = b.author_id GROUP BY p.id, p.name');
    expect(said).toContain('NOTE: Rows without a value in books.author_id are a group of their own.');
  });

  it('adds up nothing that a join would double', () => {
    expect(asked('Total pages of books lent to gold members')).toMatch(/^NO ANSWER: /);
    expect(asked('Average price of the books lent in 2024')).toMatch(/^NO ANSWER: /);
    expect(statement(asked('Total fee of loans of Alpha'))).toContain(
      'sum(l.fee) AS sum_fee FROM loans AS l JOIN books AS b',
    );
    expect(statement(asked('How many members borrowed Alpha?'))).toBeUndefined();
    expect(statement(asked('How many members have loans of Alpha?'))).toContain('count(DISTINCT l.member_id)');
  });

  it('asks which way is meant where there are two', () => {
    expect(asked('How many people by city?')).toMatch(/^NO ANSWER: It is not clear what is meant: city/);
    expect(asked('How many people in Vigo?')).toMatch(/^NO ANSWER: It is not clear what is meant: Vigo/);
    expect(statement(asked('How many people by work city?'))).toContain('ON c.id = p.work_city_id');
    expect(statement(asked('How many people with home city Lugo?'))).toContain('c.id = p.home_city_id');
  });

  it('finds rows by what points at them, or does not', () => {
    expect(statement(asked('Members without loans'))).toBe(
      'SELECT m.* FROM members AS m WHERE NOT EXISTS (SELECT 1 FROM loans AS l WHERE l.member_id = m.id)',
    );
    expect(statement(asked('How many gold members have no loans in 2024?'))).toContain(
      "NOT EXISTS (SELECT 1 FROM loans AS l WHERE l.member_id = m.id AND l.lent_on >= DATE '2024-01-01' AND l.lent_on < DATE '2025-01-01') AND m.tier = 'gold'",
    );
    expect(statement(asked('How many members have fewer than 3 loans?'))).toContain(
      '(SELECT count(*) FROM loans AS l WHERE l.member_id = m.id) < 3',
    );
    // Silver are members, not loans.
    expect(asked('How many members without loans are silver?')).toMatch(/^NO ANSWER: /);
  });

  it('takes nobody who lacks something for somebody in a row of what connects them', () => {
    for (const question of ['Which members have no books?', '¿Cuántos members no tienen ningún book?']) {
      expect([question, asked(question)]).toEqual([question, expect.stringMatching(/^NO ANSWER: /)]);
    }
    expect(statement(asked('How many members have no loans?'))).toContain('WHERE NOT EXISTS');
  });

  it('takes the table whose name is said whole, and the one that SQL would take', () => {
    const archive = { ...loans, name: 'loans_archive' };
    expect(statement(asked('How many loans?', [...tables, archive]))).toBe('SELECT count(*) AS n FROM loans');
    const other = { ...loans, name: 'old.loans', original: 'loans' };
    const said = asked('How many loans?', [...tables, other]);
    expect(statement(said)).toBe('SELECT count(*) AS n FROM loans');
    expect(said).toContain('NOTE: The table is loans, not old.loans.');
    expect(statement(asked('How many old loans?', [...tables, other]))).toBe('SELECT count(*) AS n FROM old.loans');
    const two = [
      { ...other, name: 'a.loans' },
      { ...other, name: 'b.loans' },
    ];
    expect(asked('How many loans?', two)).toMatch(/^NO ANSWER: It is not clear what is meant: a\.loans, b\.loans/);
  });

  it('takes a view only where nothing else fits', () => {
    const view = {
      ...table('loan_totals', [column('tier', 'text', values('gold')), column('fee', 'numeric')]),
      kind: 'view' as const,
    };
    expect(statement(asked('Total fee by tier', [...tables, view]))).toContain('FROM loans AS l');
    expect(statement(asked('How many loan totals?', [...tables, view]))).toBe('SELECT count(*) AS n FROM loan_totals');
  });

  it('says what a sum leaves undecided', () => {
    const orders = table('orders', [
      id,
      column('amount', 'numeric'),
      column('status', 'text', values('paid', 'cancelled')),
      column('deleted_at', 'date'),
    ]);
    const said = asked('Total amount of orders', [orders]);
    expect(said).toContain('NOTE: Rows are counted whatever orders.status says.');
    expect(said).toContain('NOTE: Rows are counted whatever orders.deleted_at says.');
    expect(asked('Total amount of paid orders that are not deleted', [orders])).not.toContain('whatever');
  });
});

describe('tables of documents', () => {
  const clients = {
    name: 'clients',
    origin: 'clients.csv',
    rowCount: 3,
    notes: [],
    columns: [
      column('client_id', 'BIGINT', { identifier: true, distinct: 3, minimum: '1', maximum: '3' }),
      column('name', 'VARCHAR', { distinct: 3, ...values('Ana', 'Eva', 'Luz') }),
      column('town', 'VARCHAR', values('Vigo', 'Lugo')),
    ],
  };
  const sales = (maximum = '3') => ({
    name: 'sales',
    origin: 'sales.csv',
    rowCount: 9,
    notes: [],
    columns: [
      column('client_id', 'BIGINT', { identifier: true, distinct: 3, minimum: '1', maximum }),
      column('amount', 'DECIMAL(18,2)'),
    ],
  });

  it('are joined by a column of one name that has each value once in one of them', () => {
    const said = asked('Total amount by town', [sales(), clients], 'DuckDB');
    expect(statement(said)).toContain('FROM sales AS s LEFT JOIN clients AS c ON c.client_id = s.client_id');
    expect(said).toContain(
      'NOTE: Rows were joined where sales.client_id equals clients.client_id; no foreign key says so.',
    );
  });

  it('are not where its values go beyond, or two tables could be meant', () => {
    expect(asked('Total amount by town', [sales('7'), clients], 'DuckDB')).toMatch(/^NO ANSWER: /);
    expect(asked('Total amount by town', [sales(), clients, { ...clients, name: 'others' }], 'DuckDB')).toMatch(
      /^NO ANSWER: /,
    );
  });
});
