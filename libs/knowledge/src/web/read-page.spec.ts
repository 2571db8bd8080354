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

  it.each([
    ['names without end', `<div class="${'cookie'.repeat(50_000)}" id="${'consent-'.repeat(20_000)}">x</div>`],
    ['a style sheet before every word', '<style>.a{display:none}/*</style><p>word</p>'.repeat(30_000)],
    ['comments that never end', `<style>${'/*'.repeat(60_000)}</style>`],
    [
      'rules by where it stands, for more than can be looked at',
      `<style>${Array.from({ length: 20 }, (_, at) => `.a${at} .b .c .d .e .x`).join()}{display:none}</style>${'<div class="b c d e">'.repeat(400)}${'<p class="x">y</p>'.repeat(3000)}`,
    ],
    [
      'variables that hold each other',
      `<style>:root{${Array.from({ length: 2000 }, (_, at) => `--v${at}:var(--v${at + 1}) var(--v${at + 1})`).join(';')}}.x{display:var(--v0)}</style>`,
    ],
    [
      'names without end, for rules that ask for two of them',
      `<style>${Array.from({ length: 5000 }, (_, at) => `.z.a${at}{display:none}`).join('')}</style>${`<div class="${Array.from({ length: 5000 }, (_, at) => `a${at}`).join(' ')}">x</div>`.repeat(400)}`,
    ],
    ['blocks without end', `<style>${'a{'.repeat(50_000)}</style>`],
    ['rules inside rules', `<style>${'@a{b{'.repeat(20_000)}</style><style>${'@media x{a{}'.repeat(8000)}</style>`],
    ['data of one word', `<div id=app></div><script type="application/json">{"a":"${'x'.repeat(900_000)}"}</script>`],
    ['names of state without end', `<script>window.__${'a'.repeat(1_000_000)}</script>`],
    [
      'data nested without end',
      `<script type="application/json">${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}</script>`,
    ],
    ['links without end', `<a href="${'http://'.repeat(50_000)}">x</a>`.repeat(5)],
    ['tables in tables', '<table><tr><td>'.repeat(160) + 'x'],
    ['spaces', `<p>${' '.repeat(3_000_000)}</p><title>${' '.repeat(1_000_000)}</title>`],
  ])('is not kept busy by %s', async (_, html) => {
    const text = 'The water of the lake is measured every morning before the boats go out. '.repeat(5);
    const reading = await read({ name: '', body: `<html><body><main><p>${text}</p></main>${html}</body></html>` });
    expect(reading).toMatchObject({ outcome: 'content', markdown: expect.stringContaining('before the boats go out') });
  });

  it.each([
    [
      'one word',
      `<script type="application/json">{"a":"${'x'.repeat(900_000)}","b":"${' y'.repeat(200_000)}"}</script>`,
    ],
    [
      'no end',
      `<script>window.__${'a'.repeat(1_000_000)}</script><script>window.__A__={${'"a":{'.repeat(100_000)}</script>`,
    ],
    ['great depth', `<script type="application/json">${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}</script>`],
    ['many values', `<script type="application/json">[${'{"title":"a","b":[1,2,3]},'.repeat(60_000)}1]</script>`],
    [
      'linked data in a circle of types',
      `<script type="application/ld+json">${'{"@type":"Article","mainEntity":'.repeat(5000)}1${'}'.repeat(5000)}</script>`,
    ],
  ])('looks through the data of an empty page, and finds nothing in %s', async (_, html) => {
    const reading = await read({ name: '', body: `<html><body><div id="app"></div>${html}</body></html>` });
    expect(reading.outcome).toBe('needs_script');
  });

  it.each([
    [
      'empty records under a wide one',
      `[{${Array.from({ length: 200 }, (_, at) => `"c${at}":1`).join()}}${',{}'.repeat(190_000)}]`,
      'application/json',
    ],
    [
      'short rows under a wide one',
      `${Array.from({ length: 200 }, (_, at) => `c${at}`).join()}\n${'1,2\n'.repeat(190_000)}`,
      'text/csv',
    ],
    [
      'lists in lists',
      `[${Array.from({ length: 30 }, () => '['.repeat(3000) + ']'.repeat(3000)).join()}]`,
      'application/json',
    ],
    ['numbers beyond any', '[{"a":1e400,"b":1},{"a":-1e-400,"b":2}]', 'application/json'],
    ['one number beyond any', '{"a":1e400}', 'application/json'],
  ])(
    'shows as it came what a table, or lines, would make much more or something else of: %s',
    async (_, body, type) => {
      const reading = await read({ name: '', body, type });
      expect(
        reading.outcome === 'content' && reading.markdown === `\`\`\`${type.split('/')[1]}\n${body.trim()}\n\`\`\``,
      ).toBe(true);
    },
  );

  it.each([
    ['a style sheet', '<style>.x{display:none}</style>'],
    ['a large style sheet', `<style>.x{display:none}${'.y{color:red}'.repeat(6000)}</style>`],
    ['a long comment', `<!--${'-'.repeat(70_000)}--><style>.x{display:none}</style>`],
    ['much white space', `${' '.repeat(70_000)}<style>.x{display:none}</style>`],
  ])('hides what a page hides that begins with %s, and not as pages do (SEC-146)', async (_, start) => {
    const text = 'El agua del lago se mide cada mañana antes de que salgan las barcas. '.repeat(5);
    const reading = await read({ name: '', body: `${start}<p>${text}</p><p class="x">SECRETO</p>` });
    expect(reading).toMatchObject({ outcome: 'content', format: 'html', markdown: text.trim() });
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
