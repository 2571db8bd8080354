/** What the store says of a Parquet file that a test wrote: a plain report, made with DuckDB. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { StoredTable } from '../../libs/knowledge/src/tables/table-store';
import type { ColumnReport, TableReport } from '../../libs/knowledge/src/tables/table-report';

export interface TableWords {
  readonly name: string;
  readonly fileName: string;
  readonly artifact?: string;
  /** Headers as the file had them, by SQL name. */
  readonly originals?: Readonly<Record<string, string>>;
  readonly changes?: Partial<TableReport>;
  readonly columns?: Readonly<Record<string, Partial<ColumnReport>>>;
}

const MAX_VALUES = 50;

export async function storedTable(file: string, words: TableWords): Promise<StoredTable> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const all = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson() as (string | null)[][];
  const source = `read_parquet('${file}')`;
  const [[rowCount]] = (await all(`SELECT count(*) FROM ${source}`)) as [[string]];
  const columns: ColumnReport[] = [];
  for (const [name, type] of (await all(`DESCRIBE FROM ${source}`)) as [string, string][]) {
    const [[nulls, distinct, minimum, maximum]] = (await all(
      `SELECT count(*) - count("${name}"), count(DISTINCT "${name}"), min("${name}")::VARCHAR, max("${name}")::VARCHAR FROM ${source}`,
    )) as [[string, string, string | null, string | null]];
    const counted = await all(
      `SELECT "${name}"::VARCHAR, count(*) FROM ${source} WHERE "${name}" IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MAX_VALUES + 1}`,
    );
    const isShort = type === 'VARCHAR' && counted.length <= MAX_VALUES;
    columns.push({
      original: words.originals?.[name] ?? name,
      name,
      type,
      decision: '',
      evidence: '',
      nulls: Number(nulls),
      distinct: Number(distinct),
      ...(minimum !== null && { minimum }),
      ...(maximum !== null && { maximum }),
      samples: counted.slice(0, 5).map(([value]) => String(value)),
      ...(isShort && { values: counted.map(([value, count]) => ({ value: String(value), count: Number(count) })) }),
      missing: [],
      hidden: false,
      warnings: [],
      ...words.columns?.[name],
    });
  }
  connection.closeSync();
  instance.closeSync();
  return {
    id: words.name,
    artifact: words.artifact ?? words.name,
    collection: 'c',
    fileName: words.fileName,
    file,
    report: {
      name: words.name,
      source: { format: 'csv' },
      rowCount: Number(rowCount),
      hidden: false,
      columns,
      above: [],
      below: [],
      warnings: [],
      ...words.changes,
    },
  };
}
