/**
 * A tree of HTML elements as blocks in reading order.
 *
 * Text gathers until a block ends; inside a list it becomes a line of the list, elsewhere a paragraph. Code, tables
 * and headings inside a list item interrupt the list, which goes on after them.
 */
import { onOneLine } from './clean-text';
import type { PageContent } from './html-content';
import { singleColumn, tableToMarkdown, type TableAsMarkdown } from './html-table';
import { isElement, type HtmlElement, type HtmlNode, type HtmlText } from './html-tree';
import { joinLinesOfCell } from './markdown-table';
import type { DocumentBlock } from './parser';
import { raisedFigures } from './raised-figures';

export interface HtmlBlock extends DocumentBlock {
  /** The part of the text, 0 to 1, that is links. */
  readonly linkShare: number;
}

const PREFORMATTED = /^(pre|listing|xmp|plaintext)$/;
const LISTS = /^(ul|ol|menu|dir|dl)$/;
const MAX_HEADING_CHARACTERS = 300;
/** Elements that run on within the line of text. */
const MATH = /^(math|m[inos]|mrow|msub|msup|msubsup|mfrac|msqrt|mtext|semantics)$/;
const INLINE =
  /^(img|input|button|meter|progress|slot|math|m[inos]|mrow|msub|msup|msubsup|mfrac|msqrt|mtext|semantics)$/;

/** With the links that the tree has kept written as Markdown. */
export function toBlocks(roots: readonly HtmlElement[], isChrome: PageContent['isChrome']): HtmlBlock[] {
  const collector = new BlockCollector(isChrome);
  for (const root of roots) collector.readBlock(root);
  return collector.blocks;
}

/** The text of an element on one line, whatever blocks are inside. */
export function textOf(element: HtmlElement): string {
  const parts: string[] = [];
  gather(element, parts, (child) => (isElement(child) ? (INLINE.test(child.tag) ? '' : ' ') : child.text));
  return onOneLine(parts.join(''));
}

/** The text of a cell: with its links, with what is crossed out marked so, and with breaks that part figures. */
export function textOfCell(cell: HtmlElement): string {
  const parts: string[] = [];
  gather(cell, parts, (child) => {
    if (isElement(child)) return MATH.test(child.tag) ? '' : '\n';
    const text = child.text.replace(/\s+/g, ' ');
    const linked = child.href === undefined ? text : asLink(text, child.href);
    return child.struck ? around(linked, (words) => `~~${words}~~`) : linked;
  });
  return joinLinesOfCell(parts.join(''));
}

/** @param write the text itself, or what parts an element from what is beside it. */
function gather(element: HtmlElement, parts: string[], write: (node: HtmlNode) => string): void {
  let count = 0;
  for (const child of element.children) {
    const written = write(child);
    if (!isElement(child)) {
      parts.push(written);
      continue;
    }
    const inside: string[] = [];
    gather(child, inside, write);
    parts.push(written, mathPart(element.tag, count++, inside.join('')), written);
  }
}

/** A power and a fraction are not what their figures say when they stand in a row. */
function mathPart(inside: string, at: number, text: string): string {
  if (at === 0) return text;
  if (inside === 'mfrac') return `/${text}`;
  if (inside === 'msup' || (inside === 'msubsup' && at === 2)) return raisedFigures(text, 'above', '0');
  if (inside === 'msub' || inside === 'msubsup') return raisedFigures(text, 'below', '0');
  return text;
}

/** As Markdown, the white space around the words outside of it. */
const asLink = (text: string, href: string) => around(text, (words) => `[${words.replace(/[[\]]/g, '\\$&')}](${href})`);

function around(text: string, mark: (words: string) => string): string {
  const words = text.trim();
  if (words === '') return text;
  const from = text.indexOf(words);
  return `${text.slice(0, from)}${mark(words)}${text.slice(from + words.length)}`;
}

class BlockCollector {
  readonly blocks: HtmlBlock[] = [];
  private text: string[] = [];
  private letters = 0;
  private linked = 0;
  /** The lists that are open, outermost first, and the number of their last item. */
  private readonly lists: { readonly ordered: boolean; count: number }[] = [];
  private lines: string[] = [];
  private listLetters = 0;
  private listLinked = 0;
  /** Written before the next line of the list: `- ` or `3. `, once for each item. */
  private marker = '';
  private term = '';

  constructor(private readonly isChrome: (element: HtmlElement) => boolean) {}

  readBlock(element: HtmlElement): void {
    this.endText();
    this.readChildren(element);
    this.endText();
  }

  private readChildren(element: HtmlElement): void {
    for (const child of element.children) {
      if (isElement(child)) this.read(child);
      else this.addText(child);
    }
  }

  private read(element: HtmlElement): void {
    const { tag } = element;
    if (tag === 'head' || this.isChrome(element)) return;
    if (tag === 'br') this.text.push('\n');
    else if (/^h[1-6]$/.test(tag)) this.readHeading(element);
    else if (PREFORMATTED.test(tag)) this.emit('code', rawText(element).replace(/^\n|\s+$/g, ''));
    else if (LISTS.test(tag)) this.readList(element);
    else if (tag === 'table') this.readTable(element);
    else if (MATH.test(tag)) this.addText({ text: textOf(element), linked: false });
    else if (INLINE.test(tag)) this.readChildren(element);
    else this.readBlock(element);
  }

  private addText({ text, linked, href }: HtmlText): void {
    // Line breaks of the source are white space; those of the page come from `br`.
    const flat = text.replace(/\s+/g, ' ');
    this.text.push(href === undefined ? flat : asLink(flat, href));
    const letters = flat.replace(/ /g, '').length;
    this.letters += letters;
    if (linked) this.linked += letters;
  }

  private takeText(): { text: string; letters: number; linked: number } {
    const text = this.text
      .join('')
      .replace(/ +/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim();
    const taken = { text, letters: this.letters, linked: this.linked };
    this.text = [];
    this.letters = this.linked = 0;
    return taken;
  }

  private endText(): void {
    const { text, letters, linked } = this.takeText();
    if (text === '') return;
    if (this.lists.length === 0) {
      for (const paragraph of text.split(/\n{2,}/)) this.push('paragraph', paragraph, linked / (letters || 1));
      return;
    }
    const indent = '  '.repeat(this.lists.length - 1);
    const hanging = ' '.repeat(2);
    for (const line of text.split(/\n+/)) {
      this.lines.push(indent + (this.marker || hanging) + line);
      this.marker = '';
    }
    this.listLetters += letters;
    this.listLinked += linked;
  }

  private endLines(): void {
    this.endText();
    if (this.lines.length > 0) this.push('list', this.lines.join('\n'), this.listLinked / (this.listLetters || 1));
    this.lines = [];
    this.listLetters = this.listLinked = 0;
  }

  private push(kind: DocumentBlock['kind'], text: string, linkShare = 0, level?: number): void {
    if (text.trim() !== '') this.blocks.push({ kind, text, linkShare, ...(level && { level }) });
  }

  private emit(kind: DocumentBlock['kind'], text: string, level?: number): void {
    this.endLines();
    this.push(kind, text, 0, level);
  }

  private emitTable({ text, notes }: TableAsMarkdown): void {
    this.endLines();
    this.blocks.push({ kind: 'table', text, linkShare: 0, ...(notes.length > 0 && { notes }) });
  }

  private readHeading(element: HtmlElement): void {
    const text = textOf(element);
    const level = Number(element.tag[1]);
    if (text.length <= MAX_HEADING_CHARACTERS) return this.emit('heading', text, level);
    // A heading that was never closed holds the page: only what stands before the first block is its text.
    const firstBlock = element.children.findIndex((child) => isElement(child) && !INLINE.test(child.tag));
    const own = firstBlock === -1 ? '' : textOf({ ...element, children: element.children.slice(0, firstBlock) });
    if (own === '' || own.length > MAX_HEADING_CHARACTERS) return this.readBlock(element);
    this.emit('heading', own, level);
    this.readBlock({ ...element, children: element.children.slice(firstBlock) });
  }

  private readTable(table: HtmlElement): void {
    const drawn = tableToMarkdown(table, textOfCell);
    const entries = !drawn && this.lists.length === 0 ? singleColumn(table, textOfCell) : undefined;
    if (!drawn && !entries) return this.readBlock(table);
    for (const child of table.children) if (isElement(child) && child.tag === 'caption') this.readBlock(child);
    if (drawn) return this.emitTable(drawn);
    const filled = entries!.map((parts) => parts.filter(Boolean)).filter((parts) => parts.length > 0);
    this.emit('list', filled.map((parts) => `- ${parts.join('\n  ')}`).join('\n'));
  }

  private readList(list: HtmlElement): void {
    if (this.lists.length === 0) this.endLines();
    else this.endText();
    const start = Number.parseInt(list.attributes.start ?? '1', 10);
    const open = { ordered: list.tag === 'ol', count: Number.isFinite(start) ? start - 1 : 0 };
    const [outerTerm, outerMarker] = [this.term, this.marker];
    this.lists.push(open);
    this.term = '';
    for (const child of list.children) {
      if (!isElement(child)) this.addText(child);
      else if (!this.isChrome(child)) this.readItem(child, open);
    }
    this.endTerm();
    this.lists.pop();
    [this.term, this.marker] = [outerTerm, outerMarker];
    if (this.lists.length === 0) {
      this.marker = '';
      // The last text was taken as a line while the list was open.
      this.endLines();
    }
  }

  private readItem(item: HtmlElement, list: { readonly ordered: boolean; count: number }): void {
    if (item.tag === 'dt') return this.readTerm(item);
    // `dl` may group its terms in `div`s.
    if (item.tag === 'div') {
      for (const child of item.children) if (isElement(child)) this.readItem(child, list);
      return;
    }
    if (item.tag !== 'li' && item.tag !== 'dd') return this.read(item);
    this.endText();
    this.marker = list.ordered ? `${++list.count}. ` : '- ';
    if (this.term !== '') this.text.push(`${this.term}: `);
    this.term = '';
    this.readChildren(item);
    this.endText();
    this.marker = '';
  }

  private readTerm(item: HtmlElement): void {
    this.endText();
    this.endTerm();
    this.term = textOf(item);
  }

  /** A term that nothing explains is a line of its own. */
  private endTerm(): void {
    this.endText();
    if (this.term === '') return;
    this.marker = '- ';
    this.text.push(this.term);
    this.term = '';
    this.endText();
  }
}

function rawText(element: HtmlElement): string {
  const parts: string[] = [];
  const gatherRaw = (inside: HtmlElement) => {
    for (const child of inside.children) {
      if (!isElement(child)) parts.push(child.text);
      else if (child.tag === 'br') parts.push('\n');
      else gatherRaw(child);
    }
  };
  gatherRaw(element);
  return parts.join('');
}
