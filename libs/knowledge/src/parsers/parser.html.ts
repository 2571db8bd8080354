import { decodeText } from './charset';
import { onOneLine } from './clean-text';
import { textOf, toBlocks, type HtmlBlock } from './html-blocks';
import { find, findContent } from './html-content';
import { readHtmlTree, type HtmlElement } from './html-tree';
import { PageStyles } from './page-styles';
import type { ParsedDocument, Parser } from './parser';
import { UnsupportedFileError } from './parser-errors';

export const htmlParser: Parser = {
  format: 'html',
  extensions: ['.html', '.htm', '.xhtml', '.xht'],

  async parse({ bytes, charset }) {
    const declared = [charset, declaredCharset(bytes)].filter((name) => name !== undefined);
    return readHtml(decodeText(bytes, declared));
  },
};

/** What is read of a page: its content, without what is there to get around in the site (`html-content.ts`). */
export function readHtml(html: string): ParsedDocument {
  const styles = new PageStyles();
  const root = readHtmlTree(html, { observer: styles, isHidden: styles.isHidden });
  const { roots, isChrome } = findContent(root);
  const blocks = withoutLinkRows(toBlocks(roots, isChrome)).map(({ linkShare: _, ...block }) => block);
  if (blocks.length === 0) throw noText(root);
  const title = find(root, ({ tag }) => tag === 'title')[0];
  const lang = find(root, ({ tag }) => tag === 'html')[0]?.attributes.lang;
  const language = lang && /^[a-z]{2,3}(?=[-_]|$)/i.exec(lang)?.[0].toLowerCase();
  return {
    format: 'html',
    ...(title && textOf(title) && { title: onOneLine(textOf(title)) }),
    ...(language && { language }),
    blocks,
  };
}

/** A link that shows its address is there to be read. */
const SPELLED_OUT = /(?:^|[\s[])https?:\/\//;

/**
 * Rows of links at the very top and bottom (`Prev | Up | Next`) of pages that mark nothing up. Not more than a few, and
 * only where text remains: a page that is a list of links is one to be found.
 */
export function withoutLinkRows(blocks: readonly HtmlBlock[]): readonly HtmlBlock[] {
  const isLinkRow = ({ kind, text, linkShare }: HtmlBlock) =>
    kind !== 'heading' && linkShare >= 0.8 && text.length <= 300 && !SPELLED_OUT.test(text);
  let from = 0;
  let to = blocks.length;
  while (from < Math.min(to, 4) && isLinkRow(blocks[from])) from++;
  // What stands alone under a heading is its text, though it is a link.
  const isUnderHeading = (at: number) => blocks[at - 1]?.kind === 'heading';
  while (to > Math.max(from, blocks.length - 4) && isLinkRow(blocks[to - 1]) && !isUnderHeading(to - 1)) to--;
  const kept = blocks.slice(from, to);
  const textLeft = kept.some(({ kind, linkShare }) => kind !== 'heading' && linkShare < 0.5);
  return textLeft ? kept : blocks;
}

export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const named = /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w:.-]{2,40})/i.exec(head);
  return (named ?? /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{2,40})/i.exec(head))?.[1];
}

function noText(root: HtmlElement): UnsupportedFileError {
  return find(root, ({ tag }) => tag === 'frameset').length > 0
    ? new UnsupportedFileError('the page is only a frame set. Ingest the pages that it shows in its frames.')
    : new UnsupportedFileError('the HTML has no text to read. Scripts, navigation and hidden parts are left out.');
}
