/**
 * A session that cannot write, and whose server reads statements as our lexer does (SEC-48).
 *
 * READ ONLY still lets a statement write files, change settings or end sessions. What such statements have in common is
 * that they give no rows, which the server tells before it runs them: those are not run.
 */
import { ConnectionError } from '../connection-error';
import type { CheckedStatement, DatabaseLimits, DatabaseOutcome, TableName } from '../database-engine';
import type { JsonValue, Row } from '../../exact-value';
import { MysqlClient, ServerError, type Field, type Prepared } from './mysql-client';
import { outcomeOf } from './server-errors';
import { columnOf, valueOf } from './values';

/** Without `ANSI_QUOTES`, `NO_BACKSLASH_ESCAPES`, `PIPES_AS_CONCAT`, `IGNORE_SPACE` and the modes that bring them. */
const SQL_MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
/** MySQL knows which columns others determine; to MariaDB it would refuse honest queries. */
const MYSQL_SQL_MODE = `ONLY_FULL_GROUP_BY,${SQL_MODE}`;
const OTHER_READING =
  /ANSI|NO_BACKSLASH_ESCAPES|PIPES_AS_CONCAT|IGNORE_SPACE|HIGH_NOT_PRECEDENCE|ORACLE|DB2|MSSQL|MAXDB/;
/** The servers' 1024 would cut lists without a word. */
const LONGEST_LIST = 1024 ** 2;
const UNKNOWN_VARIABLE = 1193;
/** What ANALYZE, CHECK, REPAIR and CACHE INDEX answer. */
const ADMINISTRATION = 'Table,Op,Msg_type,Msg_text';

export interface SessionLimits {
  readonly ms: number;
  /** Of one result; one more is fetched to know that there are more. */
  readonly rows?: number;
}

/** @returns the session's time zone, as the server names it. @throws ConnectionError where the server does not comply. */
export async function beginReading(client: MysqlClient, { ms, rows }: SessionLimits): Promise<string> {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const settings = [
    'NAMES utf8mb4',
    `SESSION sql_mode = '${client.isMariaDb ? SQL_MODE : MYSQL_SQL_MODE}'`,
    `SESSION lock_wait_timeout = ${seconds}`,
    `SESSION group_concat_max_len = ${LONGEST_LIST}`,
    ...(rows === undefined ? [] : [`SESSION sql_select_limit = ${rows + 1}`]),
  ];
  const time = client.isMariaDb ? `max_statement_time = ${ms / 1000}` : `max_execution_time = ${ms}`;
  await client.ask(`SET ${[...settings, `SESSION ${time}`].join(', ')}`).catch((error: unknown) => {
    // Old servers and kin of MySQL lack the limit of time; our own then ends the statement.
    if (!(error instanceof ServerError) || error.number !== UNKNOWN_VARIABLE) throw error;
    return client.ask(`SET ${settings.join(', ')}`);
  });
  await client.ask('SET SESSION TRANSACTION READ ONLY');
  await client.ask('START TRANSACTION READ ONLY');
  const [told] = await client.ask<string[]>('SELECT @@SESSION.sql_mode, @@SESSION.time_zone, @@system_time_zone');
  const [mode = 'ANSI', zone = '', systemZone = ''] = told ?? [];
  if (OTHER_READING.test(mode)) throw ConnectionError.failed(`sql_mode stays ${mode.slice(0, 200)}`);
  return zone === 'SYSTEM' ? systemZone : zone;
}

/** Functions that write although they say nothing of it are stopped by READ ONLY; those with their owner's rights here. */
export async function refusedCall(client: MysqlClient, calls: readonly TableName[]): Promise<TableName | undefined> {
  if (calls.length === 0) return undefined;
  const pairs = calls.map(() => '(routine_schema = ? AND routine_name = ?)').join(' OR ');
  const rows = await client.ask<[string, string, string, string]>(
    'SELECT routine_schema, routine_name, security_type, sql_data_access FROM information_schema.routines ' +
      `WHERE routine_type = 'FUNCTION' AND (${pairs})`,
    calls.flatMap(({ schema, name }) => [schema, name]),
  );
  const unsafe = rows.find(([, , security, access]) => !isSafeRoutine(security, access));
  return unsafe && { schema: unsafe[0], name: unsafe[1] };
}

/** With the caller's rights, and said to write nothing. */
export const isSafeRoutine = (security: string, access: string): boolean =>
  security === 'INVOKER' && (access === 'NO SQL' || access === 'READS SQL DATA');

export async function runStatement(
  client: MysqlClient,
  { sql, schemas: [home = ''], calls, names }: CheckedStatement,
  limits: DatabaseLimits,
  timeZone: string,
): Promise<DatabaseOutcome> {
  try {
    const unsafe = await refusedCall(client, [
      ...calls,
      ...(names?.functions ?? []).map((name) => ({ schema: home, name })),
    ]);
    if (unsafe) {
      return { kind: 'refused', token: unsafe.name, reason: 'the function may write, or has the rights of its owner' };
    }
    const prepared = await client.prepare(sql);
    const refusal = refusalOf(prepared);
    if (refusal) return refusal;
    const result = new Result(limits);
    await client.execute(prepared, (fields) => result.begin(fields));
    return { ...result.outcome(), timeZone };
  } catch (error) {
    if (error instanceof ServerError) return outcomeOf(error, sql);
    throw error;
  }
}

function refusalOf({ columns, parameters }: Prepared): DatabaseOutcome | undefined {
  if (parameters > 0) return { kind: 'refused', token: '?', reason: 'placeholders are not allowed' };
  if (columns.length > 0 && columns.join() !== ADMINISTRATION) return undefined;
  return { kind: 'refused', token: '', reason: 'it gives no rows; only a SELECT is run' };
}

/** Rows as they come, no further than the limits. */
class Result {
  private fields: readonly Field[] = [];
  private readonly rows: Row[] = [];
  private bytes = 0;
  private cutBy: 'rows' | 'bytes' | 'cell' | undefined;

  constructor(private readonly limits: DatabaseLimits) {}

  begin(fields: readonly Field[]): (row: unknown[]) => boolean {
    this.fields = fields;
    return (row) => this.take(row);
  }

  outcome() {
    return {
      kind: 'rows' as const,
      columns: distinct(this.fields.map(columnOf)),
      rows: this.rows,
      ...(this.cutBy && { cutBy: this.cutBy }),
    };
  }

  /** @returns whether more are wanted. */
  private take(values: readonly unknown[]): boolean {
    if (this.rows.length >= this.limits.rows) return this.cut('rows');
    const row = this.fields.map((field, i) => this.shortened(valueOf(values[i], field)));
    this.bytes += Buffer.byteLength(JSON.stringify(row));
    if (this.bytes > this.limits.bytes) return this.cut('bytes');
    this.rows.push(row);
    return true;
  }

  private cut(by: 'rows' | 'bytes'): false {
    this.cutBy = by;
    return false;
  }

  private shortened(value: JsonValue): JsonValue {
    const { cell } = this.limits;
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    if (typeof text !== 'string' || text.length <= cell) return value;
    this.cutBy = 'cell';
    return `${text.slice(0, cell).toWellFormed()}…`;
  }
}

/** Rows are read by the names of their columns: the second `id` is `id:1`. */
function distinct<Column extends { readonly name: string }>(columns: readonly Column[]): Column[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    let { name } = column;
    for (let count = 1; taken.has(name); count++) name = `${column.name}:${count}`;
    taken.add(name);
    return { ...column, name };
  });
}
