/**
 * Tables of a PDF, which are nothing but texts that line up: rows of several cells that stand below each other. What
 * cannot be told apart is left as text rather than made into a wrong table.
 */
import type { PdfRow } from './pdf-columns';
import { areInOrder, columnsBelow, columnsOf, columnsUnder, type PdfColumn } from './pdf-table-columns';
import { toGrid } from './pdf-table-rows';

export interface TableRow extends PdfRow {
  readonly page: number;
}

export interface PdfTable {
  /** How many of the rows it takes. */
  readonly taken: number;
  readonly columns: readonly PdfColumn[];
  /** Undefined where the first row is one of values. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** Rows that make a table which cannot be read: a part of it that could be would be a wrong one. */
export interface UnreadableTable {
  readonly unreadable: number;
}

const MIN_ROWS = 3;

/**
 * The table that begins with the row at `from`.
 * @param isAfterText the row before it is not one of a table.
 */
export function tableAt(
  rows: readonly TableRow[],
  from: number,
  isAfterText: boolean,
): PdfTable | UnreadableTable | undefined {
  const table = plainTableAt(rows, from) ?? tableUnderHeadings(rows, from);
  return table && 'taken' in table && isAfterText && isTorn(rows, from) ? { unreadable: table.taken } : table;
}

/** Values right above, or a line within its width, say that the table was not read from its beginning. */
function isTorn(rows: readonly TableRow[], from: number): boolean {
  const [before, row] = [rows[from - 1], rows[from]];
  const [{ x, size }] = row.cells;
  if (!before || before.page !== row.page || row.y - before.y > 1.6 * size) return false;
  if (before.cells.length > 1) return before.cells.some(({ text }) => isValue(text));
  return before.cells[0].x > x + size || row.y - before.y < 0.9 * size;
}

function plainTableAt(rows: readonly TableRow[], from: number): PdfTable | UnreadableTable | undefined {
  const first = rows[from];
  if (!first || first.cells.length < 2) return undefined;
  let to = from + 1;
  while (to < rows.length && belongs(rows, from, to)) to++;
  // A caption below, under no column or at a distance.
  while (to > from + 1 && rows[to - 1].cells.length < 2 && !isContinuation(rows, to - 1)) to--;
  const body = withoutFoot(rows.slice(from, to));
  const severalCells = body.filter(({ cells }) => cells.length > 1).length;
  if (severalCells < MIN_ROWS || severalCells < body.length * 0.4) return undefined;
  const columns = columnsOf(body);
  const grid = columns && toGrid(body, columns);
  if (columns && !grid) return { unreadable: body.length };
  if (!columns || !grid || grid.rows.length < 2) return undefined;
  const [top, ...others] = grid.rows;
  const isHeader = areHeadings(top);
  return {
    taken: body.length,
    columns,
    header: isHeader ? top : undefined,
    rows: isHeader ? others : grid.rows,
    notes: [...(isHeader ? sameHeadings(top) : []), ...grid.notes],
  };
}

/** Without lines at the end that stand apart, and not in the first column: the foot of the page. */
function withoutFoot(body: readonly TableRow[]): readonly TableRow[] {
  const gaps = body.slice(1).map((row, at) => row.y - body[at].y);
  const usual = [...gaps].sort((one, other) => one - other)[Math.floor(gaps.length / 2)];
  const right = body.reduce((least, { cells }) => Math.min(least, cells[0].right), Number.POSITIVE_INFINITY);
  let to = body.length;
  while (to > MIN_ROWS && gaps[to - 2] > 1.5 * usual && body[to - 1].cells[0].x > right) to--;
  return body.slice(0, to);
}

/** What told them apart may stand above, where it could not be told to belong to them. */
function sameHeadings(header: readonly string[]): string[] {
  const same = header.find((text, at) => text !== '' && header.indexOf(text) < at);
  return same === undefined ? [] : [`several columns have the same heading (“${same.slice(0, 60)}”)`];
}

/** Headings that stand over several columns each line up with none. */
function tableUnderHeadings(rows: readonly TableRow[], from: number): PdfTable | undefined {
  const [over, below] = [rows[from], rows[from + 1]];
  if (!below || over.page !== below.page || over.cells.length >= below.cells.length) return undefined;
  if (below.y - over.y > 2.5 * over.cells[0].size || over.cells.some(({ text }) => isValue(text) && !isYear(text)))
    return undefined;
  const table = plainTableAt(rows, from + 1);
  if (!table || !('taken' in table) || !table.header) return undefined;
  const [alone] = over.cells;
  if (over.cells.length === 1 && (alone.text.length > 40 || alone.x < table.columns[0].to)) return undefined;
  const reached = over.cells.map((cell) => columnsBelow(cell, table.columns));
  const all = reached.flat();
  if (reached.some(({ length }) => length === 0) || new Set(all).size < all.length) return undefined;
  if (reached.every(({ length }) => length === 1)) return undefined;
  const header = [...table.header];
  over.cells.forEach(({ text }, at) => {
    for (const column of reached[at]) header[column] = [text, header[column]].filter(Boolean).join(' / ');
  });
  const notes = [...sameHeadings(header), ...table.notes.filter((note) => !note.startsWith('several columns'))];
  return { ...table, taken: table.taken + 1, header, notes };
}

/**
 * Rows at the top of a page that go on with the table at the end of the page before: in its columns, and without headings
 * other than its own.
 */
export function goesOnAt(rows: readonly TableRow[], from: number, before: PdfTable): PdfTable | undefined {
  let to = from;
  while (to < rows.length && fits(rows, from, to, before.columns)) to++;
  while (to > from && rows[to - 1].cells.length < 2 && !isContinuation(rows, to - 1)) to--;
  if (!rows.slice(from, to).some(({ cells }) => cells.length > 1)) return undefined;
  const grid = toGrid(rows.slice(from, to), before.columns);
  if (!grid) return undefined;
  const [top, ...others] = grid.rows;
  const again = before.header !== undefined && sameWords(top, before.header);
  const hasValues = before.rows.some((row) => row.some(isValue));
  if (!again && hasValues && areHeadings(top)) return undefined;
  const { columns, header } = before;
  return { taken: to - from, columns, header, rows: again ? others : grid.rows, notes: grid.notes };
}

/** Without what a heading over several columns adds: such a row was not read again. */
const sameWords = (row: readonly string[], header: readonly string[]) =>
  row.every((text, at) => header[at] === text || (text !== '' && header[at].endsWith(` / ${text}`)));

function fits(rows: readonly TableRow[], from: number, at: number, columns: readonly PdfColumn[]): boolean {
  const [row, before] = [rows[at], rows[at - 1]];
  if (at > from) {
    const gap = row.y - before.y;
    if (row.page !== before.page || gap <= 0 || gap > 3.2 * row.cells[0].size) return false;
  }
  if (row.cells.length === 1 && (at === from || spansAll(row))) return false;
  return row.cells.every((cell) => columnsUnder(cell, columns).length === 1);
}

const isValue = (text: string) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text);
const isYear = (text: string) => /^(?:1[89]|20|21)\d\d$/.test(text);

/** Words, and years if there are several. */
function areHeadings(row: readonly string[]): boolean {
  const values = row.filter(isValue);
  return values.every(isYear) && values.length !== 1;
}

function belongs(rows: readonly TableRow[], from: number, at: number): boolean {
  const [row, before] = [rows[at], rows[at - 1]];
  const gap = row.y - before.y;
  if (row.page !== before.page || gap <= 0 || gap > 3.2 * row.cells[0].size) return false;
  if (row.cells.every(({ isMono }) => isMono) && before.cells.every(({ isMono }) => isMono)) return false;
  if (at === from + 1 && row.cells.length > 1 && areInOrder(before.cells, row.cells)) return true;
  const above = rows.slice(Math.max(from, at - 6), at).flatMap(({ cells }) => cells);
  const tolerance = row.cells[0].size;
  const isNear = (one: number, other: number) => Math.abs(one - other) < tolerance;
  const aligned = row.cells.filter((cell) =>
    above.some(
      (other) =>
        isNear(other.x, cell.x) ||
        (row.cells.length > 1 &&
          (isNear(other.right, cell.right) || isNear(other.x + other.right, cell.x + cell.right))),
    ),
  ).length;
  return aligned * 2 >= row.cells.length && !spansAll(row);
}

/** A line of running text also begins where a column does; only it goes on far beyond. */
const spansAll = ({ cells, left, right }: TableRow) =>
  cells.length === 1 && cells[0].right - cells[0].x > 0.7 * (right - left);

/** A single text close below a column other than the first. */
function isContinuation(rows: readonly TableRow[], at: number): boolean {
  const [cell] = rows[at].cells;
  const before = rows[at - 1];
  if (!before || before.page !== rows[at].page) return false;
  const isNear = rows[at].y - before.y < 1.6 * cell.size;
  return isNear && before.cells.slice(1).some(({ x }) => Math.abs(x - cell.x) < cell.size);
}
