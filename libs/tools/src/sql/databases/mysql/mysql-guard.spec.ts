import attacks from '../../../../../../test/fixtures/databases/mysql-attacks.json';
import honest from '../../../../../../test/fixtures/databases/mysql-honest.json';
import type { Verdict } from '../database-engine';
import { GuardPool } from '../guard-pool';
import { guard } from './mysql-guard';

const scope = {
  schemas: ['tienda', 'almacen'],
  routines: ['net_price', 'order_count'].map((name) => ({ schema: 'tienda', name })),
};
const never = new AbortController().signal;
const read = (sql: string, schemas: readonly string[] = scope.schemas) =>
  guard({ engine: 'mysql', sql, schemas }) as Verdict;
const everyAttack = Object.values(attacks).flat();
const everyHonest = [...Object.values(honest['on MariaDB']).flat(), ...honest['MySQL alone']];

describe('the guard of MySQL and MariaDB', () => {
  const guards = new GuardPool({ workers: 1 });
  afterAll(() => guards.close());
  const check = (sql: string) => guards.check('mysql', sql, scope, never);
  /** Those for which it holds. */
  const those = async (statements: readonly string[], kind: Verdict['kind']) => {
    const found = [];
    for (const sql of statements) {
      const verdict = await check(sql);
      if (verdict.kind === kind) found.push({ sql, verdict });
    }
    return found;
  };

  it('knows at least 200 attacks and 100 honest queries', () => {
    expect(new Set(everyAttack).size).toBeGreaterThanOrEqual(200);
    expect(new Set(everyHonest).size).toBeGreaterThanOrEqual(100);
  });

  it.each(Object.entries(attacks))('refuses: %s', async (_, statements) => {
    expect(await those(statements, 'passed')).toEqual([]);
  });

  it.each([...Object.entries(honest['on MariaDB']), ['only in MySQL', honest['MySQL alone']] as const])(
    'lets pass: %s',
    async (_, statements) => {
      expect(await those(statements, 'refused')).toEqual([]);
    },
  );

  it('refuses every attack also where it is hidden in an honest query', async () => {
    const hidden = everyAttack.flatMap((sql) => [
      `SELECT id FROM orders WHERE id IN (${sql})`,
      `SELECT id FROM orders UNION ${sql}`,
      `WITH q AS (${sql}) SELECT 1`,
      `SELECT 1; ${sql}`,
    ]);
    // A single word is the name of a column there, and what is empty leaves what surrounds it.
    const passed = await those(hidden, 'passed');
    expect(passed.filter(({ sql }) => !/IN \(\w+\)$|^SELECT 1; \s*(?:--[^\n]*|\/\*[^]*\*\/)?\s*$/.test(sql))).toEqual(
      [],
    );
  });

  it('says what is refused, and why', async () => {
    const told = async (sql: string) => {
      const verdict = await check(sql);
      return verdict.kind === 'refused' && [verdict.token, verdict.reason];
    };
    expect(await told("SELECT 1 INTO OUTFILE '/tmp/x'")).toEqual(['INTO', 'a query may only read']);
    expect(await told('SELECT SLEEP(3)')).toEqual(['SLEEP', 'this function is not allowed']);
    expect(await told('SELECT sys_exec(1)')).toEqual(['sys_exec', 'this function is not allowed']);
    expect(await told('DELETE FROM ledger')).toEqual(['DELETE', 'only a SELECT is run']);
    expect(await told('SELECT 1; DELETE FROM ledger')).toEqual([';', 'only one statement is run']);
    expect(await told('SELECT * FROM secreto.passwords')).toEqual([
      'secreto.passwords',
      'the schema of passwords is not one that may be read',
    ]);
    expect(await told("SELECT 'a' || 'b'")).toEqual(['||', expect.stringContaining('CONCAT')]);
    expect(await told('SELECT 1 FROM customers c FULL OUTER JOIN orders o ON 1')).toEqual(['FULL', expect.anything()]);
  });

  it('tells which functions of the database are called, and which may be although the server has one of that name', () => {
    const called = (sql: string) => {
      const verdict = read(sql);
      return verdict.kind === 'passed' && [verdict.statement.calls, verdict.statement.names?.functions];
    };
    expect(called('SELECT NET_PRICE(1, 2), `almacen`.`f`(1), SUM(1)')).toEqual([
      [
        { schema: 'tienda', name: 'NET_PRICE' },
        { schema: 'almacen', name: 'f' },
      ],
      [],
    ]);
    expect(called('SELECT ANY_VALUE(1)')).toEqual([[], ['any_value']]);
    expect(called('SELECT COUNT(*), SUM(total) OVER () FROM orders')).toEqual([[], []]);
  });

  it('lets nothing pass that a server is known to fall over', () => {
    for (const sql of [
      'SELECT a.id FROM orders a NATURAL JOIN paid_orders b ORDER BY tienda.nothing.id',
      'SELECT a.id FROM orders a JOIN (SELECT 1 AS id) b USING (id) WHERE x.nothing.id = 1',
      'SELECT (SELECT tienda.a.nothing) FROM (orders a NATURAL LEFT JOIN orders b)',
    ]) {
      expect(read(sql)).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining('NATURAL or USING') as string,
      });
      expect(read(sql.replace(/(?:tienda|x)\./, '')).kind).toBe('passed');
    }
    expect(read('SELECT tienda.a.id FROM orders a JOIN paid_orders b ON a.id = b.id').kind).toBe('passed');
  });

  it('takes schemas as they are written: another may differ only in its capitals', () => {
    expect(read('SELECT * FROM Tienda.customers').kind).toBe('refused');
    expect(read('SELECT * FROM t', []).kind).toBe('refused');
    for (const schema of ['mysql', 'INFORMATION_SCHEMA', 'performance_schema', 'sys']) {
      expect(read(`SELECT * FROM ${schema}.t`, [schema]).kind).toBe('refused');
      expect(read('SELECT * FROM t', [schema]).kind).toBe('refused');
    }
  });

  it('is done with the largest and the deepest statements', () => {
    const wide = `SELECT ${Array.from({ length: 2500 }, (_, i) => `c${i % 10}`).join(' + ')} FROM orders`;
    const queries = `SELECT * FROM ${'('.repeat(60)}SELECT 1${')'.repeat(60)} x`;
    expect(read(wide).kind).toBe('passed');
    expect(read(`SELECT ${'('.repeat(120)}1${')'.repeat(120)}`).kind).toBe('passed');
    expect(read(queries).kind).toBe('passed');
    expect(read(`SELECT 1 ${'/**/'.repeat(4000)}`).kind).toBe('passed');
    expect(read(`SELECT ${"'a' ".repeat(4000)}`).kind).toBe('passed');
    for (const part of ['(', '-', 'NOT ', 'CASE ', 'IF(', '(SELECT ', 'a.', 'INTERVAL ', "x'", '`', '/*']) {
      expect(read(`SELECT ${part.repeat(16_000 / part.length)}1`).kind).toBe('refused');
    }
  });
});
