/** Everything in which the engines' SQL differs, as far as the built-in model writes it. */
import type { SqlColumn, SqlDialect } from '../../sql-task';
import type { Column } from './described-table';
import type { Unit } from './lexicon';
import { sql, type Sql } from './sql';

export interface Dialect {
  readonly name: SqlDialect;
  /** A text as it stands in a statement. */
  text(value: string): string;
  /** A day, from `YYYY-MM-DD`. */
  day(day: string): string;
  /** The period that a date lies in: `2024-03`, `2024-Q1`, 2024. */
  period(unit: Unit, date: Column): Sql;
  /** The number of its month. */
  month(date: Column): Sql;
  sum(number: Sql, column: Column): Sql;
  /** Never a whole number cut from a fraction. */
  average(number: Sql, column: Column): Sql;
  /** Where the engine has one. */
  median?(column: Column): Sql;
  isTrue(column: Column): Sql;
  isFalse(column: Column): Sql;
  /** A text in a JSON column. */
  jsonText(column: string, path: readonly string[]): string;
  /** QUALIFY, so that a ranking needs no subquery. */
  readonly hasQualify: boolean;
}

const standardText = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const dateLiteral = (day: string): string => `DATE '${day}'`;
const isWhole = ({ spec }: Column): boolean => /INT|SERIAL/i.test(spec.type);

const common = {
  text: standardText,
  day: dateLiteral,
  sum: (number: Sql) => sql`sum(${number})`,
  average: (number: Sql) => sql`avg(${number})`,
  isTrue: (column: Column) => sql`${column}`,
  isFalse: (column: Column) => sql`NOT ${column}`,
  hasQualify: false,
};

const DUCKDB: Dialect = {
  ...common,
  name: 'DuckDB',
  period: (unit, date) =>
    ({
      day: sql`strftime(${date}, '%Y-%m-%d')`,
      month: sql`strftime(${date}, '%Y-%m')`,
      quarter: sql`year(${date}) || '-Q' || quarter(${date})`,
      year: sql`year(${date})`,
    })[unit],
  month: (date) => sql`month(${date})`,
  median: (column) => sql`median(${exactly(column)})`,
  jsonText: (column, path) => `json_extract_string(${column}, ${standardText(jsonPath(path))})`,
  hasQualify: true,
};

const POSTGRESQL: Dialect = {
  ...common,
  name: 'PostgreSQL',
  period: (unit, date) =>
    ({
      day: sql`to_char(${date}, 'YYYY-MM-DD')`,
      month: sql`to_char(${date}, 'YYYY-MM')`,
      quarter: sql`to_char(${date}, 'YYYY-"Q"Q')`,
      year: sql`CAST(EXTRACT(YEAR FROM ${date}) AS integer)`,
    })[unit],
  month: (date) => sql`EXTRACT(MONTH FROM ${date})`,
  median: (column) => sql`percentile_cont(0.5) WITHIN GROUP (ORDER BY ${column})`,
  jsonText: (column, path) =>
    path.length === 1
      ? `(${column} ->> ${standardText(path[0]!)})`
      : `(${column} #>> ${standardText(`{${path.map((key) => `"${key.replace(/["\\]/g, '\\$&')}"`).join(',')}}`)})`,
};

const MYSQL: Dialect = {
  ...common,
  name: 'MySQL',
  // A backslash begins an escape there.
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  period: (unit, date) =>
    ({
      day: sql`DATE_FORMAT(${date}, '%Y-%m-%d')`,
      month: sql`DATE_FORMAT(${date}, '%Y-%m')`,
      quarter: sql`CONCAT(YEAR(${date}), '-Q', QUARTER(${date}))`,
      year: sql`YEAR(${date})`,
    })[unit],
  month: (date) => sql`MONTH(${date})`,
  // Of whole numbers and decimals it would keep four more digits only.
  average: (number) => sql`avg(${number} * 1e0)`,
  isTrue: (column) => sql`${column} = 1`,
  isFalse: (column) => sql`${column} = 0`,
  jsonText: (column, path) => `JSON_UNQUOTE(JSON_EXTRACT(${column}, ${MYSQL.text(jsonPath(path))}))`,
};

const SQL_SERVER: Dialect = {
  ...common,
  name: 'SQL Server',
  text: (value) => `N${standardText(value)}`,
  day: (day) => `CAST('${day}' AS date)`,
  period: (unit, date) =>
    ({
      day: sql`CONVERT(char(10), ${inUtc(date)}, 126)`,
      month: sql`CONVERT(char(7), ${inUtc(date)}, 126)`,
      quarter: sql`CONCAT(YEAR(${inUtc(date)}), '-Q', DATEPART(quarter, ${inUtc(date)}))`,
      year: sql`YEAR(${inUtc(date)})`,
    })[unit],
  month: (date) => sql`MONTH(${inUtc(date)})`,
  sum: (number, column) => (isWhole(column) ? sql`sum(CAST(${number} AS bigint))` : sql`sum(${number})`),
  average: (number) => sql`avg(CAST(${number} AS float))`,
  isTrue: (column) => sql`${column} = 1`,
  isFalse: (column) => sql`${column} = 0`,
  jsonText: (column, path) => `JSON_VALUE(${column}, ${standardText(jsonPath(path))})`,
};

const SQLITE: Dialect = {
  ...common,
  name: 'SQLite',
  // Dates are texts there.
  day: (day) => `'${day}'`,
  period: (unit, date) =>
    ({
      day: sql`strftime('%Y-%m-%d', ${date})`,
      month: sql`strftime('%Y-%m', ${date})`,
      quarter: sql`strftime('%Y', ${date}) || '-Q' || ((CAST(strftime('%m', ${date}) AS INTEGER) + 2) / 3)`,
      year: sql`CAST(strftime('%Y', ${date}) AS INTEGER)`,
    })[unit],
  month: (date) => sql`CAST(strftime('%m', ${date}) AS INTEGER)`,
  isTrue: (column) => sql`${column} = 1`,
  isFalse: (column) => sql`${column} = 0`,
  jsonText: (column, path) => `json_extract(${column}, ${standardText(jsonPath(path))})`,
};

const DIALECTS: Readonly<Record<SqlDialect, Dialect>> = {
  DuckDB: DUCKDB,
  PostgreSQL: POSTGRESQL,
  MySQL: MYSQL,
  MariaDB: { ...MYSQL, name: 'MariaDB' },
  'SQL Server': SQL_SERVER,
  SQLite: SQLITE,
};

export const dialectOf = (name: SqlDialect): Dialect => DIALECTS[name];

/** SQL Server compares a date with an offset in UTC, and would take its parts at its own offset. */
const inUtc = (date: Column): Sql =>
  /offset/i.test(date.spec.type) ? sql`(${date} AT TIME ZONE 'UTC')` : sql`${date}`;

const jsonPath = (path: readonly string[]): string =>
  `$${path.map((key) => `."${key.replace(/["\\]/g, '\\$&')}"`).join('')}`;

/** The median of a DECIMAL has its decimals and no more: that of 1.1 and 1.2 would be 1.1. */
function exactly(column: Column): Sql {
  const [, width, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(column.spec.type) ?? [];
  if (width === undefined) return sql`${column}`;
  return Number(width) < 38 ? sql`${column}::DECIMAL(38,${Number(scale) + 1})` : sql`${column}`;
}

/** Whether days of the column begin where a time zone says. */
export const isZoned = ({ type }: SqlColumn, { name }: Dialect): boolean =>
  /with time zone|timestamptz|datetimeoffset/i.test(type) ||
  ((name === 'MySQL' || name === 'MariaDB') && /^timestamp/i.test(type));
