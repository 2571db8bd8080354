/** Rows of PDF pages as blocks: what is a heading, a table, code, an item of a list, and where paragraphs end. */
import type { DocumentBlock } from './parser';
import type { PdfRow } from './pdf-columns';
import { joinLines, type WordForms } from './pdf-lines';
import { toMarkdownTable } from './markdown-table';
import { goesOnAt, tableAt, type PdfTable } from './pdf-tables';

export interface PdfTypography {
  /** Letter height of the running text, in points. */
  readonly bodySize: number;
  readonly bodyFont: string;
  /** Heights of headings, largest first. */
  readonly headingSizes: readonly number[];
  /** Titles of the outline, as `titleKey` writes them, with their level. */
  readonly outline: ReadonlyMap<string, number>;
}

interface PageRow extends PdfRow {
  readonly page: number;
}

const HEADING_SCALE = 1.12;
const MAX_HEADING_WORDS = 25;
const BULLET = /^(?:[•◦▪●■□➢‣∙·]\s*|[–—*-]\s+)(?=\S)/;
/** A bullet that nobody types, also before text of fixed width. */
const GLYPH = /^[•◦▪●■□➢‣]\s/;
const NUMBER = /^(?:\(?\d{1,3}[.)]|\(?[a-z][.)])\s+(?=\S)/;
const SECTION = /^(?:\d{1,3}(?:\.\d{1,3}){1,5}\.?|\d{1,3}\.)\s+\p{Lu}/u;

export function toPdfBlocks(allRows: readonly PageRow[], typography: PdfTypography, words: WordForms): DocumentBlock[] {
  const writer = new PdfBlockWriter(typography, words);
  const rows = withoutContents(allRows);
  let open: PdfTable | undefined;
  for (let at = 0; at < rows.length;) {
    const isTop = at > 0 && rows[at].page === rows[at - 1].page + 1;
    const going = open && isTop ? goesOnAt(rows, at, open) : undefined;
    const found = going ?? tableAt(rows, at, open === undefined);
    open = found && 'taken' in found ? found : undefined;
    if (open) writer.addTable(open, rows[at].page, going !== undefined);
    const to = at + (open?.taken ?? (found && 'unreadable' in found ? found.unreadable : 1));
    for (; at < to; at++) if (!open) writer.addRow(rows[at]);
  }
  return writer.finish();
}

/** A title without its number and white space, as an outline and a page may differ in both. */
export const titleKey = (title: string) =>
  title
    .toLowerCase()
    .replace(/^\s*(?:(?:chapter|cap[íi]tulo|appendix|ap[ée]ndice|section)\s+)?(?:[\divx]+|[a-z])(?:\.\d+)*\.?\s+/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');

const LEADER = /(?:[.·…]\s?){4,}\s*\d*\s*$/;

/**
 * Without the table of contents, whose lines are the headings again: found by the dots that lead to page numbers, and
 * on a page full of them by the page numbers alone.
 */
function withoutContents(rows: readonly PageRow[]): readonly PageRow[] {
  const led = new Map<number, { all: number; led: number }>();
  for (const row of rows) {
    const count = led.get(row.page) ?? { all: 0, led: 0 };
    count.all++;
    if (LEADER.test(textOf(row))) count.led++;
    led.set(row.page, count);
  }
  return rows.filter((row) => {
    const text = textOf(row);
    const page = led.get(row.page);
    const isContentsPage = page !== undefined && page.led >= 5 && page.led * 2 >= page.all;
    return !(page && page.led >= 3 && LEADER.test(text)) && !(isContentsPage && /\s\d{1,4}$/.test(text));
  });
}

const textOf = (row: PdfRow) => row.cells.map(({ text }) => text).join(' ');

class PdfBlockWriter {
  private readonly blocks: DocumentBlock[] = [];
  private rows: PageRow[] = [];
  private kind: 'paragraph' | 'item' | 'code' | 'heading' = 'paragraph';
  private level: number | undefined;
  private items: { readonly text: string; readonly page: number }[] = [];

  constructor(
    private readonly typography: PdfTypography,
    private readonly words: WordForms,
  ) {}

  addTable({ header, rows, notes }: PdfTable, page: number, goesOn: boolean): void {
    this.endItems();
    const text = toMarkdownTable(header, rows);
    this.blocks.push({
      kind: 'table',
      text,
      page,
      ...(goesOn && { goesOn }),
      ...(notes.length > 0 && { notes }),
    });
  }

  addRow(row: PageRow): void {
    const level = this.levelOf(row);
    const before = this.rows.at(-1);
    if (level !== undefined) {
      const goesOn = this.kind === 'heading' && this.level === level && before && isNextLine(before, row);
      if (!goesOn) this.start('heading', level);
    } else if (row.cells.every(({ isMono }) => isMono) && !GLYPH.test(row.cells[0].text)) {
      if (this.kind !== 'code' || !before || !isNear(before, row)) this.start('code');
    } else if (this.isItem(row)) {
      this.start('item');
    } else if (!before || this.kind === 'heading' || this.kind === 'code' || this.endsBefore(before, row)) {
      this.start('paragraph');
    }
    this.rows.push(row);
  }

  finish(): DocumentBlock[] {
    this.endItems();
    return this.blocks;
  }

  private levelOf(row: PageRow): number | undefined {
    const { bodySize, bodyFont, headingSizes, outline } = this.typography;
    const text = textOf(row);
    const [{ size, font, isMono }] = row.cells;
    if (!/\p{L}/u.test(text) || text.split(' ').length > MAX_HEADING_WORDS || row.cells.length > 2) return undefined;
    const larger = size >= bodySize * HEADING_SCALE;
    const stands = larger || (font !== bodyFont && !isMono);
    const listed = stands ? outline.get(titleKey(text)) : undefined;
    if (listed !== undefined) return listed;
    if (larger) {
      const nth = headingSizes.findIndex((headingSize) => size >= headingSize - 0.3);
      return nth === -1 ? undefined : Math.min(nth + 1, 6);
    }
    const numbered = stands && size >= bodySize * 0.95 && SECTION.test(text) && !/[.:;,]$/.test(text);
    const depth = numbered && /^[\d.]+/.exec(text)?.[0].replace(/\.$/, '').split('.').length;
    return depth ? Math.min(6, Math.max(depth, headingSizes.length + 1)) : undefined;
  }

  private isItem(row: PageRow): boolean {
    const text = textOf(row);
    if (BULLET.test(text)) return true;
    // A number may also begin the second line of a sentence.
    const last = this.rows.at(-1);
    return NUMBER.test(text) && (!last || this.kind === 'item' || this.endsBefore(last, row));
  }

  private endsBefore(before: PageRow, row: PageRow): boolean {
    const [cell] = row.cells;
    const last = before.cells[before.cells.length - 1];
    const ended = /[.!?:;…]["'”’»)\]]*$/.test(last.text);
    if (Math.abs(cell.size - last.size) > 0.1 * this.typography.bodySize) return true;
    const above = row.y - before.y;
    if (row.page !== before.page || above <= 0) {
      // Over a page or column break a sentence that has not ended goes on.
      return ended || !/^[\p{Ll}\d(«“"]/u.test(cell.text);
    }
    if (above > 1.65 * cell.size) return true;
    const first = this.rows[0].cells[0];
    if (this.kind === 'item') return cell.x < first.x + 0.3 * cell.size && ended;
    const width = before.right - before.left;
    if (ended && last.right < before.right - Math.max(0.12 * width, 3 * cell.size)) return true;
    return cell.x > before.cells[0].x + 0.8 * cell.size && cell.x < before.cells[0].x + 4 * cell.size && ended;
  }

  private start(kind: PdfBlockWriter['kind'], level?: number): void {
    this.endRows();
    if (kind !== 'item') this.endItems();
    this.kind = kind;
    this.level = level;
  }

  private endRows(): void {
    const [first] = this.rows;
    if (!first) return;
    const lines = this.rows.map(textOf);
    if (this.kind === 'item') {
      const text = joinLines(lines, this.words).replace(BULLET, '- ');
      this.items.push({ text, page: first.page });
    } else {
      const text = this.kind === 'code' ? this.codeOf(this.rows) : joinLines(lines, this.words);
      const level = this.level;
      this.blocks.push({ kind: this.kind, text, ...(level && { level }), page: first.page });
    }
    this.rows = [];
  }

  private endItems(): void {
    this.endRows();
    if (this.items.length === 0) return;
    this.blocks.push({ kind: 'list', text: this.items.map(({ text }) => text).join('\n'), page: this.items[0].page });
    this.items = [];
  }

  /** Fixed width: where a line begins, and the gaps within it, count spaces. */
  private codeOf(rows: readonly PageRow[]): string {
    const margin = rows.reduce((least, { cells }) => Math.min(least, cells[0].x), Number.POSITIVE_INFINITY);
    return rows
      .map(({ cells }) => {
        let line = '';
        for (const { x, right, text } of cells) {
          const width = (right - x) / Math.max(text.length, 1);
          const column = Math.min(Math.round((x - margin) / (width || 1)), 200);
          line = line.padEnd(Math.max(column, line === '' ? 0 : line.length + 1)) + text;
        }
        return line;
      })
      .join('\n');
  }
}

function isNextLine(before: PageRow, row: PageRow): boolean {
  return row.page === before.page && row.y > before.y && row.y - before.y < 1.7 * row.cells[0].size;
}

/** Code may have a blank line inside, or go on over a page. */
function isNear(before: PageRow, row: PageRow): boolean {
  return row.page !== before.page || (row.y > before.y && row.y - before.y < 3 * row.cells[0].size);
}
