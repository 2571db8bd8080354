/**
 * SQLite takes a name in double quotes that is no column for a text: a column that is misspelt would be the same text
 * in every row, and nobody would see it.
 */
import { statement } from '../grammar/query';
import { Refused } from '../grammar/refused';
import { StatementReader } from '../grammar/statement-reader';
import { rowsOf, type Database } from './sql-js';
import { SQLITE } from './sqlite-sql';

/** Columns that no table declares. */
const EVERYWHERE = ['rowid', 'oid', '_rowid_'];
const OF_JSON = ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path'];

/** A name in double quotes that nothing in the statement or its tables has. */
export function misspeltName(database: Database, sql: string): string | undefined {
  const reader = read(sql);
  const quoted = reader?.columns.flatMap(({ parts: [only, more] }) =>
    !more && only!.text.startsWith('"') ? [only!.value] : [],
  );
  if (!reader || !quoted || quoted.length === 0) return undefined;
  const tables = reader.relations.map(({ parts }) => parts.at(-1)!.value);
  const columns = tables.flatMap((table) =>
    rowsOf(database, 'SELECT name FROM pragma_table_xinfo(?)', [table]).map(([name]) => String(name)),
  );
  const known = new Set(
    [...EVERYWHERE, ...OF_JSON, ...tables, ...columns, ...reader.given].map((name) => name.toLowerCase()),
  );
  return quoted.find((name) => !known.has(name.toLowerCase()));
}

function read(sql: string): StatementReader | undefined {
  try {
    const reader = new StatementReader(sql, SQLITE);
    statement(reader);
    return reader;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}
