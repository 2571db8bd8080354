/**
 * Large, orderly delimited files: DuckDB's own reader takes them, which is many times quicker than reading rows here.
 *
 * Types are guessed from samples all over the file, and then held against every value while it is stored. A value that
 * is not written as it was expected stops the writing; it is learnt from, and the guess is made anew. Whatever is not
 * as simple as that is left to the row-by-row reader (`table-draft.ts`).
 */
import { StringDecoder } from 'node:string_decoder';
import { isBlank, type Row } from './cell';
import type { Dialect } from './delimited-dialect';
import { RowSplitter } from './delimited-rows';
import { SampledColumn } from './fast-column';
import { beginsVisibly, isBlankText } from './fast-sql';
import type { FastSource } from './fast-source';
import { literal } from './parquet-writer';
import type { TableInput, TableLimits } from './table-input';
import { asLine, HEAD_ROWS, layoutHead, TAIL_ROWS, tailRows } from './table-layout';

const HEAD_BYTES = 256 * 1024;
const SLICES = 16;
const SLICE_BYTES = 24 * 1024;
const TAIL_BYTES = 64 * 1024;
/** Rows at the beginning that types are guessed from, besides those all over the file. */
const HEAD_SAMPLES = 1000;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** At least two lines. Where its buffers take up the memory that there is, DuckDB's threads wait for one another. */
const BUFFER_BYTES = 2 * MAX_LINE_BYTES;
/** Lines that the end of a file may be read from. */
const MAX_BEGINNINGS = 20;

export interface FastDraft {
  readonly columns: readonly SampledColumn[];
  /** Rows that were looked at. */
  readonly sampled: number;
  /** Rows at the beginning, which have to be found again in what DuckDB reads. */
  readonly atLeast: number;
  /** The number of the first row of data in the file. */
  readonly firstRow: number;
  readonly above: readonly string[];
  readonly below: readonly string[];
  /** The first cells of the rows below. */
  readonly labels: readonly string[];
  readonly warnings: readonly string[];
  readonly preview: readonly (readonly string[])[];
  /** Cells that a row is to have; the patient reader tells which rows have more. */
  readonly expected: number;
  /** Whether there are line ends of more than a line feed. */
  readonly hasCarriages: boolean;
  /** Lines from the first row of data to the last. */
  readonly lines: number;
  /** The file as DuckDB reads it: columns c0, c1, … of text. */
  readonly everyRow: string;
  /** The same without rows that nothing stands in. */
  readonly source: string;
}

/** @returns undefined for a file that is to be read row by row. Totals and notes are cut off of the source. */
export function draftFast(source: FastSource, input: TableInput, limits: TableLimits): FastDraft | undefined {
  const { dialect } = input.delimited!;
  // The beginning and the end are looked at on their own.
  if (source.size < HEAD_BYTES + TAIL_BYTES) return undefined;
  const beginning = source.text(0, HEAD_BYTES);
  const head = wholeRows(beginning, dialect, limits);
  const filled = head.filter(isFilled);
  const layout = layoutHead(filled.slice(0, HEAD_ROWS));
  const { names, above, header } = layout;
  const data = filled.slice(above + header);
  const [first] = data;
  // A sign behind the last value of each line makes a column more.
  const width = Math.max(layout.width, first?.cells.length ?? 0);
  if (!first || !endsAlike(beginning) || width > limits.maxColumns || data.some(({ cells }) => cells.length !== width))
    return undefined;
  // Lines are counted to find the data, and a value may stand on several.
  const before = head.slice(0, head.indexOf(first));
  if (before.some(({ number }, at) => number !== at + 1 + dialect.skip)) return undefined;
  const end = endOf(source, dialect, limits, { cells: width, used: layout.width });
  if (!end) return undefined;

  const columns = Array.from({ length: width }, (_, at) => new SampledColumn(at, names[at] ?? ''));
  const rows = [
    ...data.slice(0, HEAD_SAMPLES),
    ...samples(source, dialect, limits).filter(({ cells }) => cells.length === width),
    ...end.data,
  ];
  for (const { cells, number } of rows) for (const column of columns) column.add(cells[column.at] ?? '', number);
  if (end.cutAt !== undefined) source.cutAt(end.cutAt);
  const everyRow = readCsv(source.path, first.number, dialect, columns, limits.maxCell);
  return {
    columns,
    sampled: rows.length,
    atLeast: data.length,
    firstRow: first.number,
    above: filled.slice(0, above).map(asLine),
    below: end.below.map(asLine),
    labels: end.below.map(({ cells }) => (cells.find((cell) => !isBlank(cell)) ?? '').trim()),
    warnings: [...input.warnings, ...layout.warnings],
    preview: firstRows(source, dialect, limits, data).map(({ cells }) => cells.map((cell) => cell.slice(0, 1000))),
    expected: layout.expected,
    hasCarriages: source.hasCarriages,
    lines: source.lines - (first.number - 1),
    everyRow,
    source: `(FROM ${everyRow} WHERE ${isRow(columns)})`,
  };
}

/** As many rows of data as are searchable as text, also where the beginning that was looked at has fewer. */
function firstRows(source: FastSource, dialect: Dialect, limits: TableLimits, data: readonly Row[]): readonly Row[] {
  const { maxTextRows } = limits;
  if (data.length >= maxTextRows) return data.slice(0, maxTextRows);
  const rows: Row[] = [];
  const splitter = new RowSplitter(dialect, { maxCell: limits.maxCell });
  const decoder = new StringDecoder('utf8');
  const take = (found: Iterable<Row>) => {
    for (const row of found) if (row.number >= data[0]!.number && isFilled(row)) rows.push(row);
  };
  for (let from = 0; from < source.size && rows.length < maxTextRows; from += HEAD_BYTES) {
    take(splitter.take(decoder.write(source.bytes(from, HEAD_BYTES))));
  }
  if (rows.length < maxTextRows) take(splitter.end());
  return rows.slice(0, maxTextRows);
}

/** Columns of text, from a line on. */
function readCsv(
  path: string,
  from: number,
  dialect: Dialect,
  columns: readonly SampledColumn[],
  maxCell: number,
): string {
  return (
    `read_csv(${literal(path)}, auto_detect=false, header=false, skip=${from - 1}, delim=${literal(dialect.delimiter)}, ` +
    // Told which line ends there are, it skips all of a file with others; untold, it finds out, and fails over both.
    `quote='"', escape='"', nullstr='', strict_mode=true, null_padding=false, ` +
    // No cell is longer than its row: longer ones are held against the limit by the row-by-row reader.
    `max_line_size=${Math.min(MAX_LINE_BYTES, maxCell)}, buffer_size=${BUFFER_BYTES}, ` +
    `columns={${columns.map(({ column }) => `'${column}': 'VARCHAR'`).join(', ')}})`
  );
}

/** Whether anything stands in a row. White space alone is looked for where the first value could be that. */
function isRow(columns: readonly SampledColumn[]): string {
  const values = columns.map(({ column }) => column).join(', ');
  return `${beginsVisibly(columns[0]!.column)} OR CASE WHEN ascii(coalesce(${values})) BETWEEN 33 AND 159 THEN true ELSE NOT ${isBlankText(`concat(${values})`)} END`;
}

const isFilled = ({ cells }: Row) => !cells.every(isBlank);

interface Width {
  readonly cells: number;
  /** As far as anything stands in the rows at the beginning. */
  readonly used: number;
}

interface End {
  /** The last rows that are data. */
  readonly data: readonly Row[];
  readonly below: readonly Row[];
  /** Where the rows below begin, in bytes. */
  readonly cutAt?: number;
}

/** The end of the file; undefined where it is not orderly. */
function endOf(source: FastSource, dialect: Dialect, limits: TableLimits, width: Width): End | undefined {
  const { size } = source;
  const bytes = source.bytes(Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  let begin = size > TAIL_BYTES ? bytes.indexOf('\n') + 1 : 0;
  for (let line = 0; line < MAX_BEGINNINGS && begin < bytes.length; line++) {
    const text = bytes.subarray(begin).toString('utf8');
    const rows = wholeRows(text, { ...dialect, skip: 0 }, limits, { isEnd: true });
    const below = tailRows(rows.slice(-TAIL_ROWS), width.used, () => false);
    const data = rows.slice(0, rows.length - below).filter(isFilled);
    if (data.every(({ cells }) => cells.length === width.cells)) return withCut(rows, below, data, bytes, size);
    // It may have begun in the middle of a value that has line breaks.
    begin = bytes.indexOf('\n', begin) + 1 || bytes.length;
  }
  return undefined;
}

function withCut(rows: readonly Row[], below: number, data: readonly Row[], bytes: Buffer, size: number) {
  if (below === 0) return { data, below: [] };
  const [first, last] = [rows[rows.length - below] as Row, rows.at(-1) as Row];
  // Each on a line of its own, so that lines can be counted from the end.
  if (last.number - first.number !== below - 1) return undefined;
  let at = bytes.at(-1) === 0x0a ? bytes.length - 1 : bytes.length;
  for (let line = 0; line < below; line++) at = bytes.lastIndexOf('\n', at - 1);
  if (at < 0) return undefined;
  return { data, below: rows.slice(rows.length - below).filter(isFilled), cutAt: size - bytes.length + at + 1 };
}

/** The rows of a piece of the file, but a last one that may be cut. */
function wholeRows(piece: string, dialect: Dialect, limits: TableLimits, { isEnd = false } = {}): Row[] {
  const splitter = new RowSplitter(dialect, { maxCell: limits.maxCell });
  return [...splitter.take(piece), ...(isEnd ? splitter.end() : [])];
}

function samples(source: FastSource, dialect: Dialect, limits: TableLimits): Row[] {
  const end = source.size - TAIL_BYTES;
  const step = Math.floor((end - HEAD_BYTES) / (SLICES + 1));
  return Array.from({ length: SLICES }, (_, at) => HEAD_BYTES + step * at).flatMap((from) => {
    const piece = source.text(from, Math.min(SLICE_BYTES, end - from));
    return wholeRows(piece.slice(piece.indexOf('\n') + 1), { ...dialect, skip: 0 }, limits).filter(isFilled);
  });
}

/** Whether all lines end in the same way, which is not that of a single carriage return. */
function endsAlike(text: string): boolean {
  const windows = text.split('\r\n').length;
  return !text.replaceAll('\r\n', '').includes('\r') && (windows === 1 || windows >= text.split('\n').length);
}
