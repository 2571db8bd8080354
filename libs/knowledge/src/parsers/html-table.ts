/**
 * Tables as grids: spans resolved, empty columns dropped, and tables that only arrange the page told apart from data.
 */
import { find } from './html-content';
import { placeCells, type PlacedRow } from './html-table-grid';
import { isElement, type HtmlElement } from './html-tree';
import { toMarkdownTable } from './markdown-table';

/** Longer cells in a table without headings are columns of a page, not values. */
const MAX_VALUE_CHARACTERS = 600;

export interface TableAsMarkdown {
  readonly text: string;
  /** What a reader of the rows has to know about them. */
  readonly notes: readonly string[];
}

/** @returns `undefined` for a table that only arranges the page: its cells are to be read as blocks. */
export function tableToMarkdown(
  table: HtmlElement,
  textOf: (element: HtmlElement) => string,
): TableAsMarkdown | undefined {
  if (/^(presentation|none)$/.test(table.attributes.role ?? '')) return undefined;
  if (table.children.some((child) => isElement(child) && holds(child, /^(table|h[1-6])$/))) return undefined;
  const grid = placeCells(table, textOf);
  if (!grid) return undefined;
  const { rows, notes } = grid;
  const hasHeadings = find(table, ({ tag }) => tag === 'th').length > 0;
  if (rows.length === 0 || rows[0].cells.length < 2) return undefined;
  if (!hasHeadings) {
    if (rows.length === 1) return undefined;
    if (rows.some(({ cells }) => cells.some((cell) => cell.length > MAX_VALUE_CHARACTERS))) return undefined;
  }
  const header = rows.filter(({ isHeader }) => isHeader);
  const body = rows.slice(header.length).map(({ cells }) => cells);
  return { text: toMarkdownTable(mergeHeaders(header), body), notes };
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

/** Several rows of headings become one: `2023 / Sales`. */
function mergeHeaders(rows: readonly PlacedRow[]): string[] | undefined {
  if (rows.length === 0) return undefined;
  return rows[0].cells.map((_, at) => [...new Set(rows.map(({ cells }) => cells[at]).filter(Boolean))].join(' / '));
}
