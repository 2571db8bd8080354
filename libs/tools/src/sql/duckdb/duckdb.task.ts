/**
 * The child's side of a query over tables: a fresh DuckDB in memory that sees only the files in scope, locked before
 * the statement is read (SEC-60 to SEC-65).
 */
import { access } from 'node:fs/promises';
import { DuckDBInstance, StatementType, type DuckDBConnection } from '@duckdb/node-api';
import type { QueriedTable, QueryOutcome, TableOutcome, TableQuery } from '../table-query';
import { examine, firstWord } from './guard';
import { runExactly } from './run-exactly';
import { sessionNameIn } from './session-names';
import type { TreeNode } from './statement-tree';

const LOCKED = {
  threads: '1',
  // Given when it is made, or a large query spills into the working folder (dependencies §6).
  temp_directory: '',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
};

/** Parses statements and never runs one; it holds no table. */
let parser: Promise<DuckDBConnection> | undefined;

export async function handle(query: TableQuery | { readonly warm: true }): Promise<TableOutcome> {
  parser ??= openParser();
  if ('warm' in query) {
    await parser;
    return { kind: 'rows', columns: [], rows: [] };
  }
  const { sql, tables } = query;
  const checked = await check(sql, tables);
  if ('kind' in checked) return checked;
  return run({ ...query, tables: tables.filter(({ sqlName }) => checked.used.has(sqlName.toLowerCase())) });
}

async function openParser(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', {
    ...LOCKED,
    memory_limit: '64MB',
    enable_external_access: 'false',
  });
  return instance.connect();
}

async function check(
  sql: string,
  tables: readonly QueriedTable[],
): Promise<QueryOutcome | { readonly used: ReadonlySet<string> }> {
  // DuckDB reads no further, and the answer would show more than what was run.
  if (sql.includes('\0')) return { kind: 'refused', token: '\\0', reason: 'a statement holds no NUL character' };
  const connection = await parser!;
  const reader = await connection.runAndReadAll(
    'SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true, skip_default := true)',
    [sql],
  );
  const parsed = treeIn(String(reader.getRows()[0]?.[0]));
  if (!parsed) return { kind: 'failed', message: 'Parser Error: A number in the statement is too large.' };
  if (parsed.error) {
    if (parsed.error_type === 'not implemented') {
      return { kind: 'refused', token: firstWord(sql), reason: 'only a SELECT is run' };
    }
    return { kind: 'failed', message: `Parser Error: ${parsed.error_message ?? ''}` };
  }
  const { refusal, used } = examine(parsed, new Set(tables.map(({ sqlName }) => sqlName)));
  if (refusal) return { kind: 'refused', ...refusal };
  const name = sessionNameIn(
    parsed,
    tables.filter(({ sqlName }) => used.has(sqlName.toLowerCase())),
  );
  return name === undefined ? { used } : { kind: 'refused', token: name, reason: 'it is no column of the tables' };
}

interface ParsedStatement extends TreeNode {
  readonly error?: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
}

/** Absent where a literal is beyond the range of a DOUBLE: DuckDB writes it as a word that JSON does not have. */
function treeIn(json: string): ParsedStatement | undefined {
  try {
    return JSON.parse(json) as ParsedStatement;
  } catch {
    return undefined;
  }
}

async function run({ sql, tables, limits }: TableQuery): Promise<TableOutcome> {
  const instance = await DuckDBInstance.create(':memory:', { ...LOCKED, memory_limit: `${limits.memoryMb}MB` });
  const connection = await instance.connect();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    connection.interrupt();
  }, limits.ms);
  try {
    await open(connection, tables);
    const statements = await connection.extractStatements(sql);
    if (statements.count !== 1) return { kind: 'refused', token: ';', reason: 'only one statement is run' };
    const prepared = await statements.prepare(0);
    if (prepared.statementType !== StatementType.SELECT) {
      return { kind: 'refused', token: firstWord(sql), reason: 'only a SELECT is run' };
    }
    return await runExactly({ prepared, sql, tables, limits, connection, parser: await parser!, isLate: () => late });
  } catch (error) {
    if (late) return { kind: 'stopped', limit: 'time' };
    const message = error instanceof Error ? error.message : String(error);
    if (/^Out of Memory/i.test(message)) return { kind: 'stopped', limit: 'memory' };
    const gone = await goneAmong(tables);
    if (gone) return { kind: 'unreadable', file: gone };
    if (error instanceof DamagedTable) return { kind: 'unreadable', file: error.file };
    return { kind: 'failed', message: withoutFiles(message, tables) };
  } finally {
    clearTimeout(timer);
    connection.closeSync();
    instance.closeSync();
  }
}

/** What DuckDB says of it would tell where it lies. */
class DamagedTable extends Error {
  constructor(
    readonly file: string,
    { cause }: { readonly cause: unknown },
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** DuckDB says of a file that is not there now this and now that. */
async function goneAmong(tables: readonly QueriedTable[]): Promise<string | undefined> {
  for (const { file } of tables) {
    try {
      await access(file);
    } catch {
      return file;
    }
  }
  return undefined;
}

/** The files become views; then nothing else can be reached, and nothing of this can be undone. */
async function open(connection: DuckDBConnection, tables: readonly QueriedTable[]): Promise<void> {
  const files = tables.map(({ file }) => quoted(file, "'"));
  await connection.run(`SET allowed_paths = [${files.join(', ')}]`);
  await connection.run('SET enable_external_access = false');
  for (const { sqlName, file, columns, unless } of tables) {
    const list = columns ? columns.map((column) => quoted(column, '"')).join(', ') : '*';
    const rows = unless === undefined ? '' : ` WHERE NOT ${quoted(unless, '"')}`;
    const source = `SELECT ${list} FROM read_parquet(${quoted(file, "'")})${rows}`;
    try {
      await connection.run(`CREATE VIEW ${quoted(sqlName, '"')} AS ${source}`);
    } catch (error) {
      throw new DamagedTable(file, { cause: error });
    }
  }
  await connection.run('SET lock_configuration = true');
}

const quoted = (text: string, mark: '"' | "'"): string => `${mark}${text.replaceAll(mark, mark + mark)}${mark}`;

/** Where a table lies is nobody's business but ours (SEC-137). */
const withoutFiles = (message: string, tables: readonly QueriedTable[]): string =>
  tables.reduce((text, { sqlName, file }) => text.replaceAll(file, sqlName), message).slice(0, 1000);
