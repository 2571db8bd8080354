/**
 * How many tokens a text is, by the byte-pair vocabulary o200k_base.
 *
 * It is the vocabulary of other models than most that answer here; for prose and code their counts are within about a
 * tenth of it. It is loaded in a child process when something is first to be counted, and leaves after a quiet minute:
 * it takes 70 MB, and a text of one endless word takes it seconds.
 */
import { ChildPool } from '@app/platform';

/** A longer text is estimated: it would not fit the window of a model anyway. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
const JOB_MS = 3000;
const MEMORY_MB = 512;

export class Tokenizer {
  private readonly pool = new ChildPool({
    name: 'tokenizer',
    task: require.resolve('./tokenizer.task'),
    size: 1,
    memoryMb: MEMORY_MB,
    timeoutMs: JOB_MS,
    repeatable: true,
    maxWaiting: 100,
  });

  /** The tokens of all the texts; undefined where it takes too long, or too many are waiting. */
  async count(texts: readonly string[], signal?: AbortSignal): Promise<number | undefined> {
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    if (characters > MAX_CHARACTERS) return undefined;
    try {
      return await this.pool.run<number>(texts, { signal });
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** Nest calls it. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
