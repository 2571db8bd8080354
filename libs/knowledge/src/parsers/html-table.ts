/**
 * Tables as grids: spans resolved, empty columns dropped, and tables that only arrange the page told apart from data.
 */
import { find } from './html-content';
import { isElement, type HtmlElement } from './html-tree';
import { toMarkdownTable } from './markdown-table';

/** A wider span says nothing more, and `colspan=1000` in a thousand rows would be a million cells. */
const MAX_COLUMN_SPAN = 64;
/** A cell that spans rows is repeated in each, so that a row read alone makes sense; a long text is not. */
const MAX_REPEATED_CHARACTERS = 200;
const MAX_REPEATED_IN_ALL = 1_000_000;
/** Longer cells in a table without headings are columns of a page, not values. */
const MAX_VALUE_CHARACTERS = 600;

interface Row {
  readonly cells: string[];
  readonly isHeader: boolean;
}

/** @returns Markdown, or `undefined` for a table that only arranges the page: its cells are to be read as blocks. */
export function tableToMarkdown(table: HtmlElement, textOf: (element: HtmlElement) => string): string | undefined {
  if (/^(presentation|none)$/.test(table.attributes.role ?? '')) return undefined;
  if (table.children.some((child) => isElement(child) && holds(child, /^(table|h[1-6])$/))) return undefined;
  const rows = withoutEmptyColumns(readRows(table, textOf).filter(({ cells }) => cells.some(Boolean)));
  const hasHeadings = find(table, ({ tag }) => tag === 'th').length > 0;
  if (rows.length === 0 || rows[0].cells.length < 2) return undefined;
  if (!hasHeadings) {
    if (rows.length === 1) return undefined;
    if (rows.some(({ cells }) => cells.some((cell) => cell.length > MAX_VALUE_CHARACTERS))) return undefined;
  }
  const body = rows.findIndex(({ isHeader }) => !isHeader);
  const headerRows = rows.slice(0, body === -1 ? 1 : body);
  return toMarkdownTable(
    mergeHeaders(headerRows),
    rows.slice(headerRows.length).map(({ cells }) => cells),
  );
}

/**
 * The rows of a table that has a heading and one column, each as the paragraphs of its cell: a list of entries, which
 * would fall apart as blocks. `undefined` for any other table.
 */
export function singleColumn(
  table: HtmlElement,
  textOf: (element: HtmlElement) => string,
): readonly (readonly string[])[] | undefined {
  if (/^(presentation|none)$/.test(table.attributes.role ?? '')) return undefined;
  if (find(table, ({ tag }) => tag === 'th').length === 0) return undefined;
  if (holds(table, /^(?:pre|ul|ol|dl|blockquote|h[1-6])$/)) return undefined;
  const rows = find(table, ({ tag }) => tag === 'tr').map((row) =>
    row.children.filter(isElement).filter(({ tag }) => tag === 'td' || tag === 'th'),
  );
  if (rows.length < 3 || rows.some((cells) => cells.length > 1 || cells.some((cell) => holds(cell, /^table$/)))) {
    return undefined;
  }
  return rows.flat().map((cell) => {
    const parts = cell.children.filter(isElement).filter(({ tag }) => tag === 'p' || tag === 'div');
    const apart = parts.map(textOf).filter(Boolean);
    const whole = textOf(cell);
    // Words that stand beside the paragraphs must not be lost.
    return apart.join('').replace(/\s/g, '') === whole.replace(/\s/g, '') && apart.length > 0 ? apart : [whole];
  });
}

function holds(element: HtmlElement, tags: RegExp): boolean {
  return find(element, ({ tag }) => tags.test(tag)).length > 0;
}

function readRows(table: HtmlElement, textOf: (element: HtmlElement) => string): Row[] {
  const rows: Row[] = [];
  const spanning: { column: number; left: number; text: string }[] = [];
  let repeated = 0;
  for (const row of find(table, ({ tag }) => tag === 'tr')) {
    const own = row.children.filter(isElement).filter(({ tag }) => tag === 'td' || tag === 'th');
    const isHeader = own.length > 0 && (row.parent?.tag === 'thead' || own.every(({ tag }) => tag === 'th'));
    const cells: string[] = [];
    for (const span of spanning) {
      const affordable = span.text.length <= MAX_REPEATED_CHARACTERS && repeated < MAX_REPEATED_IN_ALL;
      cells[span.column] = affordable ? span.text : '';
      repeated += span.text.length;
      span.left--;
    }
    let column = 0;
    for (const cell of own) {
      while (cells[column] !== undefined) column++;
      const text = textOf(cell);
      const width = spanOf(cell, 'colspan', MAX_COLUMN_SPAN);
      const height = spanOf(cell, 'rowspan', 65_534);
      for (let across = 0; across < width; across++, column++) {
        // A heading holds for every column under it; a value is stated once.
        cells[column] = across === 0 || isHeader ? text : '';
        if (height > 1) spanning.push({ column, left: height - 1, text: cells[column] });
      }
    }
    for (let at = spanning.length - 1; at >= 0; at--) if (spanning[at].left <= 0) spanning.splice(at, 1);
    rows.push({ cells: Array.from(cells, (cell) => cell ?? ''), isHeader });
  }
  return rows;
}

function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan', maximum: number): number {
  const span = Number.parseInt(cell.attributes[name] ?? '1', 10);
  return Number.isFinite(span) ? Math.min(Math.max(span, 1), maximum) : 1;
}

function withoutEmptyColumns(rows: Row[]): Row[] {
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const filled = Array.from({ length: columns }, (_, at) => rows.some(({ cells }) => !!cells[at]));
  return rows.map(({ cells, isHeader }) => ({
    cells: filled.flatMap((keep, at) => (keep ? [cells[at] ?? ''] : [])),
    isHeader,
  }));
}

/** Several rows of headings become one: `2023 / Sales`. */
function mergeHeaders(rows: readonly Row[]): string[] | undefined {
  if (rows.length === 0) return undefined;
  return rows[0].cells.map((_, at) => [...new Set(rows.map(({ cells }) => cells[at]).filter(Boolean))].join(' / '));
}
