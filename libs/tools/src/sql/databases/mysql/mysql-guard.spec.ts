import attacks from '../../../../../../test/fixtures/databases/mysql/attacks.json';
import honest from '../../../../../../test/fixtures/databases/mysql/honest.json';
import { checkMysql } from './mysql-guard';

const scope = {
  schemas: ['tienda', 'almacen'],
  routines: ['net_price', 'order_count'].map((name) => ({ schema: 'tienda', name })),
};
const check = (sql: string) => checkMysql(sql, scope);
const everyAttack = Object.values(attacks).flat();
const everyHonest = [...Object.values(honest['on MariaDB']).flat(), ...honest['MySQL alone']];

describe('the guard of MySQL and MariaDB', () => {
  it('knows at least 200 attacks and 100 honest queries', () => {
    expect(new Set(everyAttack).size).toBeGreaterThanOrEqual(200);
    expect(new Set(everyHonest).size).toBeGreaterThanOrEqual(100);
  });

  it.each(Object.entries(attacks))('refuses: %s', (_, statements) => {
    expect(statements.filter((sql) => check(sql).kind !== 'refused')).toEqual([]);
  });

  it.each([...Object.entries(honest['on MariaDB']), ['only in MySQL', honest['MySQL alone']] as const])(
    'lets pass: %s',
    (_, statements) => {
      const refused = statements.flatMap((sql) => {
        const verdict = check(sql);
        return verdict.kind === 'passed' ? [] : [{ sql, ...verdict }];
      });
      expect(refused).toEqual([]);
    },
  );

  it('refuses every attack also where it is hidden in an honest query', () => {
    const hidden = everyAttack.flatMap((sql) => [
      `SELECT id FROM orders WHERE id IN (${sql})`,
      `SELECT id FROM orders UNION ${sql}`,
      `WITH q AS (${sql}) SELECT 1`,
      `SELECT 1; ${sql}`,
    ]);
    // A single word is the name of a column there, and what is empty leaves what surrounds it.
    const passed = hidden.filter((sql) => check(sql).kind === 'passed');
    expect(passed.filter((sql) => !/IN \(\w+\)$|^SELECT 1; \s*(?:--[^\n]*|\/\*[^]*\*\/)?\s*$/.test(sql))).toEqual([]);
  });

  it('says what is refused, and why', () => {
    expect(check("SELECT 1 INTO OUTFILE '/tmp/x'")).toEqual({
      kind: 'refused',
      token: 'INTO',
      reason: 'a query may only read',
    });
    expect(check('SELECT SLEEP(3)')).toEqual({
      kind: 'refused',
      token: 'SLEEP',
      reason: 'this function is not allowed',
    });
    expect(check('DELETE FROM ledger')).toMatchObject({ token: 'DELETE', reason: 'only a SELECT is run' });
    expect(check('SELECT 1; DELETE FROM ledger')).toMatchObject({ token: ';', reason: 'only one statement is run' });
    expect(check('SELECT * FROM secreto.passwords')).toMatchObject({ token: 'secreto.passwords' });
    expect(check("SELECT 'a' || 'b'")).toMatchObject({ token: '||' });
    expect(check('SELECT 1 FROM customers c FULL OUTER JOIN orders o ON 1')).toMatchObject({ token: 'FULL' });
  });

  it('tells which functions of the database are called, and which may be although the server has one of that name', () => {
    const calls = (sql: string) => {
      const verdict = check(sql);
      return verdict.kind === 'passed' && verdict.statement.calls;
    };
    expect(calls('SELECT NET_PRICE(1, 2), `tienda`.`order_count`(1), SUM(1)')).toEqual(scope.routines);
    expect(calls('SELECT ANY_VALUE(1)')).toEqual([{ schema: 'tienda', name: 'ANY_VALUE' }]);
    expect(calls('SELECT COUNT(*), SUM(total) OVER () FROM orders')).toEqual([]);
  });

  it('takes names as they are written: another schema may differ only in its capitals', () => {
    expect(check('SELECT * FROM Tienda.customers').kind).toBe('refused');
    expect(checkMysql('SELECT * FROM t', { schemas: [], routines: [] }).kind).toBe('refused');
    for (const schema of ['mysql', 'INFORMATION_SCHEMA', 'performance_schema', 'sys']) {
      expect(checkMysql(`SELECT * FROM ${schema}.t`, { schemas: [schema], routines: [] }).kind).toBe('refused');
      expect(checkMysql('SELECT * FROM t', { schemas: [schema], routines: [] }).kind).toBe('refused');
    }
  });

  it('is done with the largest and the deepest statements in no time', () => {
    const wide = `SELECT ${Array.from({ length: 2500 }, (_, i) => `c${i % 10}`).join(' + ')} FROM orders`;
    const deep = `SELECT ${'('.repeat(120)}1${')'.repeat(120)}`;
    const queries = `SELECT * FROM ${'('.repeat(60)}SELECT 1${') AS t'.replace(' AS t', ')'.slice(1)).repeat(60)} x`;
    expect(check(wide).kind).toBe('passed');
    expect(check(deep).kind).toBe('passed');
    expect(check(queries).kind).toBe('passed');
    expect(check(`SELECT ${'('.repeat(8000)}`).kind).toBe('refused');
    expect(check(`SELECT ${'-'.repeat(16000)}1`).kind).toBe('refused');
    expect(check(`SELECT ${'NOT '.repeat(4000)}1`).kind).toBe('refused');
    expect(check(`SELECT ${'CASE '.repeat(3000)}`).kind).toBe('refused');
    expect(check(`SELECT 1 ${'/**/'.repeat(4000)}`).kind).toBe('passed');
    expect(check(`SELECT ${"'a' ".repeat(4000)}`).kind).toBe('passed');
  });
});
