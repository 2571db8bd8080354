/** What a written table holds: counts, ranges and samples, told by the file itself. */
import type { ValueCount } from './table-report';
import { identifier, type ParquetColumn, type ParquetWriter } from './parquet-writer';

export interface ColumnStatistics {
  readonly nulls: number;
  readonly distinct: number;
  readonly distinctIsEstimate?: boolean;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly samples: readonly string[];
  readonly values?: readonly ValueCount[];
}

/** Columns that one query looks at: each one's different values take two megabytes to begin with, on each thread. */
const BATCH = 8;
/** In more rows, the different values of a column are counted only if the file itself says that they are not too many. */
const MAX_EXACT_ROWS = 100_000;
/** Values that are held to be counted in one query, over all of its columns. */
const MAX_HELD = 1_000_000;
const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 60;
const MAX_SHOWN = 100;
const SAMPLES = 5;
const SAMPLED_ROWS = 200;

export async function readStatistics(
  writer: ParquetWriter,
  file: string,
  columns: readonly ParquetColumn[],
  rowCount: number,
): Promise<ColumnStatistics[]> {
  const all: ColumnStatistics[] = [];
  const most = rowCount > MAX_EXACT_ROWS ? await mostValues(writer, file) : undefined;
  for (let from = 0; from < columns.length; from += BATCH) {
    let room = MAX_HELD;
    const batch = columns.slice(from, from + BATCH).map((column, at) => {
      const held = column.type === 'BOOLEAN' ? 2 : (most?.get(from + at) ?? Infinity);
      const isEstimate = most !== undefined && held > room;
      if (most && !isEstimate) room -= held;
      return { ...column, isEstimate };
    });
    all.push(...(await statisticsOf(writer, file, batch, rowCount)));
  }
  return all;
}

/** How many different values a column has at most, by place: those of the dictionaries of its parts together. */
async function mostValues(writer: ParquetWriter, file: string): Promise<Map<number, number>> {
  const found = await writer.rows(
    `SELECT column_id::INTEGER AS at, sum(coalesce(stats_distinct_count, num_values))::INTEGER AS values
      FROM parquet_metadata(${writer.path(file)}) GROUP BY 1`,
  );
  return new Map(found.map(({ at, values }) => [Number(at), Number(values)]));
}

async function statisticsOf(
  writer: ParquetWriter,
  file: string,
  columns: readonly (ParquetColumn & { readonly isEstimate: boolean })[],
  rowCount: number,
): Promise<ColumnStatistics[]> {
  const source = writer.path(file);
  const aggregates = columns.flatMap(({ name, isEstimate }, at) => {
    const column = identifier(name);
    const distinct = isEstimate ? `approx_count_distinct(${column})` : `count(DISTINCT ${column})`;
    return [
      `count(${column}) AS n${at}`,
      `${distinct} AS d${at}`,
      `left(min(${column})::VARCHAR, ${MAX_SHOWN}) AS a${at}`,
      `left(max(${column})::VARCHAR, ${MAX_SHOWN}) AS z${at}`,
    ];
  });
  const [totals = {}] = await writer.rows(`SELECT ${aggregates.join(', ')} FROM ${source}`);
  const shown = columns.map(({ name }, at) => `left(${identifier(name)}::VARCHAR, ${MAX_SHOWN}) AS s${at}`);
  const first = await writer.rows(`SELECT ${shown.join(', ')} FROM ${source} LIMIT ${SAMPLED_ROWS}`);
  const statistics: ColumnStatistics[] = [];
  for (const [at, column] of columns.entries()) {
    const { isEstimate } = column;
    const filled = Number(totals[`n${at}`]);
    const distinct = Math.min(filled, Number(totals[`d${at}`]));
    const few = distinct > 0 && distinct <= MAX_VALUES * (isEstimate ? 1.1 : 1);
    const values = few && filled > distinct && isListed(column) ? await valuesOf(writer, source, column) : undefined;
    const samples = [...new Set(first.map((row) => row[`s${at}`]).filter((value) => value !== null))] as string[];
    statistics.push({
      nulls: rowCount - filled,
      distinct: values ? values.length : distinct,
      ...(isEstimate && !values && { distinctIsEstimate: true }),
      ...(filled > 0 && { minimum: String(totals[`a${at}`]), maximum: String(totals[`z${at}`]) }),
      samples: samples.slice(0, SAMPLES),
      ...(values && values.length <= MAX_VALUES && { values }),
    });
  }
  return statistics;
}

const isListed = ({ type }: ParquetColumn) => /^(?:VARCHAR|BOOLEAN|BIGINT|DATE)$/.test(type);

async function valuesOf(
  writer: ParquetWriter,
  source: string,
  { name }: ParquetColumn,
): Promise<ValueCount[] | undefined> {
  // Grouped as they are stored, and made text when they are few.
  const rows = await writer.rows(
    `SELECT value::VARCHAR AS value, times::INTEGER AS count
      FROM (SELECT ${identifier(name)} AS value, count(*) AS times FROM ${source} GROUP BY 1)
      WHERE value IS NOT NULL ORDER BY 2 DESC, 1 LIMIT ${MAX_VALUES + 1}`,
  );
  if (rows.some(({ value }) => String(value).length > MAX_VALUE_LENGTH)) return undefined;
  return rows.map(({ value, count }) => ({ value: String(value), count: Number(count) }));
}
