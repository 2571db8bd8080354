/**
 * There is no SQL Server on a test machine: what is shown here is that the guard refuses every attack and no honest
 * query, not what a server would do with them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutatedStatements } from '../../../../../../test/support/mutated-statements';
import { tokensOf } from '../grammar/lexer';
import { T_SQL } from './t-sql';
import { guard, tablesOf } from './sql-server-guard';

const fixture = (name: string) =>
  JSON.parse(readFileSync(join(__dirname, '../../../../../../test/fixtures/databases', name), 'utf8')) as string[];
const attacks = fixture('sql-server-attacks.json');
const honest = fixture('sql-server-honest.json');

const SCHEMAS = ['dbo', 'ventas'];
/** As the catalog has them; who calls the guard compares. */
const ROUTINES = ['net_price', 'orders_of'];

/** Words that a statement of T-SQL begins with, but for SELECT and WITH; MERGE is a hint for a join as well. */
const BEGINNINGS = new Set(
  `ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE DELETE DENY DROP EXEC
   EXECUTE GOTO GRANT IF INSERT INTO KILL LOAD OPEN PRINT RAISERROR READTEXT RECONFIGURE RESTORE RETURN REVERT REVOKE
   ROLLBACK SAVE SET SETUSER SHUTDOWN TRUNCATE UPDATE UPDATETEXT USE WAITFOR WHILE WRITETEXT OPENROWSET OPENQUERY
   OPENDATASOURCE OPENXML`.split(/\s+/),
);

const wordsOf = (sql: string) =>
  tokensOf(sql, T_SQL.lexicon)
    .filter(({ kind }) => kind === 'word' || kind === 'symbol')
    .map(({ value }) => value);

function read(sql: string, schemas = SCHEMAS) {
  const verdict = guard({ sql, schemas });
  const unknown = verdict.kind === 'passed' && verdict.statement.calls.find(({ name }) => !ROUTINES.includes(name));
  return unknown ? { kind: 'refused' as const, token: unknown.name, reason: 'it is not known' } : verdict;
}

describe('the guard of SQL Server', () => {
  it('refuses every attack', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(200);
    expect(attacks.filter((sql) => read(sql).kind === 'passed')).toEqual([]);
  });

  it('refuses no honest query', () => {
    expect(honest.length).toBeGreaterThanOrEqual(100);
    expect(honest.map((sql) => ({ sql, ...read(sql) })).filter(({ kind }) => kind === 'refused')).toEqual([]);
  });

  it('sees a second statement behind every honest query, without a semicolon', () => {
    const hidden = honest
      .map((sql) => sql.replace(/;?\s*(?:--[^\n]*\n)?$/, ''))
      .flatMap((sql) => [' ', '\n', '\n;\n', ' /* x */ ', '\n-- x\n'].map((between) => sql + between))
      .flatMap((sql) =>
        ['DROP TABLE dbo.t', 'EXEC sp_who', 'SELECT 1', 'COMMIT', "WAITFOR DELAY '0:0:9'"].map((next) => sql + next),
      )
      .filter((sql) => read(sql).kind === 'passed');
    expect(hidden).toEqual([]);
  });

  it('lets nothing pass, of statements that are mixed, in which another statement could begin', () => {
    const passed = [...mutatedStatements([...honest, ...attacks], 15_000)].filter((sql) => read(sql).kind === 'passed');
    expect(passed.length).toBeGreaterThan(500);
    expect(passed.filter((sql) => wordsOf(sql).some((word) => BEGINNINGS.has(word)))).toEqual([]);
    const isBegun = (before: string | undefined) =>
      before === undefined || ['(', ')', 'UNION', 'ALL', 'EXCEPT', 'INTERSECT'].includes(before);
    const second = passed.filter((sql) =>
      wordsOf(sql).some((word, i, all) => word === 'SELECT' && !isBegun(all[i - 1])),
    );
    expect(second).toEqual([]);
    const afterParenthesis = passed.filter((sql) =>
      wordsOf(sql).some((word, i, all) => word === 'SELECT' && all[i - 1] === ')' && !all.slice(0, i).includes('WITH')),
    );
    expect(afterParenthesis).toEqual([]);
  });

  it.each([
    ['SELECT 1 DROP TABLE x', 'DROP'],
    ['SELECT * FROM master.dbo.x', 'master.dbo.x'],
    ['SELECT xp_cmdshell(1)', 'xp_cmdshell'],
    ['SELECT * FROM dbo.t WITH (XLOCK)', 'XLOCK'],
    ['SELECT * FROM hr.salaries', 'hr.salaries'],
    ['SELECT a INTO b FROM dbo.c', 'INTO'],
  ])('names what it refuses: %s', (sql, token) => expect(read(sql)).toMatchObject({ kind: 'refused', token }));

  it('has names without a schema stand for dbo alone', () => {
    expect(read('SELECT * FROM t', ['ventas'])).toMatchObject({ kind: 'refused', token: 't' });
    expect(read('SELECT * FROM t', ['dbo'])).toMatchObject({ kind: 'passed' });
    expect(tablesOf('WITH c AS (SELECT 1 AS x) SELECT * FROM c JOIN dbo.T ON 1 = 1, [u v]')).toEqual([
      { schema: 'dbo', name: 'T' },
      { name: 'u v' },
    ]);
  });

  it('tells functions of the database, as they are written', () => {
    expect(guard({ sql: 'SELECT dbo.Net_Price(1), [dbo].[x y](2)', schemas: SCHEMAS })).toMatchObject({
      statement: {
        calls: [
          { schema: 'dbo', name: 'Net_Price' },
          { schema: 'dbo', name: 'x y' },
        ],
      },
    });
  });
});
