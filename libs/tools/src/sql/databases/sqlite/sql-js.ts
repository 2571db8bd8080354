/** The little of sql.js that is used; it brings no types. */
export type SqliteValue = number | bigint | string | Uint8Array | null;

export interface Statement {
  step(): boolean;
  get(params: null, options: { readonly useBigInt: true }): SqliteValue[];
  getColumnNames(): string[];
  bind(values: readonly (string | number | null)[]): boolean;
  free(): boolean;
}

export interface StatementIterator {
  next(): { readonly done: boolean; readonly value: Statement };
  getRemainingSQL(): string;
  return(): unknown;
}

export interface Database {
  run(sql: string): Database;
  prepare(sql: string): Statement;
  iterateStatements(sql: string): StatementIterator;
  close(): void;
}

export interface SqlJs {
  readonly Database: new (bytes?: Uint8Array) => Database;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const initSqlJs = require('sql.js') as (options: { readonly useOldExtensionFunctions: boolean }) => Promise<SqlJs>;

let loaded: Promise<SqlJs> | undefined;

export const loadSqlJs = (): Promise<SqlJs> =>
  // The functions that come with it are others by the same names: its `log` is to another base than SQLite's.
  (loaded ??= initSqlJs({ useOldExtensionFunctions: false }));

/** The next one begins with fresh memory. */
export function unloadSqlJs(): void {
  loaded = undefined;
}

/** Rows of a statement of ours. */
export function rowsOf(
  database: Database,
  sql: string,
  values: readonly (string | number | null)[] = [],
): SqliteValue[][] {
  const statement = database.prepare(sql);
  try {
    if (values.length > 0) statement.bind(values);
    const rows: SqliteValue[][] = [];
    while (statement.step()) rows.push(statement.get(null, { useBigInt: true }));
    return rows;
  } finally {
    statement.free();
  }
}

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
