/** Reads a sheet of an XLSX workbook in one pass: cells, merges, and what is hidden. */
import type { Range } from 'xlsx';
import { LimitExceededError, UnsupportedFileError } from '../parsers/parser-errors';
import { spend, type Budget, type SheetCells } from './sheet-tables';
import { isSumOfAbove } from './sum-formula';
import { xlsxCell, type KnownToCells, type WrittenCell } from './xlsx-cells';
import { readXlsxXml, RunsOfText, type XlsxListener } from './xlsx-xml';

export interface SheetContent extends SheetCells {
  readonly hiddenRows: ReadonlySet<number>;
  readonly hiddenColumns: ReadonlySet<number>;
}

/** As large as a sheet can be. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_MERGES = 100_000;
const PLACE = /^\$?([A-Za-z]{1,7})\$?(\d{1,10})$/;
const TRUE = /^(?:1|true|on)$/i;

/** @throws UnsafeFileError, UnsupportedFileError, LimitExceededError */
export function readSheet(part: Buffer, known: KnownToCells, budget: Budget): SheetContent {
  const reader = new SheetReader(known, budget);
  readXlsxXml(part, reader);
  return reader.content();
}

class SheetReader implements XlsxListener {
  private readonly rows = new Map<number, Map<number, string>>();
  private readonly merges: Range[] = [];
  private readonly hiddenRows = new Set<number>();
  private readonly hiddenColumns = new Set<number>();
  private readonly sums = new Map<number, ReadonlySet<number>>();
  /** Columns of the row in which a formula stands. */
  private computed = new Set<number>();
  private readonly sharedFormulas = new Map<string, string>();
  private readonly runs = new RunsOfText();
  private row = -1;
  private column = -1;
  /** Where the cell stands that comes in. */
  private at = { row: 0, column: 0 };
  private cell?: WrittenCell;
  /** The part of the cell that comes in. */
  private within: '' | 'v' | 'f' | 'is' = '';
  private sharedFormula?: string;
  private isInData = false;
  /** Of the workbook, those without a value too. */
  private seen = 0;

  constructor(
    private readonly known: KnownToCells,
    private readonly budget: Budget,
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    if (this.cell) return this.openInCell(name, attributes);
    if (this.isInData) {
      if (name === 'c') this.beginCell(attributes);
      else if (name === 'row') this.beginRow(attributes);
    } else if (name === 'sheetData') this.isInData = true;
    else if (name === 'mergeCell') this.merge(attributes.ref ?? '');
    else if (name === 'col') this.addColumns(attributes);
  }

  close(name: string): void {
    if (!this.cell) {
      if (name === 'sheetData') this.isInData = false;
      return;
    }
    if (name === 'c') this.endCell(this.cell);
    else if (name === this.within) this.endPart(this.cell);
    else if (this.within === 'is') this.runs.close(name);
  }

  text(text: string): void {
    const { cell, within } = this;
    if (!cell || within === '') return;
    if (within === 'is') return this.runs.text(text);
    cell[within] = (cell[within] ?? '') + text;
    if (cell[within].length > this.budget.maxCell) spend(this.budget, cell[within]);
  }

  content(): SheetContent {
    const { merges, hiddenRows, hiddenColumns, sums } = this;
    const grid = [...this.rows].map(([at, cells]) => ({ at, cells })).sort((one, other) => one.at - other.at);
    return { grid, merges, hiddenRows, hiddenColumns, sums };
  }

  private openInCell(name: string, attributes: Record<string, string>): void {
    if (this.within === 'is') return this.runs.open(name);
    if (name !== 'v' && name !== 'f' && name !== 'is') return;
    this.within = name;
    if (name === 'is') this.runs.begin();
    else this.cell![name] ??= '';
    if (name === 'f') this.sharedFormula = attributes.t === 'shared' ? attributes.si : undefined;
  }

  private endPart(cell: WrittenCell): void {
    if (this.within === 'is') cell.v = this.runs.end();
    if (this.within === 'f' && this.sharedFormula !== undefined) {
      // The first of the cells that share it has it.
      if (cell.f) this.sharedFormulas.set(this.sharedFormula, cell.f);
      else cell.f = this.sharedFormulas.get(this.sharedFormula);
    }
    this.within = '';
  }

  private beginRow({ r, hidden }: Record<string, string>): void {
    this.row = r === undefined ? this.row + 1 : Number(r) - 1;
    this.column = -1;
    this.computed = new Set();
    refuseImpossible(this.row, 0);
    if (hidden !== undefined && TRUE.test(hidden)) this.hiddenRows.add(this.row);
  }

  private beginCell({ r, t, s }: Record<string, string>): void {
    if (++this.seen + this.budget.cells > this.budget.maxCells) {
      throw new LimitExceededError(`the workbook has more than ${this.budget.maxCells} cells`, 'MAX_SHEET_CELLS');
    }
    this.at = r === undefined ? { row: this.row, column: this.column + 1 } : placeOf(r);
    this.column = this.at.column;
    refuseImpossible(this.at.row, this.at.column);
    this.cell = { type: t ?? 'n', style: s === undefined ? undefined : Number(s) };
  }

  private endCell(cell: WrittenCell): void {
    this.cell = undefined;
    const { row, column } = this.at;
    const text = xlsxCell(cell, this.known);
    if (text === '') return;
    spend(this.budget, text);
    let cells = this.rows.get(row);
    if (!cells) this.rows.set(row, (cells = new Map<number, string>()));
    if (cells.has(column)) {
      throw new UnsupportedFileError(`the workbook is damaged: cell ${nameOf(this.at)} is there twice.`);
    }
    cells.set(column, text);
    if (!cell.f) return;
    this.computed.add(column);
    if (isSumOfAbove(cell.f, row, column)) this.sums.set(row, this.computed);
  }

  private merge(ref: string): void {
    const [from = '', to = from] = ref.split(':');
    if (!PLACE.test(from) || !PLACE.test(to) || this.merges.length >= MAX_MERGES) return;
    const [one, other] = [placeOf(from), placeOf(to)];
    this.merges.push({ s: { r: one.row, c: one.column }, e: { r: other.row, c: other.column } });
  }

  private addColumns({ min, max, hidden }: Record<string, string>): void {
    if (hidden === undefined || !TRUE.test(hidden)) return;
    const upTo = Math.min(Number(max ?? min), MAX_COLUMNS);
    // Once they are all known, nothing is to be added, however often a file says it.
    if (this.hiddenColumns.size === MAX_COLUMNS) return;
    for (let column = Number(min); column <= upTo; column++) this.hiddenColumns.add(column - 1);
  }
}

function placeOf(name: string): { row: number; column: number } {
  const [, letters, row] = PLACE.exec(name) ?? [];
  if (letters === undefined) throw new UnsupportedFileError('the workbook is damaged: a cell has no place.');
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { row: Number(row) - 1, column };
}

const nameOf = ({ row, column }: { row: number; column: number }): string => `in row ${row + 1}, column ${column + 1},`;

function refuseImpossible(row: number, column: number): void {
  if (row >= 0 && row < MAX_ROWS && column >= 0 && column < MAX_COLUMNS) return;
  throw new UnsupportedFileError(
    `the workbook is damaged: a sheet reaches beyond ${MAX_ROWS} rows or ${MAX_COLUMNS} columns, which no sheet does.`,
  );
}
