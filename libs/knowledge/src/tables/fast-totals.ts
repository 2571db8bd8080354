/** Rows of totals among the data of a large file, found in the table that was written. */
import { identifier, type ParquetColumn, type ParquetWriter } from './parquet-writer';
import { isTotal, totalOf } from './table-layout';
import type { ColumnStatistics } from './table-statistics';

export interface Totals {
  /** The first rows, counted from the first of the data. */
  readonly rows: readonly number[];
  /** Labels that say that their row is a total, whatever stands around it. */
  readonly labels: ReadonlySet<string>;
}

/** A longer text is no label. */
const MAX_LABEL = 40;
const MAX_LABELS = 2000;
/** Rows that the report names. */
const MAX_ROWS = 5;
/** Rows called after a group that are looked for behind that group. */
const MAX_OF_GROUPS = 200;
/** Other totals may stand between a total and its group. */
const ROWS_BEFORE = 3;
const WORDS = 'total|sum|average|mean|suma|promedio|media|summe|gesamt|somme|moyenne|totale|totaal';
/** What the label of a total begins or ends with; what it says whole is looked at here. */
const MAYBE_TOTAL = `(?i)^\\s*(?:grand|sub|overall|${WORDS})|(?:${WORDS}|totals)\\s*:?\\s*$`;

/** Finds rows whose first value is what people write before totals, or the name of the group above with such a word. */
export async function totalsAmong(
  writer: ParquetWriter,
  file: string,
  columns: readonly ParquetColumn[],
  statistics: readonly ColumnStatistics[],
): Promise<Totals> {
  const last = statistics.findIndex(({ nulls }) => nulls === 0);
  const first = last === -1 ? columns : columns.slice(0, last + 1);
  if (!first.some(({ type }) => type === 'VARCHAR')) return { rows: [], labels: new Set() };
  const labelled = withLabels(writer.path(file), first);
  const found = await writer.rows(
    `SELECT label, list_slice(list(n ORDER BY n), 1, ${MAX_ROWS})::VARCHAR AS rows FROM ${labelled}
      WHERE length(label) <= ${MAX_LABEL} AND regexp_matches(label, '${MAYBE_TOTAL}') GROUP BY 1 LIMIT ${MAX_LABELS}`,
  );
  const maybe = found.map(({ label, rows }) => ({ label: String(label), rows: JSON.parse(String(rows)) as number[] }));
  const totals = maybe.filter(({ label }) => isTotal(label));
  const ofGroups = maybe.filter(({ label }) => !isTotal(label) && totalOf(label) !== undefined);
  const rows = [...totals.flatMap(({ rows }) => rows), ...(await behindGroups(writer, labelled, ofGroups))];
  return {
    rows: rows.sort((one, other) => one - other).slice(0, MAX_ROWS),
    labels: new Set(totals.map(({ label }) => label.trim())),
  };
}

/** Each row's first value, the place of its column and the number of the row. */
function withLabels(path: string, first: readonly ParquetColumn[]): string {
  const cases = (value: (column: ParquetColumn, at: number) => string | number) =>
    first.map((column, at) => `WHEN ${identifier(column.name)} IS NOT NULL THEN ${value(column, at)}`).join(' ');
  const label = cases(({ name, type }) => (type === 'VARCHAR' ? identifier(name) : 'NULL'));
  return `(SELECT CASE ${label} END AS label, CASE ${cases((_, at) => at)} END AS place, file_row_number AS n
    FROM read_parquet(${path}, file_row_number=true))`;
}

/** Of the rows called after a group, those that stand right behind it: `North Total` is a name like any other elsewhere. */
async function behindGroups(
  writer: ParquetWriter,
  labelled: string,
  ofGroups: readonly { readonly label: string; readonly rows: readonly number[] }[],
): Promise<number[]> {
  const candidates = ofGroups
    .flatMap(({ label, rows }) => rows.map((row) => ({ row, group: totalOf(label)!.toLowerCase() })))
    .sort((one, other) => one.row - other.row)
    .slice(0, MAX_OF_GROUPS);
  if (candidates.length === 0) return [];
  const looked = candidates.flatMap(({ row }) => Array.from({ length: ROWS_BEFORE + 1 }, (_, back) => row - back));
  const around = await writer.rows(
    `SELECT n::INTEGER AS n, place::INTEGER AS place, label FROM ${labelled} WHERE n IN (${[...new Set(looked)].join(', ')})`,
  );
  const byRow = new Map(around.map(({ n, place, label }) => [Number(n), { place: Number(place), label }]));
  return candidates.flatMap(({ row, group }) => {
    const place = byRow.get(row)?.place;
    for (let before = row - 1; before >= row - ROWS_BEFORE; before--) {
      const { label, place: at } = byRow.get(before) ?? {};
      if (typeof label !== 'string' || at !== place) continue;
      if (label.trim().toLowerCase() === group) return [row];
      if (!isTotal(label) && totalOf(label) === undefined) return [];
    }
    return [];
  });
}
