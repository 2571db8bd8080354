/** Reads the sheets of an OpenDocument in one pass: cells, merges, and what is hidden. */
import { UnsafeFileError } from '../parsers/parser-errors';
import { odsCell } from './ods-cells';
import { OdsStyles } from './ods-styles';
import { readOdsXml, type OdsListener, type OdsTag } from './ods-xml';
import { spend, type Budget, type SheetCells } from './sheet-tables';
import { isSumOfAbove } from './sum-formula';

export interface OdsSheet extends SheetCells {
  readonly name: string;
  readonly hidden: boolean;
  readonly hiddenRows: Set<number>;
  readonly hiddenColumns: Set<number>;
  readonly sums: Map<number, ReadonlySet<number>>;
}

/** As large as a sheet can be. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_MERGES = 100_000;
const GROUPS = new Set(['table:table-row-group', 'table:table-column-group']);
/** What holds rows and columns, and says nothing itself. */
const FRAMES = /^table:table-(?:row|column|header-row|header-column)s$/;

/**
 * @param content the part with the sheets; @param styles that of the styles with names, where they are parts.
 * @throws UnsafeFileError, UnsupportedFileError
 * @throws LimitExceededError
 */
export function odsSheets(content: Uint8Array, styles: Uint8Array | undefined, budget: Budget): OdsSheet[] {
  const known = new OdsStyles();
  if (styles) readOdsXml(styles, known);
  const reader = new SheetReader(known, budget);
  readOdsXml(content, reader);
  // Copies of sheets of other files, kept for formulas; nobody sees them.
  return reader.sheets.filter(({ name, isLinked }) => !(isLinked && /^'.*'#/.test(name)));
}

interface ReadSheet extends OdsSheet {
  isLinked: boolean;
}

interface OpenCell {
  readonly tag: OdsTag;
  readonly paragraphs: string[];
  length: number;
}

class SheetReader implements OdsListener {
  readonly sheets: ReadSheet[] = [];
  private readonly path: string[] = [];
  /** How deep the path was where something began that is no cell: a note, a chart, a change that was taken back. */
  private skippedAt = 0;
  private sheet?: ReadSheet;
  private readonly hiddenGroups: boolean[] = [];
  private row = 0;
  private column = 0;
  private rowTag?: OdsTag;
  private cells = new Map<number, string>();
  /** Columns of the row in which a formula stands. */
  private computed = new Set<number>();
  private columnStyles: { readonly upTo: number; readonly style: string }[] = [];
  private at = 0;
  private cell?: OpenCell;

  constructor(
    private readonly styles: OdsStyles,
    private readonly budget: Budget,
  ) {}

  open(tag: OdsTag): void {
    const parent = this.path.at(-1) ?? '';
    this.path.push(tag.name);
    if (this.skippedAt > 0) return;
    if (!this.path.includes('office:spreadsheet')) return this.styles.open(tag);
    if (!this.isPartOf(parent, tag)) this.skippedAt = this.path.length;
  }

  close(name: string): void {
    const depth = this.path.length;
    this.path.pop();
    if (this.skippedAt > 0) {
      if (depth === this.skippedAt) this.skippedAt = 0;
      return;
    }
    if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.endCell();
    else if (name === 'table:table-row') this.endRow();
    else if (GROUPS.has(name)) this.hiddenGroups.pop();
    else if (!name.startsWith('table:')) this.styles.close(name);
  }

  text(text: string): void {
    if (this.skippedAt > 0) return;
    if (!this.cell) return this.styles.text(text);
    if (this.path.includes('text:p')) this.write(text);
  }

  /** False for what is no part of a sheet's rows and columns, with all that is in it. */
  private isPartOf(parent: string, tag: OdsTag): boolean {
    const { name } = tag;
    if (name === 'office:spreadsheet') return true;
    if (parent === 'office:spreadsheet') return name === 'table:table' && this.beginSheet(tag);
    if (name === 'table:table-column') return this.addColumns(tag);
    if (name === 'table:table-row') return this.beginRow(tag);
    if (name === 'table:table-cell' || name === 'table:covered-table-cell') return this.beginCell(tag);
    if (GROUPS.has(name)) return this.hiddenGroups.push(tag.of('table:display') === 'false') > 0;
    if (name === 'table:table-source') return (this.sheet!.isLinked = true);
    if (FRAMES.test(name)) return true;
    return this.cell !== undefined && name.startsWith('text:') && this.beginText(tag);
  }

  private beginSheet(tag: OdsTag): true {
    const hidden = this.styles.isHiddenTable(tag.of('table:style-name'));
    this.sheet = {
      name: tag.of('table:name'),
      ...{ hidden, isLinked: false, grid: [], merges: [] },
      ...{ hiddenRows: new Set(), hiddenColumns: new Set(), sums: new Map() },
    };
    this.sheets.push(this.sheet);
    this.row = this.column = 0;
    this.columnStyles = [];
    return true;
  }

  private addColumns(tag: OdsTag): true {
    const times = timesOf(tag.of('table:number-columns-repeated'));
    const upTo = Math.min(this.column + times, MAX_COLUMNS);
    if (this.isHidden(tag)) for (let at = this.column; at < upTo; at++) this.sheet!.hiddenColumns.add(at);
    const style = tag.of('table:default-cell-style-name');
    if (style !== '' && this.column < upTo) this.columnStyles.push({ upTo, style });
    this.column += times;
    return true;
  }

  private beginRow(tag: OdsTag): true {
    this.rowTag = tag;
    this.cells = new Map();
    this.computed = new Set();
    this.at = 0;
    return true;
  }

  private beginCell(tag: OdsTag): true {
    this.cell = { tag, paragraphs: [], length: 0 };
    return true;
  }

  private beginText({ name, of }: OdsTag): true {
    if (name === 'text:p') {
      if (this.path.lastIndexOf('text:p', -2) === -1) this.cell!.paragraphs.push('');
    } else if (name === 'text:s') this.write(' '.repeat(Math.min(timesOf(of('text:c')), this.budget.maxCell + 1)));
    else if (name === 'text:tab') this.write('\t');
    else if (name === 'text:line-break') this.write('\n');
    return true;
  }

  private write(text: string): void {
    const cell = this.cell!;
    cell.length += text.length;
    if (cell.length > this.budget.maxCell) spend(this.budget, ' '.repeat(this.budget.maxCell + 1));
    cell.paragraphs[Math.max(0, cell.paragraphs.length - 1)] += text;
  }

  private endCell(): void {
    const { tag, paragraphs } = this.cell!;
    this.cell = undefined;
    const times = timesOf(tag.of('table:number-columns-repeated'));
    const value = odsCell(tag, paragraphs.join('\n'), this.styles.of(this.styleOf(tag)));
    if (value !== '') {
      this.refuseIfMany(times);
      for (let at = this.at; at < this.at + times; at++) this.cells.set(at, value);
      this.merge(tag);
      const formula = tag.of('table:formula');
      if (formula !== '') this.computed.add(this.at);
      if (formula !== '' && isSumOfAbove(formula, this.row, this.at)) this.sheet!.sums.set(this.row, this.computed);
    }
    this.at += times;
  }

  private styleOf(tag: OdsTag): string {
    return (
      tag.of('table:style-name') ||
      this.rowTag!.of('table:default-cell-style-name') ||
      (this.columnStyles.find(({ upTo }) => this.at < upTo)?.style ?? '')
    );
  }

  private merge(tag: OdsTag): void {
    const across = Math.min(timesOf(tag.of('table:number-columns-spanned')), MAX_COLUMNS);
    const down = Math.min(timesOf(tag.of('table:number-rows-spanned')), MAX_ROWS);
    const { merges } = this.sheet!;
    if (across * down === 1 || merges.length >= MAX_MERGES) return;
    merges.push({ s: { r: this.row, c: this.at }, e: { r: this.row + down - 1, c: this.at + across - 1 } });
  }

  private endRow(): void {
    const { grid, hiddenRows } = this.sheet!;
    const tag = this.rowTag!;
    const times = timesOf(tag.of('table:number-rows-repeated'));
    if (this.cells.size > 0) {
      this.refuseIfMany(this.cells.size * times);
      const hidden = this.isHidden(tag);
      for (let at = this.row; at < this.row + times; at++) {
        for (const value of this.cells.values()) spend(this.budget, value);
        grid.push({ at, cells: new Map(this.cells) });
        if (hidden) hiddenRows.add(at);
      }
    }
    this.row += times;
  }

  private isHidden(tag: OdsTag): boolean {
    return /^(?:collapse|filter)$/.test(tag.of('table:visibility')) || this.hiddenGroups.includes(true);
  }

  /** Before any of them is made. */
  private refuseIfMany(cells: number): void {
    const { maxCells } = this.budget;
    if (this.budget.cells + cells <= maxCells) return;
    throw new UnsafeFileError(`the sheets repeat cells to more than ${maxCells} of them (setting MAX_SHEET_CELLS).`);
  }
}

function timesOf(written: string): number {
  const times = Number.parseInt(written || '1', 10);
  return Number.isFinite(times) && times > 0 ? times : 1;
}
