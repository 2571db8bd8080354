/**
 * Markdown as blocks, line by line: front matter, headings of both kinds, fenced and indented code, tables, lists,
 * quotes, and HTML between them. Each line is looked at once.
 */
import { pushBlock } from './block-limit';
import { compact, onOneLine } from './clean-text';
import { readHtml } from './parser.html';
import { plainInline } from './markdown-inline';
import { joinLinesOfCell, toMarkdownTable } from './markdown-table';
import type { DocumentBlock, ParsedDocument } from './parser';

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(?:\s+(.*)|\s*)$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const MAX_ROWS_WITHOUT_BAR = 20;
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:\s*\S/;
const HTML_BLOCK =
  /^ {0,3}<(?:!--|\/?(?:address|article|aside|blockquote|body|center|details|dialog|div|dl|fieldset|figure|footer|form|h[1-6]|header|hr|html|li|link|main|nav|ol|p|picture|pre|script|section|style|summary|table|tbody|td|th|thead|tr|ul)(?:\s|\/?>|$))/i;

export function readMarkdown(text: string): ParsedDocument {
  const { title, from } = frontMatter(text);
  const reader = new MarkdownReader(text.slice(from).split('\n'));
  const blocks = reader.read();
  return { format: 'markdown', ...(title && { title }), blocks };
}

function frontMatter(text: string): { readonly title?: string; readonly from: number } {
  const matter = /^(-{3}|\+{3})[ \t]*\n([\s\S]{0,20000}?)\n\1[ \t]*(?:\n|$)/.exec(text);
  if (!matter) return { from: 0 };
  const title = /^title\s*[:=]\s*(.+)$/m.exec(matter[2])?.[1].trim();
  return { title: title && onOneLine(title.replace(/^(["'])(.*)\1$/, '$2')), from: matter[0].length };
}

class MarkdownReader {
  private readonly blocks: DocumentBlock[] = [];
  private paragraph: string[] = [];
  private at = 0;

  private readonly references: ReadonlySet<string>;

  constructor(private readonly lines: readonly string[]) {
    this.references = new Set(lines.flatMap((line) => DEFINITION.exec(unquoted(line))?.[1].toLowerCase() ?? []));
  }

  read(): DocumentBlock[] {
    for (this.at = 0; this.at < this.lines.length; this.at++) this.readLine(unquoted(this.lines[this.at]));
    this.endParagraph();
    return this.blocks;
  }

  private inline(text: string): string {
    return plainInline(text, { references: this.references });
  }

  private readLine(line: string): void {
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === '') this.endParagraph();
    else if (fence) this.readFence(fence[1]);
    else if (heading) this.push('heading', onOneLine(this.inline(heading[2] ?? '')), heading[1].length);
    else if (this.paragraph.length > 0 && /^ {0,3}(=+|-{2,})\s*$/.test(line))
      this.endAsHeading(line.includes('=') ? 1 : 2);
    else if (RULE.test(line)) this.endParagraph();
    else if (this.isTable(line)) this.readTable(line);
    else if (ITEM.test(line) && (this.paragraph.length === 0 || !/^\s*\d/.test(line))) this.readList();
    else if (this.paragraph.length === 0 && HTML_BLOCK.test(line)) this.readHtmlBlock();
    else if (this.paragraph.length === 0 && /^(?: {4}|\t)/.test(line)) this.readIndentedCode();
    else if (!DEFINITION.test(line)) this.paragraph.push(line.trim());
  }

  private push(kind: DocumentBlock['kind'], text: string, level?: number): void {
    this.endParagraph();
    if (text.trim() !== '') pushBlock(this.blocks, { kind, text: compact(text), ...(level && { level }) });
  }

  private endParagraph(): void {
    const text = onOneLine(this.inline(this.paragraph.join(' ')));
    this.paragraph = [];
    if (text !== '') pushBlock(this.blocks, { kind: 'paragraph', text: compact(text) });
  }

  private endAsHeading(level: number): void {
    const text = onOneLine(this.inline(this.paragraph.join(' ')));
    this.paragraph = [];
    if (text !== '') pushBlock(this.blocks, { kind: 'heading', text, level });
  }

  private readFence(fence: string): void {
    const lines: string[] = [];
    const close = new RegExp(`^\\s*\\${fence[0]}{${fence.length},}\\s*$`);
    while (++this.at < this.lines.length && !close.test(unquoted(this.lines[this.at]))) lines.push(this.lines[this.at]);
    this.push('code', lines.join('\n').replace(/^\n+|\s+$/g, ''));
  }

  private readIndentedCode(): void {
    const lines: string[] = [];
    for (; this.at < this.lines.length && /^(?: {4}|\t|\s*$)/.test(this.lines[this.at]); this.at++) {
      lines.push(this.lines[this.at].replace(/^(?: {4}|\t)/, ''));
    }
    this.at--;
    this.push('code', lines.join('\n').trimEnd());
  }

  private isTable(line: string): boolean {
    const next = this.lines[this.at + 1];
    if (!line.includes('|') || next === undefined || !next.includes('-')) return false;
    const rule = unquoted(next);
    // A line of text over a rule is a heading, whatever is in it.
    return TABLE_RULE.test(rule) && cellsOf(rule).length === cellsOf(line).length;
  }

  private readTable(header: string): void {
    const names = this.cells(header);
    const rows: string[][] = [];
    for (this.at += 2; this.isRow(this.at); this.at++) rows.push(this.cells(unquoted(this.lines[this.at])));
    this.at--;
    this.endParagraph();
    const notes = lengthNotes(names.length, rows);
    const text = compact(toMarkdownTable(names, rows));
    pushBlock(this.blocks, { kind: 'table', text, ...(notes.length > 0 && { notes }) });
  }

  /** A line without a bar may be a row of one cell; it is where rows follow that have some. */
  private isRow(at: number): boolean {
    for (let next = at; next < Math.min(this.lines.length, at + MAX_ROWS_WITHOUT_BAR); next++) {
      const line = unquoted(this.lines[next]);
      if (line.includes('|')) return true;
      if (line.trim() === '' || FENCE.test(line) || HEADING.test(line) || RULE.test(line) || ITEM.test(line)) break;
    }
    return false;
  }

  private cells(line: string): string[] {
    return cellsOf(line).map((cell) =>
      joinLinesOfCell(plainInline(cell.replaceAll('\\|', '|'), { struck: true, references: this.references })),
    );
  }

  /** A list goes on over blank lines as long as items or indented lines follow. */
  private readList(): void {
    this.endParagraph();
    const items: string[] = [];
    const indents: number[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const line = unquoted(this.lines[this.at]);
      const item = ITEM.exec(line);
      const afterBlank = this.at > 0 && unquoted(this.lines[this.at - 1]).trim() === '';
      if (item && !RULE.test(line)) {
        const marker = /\d/.test(item[2]) ? item[2].replace(')', '.') : '-';
        const text = (item[3] ?? '').replace(/^\[([ xX])\]\s/, '[$1] ');
        items.push(`${'  '.repeat(depthOf(item[1], indents))}${marker} ${onOneLine(this.inline(text))}`);
      } else if (line.trim() === '') {
        const next = unquoted(this.lines[this.at + 1] ?? '');
        if (!ITEM.test(next) && !/^\s{2,}\S/.test(next)) break;
      } else if (FENCE.test(line) || HEADING.test(line) || RULE.test(line) || (afterBlank && !/^\s{2,}/.test(line))) {
        break;
      } else {
        items[items.length - 1] += ` ${onOneLine(this.inline(line))}`;
      }
    }
    this.at--;
    this.push('list', items.join('\n'));
  }

  private readHtmlBlock(): void {
    const lines: string[] = [];
    if (/^ {0,3}<!--/.test(this.lines[this.at])) {
      // A comment ends where it is closed, not with the paragraph.
      while (this.at < this.lines.length && !this.lines[this.at].includes('-->')) this.at++;
      lines.push((this.lines[this.at] ?? '').split('-->').slice(1).join('-->'));
    } else {
      for (; this.at < this.lines.length && this.lines[this.at].trim() !== ''; this.at++)
        lines.push(this.lines[this.at]);
      this.at--;
    }
    const html = lines.join('\n');
    // A comment or an anchor has no text, which is no fault here.
    if (/>[^<]*[^\s<]/.test(html)) for (const block of readHtml(html).blocks) pushBlock(this.blocks, block);
  }
}

const unquoted = (line: string) => (line.includes('>') ? line.replace(/^(?: {0,3}> ?){1,10}/, '') : line);

/** How deep an item lies: each deeper indent than the last opens a level, a lesser one goes back. */
function depthOf(space: string, indents: number[]): number {
  const indent = space.replaceAll('\t', '    ').length;
  while (indents.length > 0 && indents[indents.length - 1] > indent) indents.pop();
  if (indents.length === 0 || indent > indents[indents.length - 1] + 1) indents.push(indent);
  return Math.min(indents.length - 1, 6);
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/);
}

/** Rows that have not as many cells as there are headings, which may be a bar that is missing or one too many. */
function lengthNotes(columns: number, rows: readonly (readonly string[])[]): string[] {
  const short = rows.filter((row) => row.length < columns).length;
  const long = rows.filter((row) => row.length > columns).length;
  return [
    ...(short > 0 ? [`${short} of ${rows.length} rows have fewer than ${columns} cells; the rest is NULL`] : []),
    ...(long > 0 ? [`${long} of ${rows.length} rows have more than ${columns} cells; columns were added`] : []),
  ];
}
