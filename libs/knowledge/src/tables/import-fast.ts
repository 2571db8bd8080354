/** A large, orderly delimited file in the quick way, and its report with counts of the whole file. */
import { statSync } from 'node:fs';
import { count, MOSTLY, quote, type ColumnPlan } from './column-plan';
import { unitWarnings } from './decide-numbers';
import { generalWarnings } from './decide-column';
import { draftFast, type FastDraft } from './delimited-fast';
import { blankRows, countSigns, noteBlanks } from './fast-counts';
import { FastSource } from './fast-source';
import { countTextSigns } from './fast-text-signs';
import { totalsAmong } from './fast-totals';
import { writeFast, type FastTable, type PlannedColumn } from './fast-write';
import type { ParquetWriter } from './parquet-writer';
import { reportOf, type ReportedDraft } from './report-table';
import type { TableInput, TableLimits } from './table-input';
import { isTotal } from './table-layout';
import type { TableReport } from './table-report';
import { readStatistics } from './table-statistics';

export interface FastImport {
  readonly draft: ReportedDraft;
  report(name: string): TableReport;
}

/** @returns undefined for a file that is to be read row by row. */
export async function importFast(
  writer: ParquetWriter,
  input: TableInput,
  limits: TableLimits,
  file: string,
): Promise<FastImport | undefined> {
  const { dialect, text } = input.delimited ?? {};
  if (!dialect || text?.path === undefined || dialect.quote !== '"' || dialect.backslash) return undefined;
  if (statSync(text.path).size < limits.quickFromBytes) return undefined;
  const source = FastSource.of(text);
  try {
    const draft = source && draftFast(source, input, limits);
    const table = draft && (await writeFast(writer, draft, input, file));
    return table && (await reported(writer, draft, table, input, limits, file));
  } finally {
    source?.close();
  }
}

async function reported(
  writer: ParquetWriter,
  draft: FastDraft,
  { planned, columns, left }: FastTable,
  input: TableInput,
  limits: TableLimits,
  file: string,
): Promise<FastImport | undefined> {
  const [{ n } = { n: 0 }] = await writer.rows(`SELECT count(*)::BIGINT AS n FROM ${writer.path(file)}`);
  const rowCount = Number(n);
  if (rowCount < draft.atLeast || rowCount > limits.maxRows) return undefined;
  const statistics = await readStatistics(writer, file, columns, rowCount);
  const totals = await totalsAmong(writer, file, columns, statistics);
  // What is also a value among the data is no total of it.
  if (draft.labels.some((label) => isTotal(label) && totals.labels.has(label))) return undefined;
  const filled = statistics.map(({ nulls }) => rowCount - nulls);
  await countSigns(writer, draft, { planned, columns, left }, filled);
  await countTextSigns(writer, { planned, columns, left }, file, statistics);
  noteBlanks(planned, rowCount, filled);
  const blank = await blankRows(writer, draft, columns, file, rowCount);
  // Where each row is a line, its number is that of the line.
  const isOnLines = draft.lines === rowCount;
  const reportedDraft: ReportedDraft = {
    input,
    columns: planned.map((column, at) => ({
      at: column.sampled.at,
      original: column.sampled.original,
      plan: told(column, draft.sampled, filled[at] as number),
      evidence: column.sampled,
      hidden: false,
    })),
    rowCount,
    hiddenRows: 0,
    above: draft.above,
    below: draft.below,
    warnings: [
      ...draft.warnings,
      ...(left > 0 ? [`${count(left, 'column')} without a name and without values left out`] : []),
      ...(blank > 0 ? [`${count(blank, 'blank row')} left out`] : []),
      ...(totals.rows.length > 0
        ? [
            `rows that look like totals are among the data: ${totals.rows.map((row) => row + draft.firstRow).join(', ')}${isOnLines ? '' : ' (counted without blank rows and without the line breaks in values)'}; a sum over all rows counts them too`,
          ]
        : []),
      ...(input.remarks ?? []),
    ],
    preview: draft.preview,
  };
  return { draft: reportedDraft, report: (name) => reportOf(reportedDraft, name, columns, undefined, statistics) };
}

/** The plan in words that hold for every row, not for the samples. */
function told({ sampled, plan }: PlannedColumn, looked: number, filled: number): ColumnPlan {
  const rows = `${count(looked, 'row')} all over the file`;
  const values = count(filled, 'value');
  if (sampled.isEmpty) return plan;
  if (plan.type !== 'VARCHAR') {
    return {
      ...plan,
      evidence: `all ${values} fit; guessed from ${rows}, then held against every value`,
      warnings: warningsOf(sampled, plan, filled),
    };
  }
  const [example] = sampled.texts.examples;
  const seen = example ? `, such as ${quote(example.value)}` : '';
  return {
    ...plan,
    evidence: `${values}${seen}; guessed from ${rows}`,
    warnings: [...oddOnes(sampled), ...generalWarnings(sampled, plan)],
  };
}

/** With the numbers that stand without the unit counted in the whole file, not in the samples. */
function warningsOf(sampled: PlannedColumn['sampled'], { unit, warnings }: ColumnPlan, filled: number): string[] {
  const others = warnings.filter((warning) => !/ without .* (?:was|were) taken as /.test(warning));
  return [...others, ...unitWarnings(sampled, unit, filled)];
}

/** A column that would have been numbers or dates but for a few cells. */
function oddOnes({
  filled,
  numbers,
  moments,
  texts,
  numberExamples,
  momentExamples,
}: PlannedColumn['sampled']): string[] {
  const fitting = Math.max(numbers.count, moments.count);
  if (fitting < filled * MOSTLY || fitting === filled) return [];
  const kind = numbers.count >= moments.count ? 'numbers' : 'dates';
  const others = [...texts.examples, ...(kind === 'numbers' ? momentExamples : numberExamples)];
  const examples = others.slice(0, 3).map(({ value }) => quote(value));
  return [`most values are ${kind}; the column is text because of others: ${examples.join(', ')}`];
}
