/**
 * Tables of a PDF, which are nothing but texts that line up: rows of several cells whose left edges fall together.
 */
import { toMarkdownTable } from './markdown-table';
import type { PdfRow } from './pdf-columns';

interface TableRow extends PdfRow {
  readonly page: number;
}

const MIN_ROWS = 3;

/** The table that begins with the row at `from`, and how many rows it takes. */
export function tableAt(rows: readonly TableRow[], from: number): { text: string; rows: number } | undefined {
  const first = rows[from];
  if (first.cells.length < 2) return undefined;
  let to = from + 1;
  while (to < rows.length && belongs(rows, from, to)) to++;
  // A caption below, under no column or at a distance.
  while (to > from + 1 && rows[to - 1].cells.length < 2 && !isContinuation(rows, to - 1)) to--;
  const body = rows.slice(from, to);
  const severalCells = body.filter(({ cells }) => cells.length > 1).length;
  if (severalCells < MIN_ROWS || severalCells < body.length * 0.4) return undefined;
  const columns = columnsOf(body);
  if (columns.length < 2) return undefined;
  const grid = mergeWrapped(body, columns);
  return grid.length < 2 ? undefined : { text: toMarkdownTable(grid[0], grid.slice(1)), rows: body.length };
}

function belongs(rows: readonly TableRow[], from: number, at: number): boolean {
  const [row, before] = [rows[at], rows[at - 1]];
  const gap = row.y - before.y;
  if (row.page !== before.page || gap <= 0 || gap > 3.2 * row.cells[0].size) return false;
  if (row.cells.every(({ isMono }) => isMono) && before.cells.every(({ isMono }) => isMono)) return false;
  const starts = rows.slice(Math.max(from, at - 6), at).flatMap(({ cells }) => cells.map(({ x }) => x));
  const tolerance = row.cells[0].size;
  const aligned = row.cells.filter(({ x }) => starts.some((start) => Math.abs(start - x) < tolerance)).length;
  // A line of running text also begins where a column does; only it goes on far beyond.
  const spansAll = row.cells.length === 1 && row.cells[0].right - row.cells[0].x > 0.7 * (row.right - row.left);
  return aligned * 2 >= row.cells.length && !spansAll;
}

/** A single text close below a column other than the first. */
function isContinuation(rows: readonly TableRow[], at: number): boolean {
  const [cell] = rows[at].cells;
  const isNear = rows[at].y - rows[at - 1].y < 1.6 * cell.size;
  return isNear && rows[at - 1].cells.slice(1).some(({ x }) => Math.abs(x - cell.x) < cell.size);
}

/** Left edges that several rows share. */
function columnsOf(rows: readonly TableRow[]): number[] {
  const starts = rows
    .flatMap(({ cells }) => cells.map(({ x, size }) => ({ x, size })))
    .sort((one, other) => one.x - other.x);
  const clusters: { x: number; last: number; count: number }[] = [];
  for (const { x, size } of starts) {
    const cluster = clusters.at(-1);
    if (cluster && x - cluster.last < size * 0.8) {
      cluster.last = x;
      cluster.count++;
    } else clusters.push({ x, last: x, count: 1 });
  }
  return clusters.filter(({ count }) => count >= Math.max(2, rows.length * 0.15)).map(({ x }) => x);
}

/** Lines of one cell stand closer than rows do; where they do not, a row begins with its first column. */
function mergeWrapped(rows: readonly TableRow[], columns: readonly number[]): string[][] {
  const gaps = rows.slice(1).map((row, at) => row.y - rows[at].y);
  const near = gaps.reduce((least, gap) => Math.min(least, gap), Number.POSITIVE_INFINITY) * 1.08;
  const wider = gaps.filter((gap) => gap > near).length;
  const isSpaced = wider >= 2 && wider >= gaps.length * 0.2;
  const grid: string[][] = [];
  rows.forEach((row, at) => {
    const cells: string[] = columns.map(() => '');
    for (const { x, text, size } of row.cells) {
      const column = Math.max(
        0,
        columns.findLastIndex((start) => start <= x + size * 0.8),
      );
      cells[column] = cells[column] ? `${cells[column]} ${text}` : text;
    }
    const begins = at === 0 || (isSpaced ? gaps[at - 1] > near : cells[0] !== '');
    const last = grid.at(-1);
    if (begins || !last) grid.push(cells);
    else cells.forEach((text, column) => text && (last[column] = last[column] ? `${last[column]} ${text}` : text));
  });
  return grid;
}
