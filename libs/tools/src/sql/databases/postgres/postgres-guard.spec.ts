/** The parser wall alone: no session and no server stands behind it here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GuardPool } from '../guard-pool';
import type { Verdict } from '../database-engine';

const fixture = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, '../../../../../../test/fixtures/databases', name), 'utf8')) as string[];

const guards = new GuardPool({ workers: 1 });
afterAll(() => guards.close());

const SCOPE = { schemas: ['public'], routines: [{ schema: 'public', name: 'neto' }] };
const check = (sql: string, scope = SCOPE): Promise<Verdict> =>
  guards.check('postgres', sql, scope, new AbortController().signal);

describe('the guard for PostgreSQL', () => {
  it('lets every honest question pass', async () => {
    const refused: unknown[] = [];
    const honest = fixture('postgres-honest.json');
    for (const sql of honest) {
      const verdict = await check(sql);
      if (verdict.kind === 'refused') refused.push([sql, verdict]);
    }
    expect(refused).toEqual([]);
    expect(honest.length).toBeGreaterThanOrEqual(100);
  });

  it('refuses every attack that is one by its words alone', async () => {
    const passed: string[] = [];
    for (const sql of fixture('postgres-attacks.json')) {
      if ((await check(sql)).kind === 'passed') passed.push(sql);
    }
    expect(passed).toEqual([]);
  });
});
