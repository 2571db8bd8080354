/** Tables, views and keys of a file, as SQLite itself lists them; and some rows of a table. */
import type { Row } from '../../exact-value';
import type { Catalog, CatalogColumn, CatalogTable, CatalogWish, ForeignKey, TableSample } from '../catalog';
import { summarise } from '../column-summary';
import type { TableName } from '../database-engine';
import { exactJson } from './run-query';
import { quotedName, rowsOf, type Database, type SqliteValue } from './sql-js';

/** Rows that a sample looks at. */
const SAMPLED_ROWS = 5000;
/** Counting reads a table; those that are left when the time is up stay uncounted. */
const COUNTING_MS = 1000;

const LISTED = `
  SELECT name, type FROM pragma_table_list
  WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  ORDER BY type = 'view', name`;

export function readCatalog(database: Database, wish: CatalogWish): Catalog {
  database.run('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON');
  const inScope = !wish.schemas || wish.schemas.some((schema) => schema.toLowerCase() === 'main');
  const listed = rowsOf(database, LISTED).filter(([, type]) => inScope && (type === 'view' ? wish.views : wish.tables));
  const until = Date.now() + COUNTING_MS;
  const tables = listed.slice(0, wish.maxObjects).flatMap(([name, type]) => {
    const table = describe(database, String(name), type === 'view' ? 'view' : 'table', until);
    return table ? [table] : [];
  });
  const [[version]] = rowsOf(database, 'SELECT sqlite_version()') as [[string]];
  return {
    product: `SQLite ${version}`,
    timeZone: 'UTC',
    schemas: ['main'],
    tables,
    routines: [],
    truncated: listed.length > wish.maxObjects,
  };
}

/** Nothing where a view cannot be read any more. */
function describe(database: Database, name: string, kind: 'table' | 'view', until: number): CatalogTable | undefined {
  try {
    const info = rowsOf(database, 'SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?)', [name]);
    const shown = info.filter(([, , , , hidden]) => Number(hidden) !== 1);
    const primaryKey = info
      .filter(([, , , pk]) => Number(pk) > 0)
      .sort((a, b) => Number(a[3]) - Number(b[3]))
      .map(([column]) => String(column));
    const checks = kind === 'table' ? checkedValues(database, name) : new Map<string, string[]>();
    const columns = shown.map(([column, type, notNull]): CatalogColumn => {
      const values = checks.get(String(column).toLowerCase());
      return {
        name: String(column),
        type: String(type ?? ''),
        nullable: Number(notNull) === 0 && !(primaryKey.length === 1 && primaryKey[0] === column),
        ...(values && { enumValues: values }),
      };
    });
    const rowEstimate = kind === 'table' && Date.now() < until ? countOf(database, name) : undefined;
    return {
      schema: 'main',
      name,
      kind,
      ...(rowEstimate !== undefined && { rowEstimate }),
      columns,
      primaryKey,
      foreignKeys: foreignKeys(database, name),
    };
  } catch {
    return undefined;
  }
}

const countOf = (database: Database, name: string): number =>
  Number(rowsOf(database, `SELECT COUNT(*) FROM main.${quotedName(name)}`)[0]![0]);

function foreignKeys(database: Database, name: string): ForeignKey[] {
  const rows = rowsOf(database, 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq', [
    name,
  ]);
  const keys = new Map<string, { table: string; columns: string[]; references: (string | undefined)[] }>();
  for (const [id, table, from, to] of rows) {
    const key = keys.get(String(id)) ?? { table: String(table), columns: [], references: [] };
    key.columns.push(String(from));
    key.references.push(to === null ? undefined : String(to));
    keys.set(String(id), key);
  }
  return [...keys.values()].flatMap(({ table, columns, references }) => {
    const named = references.some((to) => to === undefined) ? primaryKeyOf(database, table) : (references as string[]);
    return named.length === columns.length ? [{ columns, schema: 'main', table, references: named }] : [];
  });
}

const primaryKeyOf = (database: Database, table: string): string[] =>
  rowsOf(database, 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', [table]).map(([name]) =>
    String(name),
  );

const CHECK = /CHECK\s*\(\s*["`[]?([\p{L}\p{N}_]+)["`\]]?\s+IN\s*\(((?:\s*'(?:[^']|'')*'\s*,?)+)\)\s*\)/giu;

/** Values that `CHECK (column IN ('a', 'b'))` leaves; SQLite has no enums. */
function checkedValues(database: Database, table: string): Map<string, string[]> {
  const [row] = rowsOf(database, "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [table]);
  const found = String(row?.[0] ?? '')
    .slice(0, 100_000)
    .matchAll(CHECK);
  const textsIn = (list: string) =>
    [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => text!.replaceAll("''", "'"));
  return new Map([...found].map(([, column, list]) => [column!.toLowerCase(), textsIn(list!)]));
}

/** A table that cannot be read is left out. */
export function sampleTables(database: Database, tables: readonly TableName[]): TableSample[] {
  database.run('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON');
  return tables.flatMap(({ schema, name }) => {
    try {
      const columns = rowsOf(database, 'SELECT name FROM pragma_table_info(?)', [name]).map(([column]) =>
        String(column),
      );
      const list = columns.map((column) => `substr(${quotedName(column)}, 1, 4000)`);
      const exact = (row: SqliteValue[]): Row => row.map(exactJson);
      const select = columns.map(
        (column, i) =>
          `CASE typeof(${quotedName(column)}) WHEN 'text' THEN ${list[i]} WHEN 'blob' THEN '' ELSE ${quotedName(column)} END`,
      );
      const rows = rowsOf(
        database,
        `SELECT ${select.join(', ')} FROM main.${quotedName(name)} LIMIT ${SAMPLED_ROWS + 1}`,
      );
      const looked = rows.slice(0, SAMPLED_ROWS).map(exact);
      return [{ schema, name, columns: summarise(columns, looked, rows.length <= SAMPLED_ROWS) }];
    } catch {
      return [];
    }
  });
}
