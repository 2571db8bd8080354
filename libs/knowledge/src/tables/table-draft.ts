/**
 * The first reading of a table: where its data is, and what type each of its columns has. Rows go by one at a time,
 * so that a table may be larger than memory.
 */
import { LimitExceededError } from '../parsers/parser-errors';
import { isBlank, shown, type Row } from './cell';
import { ColumnEvidence } from './column-evidence';
import { conventionsOf } from './conventions';
import { count, type ColumnPlan } from './column-plan';
import { decideColumn } from './decide-column';
import { UnclosedQuoteError } from './delimited-rows';
import type { TableInput, TableLimits } from './table-input';
import { asLine, HEAD_ROWS, isTotal, layoutHead, TAIL_ROWS, tailRows, totalOf, type HeadLayout } from './table-layout';

/** Different values over all columns that are kept to be counted. */
const COUNTED_IN_ALL = 400_000;
const MAX_SHOWN = 1000;
/** A longer text is nothing that people write before totals. */
const MAX_LABEL = 40;

export interface TableDraft {
  readonly input: TableInput;
  readonly columns: readonly DraftColumn[];
  /** Rows before the data, blank ones included. */
  readonly dataFrom: number;
  /** Rows of the input from the first to the last row of data. */
  readonly dataSpan: number;
  readonly rowCount: number;
  readonly hiddenRows: number;
  readonly above: readonly string[];
  readonly below: readonly string[];
  readonly warnings: readonly string[];
  /** The first rows that are not hidden, as they are written. */
  readonly preview: readonly (readonly string[])[];
}

export interface DraftColumn {
  /** Its place in the rows. */
  readonly at: number;
  readonly original: string;
  readonly plan: ColumnPlan;
  readonly evidence: ColumnEvidence;
  readonly hidden: boolean;
}

/** @throws LimitExceededError */
export function draftTable(input: TableInput, limits: TableLimits): TableDraft {
  const reading = new Reading(input, limits);
  try {
    for (const row of input.rows()) reading.add(row);
  } catch (error) {
    if (error instanceof UnclosedQuoteError && input.unquoted) return draftTable(input.unquoted, limits);
    throw error;
  }
  return reading.finish();
}

class Reading {
  private head: Row[] | undefined = [];
  private headBlank = 0;
  private headSeen = 0;
  private layout!: HeadLayout;
  private readonly ring: Row[] = [];
  private readonly evidence: ColumnEvidence[] = [];
  private readonly totals = new Set<string>();
  private readonly subtotalRows: number[] = [];
  /** What stood last in each of the columns, where it is short. */
  private readonly before: string[] = [];
  private readonly preview: string[][] = [];
  private above: Row[] = [];
  private dataFrom = 0;
  private committed = 0;
  private rowCount = 0;
  private hidden = 0;
  private blankRows = 0;
  private shortRows = 0;
  private longRows = 0;
  private firstLong = 0;
  /** In a text, a row that is short or long was written so. */
  private readonly isText: boolean;

  constructor(
    private readonly input: TableInput,
    private readonly limits: TableLimits,
  ) {
    this.isText = /^[ct]sv$/.test(input.source.format);
  }

  add(row: Row): void {
    if (!this.head) return this.pass(row);
    this.headSeen++;
    this.head.push(row);
    if (!row.cells.every(isBlank) && this.head.length - this.headBlank >= HEAD_ROWS) this.readHead();
    else if (row.cells.every(isBlank)) this.headBlank++;
  }

  finish(): TableDraft {
    if (this.head) this.readHead();
    const tail = tailRows(this.ring, this.layout.width, (label) => this.totals.has(label));
    const below = this.ring.splice(this.ring.length - tail);
    for (const row of this.ring) this.commit(row);
    return this.draft(below.filter(({ cells }) => !cells.every(isBlank)).map(asLine));
  }

  private readHead(): void {
    const head = this.head as Row[];
    this.head = undefined;
    const filled = head.filter(({ cells }) => !cells.every(isBlank));
    this.layout = layoutHead(filled, this.input.headerRows);
    const { above, header, width } = this.layout;
    this.above = filled.slice(0, above);
    const first = filled[above + header];
    this.dataFrom = first ? head.indexOf(first) : head.length;
    this.widen(width);
    for (const row of head.slice(this.dataFrom)) this.pass(row);
  }

  /** Keeps the last rows back until it is known that more come. */
  private pass(row: Row): void {
    this.ring.push(row);
    if (this.ring.length > TAIL_ROWS) this.commit(this.ring.shift() as Row);
  }

  private commit(row: Row): void {
    this.committed++;
    const { cells, number } = row;
    if (cells.every(isBlank)) return void this.blankRows++;
    if (++this.rowCount > this.limits.maxRows) {
      throw new LimitExceededError(`a table has more than ${this.limits.maxRows} rows`, 'MAX_TABLE_ROWS');
    }
    if (cells.length < this.layout.expected && this.isText) this.shortRows++;
    if (this.isText && cells.length > this.layout.expected && !cells.slice(this.layout.expected).every(isBlank)) {
      this.longRows++;
      this.firstLong ||= number;
    }
    if (cells.length > this.evidence.length) this.widen(cells.length);
    for (let at = 0; at < this.evidence.length; at++)
      (this.evidence[at] as ColumnEvidence).add(cells[at] ?? '', number);
    if (row.hidden) this.hidden++;
    else if (this.preview.length < this.limits.maxTextRows)
      this.preview.push(cells.map((cell) => shown(cell).slice(0, MAX_SHOWN)));
    this.noteTotal(row);
  }

  private noteTotal({ cells, number, sums }: Row): void {
    const at = cells.findIndex((cell) => !isBlank(cell));
    const label = cells[at] ?? '';
    const isShort = label.length <= MAX_LABEL;
    const isLabel = isShort && isTotal(label);
    if (isLabel) this.totals.add(label.trim());
    const group = isShort ? totalOf(label) : undefined;
    const isOfGroup = group !== undefined && group.toLowerCase() === this.before[at];
    // Behind the name of the group, in a column of its own.
    const isBehind = !this.isText && cells.some((cell) => cell.length <= MAX_LABEL && isTotal(cell));
    if (isLabel || isOfGroup || isBehind || sums) {
      if (this.subtotalRows.length < 5) this.subtotalRows.push(number);
    } else if (isShort) this.before[at] = label.trim().toLowerCase();
  }

  private widen(width: number): void {
    const { maxColumns } = this.limits;
    if (width > maxColumns) {
      throw new LimitExceededError(
        `a table has ${width} columns, at most ${maxColumns} are taken`,
        'MAX_TABLE_COLUMNS',
      );
    }
    while (this.evidence.length < width) {
      const column = new ColumnEvidence(Math.max(16, Math.min(4096, Math.floor(COUNTED_IN_ALL / width))));
      column.rows = column.blank = Math.max(0, this.rowCount - 1);
      this.evidence.push(column);
    }
  }

  private draft(below: readonly string[]): TableDraft {
    const { input, layout } = this;
    const conventions = conventionsOf(this.evidence, layout.names, input);
    const columns = this.evidence.flatMap((evidence, at): DraftColumn[] => {
      evidence.settle();
      const original = layout.names[at] ?? '';
      // Room that a sheet or a delimiter at the end of each line leaves.
      if (original === '' && evidence.blank === evidence.rows) return [];
      const plan = decideColumn(evidence, original, conventions);
      return [{ at, original, plan, evidence, hidden: input.hiddenColumns?.has(at) ?? false }];
    });
    return {
      input,
      columns,
      dataFrom: this.dataFrom,
      dataSpan: this.committed,
      rowCount: this.rowCount,
      hiddenRows: this.hidden,
      above: this.above.map(asLine),
      below,
      warnings: [...input.warnings, ...layout.warnings, ...this.warnings(columns.length), ...(input.remarks ?? [])],
      preview: this.preview,
    };
  }

  private warnings(columns: number): string[] {
    const { layout, shortRows, longRows, firstLong, blankRows, subtotalRows } = this;
    const left = this.evidence.length - columns;
    return [
      ...(left > 0 ? [`${count(left, 'column')} without a name and without values left out`] : []),
      ...(shortRows > 0
        ? [`${count(shortRows, 'row has', 'rows have')} fewer than ${layout.expected} cells; the rest is NULL`]
        : []),
      ...(longRows > 0
        ? [
            `${count(longRows, 'row has', 'rows have')} more than ${layout.expected} cells (first in row ${firstLong}); columns were added`,
          ]
        : []),
      ...(blankRows > 0 ? [`${count(blankRows, 'blank row')} left out`] : []),
      ...(subtotalRows.length > 0
        ? [
            `rows that look like totals are among the data: ${subtotalRows.join(', ')}; a sum over all rows counts them too`,
          ]
        : []),
    ];
  }
}
