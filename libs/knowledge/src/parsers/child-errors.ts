import { OverloadedError } from '@app/contract';
import { TaskCrashedError, TaskTimeoutError, type Config } from '@app/platform';
import { LimitExceededError, UnsafeFileError } from './parser-errors';

/** What a caller is told of a child process that a file or a page was too much for. Other errors stay what they are. */
export function inWordsForCallers(
  error: unknown,
  { parserMemoryMb }: Pick<Config['ingestion'], 'parserMemoryMb'>,
  what: 'file' | 'page' = 'file',
): unknown {
  if (error instanceof TaskTimeoutError) {
    return new LimitExceededError(`reading the ${what} took longer than ${error.timeoutMs / 1000} s`, 'PARSER_SECONDS');
  }
  if (error instanceof TaskCrashedError && error.reason === 'memory') {
    return new LimitExceededError(`reading the ${what} took more than ${parserMemoryMb} MiB`, 'PARSER_MEMORY_MB');
  }
  if (error instanceof TaskCrashedError && error.reason === 'killed') {
    return new OverloadedError(`The process that reads ${what}s was ended from outside, twice. Try again shortly.`, {
      cause: error,
      retryAfter: 5,
    });
  }
  if (error instanceof TaskCrashedError) {
    return new UnsafeFileError(`the process that read the ${what} died of it.`, { cause: error });
  }
  return error;
}
