/** What only a look at every row of a file tells that DuckDB has read by itself: signs, units, blank rows. */
import type { FastDraft } from './delimited-fast';
import { isUnitEverywhere } from './fast-number';
import type { FastTable, PlannedColumn } from './fast-write';
import { identifier, literal, type ParquetWriter } from './parquet-writer';

/** Lines that are neither rows of the table nor parts of their values. */
export async function blankRows(
  writer: ParquetWriter,
  { lines, everyRow, columns: all }: FastDraft,
  columns: FastTable['columns'],
  file: string,
  rows: number,
): Promise<number> {
  const others = lines - rows;
  if (others <= 0) return 0;
  const texts = columns.filter(({ type }) => type === 'VARCHAR').map(({ name }) => identifier(name));
  const inTable = others - (await lineFeedsIn(writer, texts, writer.path(file)));
  if (inTable <= 0) return 0;
  // Values that are nothing but white space are not in the table.
  const inFile = await lineFeedsIn(
    writer,
    all.map(({ column }) => column),
    everyRow,
  );
  return Math.max(0, others - inFile);
}

async function lineFeedsIn(writer: ParquetWriter, columns: readonly string[], source: string): Promise<number> {
  if (columns.length === 0) return 0;
  const each = columns.map((column) => `coalesce(sum(strlen(${column}) - strlen(replace(${column}, chr(10), ''))), 0)`);
  const [{ n } = { n: 0 }] = await writer.rows(`SELECT (${each.join(' + ')})::BIGINT AS n FROM ${source}`);
  return Number(n);
}

type Counts = Map<string, (times: number) => void>;

/**
 * Signs for missing values and units, counted in the whole file: each kind of them is known, since one that was not
 * would have stopped the writing.
 */
export async function countSigns(
  writer: ParquetWriter,
  { source }: FastDraft,
  { planned }: FastTable,
  filled: readonly number[],
): Promise<void> {
  const counts: Counts = new Map();
  planned.forEach(({ sampled, type, plan: { unit } }, at) => {
    if (type === 'VARCHAR') return;
    const { column, numbers, missing } = sampled;
    for (const sign of missing.keys()) {
      counts.set(`trim(${column}) = ${literal(sign)}`, (times) => missing.set(sign, times));
    }
    if (unit === undefined || unit === '%') return;
    if (isUnitEverywhere(numbers, unit)) numbers.units.set(unit, filled[at] as number);
    else counts.set(`contains(${column}, ${literal(unit)})`, (times) => numbers.units.set(unit, times));
  });
  if (counts.size === 0) return;
  const list = [...counts.keys()].map((condition, at) => `count(*) FILTER (${condition})::BIGINT AS n${at}`);
  const [found = {}] = await writer.rows(`SELECT ${list.join(', ')} FROM ${source}`);
  [...counts.values()].forEach((note, at) => note(Number(found[`n${at}`])));
}

export function noteBlanks(planned: readonly PlannedColumn[], rows: number, filled: readonly number[]): void {
  planned.forEach(({ sampled, type }, at) => {
    for (const [sign, times] of sampled.missing) if (times === 0) sampled.missing.delete(sign);
    const signs = type === 'VARCHAR' ? 0 : [...sampled.missing.values()].reduce((sum, times) => sum + times, 0);
    sampled.blank = rows - (filled[at] as number) - signs;
  });
}
