import { ChildPool, TaskCrashedError, TaskTimeoutError } from '@app/platform';
import { nestsDeeper } from './nesting';
import type { SchemaCheckJob, SchemaCheckResult } from './schema-check.task';
import type { Schema } from './schema-keywords';

/** What one check may use of the processor (SEC-94). */
const CPU_MS = 250;
/** With the start of its process, and on a machine that has better things to do. */
const CHECK_MS = 15_000;
/** Of the whole process; Node itself takes most of it. */
const MEMORY_MB = 192;
/** Of a value; the messages between processes are written by recursion. */
const MAX_NESTING = 64;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What a check has found. */
export interface SchemaVerdict {
  /** What is wrong with the value, each in at most 200 characters; empty where nothing is known to be. */
  readonly problems: readonly string[];
  /** Why the value could not be held against the whole schema: it may fit, and it may not. */
  readonly unchecked?: string;
}

/**
 * Whether values of a model fit the schema of a caller, found out in a process that can be killed (SEC-94).
 *
 * The schema has passed the `SchemaGuard`. A check that could not be finished says so, and is never taken for one that
 * found nothing.
 */
export class SchemaCheck {
  private readonly pool = new ChildPool({
    name: 'schema check',
    task: require.resolve('./schema-check.task'),
    size: 1,
    memoryMb: MEMORY_MB,
    timeoutMs: CHECK_MS,
    cpuMs: CPU_MS,
    idleMs: DAY_MS,
    repeatable: true,
  });

  constructor(private readonly log: { warn(fields: object, message: string): void }) {}

  async check(schema: Schema, value: unknown, signal: AbortSignal): Promise<SchemaVerdict> {
    if (nestsDeeper(value, MAX_NESTING)) {
      return { problems: [`limit_exceeded: nested deeper than ${MAX_NESTING} levels`] };
    }
    try {
      const job: SchemaCheckJob = { schema, value };
      const { unenforced, ...verdict } = await this.pool.run<SchemaCheckResult>(job, { signal });
      if (unenforced.length > 0) this.log.warn({ unenforced }, 'Parts of a schema are not enforced');
      return verdict;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TaskTimeoutError || error instanceof TaskCrashedError)) throw error;
      this.log.warn({ err: error }, 'A value was not checked against its schema');
      return { problems: [], unchecked: inWords(error) };
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

function inWords(error: TaskTimeoutError | TaskCrashedError): string {
  if (error instanceof TaskTimeoutError) return `limit_exceeded: ${error.message}.`;
  if (error.reason !== 'memory') return 'The schema check was interrupted.';
  return `limit_exceeded: The schema check needed more than ${MEMORY_MB} MiB of memory.`;
}
