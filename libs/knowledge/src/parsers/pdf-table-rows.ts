/** Lines of a table in a PDF as rows: which lines are one row, whose cells go on over several of them. */
import { joinLinesOfCell } from './markdown-table';
import { textsIn, type PdfColumn } from './pdf-table-columns';
import type { TableRow } from './pdf-tables';

/** Dots that lead the eye to the next column. */
const LEADER = /\s*(?:[.·…]\s?){3,}$/;

interface Line {
  readonly y: number;
  readonly page: number;
  readonly size: number;
  readonly cells: readonly string[];
}

export interface PdfGrid {
  readonly rows: string[][];
  readonly notes: string[];
}

/** @returns undefined where it cannot be told which lines belong together. */
export function toGrid(rows: readonly TableRow[], columns: readonly PdfColumn[]): PdfGrid | undefined {
  const lines = rows.map((row): Line => {
    return { y: row.y, page: row.page, size: row.cells[0].size, cells: textsIn(row, columns) };
  });
  const groups = isCentred(lines) ? centredRows(lines) : followingRows(lines);
  if (!groups) return undefined;
  const grid = groups.map((group) =>
    columns.map((_, at) =>
      joinLinesOfCell(
        group
          .map(({ cells }) => cells[at])
          .filter(Boolean)
          .join('\n'),
      ).replace(LEADER, ''),
    ),
  );
  const alone = grid
    .slice(1)
    .filter(([first, ...others]) => first !== '' && others.every((text) => text === '')).length;
  return {
    rows: grid,
    notes:
      alone > 0
        ? [`rows with nothing but a first cell may go on from the row above, or be titles (${alone} of ${grid.length})`]
        : [],
  };
}

const gapsOf = (lines: readonly Pick<Line, 'y' | 'page'>[]) =>
  lines.slice(1).map((line, at) => (line.page === lines[at].page ? line.y - lines[at].y : Number.POSITIVE_INFINITY));

/** Lines that stand at half the height of others: a cell of one line in the middle of one of several. */
export const isCentred = (lines: readonly Pick<Line, 'y' | 'page' | 'size'>[]) =>
  gapsOf(lines).some((gap, at) => gap < 0.9 * lines[at].size);

/** Lines of one cell stand closer than rows do; where they do not, a row begins with its first column. */
function followingRows(lines: readonly Line[]): Line[][] {
  const gaps = gapsOf(lines);
  const within = gaps.filter(Number.isFinite);
  const near = within.reduce((least, gap) => Math.min(least, gap), Number.POSITIVE_INFINITY) * 1.08;
  const wider = within.filter((gap) => gap > near).length;
  const isSpaced = wider >= 2 && wider >= within.length * 0.2;
  const groups: Line[][] = [];
  lines.forEach((line, at) => {
    const begins = at === 0 || (isSpaced ? gaps[at - 1] > near : line.cells[0] !== '');
    if (begins) groups.push([line]);
    else groups.at(-1)!.push(line);
  });
  return groups;
}

/**
 * In each column, lines that stand as close as the closest do are one cell; cells beside each other are one row. Where rows
 * stand as close as lines, all of it would be one.
 */
function centredRows(lines: readonly Line[]): Line[][] | undefined {
  const cells = lines[0].cells.flatMap((_, at) => cellsOfColumn(lines, at));
  const bands: { page: number; to: number; columns: Set<number>; lines: Set<Line> }[] = [];
  for (const { page, from, to, column, lines: own } of cells.sort((a, b) => a.page - b.page || a.from - b.from)) {
    const band = bands.at(-1);
    if (!band || band.page !== page || from > band.to) {
      bands.push({ page, to, columns: new Set([column]), lines: new Set(own) });
      continue;
    }
    if (band.columns.has(column)) return undefined;
    band.columns.add(column);
    band.to = Math.max(band.to, to);
    for (const line of own) band.lines.add(line);
  }
  if (bands.length < 3) return undefined;
  const claimed = bands.reduce((sum, band) => sum + band.lines.size, 0);
  return claimed === lines.length
    ? bands.map((band) => [...band.lines].sort((one, other) => one.y - other.y))
    : undefined;
}

function cellsOfColumn(lines: readonly Line[], column: number) {
  const own = lines.filter(({ cells }) => cells[column] !== '');
  const gaps = gapsOf(own);
  const near = leadingOf(lines) * 1.08;
  const found: { page: number; from: number; to: number; column: number; lines: Line[] }[] = [];
  own.forEach((line, at) => {
    const cell = found.at(-1);
    const to = line.y + 0.2 * line.size;
    if (cell && gaps[at - 1] <= near) {
      cell.to = to;
      cell.lines.push(line);
    } else found.push({ page: line.page, from: line.y - 0.6 * line.size, to, column, lines: [line] });
  });
  return found;
}

/** The least distance of lines within a column. */
const leadingOf = (lines: readonly Line[]) =>
  Math.min(...lines[0].cells.flatMap((_, at) => gapsOf(lines.filter(({ cells }) => cells[at] !== ''))));
