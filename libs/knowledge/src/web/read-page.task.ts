/** What a child process of the page readers runs: it has the bytes of one answer, and nothing else of ours (SEC-04). */
import robotsParser from 'robots-parser';
import type { FetchedPage, PageReading } from './page';
import { readPage } from './read-page';

export type PageJob =
  | { readonly do: 'read'; readonly page: FetchedPage; readonly maxPages: number }
  | { readonly do: 'robots'; readonly robots: string; readonly url: string; readonly agent: string };

export function handle(job: PageJob): Promise<PageReading> | boolean {
  if (job.do === 'read') return readPage(job.page, { maxPages: job.maxPages });
  const { robots, url, agent } = job;
  return robotsParser(new URL('/robots.txt', url).href, robots).isAllowed(url, agent) ?? true;
}
