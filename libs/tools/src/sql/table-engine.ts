/** The engine over tables, in processes that can be killed (SEC-04, SEC-64). */
import type { Caller } from '@app/access';
import { ChildPool, OrganisationTurns, TaskCrashedError, TaskTimeoutError, type Config } from '@app/platform';
import type { QueriedTable, TableOutcome, TableQuery } from './table-query';

/** A statement at most (SEC-52). */
export const MAX_SQL_BYTES = 16 * 1024;
/** Of one text in a result. */
const MAX_CELL = 32 * 1024;
/** Between the end of a query's time and the end of its process: what an interruption may take to be felt. */
const GRACE_MS = 1000;
const START_MS = 30_000;
/** What the process needs besides the engine's own memory, in MiB. */
const PROCESS_MB = 384;
const DAY_MS = 24 * 60 * 60 * 1000;

export class TableEngine {
  private readonly pool: ChildPool;
  private readonly turns: OrganisationTurns;

  constructor(private readonly limits: Config['sql']) {
    this.pool = new ChildPool({
      name: 'query over tables',
      task: require.resolve('./duckdb/duckdb.task'),
      size: limits.workers,
      memoryMb: limits.memoryMb + PROCESS_MB,
      timeoutMs: limits.ms + GRACE_MS,
      idleMs: DAY_MS,
    });
    const atOnce = limits.perOrganisation;
    this.turns = new OrganisationTurns({ jobs: 'queries', atOnce, setting: 'SQL_QUERIES_PER_ORG' });
  }

  /**
   * Runs one SELECT over the tables given, and nothing else, when it is the turn of the caller's organisation (SEC-126).
   * Never rejects for what the statement is or does.
   *
   * @throws OverloadedError where too many queries wait; the signal's reason.
   */
  async run(
    { organisationId }: Caller,
    sql: string,
    tables: readonly QueriedTable[],
    signal?: AbortSignal,
  ): Promise<TableOutcome> {
    if (Buffer.byteLength(sql) > MAX_SQL_BYTES) {
      return {
        kind: 'refused',
        token: `${sql.slice(0, 20)}…`,
        reason: `a statement has at most ${MAX_SQL_BYTES} bytes`,
      };
    }
    return this.turns.run(organisationId, () => this.query(sql, tables, signal), signal);
  }

  private async query(sql: string, tables: readonly QueriedTable[], signal?: AbortSignal): Promise<TableOutcome> {
    const { rows, bytes, ms, memoryMb } = this.limits;
    const query: TableQuery = { sql, tables, limits: { rows, bytes, cell: MAX_CELL, ms, memoryMb } };
    try {
      // A process that has yet to start does not take from the time of the query.
      await this.pool.run({ warm: true }, { signal, timeoutMs: START_MS });
      return await this.pool.run<TableOutcome>(query, { signal });
    } catch (error) {
      if (error instanceof TaskTimeoutError) return { kind: 'stopped', limit: 'time' };
      if (error instanceof TaskCrashedError) {
        return error.reason === 'memory'
          ? { kind: 'stopped', limit: 'memory' }
          : { kind: 'failed', message: 'The engine stopped over this statement.' };
      }
      throw error;
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
