import { ChildPool, TaskCrashedError, TaskTimeoutError } from '@app/platform';
import { nestsDeeper } from './nesting';
import type { SchemaCheckJob, SchemaCheckResult } from './schema-check.task';
import type { Schema } from './schema-keywords';

/** What one check may take (SEC-94), and what a new process may take to be ready for it. */
const CHECK_MS = 250;
const START_MS = 15_000;
/** Of the whole process; Node itself takes most of it. */
const MEMORY_MB = 192;
/** Of a value; the messages between processes are written by recursion. */
const MAX_NESTING = 64;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether values of a model fit the schema of a caller, found out in a process that can be killed (SEC-94).
 *
 * The schema has passed the `SchemaGuard`. A check that takes too long decides nothing: the value counts as fitting.
 */
export class SchemaCheck {
  private readonly pool = new ChildPool({
    name: 'schema check',
    task: require.resolve('./schema-check.task'),
    size: 1,
    memoryMb: MEMORY_MB,
    timeoutMs: CHECK_MS,
    idleMs: DAY_MS,
  });

  constructor(private readonly log: { warn(fields: object, message: string): void }) {}

  /** What is wrong with the value, each in at most 200 characters; empty where it fits. */
  async problems(schema: Schema, value: unknown, signal: AbortSignal): Promise<readonly string[]> {
    if (nestsDeeper(value, MAX_NESTING)) return [`limit_exceeded: nested deeper than ${MAX_NESTING} levels`];
    try {
      await this.pool.run<SchemaCheckResult>({} satisfies SchemaCheckJob, { signal, timeoutMs: START_MS });
      const job: SchemaCheckJob = { schema, value };
      const { problems, unenforced } = await this.pool.run<SchemaCheckResult>(job, { signal });
      if (unenforced.length > 0) this.log.warn({ unenforced }, 'Parts of a schema are not enforced');
      return problems;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TaskTimeoutError || error instanceof TaskCrashedError)) throw error;
      this.log.warn({ err: error }, 'A value was not checked against its schema');
      return [];
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
