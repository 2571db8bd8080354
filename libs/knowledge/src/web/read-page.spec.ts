/** Pages as the web has them, and what has to come of each (test/support/web-pages.ts). */
import { TEST_PAGES, type TestPage } from '../../../../test/support/web-pages';
import { contentType } from './media-kind';
import { readPage } from './read-page';

const read = ({ body, type = 'text/html; charset=utf-8', status = 200, headers = {}, path = '/' }: TestPage) =>
  readPage(
    { url: `http://test.example${path}`, status, headers, bytes: Buffer.from(body as string), ...contentType(type) },
    { maxPages: 100 },
  );

describe('readPage', () => {
  it('is tried on sixty pages at least', () => expect(TEST_PAGES.length).toBeGreaterThanOrEqual(60));

  it.each(TEST_PAGES.map((page) => [page.name, page] as const))('%s', async (_, page) => {
    const reading = await read(page);
    expect(reading.outcome).toBe(page.outcome ?? 'content');
    if (reading.outcome !== 'content') return;
    if (page.facts) expect(reading).toMatchObject(page.facts);
    for (const text of page.has ?? []) expect(shown(reading.markdown, text)).toMatch(matching(text));
    for (const text of page.lacks ?? []) expect(JSON.stringify(reading)).not.toMatch(matching(text));
  });

  it('refuses what is nested beyond reason or without end, and what a feed declares', async () => {
    const page = (body: string, type?: string) => read({ name: '', body, type });
    await expect(page('<p>x'.concat('<div>'.repeat(50_000)))).rejects.toThrow(/^unsafe_file/);
    await expect(page('<p>x'.concat('<p><br>'.repeat(600_000)))).rejects.toThrow(/^unsafe_file/);
    const bomb = `<!DOCTYPE rss [<!ENTITY a "${'x'.repeat(100)}">]><rss><channel><item><title>&a;</title></item></channel></rss>`;
    await expect(page(bomb, 'application/rss+xml')).rejects.toThrow(/^unsafe_file/);
  });

  it('names the pages of a frame set', async () => {
    const frames = TEST_PAGES.find(({ name }) => name === 'frames')!;
    expect(await read(frames)).toMatchObject({ why: expect.stringContaining('http://test.example/levels.html') });
  });
});

const matching = (text: string | RegExp) =>
  typeof text === 'string' ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text;

/** Small enough to be shown when it does not match. */
const shown = (markdown: string, text: string | RegExp) =>
  matching(text).test(markdown) ? markdown : markdown.slice(0, 3000);
