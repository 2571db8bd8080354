/**
 * Pages that nobody wrote for this test: the manuals of three Debian packages, where they are installed
 * (`apt-get install debian-handbook debian-reference-es postgresql-doc-15`, or unpacked below `DEBIAN_ROOT`).
 *
 * What a page holds is told by cheerio, another parser: its headings, code and table rows have to be there, the words
 * of its text too, and its rows of links to other pages not.
 */
import * as cheerio from 'cheerio';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from './read-page';
import { tellSkipped } from '../../../../test/support/skipped';

const ROOT = process.env.DEBIAN_ROOT ?? '/';
const MANUALS = [
  { name: 'debian-handbook', folder: 'usr/share/doc/debian-handbook/html/es-ES', content: 'body', chrome: '.docnav, .toc, #title, header, #banner' },
  { name: 'debian-reference-es', folder: 'usr/share/debian-reference', content: 'body', chrome: '.navheader, .navfooter, .toc' },
  { name: 'postgresql-doc-15', folder: 'usr/share/doc/postgresql-doc-15/html', content: 'body', chrome: '.navheader, .navfooter, .toc' },
]; // prettier-ignore
const PAGES_OF_EACH = 40;

describe.each(MANUALS)('the pages of $name', ({ name, folder, content, chrome }) => {
  const path = join(ROOT, folder);
  const files = existsSync(path) ? readdirSync(path).filter((file) => /\.html$/.test(file)) : [];
  const own = name.endsWith('-es') ? files.filter((file) => file.endsWith('.es.html')) : files;
  if (own.length === 0) {
    tellSkipped(`${path} is not there; install the package ${name}, or name another root in DEBIAN_ROOT.`);
    it.skip(`are not there: ${path}`, () => undefined);
    return;
  }
  const step = Math.max(1, Math.floor(own.length / PAGES_OF_EACH));

  it.each(own.sort().filter((_, index) => index % step === 0))('%s', async (file) => {
    const bytes = readFileSync(join(path, file));
    const page = { url: `http://manual.example/${file}`, status: 200, mediaType: 'text/html', headers: {}, bytes };
    const reading = await readPage(page, { maxPages: 1 });
    if (reading.outcome !== 'content') throw new Error(`${reading.outcome}: ${reading.why}`);
    const text = plain(reading.markdown);

    const $ = cheerio.load(bytes.toString());
    $(chrome).remove();
    $('script, style, head > *:not(title), form').remove();
    const inside = $(content);
    const missing = (selector: string) =>
      inside
        .find(selector)
        .toArray()
        .map((element) => plain($(element).text()))
        .filter((wanted) => wanted !== '' && !text.includes(wanted));
    expect(reading.title).toBeTruthy();
    expect(missing('h1, h2, h3, h4')).toEqual([]);
    expect(missing('pre')).toEqual([]);
    expect(missing('td')).toEqual([]);
    const words = plain(inside.text());
    // A line of small print is no loss.
    expect(text.length).toBeGreaterThan(words.length * 0.97 - 20);
    expect(reading.markdown).not.toMatch(/^\[(?:Prev|Next|Home|Up|Anterior|Siguiente|Inicio)\]\(/m);
  });
});

/** Letters and digits alone: what is left is not a matter of layout. */
const plain = (text: string) => text.replace(/\]\(https?:[^)\s]*\)/g, '').replace(/[^\p{L}\p{N}]/gu, '');
