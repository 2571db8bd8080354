/** A large, orderly delimited file in the quick way, and its report with counts of the whole file. */
import { SqlNames } from './column-names';
import { count, generalWarnings, type ColumnPlan } from './decide-column';
import type { ColumnEvidence } from './column-evidence';
import { draftFast, writeFast, type FastDraft } from './delimited-fast';
import { literal, type ParquetWriter } from './parquet-writer';
import { columnNames, reportOf, type ReportedDraft } from './report-table';
import type { TableInput, TableLimits } from './table-input';
import type { TableReport } from './table-report';
import { readStatistics } from './table-statistics';

/** @returns undefined for a file that is to be read patiently. */
export async function importFast(
  writer: ParquetWriter,
  input: TableInput,
  limits: TableLimits,
  file: string,
): Promise<{ draft: ReportedDraft; report(name: string): TableReport } | undefined> {
  const guess = draftFast(input, limits);
  if (!guess) return undefined;
  const sqlNames = columnNames(
    new SqlNames(),
    guess.names.map((original, at) => ({ original, at, plan: guess.plans[at] as ColumnPlan })),
  ).map(({ name }) => name);
  const fast = await writeFast(writer, guess, input, sqlNames, file);
  if (!fast) return undefined;
  const [{ n } = { n: 0 }] = await writer.rows(`SELECT count(*)::INTEGER AS n FROM ${writer.path(file)}`);
  const rowCount = Number(n);
  if (rowCount > limits.maxRows) return undefined;
  const columns = sqlNames.map((name, at) => ({ name, type: (fast.plans[at] as ColumnPlan).type }));
  const statistics = await readStatistics(writer, file, columns, rowCount);
  const filled = statistics.map(({ nulls }) => rowCount - nulls);
  await countSigns(writer, fast, rowCount, filled);
  const draft: ReportedDraft = {
    input,
    columns: fast.names.map((original, at) => ({
      at,
      original,
      plan: told(fast, at, filled[at] as number),
      evidence: fast.evidence[at] as ColumnEvidence,
      hidden: false,
    })),
    rowCount,
    hiddenRows: 0,
    above: fast.above,
    below: [],
    warnings: fast.warnings,
    preview: fast.preview,
  };
  return { draft, report: (name) => reportOf(draft, name, columns, undefined, statistics) };
}

/** What the samples have shown of signs for missing values and of white space, counted in the whole file. */
async function countSigns(
  writer: ParquetWriter,
  fast: FastDraft,
  rows: number,
  filled: readonly number[],
): Promise<void> {
  for (const [at, evidence] of fast.evidence.entries()) {
    const column = `c${at}`;
    const isText = fast.plans[at]?.type === 'VARCHAR';
    if (evidence.missing.size > 0) {
      const signs = [...evidence.missing.keys()].map(literal).join(', ');
      const found = await writer.rows(
        `SELECT trim(${column}) AS sign, count(*)::INTEGER AS n FROM ${fast.source} WHERE trim(${column}) IN (${signs}) GROUP BY 1`,
      );
      evidence.missing.clear();
      for (const { sign, n } of found) evidence.missing.set(String(sign), Number(n));
    }
    if (isText && evidence.edgeSpaces > 0) {
      const [edges] = await writer.rows(
        `SELECT count(*)::INTEGER AS n FROM ${fast.source} WHERE ${column} <> trim(${column}) AND trim(${column}) <> ''`,
      );
      evidence.edgeSpaces = Number(edges?.n);
    }
    const signs = isText ? 0 : [...evidence.missing.values()].reduce((sum, times) => sum + times, 0);
    evidence.blank = rows - (filled[at] as number) - signs;
  }
}

/** The plan in words that hold for every row, not for the samples. */
function told({ plans, evidence, sampled }: FastDraft, at: number, filled: number): ColumnPlan {
  const plan = plans[at] as ColumnPlan;
  const isText = plan.type === 'VARCHAR';
  const [example] = (evidence[at] as ColumnEvidence).texts.examples;
  const seen = isText && example ? `, such as “${example.value.slice(0, 60)}”` : '';
  return {
    ...plan,
    evidence: isText
      ? `${count(filled, 'value')}${seen}; guessed from ${count(sampled, 'row')} all over the file`
      : `all ${count(filled, 'value')} fit; guessed from ${count(sampled, 'row')} all over the file, then held against every value`,
    warnings: isText ? generalWarnings(evidence[at] as ColumnEvidence, plan) : plan.warnings,
  };
}
