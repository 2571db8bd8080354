/** What the rows of tables look like: their first ones, and how far numbers and dates go in all of them. */
import { DatabaseError } from 'pg';
import type { JsonValue, Row } from '../../exact-value';
import type { ColumnSample, TableSample } from '../catalog';
import { summarise } from '../column-summary';
import type { TableName } from '../database-engine';
import type { PostgresConnection } from './connection';
import { HARMLESS } from './callable';
import { lockedDown } from './lock-down';
import { jsonOf } from './values';

const ROWS = 2000;
/** Characters of a text, and of a JSON value that is looked into. */
const TEXT = 120;
const JSON_TEXT = 4000;
const MAX_COLUMNS = 200;
const TABLE_MS = 1000;

interface Column {
  readonly name: string;
  readonly type: string;
  /** The server's own: `N` for numbers, `D` for dates and times. */
  readonly category: string;
}

/** `$1` schema, `$2` table: what may be read of it, and is made a text by no function that may do more than that. */
const COLUMNS = `
  SELECT a.attname, pg_catalog.format_type(b.oid, NULL), b.typcategory
    FROM pg_catalog.pg_class c
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
    JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
    JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typbasetype <> 0 THEN t.typbasetype ELSE t.oid END
   WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
     AND a.attnum > 0 AND NOT a.attisdropped AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT')
     AND NOT EXISTS (
       SELECT FROM pg_catalog.pg_cast x JOIN pg_catalog.pg_proc p ON p.oid = x.castfunc
        WHERE x.castsource IN (t.oid, b.oid) AND x.casttarget = 'pg_catalog.text'::pg_catalog.regtype AND NOT ${HARMLESS})
   ORDER BY a.attnum LIMIT ${MAX_COLUMNS}`;

/** Adds to `found` table by table, so that what was read is there when time runs out. */
export async function sampleTables(
  connection: PostgresConnection,
  tables: readonly TableName[],
  found: TableSample[],
): Promise<void> {
  for (const { schema, name } of tables) {
    const columns = await within(connection, async () => {
      const rows = await connection.ask(COLUMNS, [schema, name]);
      return rows.map(([column, type, category]): Column => ({ name: column!, type: type!, category: category! }));
    });
    if (!columns?.length) continue;
    const from = `${quoted(schema)}.${quoted(name)}`;
    const rows = await within(connection, () =>
      connection.ask(`SELECT ${columns.map(shortened).join(', ')} FROM ${from} LIMIT ${ROWS + 1}`),
    );
    if (!rows) continue;
    const bounds = await within(connection, () => boundsOf(connection, from, columns));
    found.push({ schema, name, columns: looked(columns, rows, bounds ?? new Map()) });
  }
}

/** In a transaction of its own: what fails, or takes too long, is left out. */
async function within<T>(connection: PostgresConnection, read: () => Promise<T>): Promise<T | undefined> {
  await lockedDown(connection, { schemas: [], calls: [] }, TABLE_MS);
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DatabaseError) || connection.failure) throw error;
    return undefined;
  } finally {
    if (!connection.failure) await connection.ask('ROLLBACK');
  }
}

const isJson = ({ type }: Column) => type === 'json' || type === 'jsonb';

function shortened(column: Column): string {
  if (column.type === 'bytea') return 'NULL';
  return `pg_catalog.left(${quoted(column.name)}::pg_catalog.text, ${isJson(column) ? JSON_TEXT : TEXT})`;
}

async function boundsOf(
  connection: PostgresConnection,
  from: string,
  columns: readonly Column[],
): Promise<Map<string, Pick<ColumnSample, 'minimum' | 'maximum'>>> {
  const ordered = columns.filter(({ category }) => category === 'N' || category === 'D');
  if (ordered.length === 0) return new Map();
  const bounds = ordered.map(({ name }) => `min(${quoted(name)})::text, max(${quoted(name)})::text`);
  const [row] = await connection.ask(`SELECT ${bounds.join(', ')} FROM ${from}`);
  return new Map(
    ordered.flatMap(({ name }, i) => {
      const [minimum, maximum] = [row?.[2 * i], row?.[2 * i + 1]];
      return minimum != null && maximum != null ? [[name, { minimum, maximum }] as const] : [];
    }),
  );
}

function looked(
  columns: readonly Column[],
  rows: readonly (string | null)[][],
  bounds: ReadonlyMap<string, Pick<ColumnSample, 'minimum' | 'maximum'>>,
): ColumnSample[] {
  const complete = rows.length <= ROWS;
  const values = rows.slice(0, ROWS).map((row): Row => columns.map((column, i) => valueOf(column, row[i] ?? null)));
  const summaries = summarise(
    columns.map(({ name }) => name),
    values,
    complete,
  );
  return summaries.map(({ minimum: _, maximum: __, ...summary }) => ({ ...summary, ...bounds.get(summary.name) }));
}

function valueOf(column: Column, text: string | null): JsonValue {
  if (text === null) return null;
  if (isJson(column)) return jsonOf(text);
  if (column.category === 'B') return text === 'true';
  return column.category === 'N' ? Number(text) : text;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
