import { ChildPool, type Config } from '@app/platform';
import { inWordsForCallers } from '../parsers/child-errors';
import type { FetchedPage, PageReading } from './page';
import type { PageJob } from './read-page.task';

/** A robots.txt that takes longer was written to; starting a process is part of it. */
const ROBOTS_MS = 10_000;

/** Reads pages in child processes, which a hostile page can hang, bloat or crash to no harm (SEC-04, SEC-78). */
export class PageReader {
  private readonly pool: ChildPool;

  constructor(
    private readonly limits: Pick<Config['ingestion'], 'parserMs' | 'parserMemoryMb' | 'maxPages'>,
    readers: number,
  ) {
    this.pool = new ChildPool({
      name: 'page reader',
      task: require.resolve('./read-page.task'),
      size: readers,
      memoryMb: limits.parserMemoryMb,
      timeoutMs: limits.parserMs,
      repeatable: true,
    });
  }

  /** @throws InvalidRequestError that begins with `unsupported_file`, `unsafe_file` or `limit_exceeded`. */
  async read(page: FetchedPage, signal: AbortSignal): Promise<PageReading> {
    const job: PageJob = { do: 'read', page, maxPages: this.limits.maxPages };
    try {
      return await this.pool.run<PageReading>(job, { signal });
    } catch (error) {
      throw inWordsForCallers(error, this.limits, 'page');
    }
  }

  /** Whether a robots.txt lets an agent of this name read the page. One that cannot be read in time does not. */
  async mayRead(robots: string, url: string, agent: string, signal: AbortSignal): Promise<boolean> {
    const job: PageJob = { do: 'robots', robots, url, agent };
    return this.pool.run<boolean>(job, { signal, timeoutMs: ROBOTS_MS }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof Error) return false;
      throw error;
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
