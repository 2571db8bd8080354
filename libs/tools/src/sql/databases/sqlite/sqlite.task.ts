/**
 * The child's side of SQLite: a file is read whole and worked on as a copy in memory, in a process that can be killed
 * and has nothing else in it (SEC-51, architecture decision 15).
 */
import { openFile } from './open-file';
import { readCatalog, sampleTables } from './read-catalog';
import { runQuery } from './run-query';
import { loadSqlJs, unloadSqlJs, type Database } from './sql-js';
import type { SqliteAnswer, SqliteTask } from './sqlite-task';

export async function handle(task: SqliteTask): Promise<SqliteAnswer> {
  const SqlJs = await loadSqlJs();
  if (task.do === 'warm') return { kind: 'warm' };
  const file = await openFile(task.folder, task.path, task.maxBytes);
  if (file.kind !== 'opened') return file;
  let database: Database | undefined;
  try {
    database = new SqlJs.Database(file.bytes);
    if (task.do === 'query') return { kind: 'outcome', outcome: runQuery(database, task.sql, task.limits) };
    if (task.do === 'sample') return { kind: 'samples', samples: sampleTables(database, task.tables) };
    return { kind: 'catalog', catalog: readCatalog(database, task.wish) };
  } catch (error) {
    // The memory of the engine is the same for all files: what is left of it is not built upon.
    unloadSqlJs();
    throw error;
  } finally {
    database?.close();
  }
}
