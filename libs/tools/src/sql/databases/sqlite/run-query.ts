/** Runs one statement on a copy of a file in memory that takes no writes, after a look at the program it became. */
import { binaryNumber, wholeNumber, type JsonValue } from '../../exact-value';
import { distinctNames, RowCollector } from '../../row-collector';
import type { DatabaseLimits, DatabaseOutcome } from '../database-engine';
import { Refused } from '../grammar/refused';
import { checkProgram } from './opcodes';
import { misspeltName } from './quoted-names';
import { rowsOf, unloadSqlJs, type Database, type SqliteValue, type Statement } from './sql-js';
import { messageOf } from './sqlite-errors';

export function runQuery(database: Database, sql: string, limits: DatabaseLimits): DatabaseOutcome {
  try {
    // What the file itself brings along (views, defaults, indexes) may not call anything with an effect.
    database.run('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON');
    checkSingle(database, sql);
    // Says what the statement would do and does nothing of it, whatever the statement is.
    checkProgram(programOf(database, sql));
    const misspelt = misspeltName(database, sql);
    if (misspelt !== undefined) return { kind: 'failed', message: noColumn(misspelt) };
    return { ...read(database, sql, limits), timeZone: 'UTC' };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', token: error.token, reason: error.reason };
    if (isExhausted(error)) {
      unloadSqlJs();
      return { kind: 'stopped', limit: 'memory' };
    }
    return { kind: 'failed', message: messageOf(error) };
  }
}

/** The engine may have been left in any state. */
const isExhausted = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'RuntimeError') ||
  /^out of memory|Aborted/.test(error instanceof Error ? error.message : String(error));

const noColumn = (name: string) =>
  `SQLITE_ERROR: there is no column ${name.slice(0, 128)}. Texts stand in single quotes.`;

const QUERY = /^(?:\s|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/|\()*(?:SELECT|WITH|VALUES)\b/i;
const NOTHING = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*$/;

/**
 * SQLite runs the first of several statements and leaves the rest to its caller (SEC-44). Nothing but a query is so
 * much as prepared: a PRAGMA does its work while it is.
 */
function checkSingle(database: Database, sql: string): void {
  if (!QUERY.test(sql)) throw new Refused('', 'only a SELECT is run');
  const statements = database.iterateStatements(sql);
  statements.next();
  const rest = statements.getRemainingSQL();
  statements.return();
  if (!NOTHING.test(rest)) throw new Refused(';', 'only one statement is run');
}

function programOf(database: Database, sql: string) {
  return rowsOf(database, `EXPLAIN ${sql}`).map(([, opcode, , p2, p3, p4]) => ({
    opcode: String(opcode),
    p2: Number(p2),
    p3: Number(p3),
    p4: typeof p4 === 'string' ? p4 : '',
  }));
}

function read(database: Database, sql: string, limits: DatabaseLimits) {
  const statement = database.prepare(sql);
  try {
    const collector = new RowCollector(limits);
    const types: string[] = [];
    while (statement.step()) {
      const values = statement.get(null, { useBigInt: true });
      values.forEach((value, i) => (types[i] ??= typeOf(value)!));
      if (!collector.add(values.map(exactJson))) break;
    }
    return collector.result(columnsOf(statement, types));
  } finally {
    statement.free();
  }
}

const columnsOf = (statement: Statement, types: readonly (string | undefined)[]) =>
  distinctNames(statement.getColumnNames()).map((name, i) => ({ name, type: types[i] ?? 'NULL' }));

/** SQLite knows the type of a value, not of a column. */
function typeOf(value: SqliteValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'bigint') return 'INTEGER';
  if (typeof value === 'number') return 'REAL';
  return typeof value === 'string' ? 'TEXT' : 'BLOB';
}

export function exactJson(value: SqliteValue): JsonValue {
  if (typeof value === 'bigint') return wholeNumber(value);
  if (typeof value === 'number') return binaryNumber(value);
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  return value;
}
