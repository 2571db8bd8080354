/** Questions that leave something open which the reader of a number has to know: it is told, or not answered. */
import type { SqlColumn } from '../../sql-task';
import { answerSqlTask } from './answer-sql-task';

const column = (name: string, type: string, more: Partial<SqlColumn> = {}): SqlColumn => ({
  name,
  original: name,
  type,
  samples: [],
  notes: [],
  nulls: 0,
  ...more,
});
const values = (...all: string[]) => ({
  values: all.map((value) => ({ value, count: 1 })),
  distinct: all.length,
});
const invoices = {
  name: 'invoices',
  origin: 'invoices.csv',
  rowCount: 80,
  notes: [],
  columns: [
    column('invoice', 'VARCHAR', { distinct: 80 }),
    column('client', 'VARCHAR', values('Nordwind', 'Kappa')),
    column('product', 'VARCHAR', values('May', 'March', 'Vase')),
    column('currency', 'VARCHAR', values('EUR', 'USD')),
    column('amount', 'DECIMAL(18,2)'),
    column('season', 'VARCHAR', values('2022/23', '2023/24')),
    column('quantity', 'BIGINT'),
    column('issued', 'DATE'),
    column('due', 'DATE'),
  ],
};
const answer = (question: string) => answerSqlTask({ question, dialect: 'DuckDB', tables: [invoices] });

describe('amounts in several currencies', () => {
  it.each([
    'total amount',
    'average amount by client',
    'total amount in 2023',
    'Which client has the highest total amount?',
    'What is the highest amount?',
    'importe total por client',
  ])('are not added up or compared: %s', (question) => {
    expect(answer(question)).toMatch(/^NO ANSWER: .*currency: EUR, USD/);
  });

  it.each([
    ['total amount in EUR', 'sum(amount)'],
    ['total amount by currency', 'sum(amount)'],
    ['total amount by client and currency', 'sum(amount)'],
    ['total quantity', 'sum(quantity)'],
    ['How many invoices are there?', 'count('],
  ])('are computed where one is meant at a time: %s', (question, measure) => {
    expect(answer(question)).toContain(measure);
  });

  it('are compared with a number only beside a warning', () => {
    expect(answer('How many invoices have an amount over 100?')).toMatch(/NOTE: .*currency/);
  });
});

describe('a value that is also a month', () => {
  it.each(['How many invoices for March?', 'total quantity of May', 'How many invoices of May?'])(
    'is not taken for one of them: %s',
    (question) => {
      expect(answer(question)).toMatch(/^NO ANSWER: It is not clear what is meant: (?:March|May)/);
    },
  );

  it.each([
    ['How many invoices of product March?', "product = 'March'"],
    ['How many invoices of "May"?', "product = 'May'"],
    ['How many invoices for Vase in March 2023?', "issued >= DATE '2023-03-01'"],
  ])('is taken where it is said which: %s', (question, condition) => {
    expect(answer(question)).toContain(condition);
  });
});

describe('the date that a period is one of', () => {
  it('is told with the others that the rows have', () => {
    expect(answer('How many invoices in 2023?')).toMatch(/NOTE: Dates are those of invoices.issued.*invoices.due/);
    expect(answer('¿Cuántas facturas hay en 2023?')).toMatch(
      /NOTE: Las fechas son las de invoices.issued.*invoices.due/,
    );
  });

  it('is told where another column has that year in a text', () => {
    expect(answer('How many invoices in 2023?')).toMatch(/invoices.season/);
    expect(answer('How many invoices in March 2023?')).not.toMatch(/invoices.season/);
  });

  it('needs no word where the question names it', () => {
    expect(answer('How many invoices are due in 2023?')).toContain('due >=');
    expect(answer('How many invoices are due in 2023?')).not.toMatch(/Dates are those/);
  });
});

describe('values of two columns', () => {
  const loans = {
    name: 'loans',
    origin: 'loans.csv',
    rowCount: 80,
    notes: [],
    columns: [
      column('loan_code', 'VARCHAR', { distinct: 80 }),
      column('title', 'VARCHAR', values('Dune', 'Emma')),
      column('branch', 'VARCHAR', values('North', 'South')),
      column('home_branch', 'VARCHAR', values('North', 'South')),
      column('member', 'VARCHAR', values('Ana', 'ana', 'Bob')),
      column('fine', 'DECIMAL(18,2)', { nulls: 3, minimum: '0.00', maximum: '10.00' }),
      column('renewals', 'BIGINT'),
    ],
  };
  const ask = (question: string) => answerSqlTask({ question, dialect: 'DuckDB', tables: [loans] });

  it.each([
    'How many loans from North with home branch South?',
    'How many loans of Emma with title Dune?',
    'How many loans of branch North and of branch South?',
    'How many loans in North branch and in South branch?',
    'Total fine of Emma with title Dune',
    'How many loans have 2 renewals and 3 renewals?',
    'How many loans with renewals 2 and with 3 renewals?',
  ])('are not both asked of one: %s', (question) => {
    expect(ask(question)).toMatch(/^NO ANSWER: /);
  });

  it.each([
    ['How many loans of branch North with home branch South?', "branch = 'North' AND home_branch = 'South'"],
    ['How many loans are not of Emma and not of Dune?', "title <> 'Dune'"],
    ['How many loans of Emma or Dune?', "title IN ('Emma', 'Dune')"],
  ])('are taken where it is said which is meant: %s', (question, condition) => {
    expect(ask(question)).toContain(condition);
  });

  it.each(['branch and home branch', 'home branch and branch', 'branch and by home branch'])(
    'are groups of both: by %s',
    (by) => {
      const answer = ask(`Number of loans by ${by}`);
      expect(answer).toContain('GROUP BY 1, 2');
      expect(answer).toMatch(/SELECT (?:branch, home_branch|home_branch, branch), count/);
    },
  );

  it.each(['Number of loans by member', 'How many distinct members are there?', 'Which member has the most loans?'])(
    'tell which are apart only by capitals or accents: %s',
    (question) => {
      expect(ask(question)).toMatch(/NOTE: .*loans\.member.*Ana, ana/);
    },
  );

  it('tell nothing of those that are not asked for', () => {
    expect(ask('Number of loans by branch')).not.toContain('NOTE');
    expect(ask('How many loans of member ana?')).not.toContain('NOTE');
    expect(ask('Number of loans of member Bob by member')).not.toContain('NOTE');
    expect(ask('How many titles have no loans of member ana?')).not.toMatch(/NOTE: .*written differently/);
  });

  it.each([
    ['How many members have no fine?', 'CASE WHEN fine <> 0 THEN member'],
    ['Which titles have no renewals?', 'CASE WHEN renewals <> 0 THEN'],
  ])('are lacked by whom no row has one, where 0 is none too: %s', (question, condition) => {
    expect(ask(question)).toContain(condition);
  });
});

describe('a state that a date has the name of', () => {
  const flats = {
    name: 'flats',
    origin: 'flats.csv',
    rowCount: 80,
    notes: [],
    columns: [
      column('flat_id', 'VARCHAR', { distinct: 80 }),
      column('status', 'VARCHAR', values('vacant', 'rented')),
      column('listed_on', 'DATE'),
      column('rented_on', 'DATE', { nulls: 20 }),
    ],
  };
  const ask = (question: string) => answerSqlTask({ question, dialect: 'DuckDB', tables: [flats] });

  it.each(['How many flats have been rented?', 'How many flats were listed in 2023 and not rented?'])(
    'is told: %s',
    (question) => {
      expect(ask(question)).toMatch(/NOTE: "rented" was taken for flats.status = "rented"/);
    },
  );

  it.each(['How many flats were rented in 2023?', 'How many flats are vacant?', 'How many flats with status rented?'])(
    'needs no word where the question says which: %s',
    (question) => {
      expect(ask(question)).not.toContain('NOTE');
    },
  );
});

describe('numbers and teams of two columns', () => {
  const matches = {
    name: 'matches',
    origin: 'matches.csv',
    rowCount: 80,
    notes: [],
    columns: [
      column('match_no', 'VARCHAR', { distinct: 80 }),
      column('home_team', 'VARCHAR', values('Leeds', 'Derby')),
      column('away_team', 'VARCHAR', values('Leeds', 'Derby')),
      column('home_goals', 'BIGINT'),
      column('away_goals', 'BIGINT'),
      column('result', 'VARCHAR', values('Home', 'Away', 'Draw')),
    ],
  };
  const ask = (question: string) => answerSqlTask({ question, dialect: 'DuckDB', tables: [matches] });

  it.each([
    'How many matches with more than 2 home goals or more than 2 away goals?',
    'How many matches with fewer than 2 home goals or fewer than 2 away goals?',
    'How many matches with at least 2 home goals or at least 2 away goals?',
    'How many matches with 2 home goals or more than 3 away goals?',
    '¿Cuántos matches con más de 2 home goals o más de 2 away goals?',
    'Total home and away goals by home team',
    'Total home or away goals',
    'How many matches of home team Leeds against Derby?',
    'Total home goals of home team Leeds and total away goals of away team Derby',
    'Average home goals of result Home and average away goals of home team Leeds',
  ])('are not taken for others: %s', (question) => {
    expect(ask(question)).toMatch(/^NO ANSWER: /);
  });

  it.each([
    ['How many matches with at least 2 home goals?', 'home_goals >= 2'],
    ['Total home goals and away goals', 'sum(home_goals) AS sum_home_goals, sum(away_goals)'],
    ['Total home goals and total away goals of result Home', 'sum(home_goals) AS sum_home_goals, sum(away_goals)'],
    ['Total away goals of result Home', "result = 'Home'"],
    ['How many matches of result Home or Away?', "result IN ('Home', 'Away')"],
    ['Total home goals of result Home versus Away', 'GROUP BY 1'],
  ])('are taken where it is clear: %s', (question, part) => {
    expect(ask(question)).toContain(part);
  });
});
