import { InvalidRequestError, PlatformError, text, type ResultContent, type ToolContextOf } from '@app/contract';
import { branchOf, type Config, type Logger } from '@app/platform';
import { z } from 'zod';
import { ConnectionError } from '../sql/databases/connection-error';
import type { Databases } from '../sql/databases/databases';
import { failureOf } from '../failure';
import { defineTool, ToolError, type ToolRun } from '../tool';
import { DatabaseQuestion, type DatabaseQuestionParts } from './database-question';

type SqlDatabase = ToolContextOf<'sql_database'>;
type Run = ToolRun<'sql_database'>;

/** Of one request. */
const MAX_DATABASES = 8;
export interface DatabaseQueryParts extends DatabaseQuestionParts {
  readonly databases: Pick<Databases, 'open'>;
  readonly settings: Pick<Config['databases'], 'enabled' | 'connectMs'>;
  readonly log: Pick<Logger, 'error'>;
}

/** Answers questions from the databases that the request names, by one SELECT in each (messages-api §6.3). */
export const databaseQuery = (parts: DatabaseQueryParts) =>
  defineTool({
    name: 'database_query',
    description:
      'Answer a question from the SQL database of this conversation: counts, sums, rankings, filters, lists, comparisons ' +
      'over its tables. Returns the SQL that was run, the number of rows and the rows as CSV. Ask one complete question ' +
      'in plain words; do not write SQL. Answer the user from the rows, and leave out the SQL and technical names ' +
      'unless the user asks for them.',
    needs: {
      kind: 'sql_database',
      otherwise: 'Database query tool requires at least one SQL database artifact in the tool context.',
    },
    input: z.object({
      query: z.string().min(1).max(32_768).describe('The question, complete and in plain words.'),
    }),

    async check(run) {
      if (!parts.settings.enabled) throw new InvalidRequestError(NOT_ENABLED);
      if (run.context.length > MAX_DATABASES) throw new InvalidRequestError(TOO_MANY);
      const failures = await Promise.all(run.context.map((artifact) => probe(parts, artifact, branch(run))));
      const lines = failures.flatMap((failure, i) => (failure === undefined ? [] : [`Database ${i + 1}: ${failure}`]));
      if (lines.length > 0) throw new PlatformError('permission_error', [HEAD, ...lines].join('\n'));
    },

    async execute({ query }, run) {
      if (!parts.settings.enabled) throw new ToolError(NOT_ENABLED);
      if (run.context.length > MAX_DATABASES) throw failure([`limit_exceeded: ${TOO_MANY}`]);
      const answers = await Promise.all(run.context.map((artifact) => answer(parts, query, artifact, branch(run))));
      const causes = answers.filter((one) => typeof one === 'string');
      if (causes.length === answers.length) throw failure(causes);
      if (answers.length === 1) return answers[0] as ResultContent[];
      return answers.flatMap((one, i) => {
        const { description } = run.context[i]!;
        const title = `Database ${i + 1} of ${answers.length}${description === '' ? '' : ` (${shortened(description)})`}:`;
        const [first, ...rest] = typeof one === 'string' ? [text(inFailure([one]))] : one;
        return [first?.type === 'text' ? text(`${title}\n${first.text}`) : text(title), ...rest];
      });
    },
  });

const NOT_ENABLED =
  'The built-in tool database_query is not enabled on this server: its operator turns it on with DATABASE_QUERY=on, and ' +
  'lists the databases that may be reached in DATABASE_ALLOW.';
const TOO_MANY = `A request names at most ${MAX_DATABASES} databases.`;
const HEAD = 'One or more database connections failed:';

/** In the contract's words, the token first in its line (security §0). */
const inFailure = (causes: readonly string[]): string =>
  ['No results found.', ...[...new Set(causes)].map((cause) => `Error: ${cause}`)].join('\n');
const failure = (causes: readonly string[]) => new ToolError(inFailure(causes));

/** Why a database cannot be queried; undefined where it can. */
async function probe(parts: DatabaseQueryParts, artifact: SqlDatabase, run: Run): Promise<string | undefined> {
  try {
    await parts.databases.open(run.caller, artifact).probe(parts.settings.connectMs, run.signal);
    return undefined;
  } catch (error) {
    return causeOf(error, parts, run);
  }
}

const branch = (run: Run): Run => ({ ...run, signal: branchOf(run.signal) });

/** What one database says; as a string, why it says nothing. One that fails takes nothing from the others. */
async function answer(
  parts: DatabaseQueryParts,
  question: string,
  artifact: SqlDatabase,
  run: Run,
): Promise<ResultContent[] | string> {
  try {
    const database = parts.databases.open(run.caller, artifact);
    return await new DatabaseQuestion(parts, { question, about: artifact.description, database }, run).answer();
  } catch (error) {
    return causeOf(error, parts, run);
  }
}

function causeOf(error: unknown, { log }: DatabaseQueryParts, run: Run): string {
  run.signal.throwIfAborted();
  if (error instanceof ConnectionError) return `${error.token}: ${error.message}`;
  const { words, isOurs } = failureOf(error);
  if (isOurs) log.error({ tool: 'database_query', err: error }, 'A tool failed');
  return words;
}

const shortened = (words: string): string => {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 80).toWellFormed()}…`;
};
