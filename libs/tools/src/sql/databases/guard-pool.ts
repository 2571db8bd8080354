/**
 * The guards of all engines, in a process that can be killed (SEC-04): reading a statement is hostile work too.
 *
 * What a guard cannot read, or not in time, is refused.
 */
import { ChildPool, TaskCrashedError, TaskTimeoutError } from '@app/platform';
import { MAX_SQL_BYTES } from '../table-engine';
import type { GuardScope, TableName, Verdict } from './database-engine';
import type { GuardTask } from './guard.task';
import type { EngineName } from './target';

/** For a statement whose process runs; a quarter of a thousandth of it is usual. */
const TIMEOUT_MS = 2000;
const START_MS = 30_000;
const MEMORY_MB = 512;
const DAY_MS = 24 * 60 * 60 * 1000;

export class GuardPool {
  private readonly pool: ChildPool;

  constructor({ workers }: { readonly workers: number }) {
    this.pool = new ChildPool({
      name: 'SQL guard',
      task: require.resolve('./guard.task'),
      size: workers,
      memoryMb: MEMORY_MB,
      timeoutMs: TIMEOUT_MS,
      idleMs: DAY_MS,
      repeatable: true,
      maxWaiting: 1000,
    });
  }

  /**
   * Has the guard of an engine read a statement, and compares the routines it calls with those in scope.
   *
   * @throws OverloadedError where too many statements wait; the signal's reason.
   */
  async check(engine: EngineName, sql: string, scope: GuardScope, signal: AbortSignal): Promise<Verdict> {
    if (Buffer.byteLength(sql) > MAX_SQL_BYTES) {
      return refused(`${sql.slice(0, 20)}…`, `a statement has at most ${MAX_SQL_BYTES} bytes`);
    }
    if (sql.includes('\0') || !sql.isWellFormed()) return refused('\\0', 'it is not plain text');
    try {
      // A process that has yet to start does not take from the time of the statement.
      await this.pool.run({ warm: engine } satisfies GuardTask, { signal, timeoutMs: START_MS });
      const task: GuardTask = { engine, sql, schemas: scope.schemas };
      const verdict = await this.pool.run<Verdict>(task, { signal });
      return verdict.kind === 'passed' ? known(verdict, scope.routines, foldOf(engine)) : verdict;
    } catch (error) {
      if (error instanceof TaskTimeoutError) return refused('', 'it takes too long to read');
      if (error instanceof TaskCrashedError) return refused('', 'it cannot be read');
      throw error;
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

const refused = (token: string, reason: string): Verdict => ({ kind: 'refused', token, reason });

/** Names of routines tell upper from lower case in PostgreSQL alone. */
const foldOf = (engine: EngineName) => (name: string) => (engine === 'postgres' ? name : name.toLowerCase());

/** Only routines that the catalog has as callable: what a name without schema means, the first schema says. */
function known(
  verdict: Extract<Verdict, { readonly kind: 'passed' }>,
  routines: readonly TableName[],
  fold: (name: string) => string,
): Verdict {
  if (verdict.statement.calls.length === 0) return verdict;
  const keys = new Set(routines.flatMap(({ schema, name }) => [fold(`${schema}.${name}`), fold(`.${name}`)]));
  const unknown = verdict.statement.calls.find(({ schema, name }) => !keys.has(fold(`${schema}.${name}`)));
  return unknown ? refused(unknown.name, 'this function is not allowed') : verdict;
}
