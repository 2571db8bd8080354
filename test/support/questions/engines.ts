/** Databases with the rows of a schema, behind our own engines. */
import { connect } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@app/platform';
import type { SqlDialect } from '@app/models';
import type { DatabaseEngine, DatabaseOutcome } from '../../../libs/tools/src/sql/databases/database-engine';
import { MysqlEngine } from '../../../libs/tools/src/sql/databases/mysql/mysql-engine';
import { guard as checkMysql } from '../../../libs/tools/src/sql/databases/mysql/mysql-guard';
import { GuardPool } from '../../../libs/tools/src/sql/databases/guard-pool';
import { PostgresEngine } from '../../../libs/tools/src/sql/databases/postgres/postgres-engine';
import { loadSqlJs } from '../../../libs/tools/src/sql/databases/sqlite/sql-js';
import { SqliteEngine } from '../../../libs/tools/src/sql/databases/sqlite/sqlite-engine';
import { guard as checkSqlite } from '../../../libs/tools/src/sql/databases/sqlite/sqlite-guard';
import type { Target } from '../../../libs/tools/src/sql/databases/target';
import { MariaDb } from '../mariadb';
import { startPostgres } from '../postgres-server';
import { statements, type TableOf } from './schema';

export interface FilledDatabase {
  readonly dialect: SqlDialect;
  /** Through the guard, and in a session that only reads. */
  ask(sql: string): Promise<DatabaseOutcome>;
  close(): Promise<void>;
}

const LIMITS = { rows: 5000, bytes: 5 * 1024 ** 2, cell: 32 * 1024, ms: 30_000 };
const never = new AbortController().signal;

function filled<T extends Target>(
  dialect: SqlDialect,
  engine: DatabaseEngine<T>,
  target: T,
  schemas: readonly string[],
  close: () => Promise<void>,
): FilledDatabase {
  return {
    dialect,
    close,
    async ask(sql) {
      const verdict = await engine.guard(sql, { schemas, routines: [] }, never);
      return verdict.kind === 'passed' ? engine.run(target, verdict.statement, LIMITS, never) : verdict;
    },
  };
}

export async function filledPostgres(tables: readonly TableOf[]): Promise<FilledDatabase> {
  const server = await startPostgres('18');
  const client = await server.connect();
  for (const schema of schemasOf(tables)) await client.query(`CREATE SCHEMA "${schema}"`);
  for (const statement of statements(tables, 'PostgreSQL')) await client.query(statement);
  await client.end();
  const guards = new GuardPool({ workers: 1 });
  const engine = new PostgresEngine({
    dial: async (to) => connect(to.port, to.host),
    guards,
    limits: { connectMs: 30_000 },
  });
  const { port, superuser: user } = server;
  const target = { engine: 'postgres', host: '127.0.0.1', port, user, password: new Secret('none'), database: 'postgres', tls: false } as const; // prettier-ignore
  return filled('PostgreSQL', engine, target, ['public', ...schemasOf(tables)], async () => {
    await guards.close();
    await server.stop();
  });
}

export async function filledMariaDb(tables: readonly TableOf[]): Promise<FilledDatabase> {
  const server = await MariaDb.start();
  await server.query('CREATE DATABASE questions');
  for (const schema of schemasOf(tables)) await server.query(`CREATE DATABASE \`${schema}\``);
  for (const statement of statements(tables, 'MariaDB')) await server.query(statement, 'questions');
  const engine = new MysqlEngine({
    dial: async (to) => connect(to.port, to.host),
    guards: { check: async (engine, sql, { schemas }) => checkMysql({ engine, sql, schemas }) },
    limits: { connectMs: 30_000 },
  });
  return filled('MariaDB', engine, server.target('questions'), ['questions', ...schemasOf(tables)], () =>
    server.stop(),
  );
}

export async function filledSqlite(tables: readonly TableOf[]): Promise<FilledDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-questions-'));
  const { Database } = await loadSqlJs();
  const made = new Database() as InstanceType<typeof Database> & { export(): Uint8Array };
  for (const statement of statements(
    tables.filter(({ schema }) => schema === undefined),
    'SQLite',
  ))
    made.run(statement);
  await writeFile(join(folder, 'questions.db'), made.export());
  made.close();
  const engine = new SqliteEngine({
    guards: { check: (_, sql, scope) => Promise.resolve(checkSqlite({ sql, schemas: scope.schemas })) },
    settings: { sqliteDir: folder, sqliteBytes: 50 * 1024 ** 2 },
    limits: { workers: 1, memoryMb: 128 },
  });
  return filled('SQLite', engine, { engine: 'sqlite', path: 'questions.db' }, ['main'], async () => {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  });
}

const schemasOf = (tables: readonly TableOf[]): string[] => [
  ...new Set(tables.flatMap(({ schema }) => (schema === undefined ? [] : [schema]))),
];
