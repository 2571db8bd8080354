/** Tables that stand side by side on one sheet, an empty column between them. */
import { isBlank, markOf } from './cell';

/** The rows of a sheet that hold anything, with their cells by column. */
export type Grid = readonly { readonly at: number; readonly cells: ReadonlyMap<number, string> }[];

interface Block {
  readonly columns: readonly number[];
  /** Rows in which something stands in these columns. */
  readonly rows: Grid;
}

/**
 * Groups of columns that are tables of their own, from left to right. An empty column alone parts nothing: it may be
 * there for the looks. It does where the tables on both sides have headers of their own that begin in different rows,
 * or say the same, or where one goes on after the other has ended without a gap.
 *
 * @param columns those in which anything stands, in order.
 * @returns the groups, and the places of empty columns that were left inside of one.
 */
export function sideBySide(grid: Grid, columns: readonly number[]): { groups: number[][]; gaps: number[] } {
  const pieces: number[][] = [];
  for (const column of columns) {
    if (column - 1 === pieces.at(-1)?.at(-1)) pieces.at(-1)!.push(column);
    else pieces.push([column]);
  }
  const groups: number[][] = [];
  const gaps: number[] = [];
  for (const piece of pieces) {
    const left = groups.at(-1);
    if (!left) groups.push([...piece]);
    else if (areApart(blockOf(grid, left), blockOf(grid, piece))) groups.push([...piece]);
    else {
      if (isTable(blockOf(grid, piece))) gaps.push(piece[0]! - 1);
      left.push(...piece);
    }
  }
  return { groups, gaps };
}

function blockOf(grid: Grid, columns: readonly number[]): Block {
  const isHere = (cells: ReadonlyMap<number, string>) => columns.some((column) => !isBlank(cells.get(column)));
  return { columns, rows: grid.filter(({ cells }) => isHere(cells)) };
}

/** Several columns under a header of words, with values below. */
function isTable(block: Block): boolean {
  const header = headerOf(block);
  return block.columns.length > 1 && header !== undefined && header < block.rows.length - 1;
}

/** The first row in which more than one cell stands, if all of them are words: its place among the rows. */
function headerOf({ columns, rows }: Block): number | undefined {
  const at = rows.findIndex(({ cells }) => columns.filter((column) => !isBlank(cells.get(column))).length > 1);
  const cells = columns.map((column) => rows[at]?.cells.get(column)).filter((cell) => !isBlank(cell)) as string[];
  return at >= 0 && cells.every((cell) => markOf(cell) === undefined) ? at : undefined;
}

function areApart(left: Block, right: Block): boolean {
  if (!isTable(left) || !isTable(right)) return false;
  const [one, other] = [left, right].map((block) => block.rows[headerOf(block)!]!) as [Grid[number], Grid[number]];
  if (one.at !== other.at) return true;
  const words = ({ cells }: Grid[number], columns: readonly number[]) =>
    columns.map((column) => (cells.get(column) ?? '').trim().toLowerCase()).filter(Boolean);
  const said = new Set(words(one, left.columns));
  if (words(other, right.columns).every((word) => said.has(word))) return true;
  const [shorter, longer] = left.rows.length < right.rows.length ? [left, right] : [right, left];
  return shorter.rows.length < longer.rows.length && isDense(shorter) && isDense(longer);
}

/** Row after row, each of them with a first cell. */
function isDense(block: Block): boolean {
  const rows = block.rows.slice(headerOf(block));
  return rows.every(({ at, cells }, place) => at === rows[0]!.at + place && !isBlank(cells.get(block.columns[0]!)));
}
