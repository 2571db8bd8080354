/** Parquet files as tests need them, written by DuckDB out of a SELECT. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export interface ParquetTables {
  readonly folder: string;
  /** Writes what a SELECT returns; resolves to the file. */
  write(name: string, select: string): Promise<string>;
  close(): Promise<void>;
}

export async function parquetTables(): Promise<ParquetTables> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-tables-'));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  return {
    folder,
    async write(name, select) {
      const file = join(folder, `${name}.parquet`);
      await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
      return file;
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
