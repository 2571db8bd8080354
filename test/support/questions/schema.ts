/**
 * Schemas with rows for questions over databases: written once, and made into the statements of each engine and into the
 * card that a model is shown.
 */
import type { SqlColumn, SqlDialect, SqlTable } from '@app/models';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export interface ColumnOf {
  readonly name: string;
  readonly type: 'int' | 'decimal' | 'text' | 'enum' | 'bool' | 'date' | 'timestamp' | 'json';
  readonly nullable?: boolean;
  /** `table.column` */
  readonly references?: string;
  readonly values?: readonly string[];
  readonly comment?: string;
  readonly jsonKeys?: readonly string[];
}

export interface TableOf {
  readonly name: string;
  readonly schema?: string;
  readonly comment?: string;
  readonly kind?: 'table' | 'view';
  readonly key: readonly string[];
  readonly columns: readonly ColumnOf[];
  readonly rows: readonly Row[];
}

/** `int customer_id? -> customers.id` and the like, one column a line; `# …` is its comment. */
export function columns(lines: string): ColumnOf[] {
  return lines
    .trim()
    .split('\n')
    .map((line): ColumnOf => {
      const match =
        /^\s*(int|decimal|text|enum\(([^)]*)\)|bool|date|timestamp|json)\s+([\w$ ]+?)(\?)?(?:\s*->\s*([\w. ]+?))?(?:\s*#\s*(.*))?$/.exec(
          line,
        );
      if (!match) throw new Error(line);
      const [, type, labels, name, nullable, references, comment] = match;
      return {
        name: name!,
        type: type!.startsWith('enum') ? 'enum' : (type as ColumnOf['type']),
        nullable: nullable !== undefined,
        ...(references && { references }),
        ...(labels && { values: labels.split(',').map((label) => label.trim()) }),
        ...(comment && { comment }),
      };
    });
}

/** The same numbers every time. */
export function dice(seed: number) {
  let state = seed;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  return {
    int: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)]!,
    chance: (share: number) => next() < share,
    day: (from: string, to: string) => {
      const [low, high] = [Date.parse(from), Date.parse(to)];
      return new Date(low + Math.floor(next() * ((high - low) / 86_400_000 + 1)) * 86_400_000)
        .toISOString()
        .slice(0, 10);
    },
    money: (low: number, high: number) => Math.round((low + next() * (high - low)) * 100) / 100,
  };
}

const PLAIN = /^[a-z_][a-z0-9_]*$/;
const RESERVED = new Set(['order', 'user', 'group', 'table', 'select']);

export function quoted(name: string, dialect: SqlDialect): string {
  if (PLAIN.test(name) && !RESERVED.has(name)) return name;
  if (dialect === 'MySQL' || dialect === 'MariaDB') return `\`${name}\``;
  return dialect === 'SQL Server' ? `[${name}]` : `"${name}"`;
}

const TYPES: Record<'PostgreSQL' | 'MariaDB' | 'SQLite', Record<ColumnOf['type'], string>> = {
  PostgreSQL: {
    int: 'integer',
    decimal: 'numeric(12,2)',
    text: 'text',
    enum: 'varchar(40)',
    bool: 'boolean',
    date: 'date',
    timestamp: 'timestamp without time zone',
    json: 'jsonb',
  },
  MariaDB: {
    int: 'int(11)',
    decimal: 'decimal(12,2)',
    text: 'varchar(200)',
    enum: 'varchar(40)',
    bool: 'tinyint(1)',
    date: 'date',
    timestamp: 'datetime',
    json: 'json',
  },
  SQLite: {
    int: 'INTEGER',
    decimal: 'DECIMAL(12,2)',
    text: 'TEXT',
    enum: 'VARCHAR(40)',
    bool: 'BOOLEAN',
    date: 'DATE',
    timestamp: 'TIMESTAMP',
    json: 'JSON',
  },
};
export type Engine = keyof typeof TYPES;

const nameIn = ({ schema, name }: Pick<TableOf, 'schema' | 'name'>, engine: Engine): string =>
  schema === undefined ? quoted(name, engine) : `${quoted(schema, engine)}.${quoted(name, engine)}`;

/** What makes the tables and fills them. */
export function statements(tables: readonly TableOf[], engine: Engine): string[] {
  const made = tables.map((table) => {
    const list = table.columns.map(
      ({ name, type, nullable }) => `${quoted(name, engine)} ${TYPES[engine][type]}${nullable ? '' : ' NOT NULL'}`,
    );
    const key = `PRIMARY KEY (${table.key.map((name) => quoted(name, engine)).join(', ')})`;
    return `CREATE TABLE ${nameIn(table, engine)} (${[...list, key].join(', ')})`;
  });
  const filled = tables
    .filter(({ rows }) => rows.length > 0)
    .map((table) => {
      const rows = table.rows.map(
        (row) => `(${table.columns.map(({ name }) => literal(row[name] ?? null, engine)).join(', ')})`,
      );
      return `INSERT INTO ${nameIn(table, engine)} VALUES ${rows.join(', ')}`;
    });
  return [...made, ...filled];
}

function literal(value: Cell, engine: Engine): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return engine === 'PostgreSQL' ? String(value) : value ? '1' : '0';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll("'", "''");
  return `'${engine === 'MariaDB' ? text.replaceAll('\\', '\\\\') : text}'`;
}

const MAX_VALUES = 20;

/** The card, as the catalog of such a database would make it. */
export function card(tables: readonly TableOf[], dialect: SqlDialect): SqlTable[] {
  const engine: Engine = dialect === 'PostgreSQL' || dialect === 'SQLite' ? dialect : 'MariaDB';
  const named = new Map(tables.map((table) => [table.name, table]));
  return tables.map((table): SqlTable => {
    const name =
      table.schema === undefined
        ? quoted(table.name, dialect)
        : `${quoted(table.schema, dialect)}.${quoted(table.name, dialect)}`;
    const foreignKeys = table.columns.flatMap(({ name: own, references }) => {
      const [other, column] = references?.split('.') ?? [];
      const target = other === undefined ? undefined : named.get(other);
      if (!target) return [];
      return [
        {
          columns: [quoted(own, dialect)],
          table: quoted(target.name, dialect),
          references: [quoted(column!, dialect)],
        },
      ];
    });
    return {
      name,
      ...(name !== table.name && { original: table.name }),
      kind: table.kind ?? 'table',
      origin: `${table.schema ?? 'public'}.${table.name}`,
      rowCount: table.rows.length,
      isEstimate: true,
      ...(table.comment && { comment: table.comment }),
      columns: table.columns.map((column) => columnIn(column, table, dialect, TYPES[engine][column.type])),
      primaryKey: table.key.map((one) => quoted(one, dialect)),
      ...(foreignKeys.length > 0 && { foreignKeys }),
      notes: [],
    };
  });
}

function columnIn(
  { name, type, nullable, values, comment, references, jsonKeys }: ColumnOf,
  { rows, key }: TableOf,
  dialect: SqlDialect,
  sqlType: string,
): SqlColumn {
  const present = rows.map((row) => row[name] ?? null).filter((value) => value !== null);
  const distinct = [...new Set(present.map(String))];
  const shown =
    values ?? ((type === 'text' || type === 'enum') && distinct.length <= MAX_VALUES ? distinct : undefined);
  const isDate = type === 'date' || type === 'timestamp';
  const sorted = isDate ? [...distinct].sort() : [];
  return {
    name: quoted(name, dialect),
    original: name,
    type: sqlType,
    ...(comment && { comment }),
    ...(jsonKeys && { jsonKeys }),
    ...(!nullable && { nullable: false }),
    ...(type === 'int' && (references || key.includes(name)) && { identifier: true }),
    ...(sorted.length > 0 && { minimum: sorted[0]!, maximum: sorted.at(-1)! }),
    samples: distinct.slice(0, 3),
    ...(shown && shown.length > 0 && { values: shown.map((value) => ({ value })) }),
    notes: [],
  };
}
