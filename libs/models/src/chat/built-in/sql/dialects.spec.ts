/** The same question in the SQL of each engine. */
import type { SqlDialect, SqlTable } from '../../sql-task';
import { answerSqlTask } from './answer-sql-task';

const column = (name: string, type: string, more = {}) => ({
  name,
  original: name,
  type,
  samples: [],
  notes: [],
  ...more,
});
const orders = (types: { text: string; date: string; bool: string }): SqlTable => ({
  name: 'orders',
  origin: 'shop.orders',
  primaryKey: ['id'],
  notes: [],
  columns: [
    column('id', 'int', { identifier: true }),
    column('region', types.text, { values: [{ value: 'North\\East' }, { value: "L'Hospitalet" }] }),
    column('placed_at', types.date),
    column('units', 'int'),
    column('paid', types.bool),
    column('details', 'json', { jsonKeys: ['gift', 'shipping.city'] }),
  ],
});
const TYPES: Record<SqlDialect, { text: string; date: string; bool: string }> = {
  DuckDB: { text: 'VARCHAR', date: 'TIMESTAMP', bool: 'BOOLEAN' },
  PostgreSQL: { text: 'character varying(40)', date: 'timestamp with time zone', bool: 'boolean' },
  MySQL: { text: 'varchar(40)', date: 'timestamp', bool: 'tinyint(1)' },
  MariaDB: { text: 'varchar(40)', date: 'datetime', bool: 'tinyint(1)' },
  'SQL Server': { text: 'nvarchar(40)', date: 'datetimeoffset(7)', bool: 'bit' },
  SQLite: { text: 'TEXT', date: 'DATETIME', bool: 'BOOLEAN' },
};
const answer = (question: string, dialect: SqlDialect) =>
  answerSqlTask({ question, dialect, tables: [orders(TYPES[dialect])] });
const statement = (question: string, dialect: SqlDialect) =>
  /```sql\n([^]*?)\n```/.exec(answer(question, dialect))?.[1]?.replace(/\s+/g, ' ');

const MONTH = 'How many orders per month in 2024?';
const QUARTER = 'Number of orders by quarter and region';
const MEAN = 'Average units of the orders that were not paid';
const BACKSLASH = 'How many orders do not have the region North\\East?';
const QUOTE = "How many orders in L'Hospitalet?";
const SHARE = 'What percentage of orders were paid?';
const KEY = 'How many orders by gift?';
const PATH = 'How many orders with shipping city "Vigo"?';
const MOST = 'Which region has the most units?';

const RANKED =
  'SELECT region, sum_units FROM ( SELECT region, sum(units) AS sum_units, rank() OVER (ORDER BY sum(units) DESC) AS place' +
  ' FROM orders WHERE region IS NOT NULL GROUP BY region HAVING sum(units) IS NOT NULL ) ranked WHERE place <= 1 ORDER BY place';
const NOT_NORTH = "(region <> 'North\\East' OR region IS NULL)";
const MYSQL_NOT_NORTH = "(region <> 'North\\\\East' OR region IS NULL)";
const CATALAN = "region = 'L''Hospitalet'";

const EXPECTED: Record<SqlDialect, Record<string, string>> = {
  DuckDB: {
    [MONTH]:
      "SELECT strftime(placed_at, '%Y-%m') AS month, count(*) AS n FROM orders WHERE placed_at >= DATE '2024-01-01'",
    [QUARTER]:
      "year(placed_at) || '-Q' || quarter(placed_at) AS quarter, region, count(*) AS n FROM orders GROUP BY 1, 2",
    [MEAN]: 'SELECT avg(units) AS avg_units FROM orders WHERE NOT paid',
    [BACKSLASH]: NOT_NORTH,
    [QUOTE]: CATALAN,
    [SHARE]: '100e0 * count(CASE WHEN paid THEN 1 END) / count(*)',
    [KEY]: `json_extract_string(details, '$."gift"') AS gift`,
    [PATH]: `lower(json_extract_string(details, '$."shipping"."city"')) = lower('Vigo')`,
    [MOST]:
      'HAVING sum(units) IS NOT NULL QUALIFY rank() OVER (ORDER BY sum(units) DESC) <= 1 ORDER BY sum(units) DESC',
  },
  PostgreSQL: {
    [MONTH]: "GROUP BY to_char(placed_at, 'YYYY-MM') ORDER BY month",
    [QUARTER]: `to_char(placed_at, 'YYYY-"Q"Q') AS quarter`,
    [MEAN]: 'WHERE NOT paid',
    [BACKSLASH]: NOT_NORTH,
    [QUOTE]: CATALAN,
    [SHARE]: 'CASE WHEN paid THEN',
    [KEY]: "(details ->> 'gift') AS gift",
    [PATH]: `lower((details #>> '{"shipping","city"}')) = lower('Vigo')`,
    [MOST]: RANKED,
  },
  MySQL: {
    [MONTH]: "DATE_FORMAT(placed_at, '%Y-%m') AS month",
    [QUARTER]: "CONCAT(YEAR(placed_at), '-Q', QUARTER(placed_at)) AS quarter",
    [MEAN]: 'SELECT avg(units * 1e0) AS avg_units FROM orders WHERE paid = 0',
    [BACKSLASH]: MYSQL_NOT_NORTH,
    [QUOTE]: CATALAN,
    [SHARE]: 'CASE WHEN paid = 1 THEN',
    [KEY]: `JSON_UNQUOTE(JSON_EXTRACT(details, '$."gift"')) AS gift`,
    [PATH]: `'$."shipping"."city"'`,
    [MOST]: RANKED,
  },
  MariaDB: { [MONTH]: "DATE_FORMAT(placed_at, '%Y-%m') AS month", [BACKSLASH]: MYSQL_NOT_NORTH, [MOST]: RANKED },
  'SQL Server': {
    [MONTH]: "CONVERT(char(7), (placed_at AT TIME ZONE 'UTC'), 126) AS month",
    [QUARTER]: "DATEPART(quarter, (placed_at AT TIME ZONE 'UTC'))",
    [MEAN]: 'SELECT avg(CAST(units AS float)) AS avg_units FROM orders WHERE paid = 0',
    [BACKSLASH]: "region <> N'North\\East'",
    [QUOTE]: "region = N'L''Hospitalet'",
    [KEY]: `JSON_VALUE(details, '$."gift"') AS gift`,
    [MOST]: 'rank() OVER (ORDER BY sum(CAST(units AS bigint)) DESC) AS place',
  },
  SQLite: {
    [MONTH]: "strftime('%Y-%m', placed_at) AS month, count(*) AS n FROM orders WHERE placed_at >= '2024-01-01'",
    [QUARTER]: "((CAST(strftime('%m', placed_at) AS INTEGER) + 2) / 3) AS quarter",
    [MEAN]: 'WHERE paid = 0',
    [BACKSLASH]: NOT_NORTH,
    [KEY]: `json_extract(details, '$."gift"') AS gift`,
    [MOST]: RANKED,
  },
};
const CASES = Object.entries(EXPECTED).flatMap(([dialect, expected]) =>
  Object.entries(expected).map(([question, part]) => [dialect as SqlDialect, question, part] as const),
);

it.each(CASES)('%s: %s', (dialect, question, part) => {
  expect(statement(question, dialect)).toContain(part);
});

it.each(['PostgreSQL', 'MySQL'] as const)('says that days are those of a zone: %s', (dialect) => {
  expect(answer('How many orders in May 2024?', dialect)).toMatch(/\nNOTE: Days of orders\.placed_at .* time zone\./);
});

it.each(['MySQL', 'MariaDB', 'SQL Server', 'SQLite'] as const)(
  'has no median where the engine has none: %s',
  (dialect) => {
    expect(answer('Median units', dialect)).toMatch(/^NO ANSWER: /);
  },
);
