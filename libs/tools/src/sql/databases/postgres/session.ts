/**
 * The session wall for PostgreSQL (SEC-47, SEC-52): one statement in a transaction that only reads, with limits of
 * time and size of its own, in a connection that ends with it. It does not lean on the guard.
 */
import { Deadline, raced } from '@app/platform';
import { DatabaseError } from 'pg';
import { ConnectionError } from '../connection-error';
import type { CheckedStatement, DatabaseLimits, DatabaseOutcome } from '../database-engine';
import type { JsonValue, Row } from '../../exact-value';
import type { ResultColumn } from '../../table-query';
import type { DatabaseTarget } from '../target';
import { typesOf } from './column-types';
import { PostgresConnection, type ConnectOptions } from './connection';
import { Description, Execution, type Field } from './conversation';
import { isShutdown, outcomeOf } from './errors';
import { lockedDown } from './lock-down';
import { GateError } from './wire-gate';

/** What the server's own limit of time may be late by before we hang up. */
const GRACE_MS = 700;

class Stopped extends Error {}

/** What the server said of the statement itself, not of ours around it. */
class StatementFailed extends Error {
  constructor(override readonly cause: DatabaseError) {
    super();
  }
}

export async function runStatement(
  target: DatabaseTarget,
  statement: CheckedStatement,
  limits: DatabaseLimits,
  options: ConnectOptions,
  signal: AbortSignal,
  tell?: (outcome: DatabaseOutcome) => void,
): Promise<DatabaseOutcome> {
  const connection = await PostgresConnection.open(target, options, signal);
  const deadline = new Deadline(limits.ms + GRACE_MS, signal, () => new Stopped());
  let atRest = false;
  try {
    const { outcome, over } = await raced(talk(connection, statement, limits), deadline.signal);
    atRest = over;
    tell?.(outcome);
    return outcome;
  } catch (error) {
    if (error instanceof Stopped) return { kind: 'stopped', limit: 'time' };
    signal.throwIfAborted();
    const failure = connection.failure;
    if (failure instanceof GateError && failure.tooLarge) return { kind: 'stopped', limit: 'memory' };
    if (failure || !(error instanceof StatementFailed) || isShutdown(error.cause)) {
      throw ConnectionError.failed((failure ?? (error as Error)).message);
    }
    atRest = true;
    return outcomeOf(error.cause, statement.sql);
  } finally {
    deadline.end();
    if (atRest) await connection.close();
    else await connection.abandon();
  }
}

/** `over`: the server has said all that it would. */
async function talk(
  connection: PostgresConnection,
  statement: CheckedStatement,
  limits: DatabaseLimits,
): Promise<{ readonly outcome: DatabaseOutcome; readonly over: boolean }> {
  const { timeZone, refused } = await lockedDown(connection, statement, limits.ms);
  if (refused) return { outcome: { kind: 'refused', ...refused }, over: true };
  const description = new Description(statement.sql);
  connection.submit(description);
  const fields = await ofStatement(description.result);
  if (!fields) {
    return { outcome: { kind: 'refused', token: firstWord(statement.sql), reason: 'it gives no rows' }, over: true };
  }
  const types = await typesOf(connection, fields);
  const rows = new Rows(fields, types.readers, limits);
  const execution = new Execution((values) => rows.take(values));
  connection.submit(execution);
  const end = await ofStatement(execution.result);
  const columns = fields.map(({ name }, i): ResultColumn => ({ name, type: types.names[i]! }));
  const outcome = {
    kind: 'rows',
    columns,
    rows: rows.rows,
    ...(rows.cutBy && { cutBy: rows.cutBy }),
    timeZone,
  } as const;
  return { outcome, over: end === 'all' };
}

const ofStatement = <T>(result: Promise<T>): Promise<T> =>
  result.catch((error: unknown) => {
    throw error instanceof DatabaseError ? new StatementFailed(error) : error;
  });

/** Rows as they come, no more than the limits. */
class Rows {
  readonly rows: Row[] = [];
  cutBy: 'rows' | 'bytes' | 'cell' | undefined;
  private bytes = 0;

  constructor(
    private readonly fields: readonly Field[],
    private readonly readers: readonly ((text: string) => JsonValue)[],
    private readonly limits: DatabaseLimits,
  ) {}

  take(values: readonly (string | null)[]): 'more' | 'enough' {
    if (this.rows.length >= this.limits.rows) return this.cut('rows');
    let long = false;
    const row = this.fields.map((_, i): JsonValue => {
      const text = values[i] ?? null;
      if (text === null) return null;
      if (text.length <= this.limits.cell) return this.readers[i]!(text);
      long = true;
      return `${text.slice(0, this.limits.cell).toWellFormed()}…`;
    });
    this.bytes += Buffer.byteLength(JSON.stringify(row));
    if (this.bytes > this.limits.bytes) return this.cut('bytes');
    if (long) this.cutBy = 'cell';
    this.rows.push(row);
    return 'more';
  }

  private cut(by: 'rows' | 'bytes'): 'enough' {
    this.cutBy = by;
    return 'enough';
  }
}

const firstWord = (sql: string): string => /[^\s;(]{1,40}/.exec(sql)?.[0].toUpperCase() ?? '';
