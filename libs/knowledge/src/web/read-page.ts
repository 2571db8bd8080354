/**
 * A fetched answer as a page: its text as Markdown and what it says about itself, or why it has none.
 *
 * Pure: reads nothing but the bytes it is given, runs no script and loads nothing that the page names (SEC-18). Runs in
 * a child process (SEC-04).
 */
import { decodeText, NotTextError } from '../parsers/charset';
import { hasTagsAnywhere, lookAt, type SeenFile } from '../parsers/file-kind';
import { textOf, toBlocks } from '../parsers/html-blocks';
import { find } from '../parsers/html-content';
import { readHtmlTree, type HtmlElement, type TreeOptions } from '../parsers/html-tree';
import { PageStyles } from '../parsers/page-styles';
import { parseFile } from '../parsers/parse-file';
import { declaredCharset, withoutLinkRows } from '../parsers/parser.html';
import { blocksToMarkdown, fenced, withoutUnseen } from './blocks-markdown';
import { csvTable, indented, jsonTable } from './data-tables';
import { looksLikeFeed, readFeed } from './feed';
import { HeadFactsCollector } from './head-facts';
import { proseOfStates, readLinkedData } from './linked-data';
import { mainContent } from './main-content';
import { mediaKindOf, type MediaKind } from './media-kind';
import type { FetchedPage, PageContent, PageFailure, PageReading } from './page';
import { pageFacts } from './page-facts';
import { refusal, wallOf } from './walls';

/** With less than this, what the page's own data say is asked as well. */
const LITTLE_TEXT = 200;
/** With less than this, nothing of a page is seen. */
const HARDLY_ANY = 50;
const UNCOVERED = 'The style sheets of the page hide this text, as they do until its scripts have run.';

/**
 * @throws UnsafeFileError, LimitExceededError, UnsupportedFileError of the parsers.
 */
export async function readPage(page: FetchedPage, limits: { readonly maxPages: number }): Promise<PageReading> {
  if (page.bytes.length === 0) return refusal(page) ?? { outcome: 'empty', why: 'the server sent an empty page.' };
  const seen = await lookAt(page.bytes);
  const kind = mediaKindOf(page.mediaType);
  if (page.status >= 400) {
    const { title, text, hasPassword } = seen.hasTags ? glance(page) : { title: '', text: '', hasPassword: false };
    return refusal(page, title, text, hasPassword)!;
  }
  try {
    return await readAs(fitting(kind, seen, page.bytes), page, limits);
  } catch (error) {
    if (error instanceof NotTextError) return wrongType(page, 'binary data');
    throw error;
  }
}

/** What the content is, where it is what the type says, or near enough. */
function fitting(kind: MediaKind | undefined, seen: SeenFile, bytes: Uint8Array): MediaKind | { readonly not: string } {
  const { format, hasTags } = seen;
  if (format === 'pdf') return kind === 'pdf' || kind === undefined ? 'pdf' : { not: seen.description };
  if (format !== 'text' && format !== 'html') return { not: seen.description };
  if (kind === undefined) return hasTags ? 'html' : 'text';
  if (kind === 'pdf') return { not: seen.description };
  if (kind === 'xml') return format === 'html' ? 'html' : 'xml';
  if ((kind === 'json' || kind === 'csv') && format === 'html') return { not: seen.description };
  return kind === 'html' && !hasTags && !hasTagsAnywhere(bytes) ? 'text' : kind;
}

async function readAs(
  kind: MediaKind | { readonly not: string },
  page: FetchedPage,
  { maxPages }: { readonly maxPages: number },
): Promise<PageReading> {
  if (typeof kind === 'object') return wrongType(page, kind.not);
  if (kind === 'html') return readHtmlPage(page);
  if (kind === 'pdf') {
    const { blocks, title, language } = await parseFile({ name: 'page.pdf', bytes: page.bytes }, { maxPages });
    return content('pdf', blocksToMarkdown(blocks), { ...(title && { title }), ...(language && { language }) });
  }
  const text = decodeText(page.bytes, page.charset ? [page.charset] : []);
  if (text.trim() === '') return { outcome: 'empty', why: 'the page has nothing but white space.' };
  if (kind === 'xml') return looksLikeFeed(text) ? feed(text, page) : content('xml', fenced(text.trim(), 'xml'));
  if (kind === 'json') return content('json', withoutUnseen(jsonTable(text) ?? fenced(indented(text), 'json')));
  if (kind === 'csv') {
    const table = await csvTable(text, page.mediaType);
    return content('csv', withoutUnseen(table ?? fenced(text.trim(), 'csv')));
  }
  return content(kind, withoutUnseen(text.trim()));
}

function readHtmlPage(page: FetchedPage): PageReading {
  const declared = [page.charset, declaredCharset(page.bytes)].filter((name) => name !== undefined);
  const html = decodeText(page.bytes, declared);
  const head = new HeadFactsCollector();
  const linkOf = linksOf(page.url);
  const styles = new PageStyles(head);
  const seen = readTree(html, { observer: styles, linkOf, isHidden: styles.isHidden });
  const { root, main, markdown, letters } = seen;
  const shown = letters < 2000 ? textOf(root) : '';
  const data = readLinkedData(head.linkedData);
  const factsOf = (tree: HtmlElement) =>
    pageFacts(head, data, {
      url: page.url,
      heading: headingOf(tree),
      language: page.headers['content-language'],
    });
  const drawn = letters < LITTLE_TEXT ? longest(data.text, proseOfStates(head.states)) : '';
  if (drawn.length < LITTLE_TEXT || drawn.length < letters) {
    const wall = wallOf({ page, head, text: shown, letters, consent: main.consent });
    if (wall) return { ...wall, ...(head.title && { title: head.title }) };
    // A page that hides itself until its scripts have run is nobody's secret.
    const whole = letters < HARDLY_ANY && styles.hasHidden ? readTree(html, { linkOf }) : seen;
    if (whole.letters >= LITTLE_TEXT) return content('html', whole.markdown, factsOf(whole.root), UNCOVERED);
    if (letters === 0) return nothingThere(head.frames.flatMap((frame) => linkOf(frame) ?? []));
  }
  const isDrawn = drawn.length >= LITTLE_TEXT && drawn.length >= letters;
  const text = isDrawn ? withoutUnseen([markdown, drawn].filter(Boolean).join('\n\n')) : markdown;
  const note = isDrawn
    ? 'The page is drawn by its scripts; this is the text of the data that they draw it from.'
    : undefined;
  return content('html', text, factsOf(root), note);
}

function readTree(html: string, options: TreeOptions) {
  const root = readHtmlTree(html, options);
  const main = mainContent(root);
  const markdown = blocksToMarkdown(withoutLinkRows(toBlocks(main.roots, main.isChrome)));
  return { root, main, markdown, letters: markdown.replace(/\]\([^)]*\)|[^\p{L}\p{N}]/gu, '').length };
}

function feed(xml: string, { url }: FetchedPage): PageReading {
  const { title, language, markdown } = readFeed(xml, linksOf(url));
  if (markdown === '') return { outcome: 'empty', why: 'the feed has no entries.' };
  return content('feed', withoutUnseen(markdown), { ...(title && { title }), ...(language && { language }) });
}

/** What an error page says, without much effort. */
function glance(page: FetchedPage): { title: string; text: string; hasPassword: boolean } {
  try {
    const head = new HeadFactsCollector();
    const root = readHtmlTree(decodeText(page.bytes, page.charset ?? []), { observer: head });
    return { title: head.title, text: textOf(root).slice(0, 20_000), hasPassword: head.hasPassword };
  } catch {
    return { title: '', text: '', hasPassword: false };
  }
}

function nothingThere(frames: readonly string[]): PageFailure {
  if (frames.length === 0) return { outcome: 'empty', why: 'there is no text on the page.' };
  return { outcome: 'empty', why: `the page is only a frame set. The text is in its frames: ${frames.join(' ')}` };
}

function headingOf(root: HtmlElement): string | undefined {
  const headings = find(root, ({ tag }) => tag === 'h1');
  const [first] = headings;
  const text = headings.length === 1 && first ? textOf(first) : '';
  return text === '' || text.length > 300 ? undefined : text.replace(/\s*[¶§#🔗]\s*$/u, '');
}

/** Absolute, and only where there is something to read: not inside the page, no script, no mail. */
function linksOf(url: string): (href: string) => string | undefined {
  const here = url.replace(/#.*$/, '');
  return (href) => {
    if (href.startsWith('#') || !URL.canParse(href, url)) return undefined;
    const target = new URL(href, url);
    if (target.protocol !== 'http:' && target.protocol !== 'https:') return undefined;
    if (target.hash !== '' && target.href.replace(/#.*$/, '') === here) return undefined;
    return target.href.replaceAll('(', '%28').replaceAll(')', '%29');
  };
}

const longest = (a: string, b: string): string => (a.length >= b.length ? a : b);

const wrongType = ({ mediaType }: FetchedPage, found: string): PageFailure => ({
  outcome: 'unsupported_file',
  why: `the server says ${mediaType || 'nothing about its type'}, but the content looks like ${found}, which is not read.`,
});

function content(
  format: string,
  markdown: string,
  facts: Omit<PageContent, 'outcome' | 'format' | 'markdown' | 'note'> = {},
  note?: string,
): PageReading {
  if (markdown.trim() === '') return { outcome: 'empty', why: 'there is no text on the page.' };
  // Titles and authors are told to the model as well; nothing is written in them that nobody sees.
  const seen = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? withoutUnseen(value) : value]),
  );
  return { outcome: 'content', format, markdown, ...seen, ...(note !== undefined && { note }) };
}
