/**
 * Drafts to Parquet, by DuckDB: it casts what the drafts have written in its own forms, and tells about the result.
 *
 * It runs inside a parser process, opens nothing but the files of its job, and is given no SQL but ours.
 */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { LimitExceededError } from '../parsers/parser-errors';
import type { Row } from './cell';
import { isBlank } from './cell';
import type { TableDraft } from './table-draft';

const FLUSH = 1024 * 1024;
/** Values of one row group, over all its columns. */
const GROUP_VALUES = 4_000_000;
const MAX_GROUP_ROWS = 122_880;
/** Of the reader; two lines have to fit. */
const BUFFER = 8 * 1024 * 1024;

export interface ParquetColumn {
  readonly name: string;
  readonly type: string;
}

export class ParquetWriter {
  private constructor(
    private readonly instance: DuckDBInstance,
    readonly connection: DuckDBConnection,
    private readonly folder: string,
  ) {}

  /** @param folder of the job; nothing outside of it can be read or written. */
  static async open(folder: string, options: { readonly memoryMb: number }): Promise<ParquetWriter> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${options.memoryMb}MB`,
      threads: '2',
      temp_directory: join(folder, 'spill'),
    });
    const connection = await instance.connect();
    const own = `['${escape(folder)}']`;
    for (const setting of [
      'autoinstall_known_extensions=false',
      'autoload_known_extensions=false',
      'allow_community_extensions=false',
      `allowed_directories=${own}`,
      'enable_external_access=false',
      'lock_configuration=true',
    ]) {
      await connection.run(`SET ${setting}`);
    }
    return new ParquetWriter(instance, connection, folder);
  }

  /** Reads the input of a draft once more and writes its data. @returns the columns as they are in the file. */
  async write(
    draft: TableDraft,
    columns: readonly ParquetColumn[],
    hidden: string | undefined,
    file: string,
  ): Promise<void> {
    const source = join(this.folder, 'rows.csv');
    try {
      const longest = writeRows(draft, hidden !== undefined, source);
      const all = [...columns, ...(hidden !== undefined ? [{ name: hidden, type: 'BOOLEAN' }] : [])];
      const casts = all.map(({ name, type }, at) =>
        type === 'VARCHAR' ? `c${at} AS ${identifier(name)}` : `CAST(c${at} AS ${type}) AS ${identifier(name)}`,
      );
      await this.copy(`SELECT ${casts.join(', ')} FROM ${csv(source, all.length, longest)}`, all.length, file);
    } finally {
      rmSync(source, { force: true });
    }
  }

  async copy(select: string, width: number, file: string): Promise<void> {
    const target = join(this.folder, file);
    const group = Math.max(2048, Math.min(MAX_GROUP_ROWS, Math.floor(GROUP_VALUES / width / 2048) * 2048));
    const sql = `COPY (${select}) TO '${escape(target)}' (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION snappy, ROW_GROUP_SIZE ${group})`;
    try {
      await this.connection.run(sql);
    } catch (error) {
      // What each column takes, whatever is in it, is more than what rows take that are many.
      if (!String((error as Error).message).startsWith('Out of Memory')) throw error;
      throw new LimitExceededError(`a table of ${width} columns takes more memory than there is`, 'PARSER_MEMORY_MB');
    }
    const opened = openSync(target, 'r');
    fsyncSync(opened);
    closeSync(opened);
  }

  async rows(sql: string): Promise<Record<string, unknown>[]> {
    return (await this.connection.runAndReadAll(sql)).getRowObjectsJson();
  }

  identifier(name: string): string {
    return identifier(name);
  }

  path(file: string): string {
    return `'${escape(join(this.folder, file))}'`;
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
    rmSync(join(this.folder, 'spill'), { recursive: true, force: true });
  }
}

const csv = (path: string, width: number, longest: number) => {
  const columns = Array.from({ length: width }, (_, at) => `'c${at}': 'VARCHAR'`).join(', ');
  return (
    `read_csv('${escape(path)}', auto_detect=false, header=false, delim=',', quote='"', escape='"', new_line='\\n', nullstr='', ` +
    `max_line_size=${longest + 1024}, buffer_size=${Math.max(BUFFER, 2 * longest + 4096)}, columns={${columns}})`
  );
};

/** @returns the bytes of the longest line. */
function writeRows(draft: TableDraft, markHidden: boolean, path: string): number {
  const file = openSync(path, 'w');
  let longest = 0;
  try {
    let text = '';
    for (const row of dataRows(draft)) {
      const fields = draft.columns.map(({ at, plan }) => field(plan.write(row.cells[at] ?? '')));
      if (markHidden) fields.push(row.hidden ? 'true' : 'false');
      // A line of nothing would be no row.
      const line = fields.length === 1 && fields[0] === '' ? '""' : fields.join(',');
      // A character has three bytes at most for each of its units.
      longest = Math.max(longest, line.length * 3);
      text += `${line}\n`;
      if (text.length > FLUSH) {
        writeSync(file, text);
        text = '';
      }
    }
    writeSync(file, text);
    return longest;
  } finally {
    closeSync(file);
  }
}

/** The rows that a draft has counted. */
export function* dataRows({ input, dataFrom, dataSpan }: TableDraft): Generator<Row> {
  let at = 0;
  for (const row of input.rows()) {
    if (at >= dataFrom + dataSpan) return;
    if (at++ >= dataFrom && !row.cells.every(isBlank)) yield row;
  }
}

const field = (value: string | undefined) => (value === undefined ? '' : `"${value.replaceAll('"', '""')}"`);

const escape = (text: string) => text.replaceAll("'", "''");

/** A text in SQL. */
export const literal = (text: string) => `'${escape(text)}'`;

export const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
