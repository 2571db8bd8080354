/** One question, answered by one statement: written, run, and written again with the cause where it gave no result. */
import type { Config } from '@app/platform';
import type { QueryOutcome, QueryRows } from './table-query';
import type { SqlWriter, Written } from './write-sql';

/** Statements that a model may write for one question: the first, and two repairs (SEC-56). */
const MAX_STATEMENTS = 3;

export type SqlAnswer<Found extends QueryRows> =
  | { readonly kind: 'rows'; readonly written: Written & { readonly kind: 'sql' }; readonly found: Found }
  /** The model says that the tables do not hold the answer, and why. */
  | { readonly kind: 'no_answer'; readonly why: string }
  /** No statement gave a result. The cause begins with its token. */
  | { readonly kind: 'failed'; readonly cause: string };

/**
 * @param run reads the statement, refuses it or runs it; a refused one is told to the model and never changed by us
 *   (SEC-57).
 * @throws what the model or `run` throws.
 */
export async function answerBySql<Found extends QueryRows>(
  writer: Pick<SqlWriter, 'write' | 'tell'>,
  run: (sql: string) => Promise<Found | Exclude<QueryOutcome, QueryRows>>,
  limits: Pick<Config['sql'], 'ms' | 'memoryMb'>,
  signal: AbortSignal,
): Promise<SqlAnswer<Found>> {
  let cause = '';
  for (let statement = 1; statement <= MAX_STATEMENTS; statement++) {
    const written = await writer.write(signal);
    if (written.kind === 'no_answer') return cause === '' ? written : { kind: 'failed', cause };
    const outcome = await run(written.sql);
    if (outcome.kind === 'rows') return { kind: 'rows', written, found: outcome };
    cause = inWords(outcome, limits);
    // A second try would take as long again.
    if (outcome.kind === 'stopped') return { kind: 'failed', cause: `${cause}\n${fenced(written.sql)}` };
    writer.tell(cause);
  }
  return { kind: 'failed', cause };
}

const fenced = (sql: string) => `\`\`\`sql\n${sql}\n\`\`\``;

function inWords(
  outcome: Exclude<QueryOutcome, QueryRows>,
  { ms, memoryMb }: Pick<Config['sql'], 'ms' | 'memoryMb'>,
): string {
  switch (outcome.kind) {
    case 'refused':
      return `sql_rejected: ${outcome.token} (${outcome.reason}).`;
    case 'failed':
      return `sql_failed: ${outcome.message}`;
    case 'stopped':
      return outcome.limit === 'time'
        ? `sql_timeout: the query took longer than ${ms / 1000} seconds (SQL_SECONDS).`
        : `sql_limit: the query needed more than ${memoryMb} MiB of memory (SQL_MEMORY_MB).`;
  }
}
