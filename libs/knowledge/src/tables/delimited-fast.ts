/**
 * Large, orderly delimited files: DuckDB's own reader takes them, which is many times quicker than reading rows here.
 *
 * Types are guessed from samples all over the file, and then held against every value while it is stored. A value that
 * does not come out of its type again as it went in stops the writing; it is learnt from, and the guess is made anew.
 * Whatever is not as simple as that is left to the patient reader (`table-draft.ts`).
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isBlank, type Row } from './cell';
import { ColumnEvidence } from './column-evidence';
import { conventionsOf } from './conventions';
import { decideColumn, type ColumnPlan } from './decide-column';
import type { Dialect } from './delimited-dialect';
import { RowSplitter } from './delimited-rows';
import { fastColumn, type FastColumn } from './fast-column';
import { literal, type ParquetWriter } from './parquet-writer';
import type { TableInput, TableLimits } from './table-input';
import { asLine, HEAD_ROWS, layoutHead, TAIL_ROWS, tailRows } from './table-layout';

const HEAD_BYTES = 256 * 1024;
const SLICES = 16;
const SLICE_BYTES = 24 * 1024;
const TAIL_BYTES = 64 * 1024;
const ATTEMPTS = 5;
const MAX_LEARNT = 2000;

export interface FastDraft {
  readonly names: readonly string[];
  readonly plans: readonly ColumnPlan[];
  readonly columns: readonly FastColumn[];
  readonly evidence: readonly ColumnEvidence[];
  readonly sampled: number;
  readonly above: readonly string[];
  readonly warnings: readonly string[];
  readonly preview: readonly (readonly string[])[];
  /** The file as DuckDB reads it: columns c0, c1, … of text. */
  readonly source: string;
}

/** @returns undefined for a file that is to be read patiently. */
export function draftFast(input: TableInput, limits: TableLimits): FastDraft | undefined {
  const { dialect, text } = input.delimited ?? {};
  if (!dialect || !text?.path || !text.isClean || dialect.quote !== '"' || dialect.backslash) return undefined;
  const file = openSync(text.path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size < limits.quickFromBytes) return undefined;
    const at = (from: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, from)).toString('utf8');
    };
    return draft(input, { path: text.path, size, at }, dialect, limits);
  } finally {
    closeSync(file);
  }
}

interface Opened {
  readonly path: string;
  readonly size: number;
  at(from: number, length: number): string;
}

function draft(input: TableInput, file: Opened, dialect: Dialect, limits: TableLimits): FastDraft | undefined {
  const beginning = file.at(0, HEAD_BYTES);
  const head = wholeRows(beginning, dialect, limits);
  const layout = layoutHead(head.slice(0, HEAD_ROWS).filter(({ cells }) => !cells.every(isBlank)));
  const { width, names, above, header } = layout;
  const data = head.filter(({ cells }) => !cells.every(isBlank)).slice(above + header);
  const [first] = data;
  const isOrderly =
    first &&
    width <= limits.maxColumns &&
    head.every(({ number }, at) => at >= HEAD_ROWS || number === at + 1 + dialect.skip);
  const newLine = newLineOf(beginning);
  if (!isOrderly || !newLine || new Set(names).size < 1 || data.some(({ cells }) => cells.length !== width))
    return undefined;
  const tail = wholeRows(file.at(file.size - TAIL_BYTES, TAIL_BYTES), dialect, limits, true);
  if (tail.some(({ cells }) => cells.length !== width && cells.length > 1)) return undefined;
  if (tailRows(tail.slice(-TAIL_ROWS), width, () => false) > 0) return undefined;

  const evidence = Array.from({ length: width }, () => new ColumnEvidence(500));
  const rows = [...data, ...samples(file, dialect, limits).filter(({ cells }) => cells.length === width), ...tail];
  for (const { cells, number } of rows) evidence.forEach((column, at) => column.add(cells[at] ?? '', number));
  const source =
    `read_csv(${literal(file.path)}, auto_detect=false, header=false, skip=${first.number - 1}, delim=${literal(dialect.delimiter)}, ` +
    `quote='"', escape='"', new_line=${literal(newLine)}, nullstr='', strict_mode=true, null_padding=false, ` +
    `max_line_size=${8 * 1024 * 1024}, buffer_size=${32 * 1024 * 1024}, ` +
    `columns={${names.map((_, at) => `'c${at}': 'VARCHAR'`).join(', ')}})`;
  const titles = head.filter(({ cells }) => !cells.every(isBlank)).slice(0, above);
  const planned = plan(evidence, names, input);
  return (
    planned && {
      ...planned,
      names,
      evidence,
      sampled: rows.length,
      above: titles.map(asLine),
      warnings: [...input.warnings, ...layout.warnings],
      preview: data.slice(0, limits.maxTextRows).map(({ cells }) => cells.map((cell) => cell.slice(0, 1000))),
      source,
    }
  );
}

/** Undefined where a column needs more than DuckDB can check on its way. */
function plan(evidence: readonly ColumnEvidence[], names: readonly string[], input: TableInput) {
  const conventions = conventionsOf(evidence, names, input);
  const plans = evidence.map((column, at) => decideColumn(column, names[at] ?? '', conventions));
  const columns = plans.map((each, at) => fastColumn(`c${at}`, each, evidence[at] as ColumnEvidence));
  if (columns.some((column) => column === undefined)) return undefined;
  return { plans, columns: columns as FastColumn[] };
}

/**
 * Writes the file as it was planned.
 * @returns the draft as it was right in the end; undefined where the file is to be read patiently after all.
 */
export async function writeFast(
  writer: ParquetWriter,
  given: FastDraft,
  input: TableInput,
  sqlNames: readonly string[],
  file: string,
): Promise<FastDraft | undefined> {
  let draft = given;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      const select = draft.columns.map(({ value }, at) => `${value} AS ${writer.identifier(sqlNames[at] as string)}`);
      await writer.copy(`SELECT ${select.join(', ')} FROM ${draft.source}`, select.length, file);
      return draft;
    } catch (error) {
      const at = unfit(error);
      if (at === undefined) return undefined;
      const learnt = await learn(writer, draft, at);
      const planned = learnt && plan(draft.evidence, draft.names, input);
      if (!planned || planned.columns[at]?.value === draft.columns[at]?.value) return undefined;
      draft = { ...draft, ...planned };
    }
  }
  return undefined;
}

/** Which column the writing stopped at. */
function unfit(error: unknown): number | undefined {
  const column = /unfit c(\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return column === undefined ? undefined : Number(column);
}

/** Reads the values of a column that did not fit, and so learns what else there is. */
async function learn(writer: ParquetWriter, draft: FastDraft, at: number): Promise<boolean> {
  const { fits } = draft.columns[at] as FastColumn;
  try {
    const rows = await writer.rows(
      `SELECT DISTINCT c${at} AS value FROM ${draft.source} WHERE c${at} IS NOT NULL AND NOT coalesce(${fits}, false) LIMIT ${MAX_LEARNT}`,
    );
    for (const { value } of rows) draft.evidence[at]?.add(String(value), 0);
    return rows.length > 0;
  } catch {
    return false;
  }
}

/** The rows of a piece of the file, but a last one that may be cut, and a first one unless the piece begins the file. */
function wholeRows(piece: string, dialect: Dialect, limits: TableLimits, middle = false): Row[] {
  const text = middle ? piece.slice(piece.indexOf('\n') + 1) : piece;
  const splitter = new RowSplitter({ ...dialect, skip: middle ? 0 : dialect.skip }, { maxCell: limits.maxCell });
  return [...splitter.take(text)].filter(({ cells }) => !middle || cells.length > 1 || !isBlank(cells[0]));
}

function samples(file: Opened, dialect: Dialect, limits: TableLimits): Row[] {
  const step = Math.floor((file.size - HEAD_BYTES) / (SLICES + 1));
  return Array.from({ length: SLICES }, (_, at) => HEAD_BYTES + step * at).flatMap((from) =>
    wholeRows(file.at(from, SLICE_BYTES), dialect, limits, true),
  );
}

/** Undefined where lines end in more than one way. */
function newLineOf(text: string): '\\n' | '\\r\\n' | undefined {
  const all = text.split('\n').length;
  const windows = text.split('\r\n').length;
  if (text.replaceAll('\r\n', '').includes('\r')) return undefined;
  return windows === 1 ? '\\n' : windows >= all ? '\\r\\n' : undefined;
}
