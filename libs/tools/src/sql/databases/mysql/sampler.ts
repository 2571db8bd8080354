/** What the rows of tables look like: their first ones, and how far numbers and dates go. */
import type { ColumnSample, TableSample } from '../catalog';
import type { TableName } from '../database-engine';
import { MysqlClient, ServerError } from './mysql-client';

const ROWS = 2000;
/** Characters of a text, and of a JSON value that is looked into. */
const TEXT = 120;
const JSON_TEXT = 4000;
const JSON_ROWS = 200;
const MAX_VALUES = 25;
/** Of so few things each may have a value of its own: the names of five depots are a list to choose from. */
const FEW_THINGS = 10;
const MAX_VALUE_LENGTH = 60;
const SAMPLES = 3;
const MAX_KEYS = 40;
const MAX_COLUMNS = 200;
const TABLE_MS = 1000;

const TEXTS = /^(?:char|varchar|tinytext|text|mediumtext|longtext|enum|set|uuid|inet4|inet6)$/;
const BINARIES = /^(?:binary|varbinary|tinyblob|blob|mediumblob|longblob|geometry|point|linestring|polygon|vector)$/;
const ORDERED = /^(?:tinyint|smallint|mediumint|int|bigint|decimal|float|double|year|date|datetime|timestamp)$/;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Adds to `found` table by table, so that what was read is there when time runs out. */
export async function sampleTables(
  client: MysqlClient,
  tables: readonly TableName[],
  found: TableSample[],
): Promise<void> {
  const setting = client.isMariaDb ? `max_statement_time = ${TABLE_MS / 1000}` : `max_execution_time = ${TABLE_MS}`;
  await client.ask(`SET SESSION ${setting}`).catch(ignoreServer);
  for (const table of tables) {
    try {
      found.push(await sampleTable(client, table));
    } catch (error) {
      // One that may not be read, or takes too long, is left out.
      ignoreServer(error);
    }
  }
}

async function sampleTable(client: MysqlClient, { schema, name }: TableName): Promise<TableSample> {
  const described = await client.ask<[string, string]>(
    `SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = ? AND table_name = ?
     ORDER BY ordinal_position LIMIT ${MAX_COLUMNS}`,
    [schema, name],
  );
  const columns = described.map(([column, type]): Column => ({ name: column, type: type.toLowerCase() }));
  if (columns.length === 0) return { schema, name, columns: [] };
  const from = `${quoted(schema)}.${quoted(name)}`;
  const rows = await client.ask<(string | number | null)[]>(
    `SELECT ${columns.map(read).join(', ')} FROM ${from} LIMIT ${ROWS + 1}`,
  );
  const complete = rows.length <= ROWS;
  const bounds = await boundsOf(client, from, columns);
  return {
    schema,
    name,
    columns: columns.map((column, i) => {
      const values = rows.slice(0, ROWS).flatMap((row) => row[i] ?? []);
      return { name: column.name, ...looked(column, values.map(String), complete), ...bounds.get(column.name) };
    }),
  };
}

function read({ name, type }: Column): string {
  const column = quoted(name);
  if (BINARIES.test(type)) return 'NULL';
  if (type === 'bit') return `${column} + 0`;
  if (type === 'json' || type === 'longtext') return `LEFT(${column}, ${JSON_TEXT})`;
  return TEXTS.test(type) ? `LEFT(${column}, ${TEXT})` : column;
}

function looked({ type }: Column, values: readonly string[], complete: boolean): Omit<ColumnSample, 'name'> {
  const keys = type === 'json' || type === 'longtext' ? jsonKeys(values) : [];
  if (keys.length > 0) return { samples: [], jsonKeys: keys };
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const common = [...counts].sort(([, a], [, b]) => b - a);
  const samples = common.slice(0, SAMPLES).map(([value]) => value.slice(0, TEXT));
  const few = common.length <= MAX_VALUES && common.every(([value]) => value.length <= MAX_VALUE_LENGTH);
  const areNames = common.length > FEW_THINGS && common.length === values.length;
  if (!TEXTS.test(type) || !few || common.length === 0 || areNames) return { samples };
  return { samples, values: { list: common.map(([value, count]) => ({ value, count })), complete } };
}

/** Of numbers and dates in the whole table, where that is quickly told. */
async function boundsOf(client: MysqlClient, from: string, columns: readonly Column[]) {
  const ordered = columns.filter(({ type }) => ORDERED.test(type)).slice(0, 20);
  const bounds = new Map<string, { minimum?: string; maximum?: string }>();
  if (ordered.length === 0) return bounds;
  const list = ordered.flatMap(({ name }) => [`MIN(${quoted(name)})`, `MAX(${quoted(name)})`]);
  const [row = []] = await client
    .ask<(string | number | null)[]>(`SELECT ${list.join(', ')} FROM ${from}`)
    .catch((error: unknown) => {
      ignoreServer(error);
      return [];
    });
  ordered.forEach(({ name }, i) => {
    const [minimum, maximum] = [row[2 * i] ?? null, row[2 * i + 1] ?? null];
    if (minimum !== null && maximum !== null) {
      bounds.set(name, { minimum: String(minimum), maximum: String(maximum) });
    }
  });
  return bounds;
}

/** `address.city`; of lists, what their entries have. */
function jsonKeys(texts: readonly string[]): string[] {
  const keys = new Set<string>();
  const walk = (value: unknown, path: string, depth: number): void => {
    if (Array.isArray(value)) return value.slice(0, 5).forEach((entry) => walk(entry, path, depth + 1));
    if (typeof value !== 'object' || value === null || depth > 4) return;
    for (const [key, inner] of Object.entries(value)) {
      if (keys.size >= MAX_KEYS) return;
      const here = path === '' ? key : `${path}.${key}`;
      keys.add(here);
      walk(inner, here, depth + 1);
    }
  };
  for (const text of texts.slice(0, JSON_ROWS)) {
    if (!/^\s*[{[]/.test(text)) continue;
    try {
      walk(JSON.parse(text), '', 0);
    } catch {
      // Cut, or no JSON.
    }
  }
  return [...keys];
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** What the server says to a statement is its word; a lost connection is not. */
function ignoreServer(error: unknown): void {
  if (!(error instanceof ServerError)) throw error;
}
