/** Writes a file that DuckDB reads by itself: planned from samples, held against every value, planned anew. */
import { conventionsOf } from './conventions';
import type { ColumnPlan } from './column-plan';
import { decideColumn } from './decide-column';
import type { FastDraft } from './delimited-fast';
import { fastColumn, isUndecided, type FastColumn, type SampledColumn } from './fast-column';
import type { ParquetColumn, ParquetWriter } from './parquet-writer';
import { columnNames } from './report-table';
import type { TableInput } from './table-input';
import { SqlNames } from './column-names';

const ATTEMPTS = 10;
const MAX_LEARNT = 2000;
/** Values that settle what samples leave open. */
const MAX_PROOFS = 200;

export interface PlannedColumn extends FastColumn {
  readonly sampled: SampledColumn;
  readonly plan: ColumnPlan;
}

export interface FastTable {
  readonly planned: readonly PlannedColumn[];
  readonly columns: readonly ParquetColumn[];
  /** Columns that have neither a name nor a value. */
  readonly left: number;
}

/** @returns undefined where the file is to be read row by row after all. */
export async function writeFast(
  writer: ParquetWriter,
  draft: FastDraft,
  input: TableInput,
  file: string,
): Promise<FastTable | undefined> {
  try {
    await fillUnknown(writer, draft);
    await settleOpen(writer, draft);
  } catch {
    return undefined;
  }
  if (draft.columns.some(({ at, isEmpty }) => at >= draft.expected && !isEmpty)) return undefined;
  const kept = draft.columns.filter(({ isEmpty, original }) => !isEmpty || original !== '');
  let planned = plan(draft, kept, input);
  for (let attempt = 1; planned && attempt <= ATTEMPTS; attempt++) {
    const columns = columnNames(
      new SqlNames(),
      planned.map(({ sampled: { original, at }, plan }) => ({ original, at, plan })),
    );
    const select = planned.map(({ value }, at) => `${value} AS ${writer.identifier(columns[at]!.name)}`);
    try {
      const once = planned.flatMap(({ once }) => once ?? []);
      const source = once.length > 0 ? `(SELECT *, ${once.join(', ')} FROM ${draft.source})` : draft.source;
      await writer.copy(`SELECT ${select.join(', ')} FROM ${source}`, select.length, file);
      return { planned, columns, left: draft.columns.length - kept.length };
    } catch (error) {
      const before = planned.find(({ sampled }) => sampled.at === unfit(error));
      if (!before || !(await learn(writer, draft, before))) return undefined;
      planned = plan(draft, kept, input);
      const after = planned?.find(({ sampled }) => sampled === before.sampled);
      if (after?.value === before.value) return undefined;
    }
  }
  return undefined;
}

/** Undefined where a column needs more than DuckDB can check on its way. */
function plan(
  { columns, hasCarriages }: FastDraft,
  kept: readonly SampledColumn[],
  input: TableInput,
): PlannedColumn[] | undefined {
  const conventions = conventionsOf(
    columns,
    columns.map(({ original }) => original),
    input,
  );
  if (isUndecided(columns)) return undefined;
  const planned: PlannedColumn[] = [];
  for (const sampled of kept) {
    const plan = decideColumn(sampled, sampled.original, conventions);
    const column = fastColumn(plan, sampled, hasCarriages);
    if (!column) return undefined;
    planned.push({ ...column, sampled, plan });
  }
  return planned;
}

/** Reads some values of columns that were empty in the samples. */
async function fillUnknown(writer: ParquetWriter, { columns, source }: FastDraft): Promise<void> {
  const unknown = columns
    .map((column) => column.settle() as SampledColumn)
    .filter(({ filled, missing }) => filled + missing.size === 0);
  if (unknown.length === 0) return;
  const counts = unknown.map(({ column }) => `count(${column}) AS ${column}`).join(', ');
  const [found = {}] = await writer.rows(`SELECT ${counts} FROM ${source}`);
  for (const sampled of unknown) {
    if (Number(found[sampled.column]) === 0) sampled.isEmpty = true;
    else await add(writer, sampled, source, `${sampled.column} IS NOT NULL`, MAX_LEARNT);
  }
}

/** Looks in the whole file for values that settle which sign is decimal, or whether days come first. */
async function settleOpen(writer: ParquetWriter, { columns, source }: FastDraft): Promise<void> {
  for (const sampled of columns) {
    const { proof } = sampled.settle() as SampledColumn;
    if (proof !== undefined) await add(writer, sampled, source, proof, MAX_PROOFS);
  }
}

/** Which column the writing stopped at. */
function unfit(error: unknown): number | undefined {
  const column = /unfit c(\d+)/.exec((error as Error).message)?.[1];
  return column === undefined ? undefined : Number(column);
}

/** Reads the values of a column that did not fit, and so learns what else there is. */
async function learn(writer: ParquetWriter, { source }: FastDraft, { sampled, fits }: PlannedColumn): Promise<boolean> {
  try {
    const { column } = sampled;
    return await add(writer, sampled, source, `${column} IS NOT NULL AND NOT coalesce(${fits}, false)`, MAX_LEARNT);
  } catch {
    return false;
  }
}

async function add(writer: ParquetWriter, sampled: SampledColumn, source: string, where: string, most: number) {
  const { column } = sampled;
  const rows = await writer.rows(`SELECT DISTINCT ${column} AS value FROM ${source} WHERE ${where} LIMIT ${most}`);
  for (const { value } of rows) sampled.add(String(value), 0);
  sampled.settle();
  return rows.length > 0;
}
