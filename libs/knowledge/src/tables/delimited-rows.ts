/**
 * Rows of a delimited text, as it comes in pieces. It takes what people write: line breaks and delimiters in quotes,
 * quotes inside unquoted values, text behind a closing quote, rows of any length.
 */
import { LimitExceededError } from '../parsers/parser-errors';
import type { Row } from './cell';
import type { Dialect } from './delimited-dialect';

/** A quotation mark was opened and swallowed the rest: whoever reads tries again without quotation marks. */
export class UnclosedQuoteError extends Error {}

export interface RowLimits {
  /** Characters of one cell. */
  readonly maxCell: number;
  /** Cells of one row; more are refused. */
  readonly maxColumns?: number;
  /** Whether a quote that never closes is an error. Default: the rest is the value. */
  readonly strict?: boolean;
}

/** A row is no longer than so many of the longest cells. */
const MAX_CELLS_LONG = 8;

const START = 0;
const PLAIN = 1;
const QUOTED = 2;
const AFTER_QUOTE = 3;

/**
 * @throws LimitExceededError for a cell or a row that is too long.
 * @throws UnclosedQuoteError
 */
export function* splitRows(pieces: Iterable<string>, dialect: Dialect, limits: RowLimits): Generator<Row> {
  const splitter = new RowSplitter(dialect, limits);
  for (const piece of pieces) yield* splitter.take(piece);
  yield* splitter.end();
}

export class RowSplitter {
  private state = START;
  private cell = '';
  private cells: string[] = [];
  /** The line that the next row begins in. */
  private line = 1;
  private rowLine = 1;
  private skip: number;
  private carriage = false;
  private quotedBreaks = false;
  private pending = '';
  private rowLength = 0;

  private readonly stops: RegExp;

  constructor(
    private readonly dialect: Dialect,
    private readonly limits: RowLimits,
  ) {
    this.skip = dialect.skip;
    const escaped = dialect.delimiter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
    this.stops = new RegExp(`[${escaped}\\r\\n]`, 'g');
  }

  *take(piece: string): Generator<Row> {
    const text = this.pending + piece;
    this.pending = '';
    const { delimiter, quote, backslash } = this.dialect;
    let at = 0;
    while (at < text.length) {
      if (this.carriage) {
        this.carriage = false;
        if (text[at] === '\n') {
          at++;
          continue;
        }
      }
      if (this.state === QUOTED) {
        const end = this.quoteEnd(text, at);
        if (end === -1) {
          const rest = text.slice(at);
          // A backslash at the very end belongs to what comes next.
          const held = backslash && /(?:^|[^\\])(?:\\\\)*\\$/.test(rest) ? 1 : 0;
          this.append(rest.slice(0, rest.length - held), true);
          this.pending = rest.slice(rest.length - held);
          return;
        }
        this.append(text.slice(at, end), true);
        at = end + 1;
        this.state = AFTER_QUOTE;
        continue;
      }
      if (this.state === AFTER_QUOTE && text[at] === quote) {
        this.append(quote, false);
        at++;
        this.state = QUOTED;
        continue;
      }
      if (this.state === START && quote !== '') {
        const opening = text[at] === ' ' ? afterSpaces(text, at) : at;
        // Whether a quote follows is in the next piece.
        if (opening === text.length && this.holds(text.slice(at))) return;
        if (text[opening] === quote) {
          this.state = QUOTED;
          at = opening + 1;
          continue;
        }
      }
      this.stops.lastIndex = at;
      const stop = this.stops.exec(text);
      const end = stop ? stop.index : text.length;
      if (end > at) {
        const part = text.slice(at, end);
        if (!stop && this.state === AFTER_QUOTE && part.trim() === '' && this.holds(part)) return;
        // White space between a closing quote and the delimiter is no value.
        if (this.state !== AFTER_QUOTE || part.trim() !== '') this.append(part, false);
        if (this.state === START) this.state = PLAIN;
        else if (this.state === AFTER_QUOTE && part.trim() !== '') this.state = PLAIN;
      }
      if (!stop) return;
      at = end + 1;
      if (text[end] === delimiter) this.endCell();
      else {
        this.carriage = text[end] === '\r';
        const row = this.endRow();
        if (row) yield row;
      }
    }
  }

  *end(): Generator<Row> {
    if (this.state === QUOTED && this.limits.strict) throw new UnclosedQuoteError();
    if (this.pending && !(this.state === AFTER_QUOTE && this.pending.trim() === '')) this.append(this.pending, false);
    if (this.cells.length > 0 || this.cell !== '' || this.state !== START) {
      const row = this.endRow();
      if (row) yield row;
    }
  }

  /** Keeps white space at the end of a piece until it is known what comes behind it; not more than a cell may have. */
  private holds(space: string): boolean {
    if (space.length > this.limits.maxCell) return false;
    this.pending = space;
    return true;
  }

  private quoteEnd(text: string, from: number): number {
    const { quote, backslash } = this.dialect;
    let end = text.indexOf(quote, from);
    if (!backslash) return end;
    while (end > from && escapes(text, end, from)) end = text.indexOf(quote, end + 1);
    return end;
  }

  private append(part: string, quoted: boolean): void {
    this.cell = this.cell === '' ? part : this.cell + part;
    if (quoted && part.includes('\n')) {
      this.quotedBreaks = true;
      for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) this.line++;
    }
    this.rowLength += part.length;
    if (this.cell.length <= this.limits.maxCell && this.rowLength <= this.limits.maxCell * MAX_CELLS_LONG) return;
    if (this.state === QUOTED && this.quotedBreaks && this.limits.strict) throw new UnclosedQuoteError();
    throw new LimitExceededError(
      `row ${this.rowLine} has ${this.cell.length > this.limits.maxCell ? 'a cell' : `${MAX_CELLS_LONG} cells`} of more than ${Math.floor(this.limits.maxCell / 1024)} KiB`,
      'MAX_TABLE_CELL_KB',
    );
  }

  private endCell(): void {
    const { backslash, quote } = this.dialect;
    this.cells.push(backslash && this.cell.includes('\\') ? this.cell.replaceAll(`\\${quote}`, quote) : this.cell);
    this.cell = '';
    this.state = START;
    this.quotedBreaks = false;
    const { maxColumns } = this.limits;
    if (maxColumns !== undefined && this.cells.length > maxColumns) {
      throw new LimitExceededError(`row ${this.rowLine} has more than ${maxColumns} columns`, 'MAX_TABLE_COLUMNS');
    }
  }

  private endRow(): Row | undefined {
    this.endCell();
    const row = { cells: this.cells, number: this.rowLine };
    this.cells = [];
    this.rowLength = 0;
    this.rowLine = ++this.line;
    if (this.skip > 0) {
      this.skip--;
      return undefined;
    }
    return row;
  }
}

function afterSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at++;
  return at;
}

/** Whether an odd number of backslashes stands before the quotation mark. */
function escapes(text: string, at: number, from: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes >= from && text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
