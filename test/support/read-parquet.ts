import { DuckDBInstance } from '@duckdb/node-api';

/** All rows of a Parquet file, every value as DuckDB writes it as text. */
export async function readParquet(file: string): Promise<Record<string, string | null>[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM '${file.replaceAll("'", "''")}'`);
  const rows = reader.getRowObjects() as Record<string, string | null>[];
  connection.closeSync();
  instance.closeSync();
  return rows;
}
