/** The child's side of the SQL guards: one statement at a time, read by the grammar of its engine. */
import { createRequire } from 'node:module';
import type { Verdict } from './database-engine';
import type { EngineName } from './target';

/**
 * What a guard is asked: without the routines in scope, which may be thousands; its caller compares them with `calls`.
 */
export interface GuardedStatement {
  readonly engine: EngineName;
  readonly sql: string;
  readonly schemas: readonly string[];
}

export type GuardTask = GuardedStatement | { readonly warm: EngineName };

/**
 * The `guard` that each engine's module exports, and `ready` where it has something to load. `calls` of what passed are all routines that are not the engine's
 * own, with an empty schema where the name has none.
 */
export type StatementGuard = (statement: GuardedStatement) => Verdict | Promise<Verdict>;

/** Loaded when they are first asked for: each parser is large. */
const GUARDS: Partial<Record<EngineName, string>> = {
  postgres: './postgres/postgres-guard',
  mysql: './mysql/mysql-guard',
  sqlserver: './sql-server/sql-server-guard',
  sqlite: './sqlite/sqlite-guard',
};

// Not import(): see `child-main`.
const load = createRequire(__filename);

export async function handle(task: GuardTask): Promise<Verdict> {
  const engine = 'warm' in task ? task.warm : task.engine;
  const file = GUARDS[engine];
  if (!file) return { kind: 'refused', token: '', reason: `statements for ${engine} are not run` };
  const { guard, ready } = load(file) as { guard: StatementGuard; ready?: () => Promise<void> };
  await ready?.();
  if ('warm' in task) return { kind: 'refused', token: '', reason: 'there is no statement' };
  return guard(task);
}
