/** SQLite files of the operator's folder as databases: one of three walls is that nothing here has the file open. */
import { ChildPool, TaskCrashedError, TaskTimeoutError, type Config } from '@app/platform';
import type { SqlDialect } from '@app/models';
import type { Catalog, CatalogWish, TableSample } from '../catalog';
import { ConnectionError } from '../connection-error';
import type {
  CheckedStatement,
  DatabaseEngine,
  DatabaseLimits,
  DatabaseOutcome,
  GuardScope,
  TableName,
  Verdict,
} from '../database-engine';
import type { GuardPool } from '../guard-pool';
import type { SqliteTarget } from '../target';
import type { SqliteAnswer, SqliteTask } from './sqlite-task';

const START_MS = 30_000;
const CATALOG_MS = 30_000;
const SAMPLE_MS = 5000;
/** Between the end of a query's time and the end of its process, for what it takes to open the file. */
const GRACE_MS = 1000;
/** What the process needs besides the file, twice in memory while it is opened, in MiB. */
const PROCESS_MB = 320;
const MiB = 1024 * 1024;

export interface SqliteEngineOptions {
  readonly guards: Pick<GuardPool, 'check'>;
  readonly settings: Pick<Config['databases'], 'sqliteDir' | 'sqliteBytes'>;
  readonly limits: Pick<Config['sql'], 'workers' | 'memoryMb'>;
}

/** What one job of the process is made of, besides the file that it is about. */
type Job<Task = SqliteTask> = Task extends { readonly do: 'catalog' | 'sample' | 'query' }
  ? Omit<Task, 'folder' | 'path' | 'maxBytes'>
  : never;

export class SqliteEngine implements DatabaseEngine<SqliteTarget> {
  private readonly pool: ChildPool;

  constructor(private readonly options: SqliteEngineOptions) {
    const { limits, settings } = options;
    this.pool = new ChildPool({
      name: 'query of an SQLite file',
      task: require.resolve('./sqlite.task'),
      size: limits.workers,
      memoryMb: PROCESS_MB + limits.memoryMb + Math.ceil((3 * settings.sqliteBytes) / MiB),
      timeoutMs: CATALOG_MS,
      maxWaiting: 100,
    });
  }

  dialectOf(): SqlDialect {
    return 'SQLite';
  }

  async readCatalog(target: SqliteTarget, wish: CatalogWish, signal: AbortSignal): Promise<Catalog> {
    const answer = await this.ask(target, { do: 'catalog', wish }, signal, CATALOG_MS).catch(asConnectionError);
    if (answer.kind !== 'catalog') throw ConnectionError.failed('the file gave no catalog');
    return answer.catalog;
  }

  async sample(target: SqliteTarget, tables: readonly TableName[], signal: AbortSignal): Promise<TableSample[]> {
    try {
      const answer = await this.ask(target, { do: 'sample', tables }, signal, SAMPLE_MS);
      return answer.kind === 'samples' ? answer.samples : [];
    } catch (error) {
      if (error instanceof TaskTimeoutError || error instanceof TaskCrashedError) return [];
      throw error;
    }
  }

  guard(sql: string, scope: GuardScope, signal: AbortSignal): Promise<Verdict> {
    return this.options.guards.check('sqlite', sql, scope, signal);
  }

  async run(
    target: SqliteTarget,
    { sql }: CheckedStatement,
    limits: DatabaseLimits,
    signal: AbortSignal,
  ): Promise<DatabaseOutcome> {
    try {
      const answer = await this.ask(target, { do: 'query', sql, limits }, signal, limits.ms + GRACE_MS);
      return answer.kind === 'outcome' ? answer.outcome : { kind: 'failed', message: 'The file gave no answer.' };
    } catch (error) {
      if (error instanceof TaskTimeoutError) return { kind: 'stopped', limit: 'time' };
      if (!(error instanceof TaskCrashedError)) throw error;
      if (error.reason === 'memory') return { kind: 'stopped', limit: 'memory' };
      return { kind: 'failed', message: 'SQLITE_ERROR: the statement ended the engine.' };
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async ask(target: SqliteTarget, job: Job, signal: AbortSignal, timeoutMs: number): Promise<SqliteAnswer> {
    const { sqliteDir, sqliteBytes } = this.options.settings;
    if (sqliteDir === undefined) {
      throw ConnectionError.denied(
        'SQLite files are not queried here. The operator names their folder (DATABASE_SQLITE_DIR).',
      );
    }
    // A process that has yet to start does not take from the time of the query.
    await this.pool.run({ do: 'warm' } satisfies SqliteTask, { signal, timeoutMs: START_MS });
    const task = { ...job, folder: sqliteDir, path: target.path, maxBytes: sqliteBytes } as SqliteTask;
    const answer = await this.pool.run<SqliteAnswer>(task, { signal, timeoutMs });
    if (answer.kind === 'denied') {
      throw ConnectionError.denied('There is no SQLite database of that name in DATABASE_SQLITE_DIR.', answer.detail);
    }
    if (answer.kind === 'too_large') {
      throw ConnectionError.denied(
        `An SQLite file has at most ${sqliteBytes / MiB} MiB here (DATABASE_SQLITE_MAX_MB).`,
      );
    }
    if (answer.kind === 'busy') throw ConnectionError.failed('the file was being written to');
    return answer;
  }
}

function asConnectionError(error: unknown): never {
  if (error instanceof TaskTimeoutError || error instanceof TaskCrashedError)
    throw ConnectionError.failed(error.message);
  throw error;
}
