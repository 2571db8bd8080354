/** The tables of one sheet: its used cells, merged ones filled, parted where another table begins. */
import { utils, type WorkSheet, type CellObject, type Range } from 'xlsx';
import { LimitExceededError } from '../parsers/parser-errors';
import { isBlank, markOf, type Row } from './cell';
import { count } from './column-plan';
import { sheetCell, type SheetFormat } from './sheet-cells';
import { sideBySide } from './side-by-side';
import { isSumOfAbove } from './sum-formula';
import type { TableInput } from './table-input';

export interface SheetFacts extends SheetFormat {
  readonly format: string;
  readonly sheet: string;
  readonly hidden: boolean;
  readonly hiddenRows: ReadonlySet<number>;
  readonly hiddenColumns: ReadonlySet<number>;
}

/** What may still be read, over all sheets of a workbook. */
export interface Budget {
  cells: number;
  characters: number;
  readonly maxCells: number;
  readonly maxCell: number;
}

/** A row with more cells of a merge than this is a title over the sheet. */
const MAX_FILLED_DOWN = 200_000;

/** Empty rows or columns that part a cell from the rest so far that nobody may have seen it. */
const FAR_ROWS = 1000;
const FAR_COLUMNS = 100;
/** More of them are a way to lay out a sheet. */
const MAX_FAR = 3;
/** Tables below tables beside tables. */
const MAX_NESTED = 6;

/** Rows with a formula over cells above in the same column, and the columns in which anything is computed there. */
export type Sums = ReadonlyMap<number, ReadonlySet<number>>;

/** What stands in a sheet. */
export interface SheetCells {
  readonly grid: Grid;
  readonly merges: Range[];
  readonly sums: Sums;
}

/** @throws LimitExceededError */
export function cellsOf(sheet: WorkSheet, facts: SheetFacts, budget: Budget): SheetCells {
  const sums = new Map<number, ReadonlySet<number>>();
  return { grid: readGrid(sheet, facts, budget, sums), merges: sheet['!merges'] ?? [], sums };
}

export function sheetTables({ grid, merges, sums }: SheetCells, facts: SheetFacts): TableInput[] {
  if (grid.length === 0) return [];
  const filled = fillDown(grid, merges);
  const parts = partsOf(grid, (part, columns) => toRows(part, columns, merges, facts, sums));
  return parts.flatMap((part) => {
    const input = toInput(part, facts, { filled, parts: parts.length });
    return input ? [input] : [];
  });
}

/** Rows of a table, and where they stand. */
interface Part {
  readonly rows: readonly Row[];
  readonly columns: readonly number[];
  /** Empty columns inside that parted nothing. */
  readonly gaps: readonly number[];
}

/** Tables side by side, in each of which others may stand below, in which others may stand side by side. */
function partsOf(grid: Grid, rowsOf: (grid: Grid, columns: readonly number[]) => Row[], depth = 0): Part[] {
  const { groups, gaps } = sideBySide(grid, usedColumns(grid));
  return groups.flatMap((columns) => {
    const own = groups.length > 1 ? only(grid, columns) : grid;
    const parts = parted(rowsOf(own, columns));
    if (parts.length === 1 || depth === MAX_NESTED) return parts.map((rows) => ({ rows, columns, gaps }));
    return parts.flatMap((rows) => {
      const [from, to] = [rows[0]!.number - 1, rows.at(-1)!.number - 1];
      return partsOf(
        own.filter(({ at }) => at >= from && at <= to),
        rowsOf,
        depth + 1,
      );
    });
  });
}

/** The rows in which anything stands in these columns. */
const only = (grid: Grid, columns: readonly number[]): Grid =>
  grid.flatMap(({ at, cells }) => {
    const here = columns.filter((column) => cells.has(column)).map((column) => [column, cells.get(column)!] as const);
    return here.length > 0 ? [{ at, cells: new Map(here) }] : [];
  });

type Grid = { readonly at: number; readonly cells: Map<number, string> }[];

function readGrid(sheet: WorkSheet, facts: SheetFacts, budget: Budget, sums: Map<number, ReadonlySet<number>>): Grid {
  const grid: Grid = [];
  const rows = sheet['!data'] as CellObject[][] | undefined;
  // Sparse arrays: only cells that are there are looked at, wherever they lie.
  rows?.forEach((row, at) => {
    const cells = new Map<number, string>();
    const computed = new Set<number>();
    row?.forEach((cell, column) => {
      const text = cell ? sheetCell(cell, facts) : '';
      if (text === '') return;
      spend(budget, text);
      cells.set(column, text);
      if (cell.f === undefined) return;
      computed.add(column);
      if (isSumOfAbove(cell.f, at, column)) sums.set(at, computed);
    });
    if (cells.size > 0) grid.push({ at, cells });
    // Nobody reads it again, and a large sheet would be in memory twice.
    rows[at] = [];
  });
  return grid;
}

/** @throws LimitExceededError */
export function spend(budget: Budget, text: string): void {
  if (++budget.cells > budget.maxCells) {
    throw new LimitExceededError(`the workbook has more than ${budget.maxCells} cells`, 'MAX_SHEET_CELLS');
  }
  budget.characters += text.length;
  if (text.length > budget.maxCell || budget.characters > budget.maxCells * 100) {
    throw new LimitExceededError(
      `the workbook has ${text.length > budget.maxCell ? 'a cell' : 'texts'} of more than ${Math.floor((text.length > budget.maxCell ? budget.maxCell : budget.maxCells * 100) / 1024)} KiB`,
      text.length > budget.maxCell ? 'MAX_TABLE_CELL_KB' : 'MAX_SHEET_CELLS',
    );
  }
}

/** A cell merged over rows holds for each of them. @returns how many cells got a value so. */
function fillDown(grid: Grid, merges: readonly Range[]): number {
  const rows = new Map(grid.map((row) => [row.at, row.cells]));
  const last = grid.at(-1)?.at ?? 0;
  let filled = 0;
  for (const { s, e } of merges) {
    const value = rows.get(s.r)?.get(s.c);
    if (value === undefined) continue;
    for (let at = s.r + 1; at <= Math.min(e.r, last) && filled < MAX_FILLED_DOWN; at++) {
      const cells = rows.get(at);
      if (!cells || cells.has(s.c)) continue;
      cells.set(s.c, value);
      filled++;
    }
  }
  return filled;
}

/** Columns in which anything stands, in order. */
function usedColumns(grid: Grid): number[] {
  const used = new Set<number>();
  for (const { cells } of grid) for (const column of cells.keys()) used.add(column);
  return [...used].sort((one, other) => one - other);
}

function toRows(
  grid: Grid,
  columns: readonly number[],
  merges: readonly Range[],
  facts: SheetFacts,
  sums: Sums,
): Row[] {
  const place = new Map(columns.map((column, at) => [column, at]));
  const across = merges.filter(({ s, e }) => e.c > s.c);
  const rows: Row[] = [];
  let before = (grid[0] as Grid[number]).at;
  for (const { at, cells } of grid) {
    // One blank row stands for all of a gap.
    if (at > before + 1) rows.push({ cells: [], number: before + 2 });
    before = at;
    const row: string[] = [];
    for (const [column, cell] of cells) row[place.get(column) as number] = cell;
    for (let column = 0; column < row.length; column++) row[column] ??= '';
    const merged = across.length > 0 ? mergedIn(at, across, cells, place) : undefined;
    rows.push({
      cells: row,
      number: at + 1,
      ...(facts.hiddenRows.has(at) && { hidden: true }),
      ...(isOfSums(cells, columns, sums.get(at)) && { sums: true }),
      ...(merged && { merged }),
    });
  }
  return rows;
}

/** Whether all values of a row are computed: what somebody typed in is data, whatever is summed beside it. */
const isOfSums = (cells: ReadonlyMap<number, string>, columns: readonly number[], computed?: ReadonlySet<number>) =>
  computed !== undefined &&
  columns.some((column) => computed.has(column)) &&
  columns.every((column) => computed.has(column) || markOf(cells.get(column) ?? '') === undefined);

/** What stands over columns of this row because a cell left of them is merged over them. */
function mergedIn(
  at: number,
  across: readonly Range[],
  cells: ReadonlyMap<number, string>,
  place: ReadonlyMap<number, number>,
) {
  const merged = new Map<number, string>();
  if (at > 10_000) return merged;
  for (const { s, e } of across) {
    const value = cells.get(s.c);
    if (s.r !== at || value === undefined) continue;
    for (const [column, to] of place) if (column > s.c && column <= e.c) merged.set(to, value);
  }
  return merged;
}

/** Parts where, after a blank row, another header begins: words, and values under them. */
function parted(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [[]];
  rows.forEach((row, at) => {
    const part = parts.at(-1) as Row[];
    const isGap = at > 0 && (rows[at - 1] as Row).cells.every(isBlank);
    if (
      isGap &&
      part.filter(({ cells }) => cells.filter((cell) => !isBlank(cell)).length > 1).length > 1 &&
      beginsTable(row, rows[at + 1])
    ) {
      parts.push([row]);
    } else part.push(row);
  });
  return parts;
}

function beginsTable(row: Row, next: Row | undefined): boolean {
  const filled = row.cells.filter((cell) => !isBlank(cell));
  const isText = filled.length > 1 && filled.every((cell) => markOf(cell) === undefined);
  return isText && !!next && next.cells.some((cell) => markOf(cell) !== undefined);
}

function toInput(
  { rows: part, columns, gaps }: Part,
  facts: SheetFacts,
  { filled, parts }: { filled: number; parts: number },
): TableInput | undefined {
  const used = part.filter(({ cells }) => !cells.every(isBlank));
  const places = new Set(used.flatMap(({ cells }) => cells.flatMap((cell, at) => (isBlank(cell) ? [] : [at]))));
  // A text alone, or a column of one cell, is a remark.
  if (used.length < 2 && places.size < 2) return undefined;
  const kept = [...places].sort((one, other) => one - other);
  const first = used[0] as Row;
  const last = used.at(-1) as Row;
  const rows = kept.length === columns.length ? part : part.map((row) => narrowed(row, kept));
  const at = (place: number) => columns[kept[place] as number] as number;
  const range = `${utils.encode_col(at(0))}${first.number}:${utils.encode_col(at(kept.length - 1))}${last.number}`;
  return {
    source: { format: facts.format, sheet: facts.sheet, range },
    title: parts > 1 ? `${facts.sheet} ${first.number}` : facts.sheet,
    hidden: facts.hidden,
    hiddenColumns: new Set(kept.flatMap((_, place) => (facts.hiddenColumns.has(at(place)) ? [place] : []))),
    warnings: [
      ...(filled > 0 ? [`merged cells hold for every row they reach over (${count(filled, 'cell')})`] : []),
      ...(gaps.length > 0
        ? [
            `what stands on both sides of the empty column ${gaps.map(utils.encode_col).join(', ')} was read as one table`,
          ]
        : []),
      ...farRows(used).slice(0, MAX_FAR),
      ...farColumns(kept.map((_, place) => at(place))).slice(0, MAX_FAR),
    ],
    rows: () => rows,
  };
}

const farRows = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ number }, at) => {
    const { number: before } = rows[at - 1] ?? { number };
    return number - before <= FAR_ROWS ? [] : [`row ${number} stands ${number - before} rows below row ${before}`];
  });

const farColumns = (columns: readonly number[]): string[] =>
  columns.flatMap((column, at) => {
    const before = columns[at - 1] ?? column;
    if (column - before <= FAR_COLUMNS) return [];
    return [
      `column ${utils.encode_col(column)} stands ${column - before} columns to the right of column ${utils.encode_col(before)}`,
    ];
  });

const narrowed = ({ cells, merged, ...row }: Row, kept: readonly number[]): Row => ({
  ...row,
  cells: kept.map((at) => cells[at] ?? ''),
  ...(merged && {
    merged: new Map(kept.flatMap((at, place) => (merged.has(at) ? [[place, merged.get(at) as string]] : []))),
  }),
});
