import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Caller } from '@app/access';
import { loadConfig } from '@app/platform';
import { parquetTables, type ParquetTables } from '../../../../test/support/parquet-tables';
import { TableEngine } from './table-engine';
import { asJsonLines, type QueriedTable, type QueryOutcome, type QueryRows } from './table-query';

const CALLER: Caller = { organisationId: 'o' } as never;
const engineOf = (settings: NodeJS.ProcessEnv = {}) => new TableEngine(loadConfig(settings).sql);

describe('TableEngine', () => {
  const engine = engineOf();
  let files: ParquetTables;
  let sales: QueriedTable;
  let named: QueriedTable;
  let regions: QueriedTable;

  beforeAll(async () => {
    files = await parquetTables();
    sales = {
      sqlName: 'sales',
      file: await files.write(
        'sales',
        `SELECT i AS id, ['north', 'south', 'eAst'][i % 3 + 1] AS region, (i * 1.10)::DECIMAL(12, 2) AS amount,
           DATE '2024-01-01' + i::INT AS day FROM range(1, 3001) t(i)`,
      ),
    };
    named = { ...sales, sqlName: 'named', columns: ['id', 'region'] };
    regions = {
      sqlName: 'Regiones de España',
      file: await files.write('regions', `SELECT * FROM (VALUES ('north', 'Ana'), ('south', 'Íñigo')) t(region, jefe)`),
    };
  });
  afterAll(async () => {
    await engine.close();
    await files.close();
  });

  const run = (sql: string, tables: readonly QueriedTable[] = [sales, named, regions]) =>
    engine.run(CALLER, sql, tables);
  const rowsOf = async (sql: string) => {
    const outcome = await run(sql);
    if (outcome.kind !== 'rows') throw new Error(JSON.stringify(outcome));
    return outcome.rows;
  };

  describe('answers', () => {
    it('a SELECT over several tables, named as they are', async () => {
      expect(
        await rowsOf(
          `SELECT jefe, count(*), sum(amount) FROM sales JOIN "Regiones de España" USING (region) GROUP BY ALL ORDER BY 1`,
        ),
      ).toEqual([
        ['Ana', 1000, '1651650.00'],
        ['Íñigo', 1000, '1649450.00'],
      ]);
    });

    it.each([
      ['9007199254740993', '9007199254740993'],
      ['9007199254740991', 9007199254740991],
      ["'170141183460469231731687303715884105727'::HUGEINT", '170141183460469231731687303715884105727'],
      ['0.1 + 0.2', '0.3'],
      ['1234567890123456789.0123456789', '1234567890123456789.0123456789'],
      ["'NaN'::DOUBLE", 'NaN'],
      ["'-infinity'::DOUBLE", '-Infinity'],
      ['0.1::FLOAT', 0.1],
      ['1e-7::DOUBLE', 1e-7],
      ['NULL', null],
      ["''", ''],
      ['true', true],
      ["DATE '0044-03-15'", '0044-03-15'],
      ["TIMESTAMP '2024-02-29 23:59:59.123456'", '2024-02-29 23:59:59.123456'],
      ["TIME '25:00:00' IS NULL OR true", undefined],
      ["INTERVAL '26 hours'", '26:00:00'],
      ["INTERVAL '1 year 2 days'", '1 year 2 days'],
      ['[1, NULL, 9007199254740993]', [1, null, '9007199254740993']],
      ["{'a': 1.50, 'b': 'x'}", { a: '1.50', b: 'x' }],
      ["'\\xAB'::BLOB", '0xab'],
      ["chr(0) || '👩‍🚀 ñ'", '\u0000👩‍🚀 ñ'],
      ["'infinity'::DATE", 'infinity'],
      ["['-infinity'::DATE]", ['-infinity']],
      ["'infinity'::TIMESTAMP_S", 'infinity'],
      ["'-infinity'::TIMESTAMP_MS", '-infinity'],
      ["'infinity'::TIMESTAMP_NS", 'infinity'],
      ["'-infinity'::TIMESTAMPTZ", '-infinity'],
      ["DATE '0001-02-03 (BC)'", '0001-02-03 (BC)'],
      ["TIMESTAMP '0001-02-03 (BC) 04:05:06'", '0001-02-03 (BC) 04:05:06'],
      ["DATE '0002-02-03 (BC)'", '0002-02-03 (BC)'],
      ['[0.1::FLOAT]', [0.1]],
      ['[0.1::FLOAT]::FLOAT[1]', [0.1]],
      ["{'2': 0.1::FLOAT, '1': {'f': [0.1::FLOAT]}}", { '1': { f: [0.1] }, '2': 0.1 }],
      ['MAP {0.1::FLOAT: 0.2::FLOAT}', [[0.1, 0.2]]],
      ['union_value(f := 0.1::FLOAT)', 0.1],
    ])('%s without a loss', async (sql, expected) => {
      const outcome = await run(`SELECT ${sql} AS x`);
      if (expected === undefined) expect(outcome.kind).toMatch(/rows|failed/);
      else expect(outcome).toMatchObject({ kind: 'rows', rows: [[expected]] });
    });

    it.each(['(1, 2)', '[ROW(1, 2)]', "{'a': (1, 2)}", "MAP {'a': (1, 2)}", "{'__proto__': 1, 'b': 2}"])(
      '%s not at all rather than a part of it',
      async (sql) => {
        expect(await run(`SELECT ${sql} AS x`)).toMatchObject({
          kind: 'failed',
          message: expect.stringMatching(/parts have no names.*struct_pack/),
        });
      },
    );

    it('names columns of one name apart from every other', async () => {
      expect(await run('SELECT 1 AS a, 2 AS a, 3 AS "a:1", 4 AS a')).toMatchObject({
        columns: [{ name: 'a' }, { name: 'a:2' }, { name: 'a:1' }, { name: 'a:3' }],
      });
    });

    it('names two columns of one name apart, and says their types', async () => {
      expect(await run('SELECT 1 AS a, 2.50 AS a')).toMatchObject({
        columns: [
          { name: 'a', type: 'INTEGER' },
          { name: 'a:1', type: 'DECIMAL(3,2)' },
        ],
      });
    });

    it.each([
      'WITH big AS (SELECT * FROM sales WHERE amount > 100), best AS (SELECT * FROM big) SELECT count(*) FROM best',
      'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT max(n) FROM t',
      'FROM sales LIMIT 1',
      `SELECT region, sum(amount) FILTER (WHERE day > DATE '2024-06-01'), quantile_cont(amount, 0.5) FROM sales GROUP BY 1`,
      'SELECT *, row_number() OVER (PARTITION BY region ORDER BY amount DESC) AS r FROM sales QUALIFY r <= 2 ORDER BY ALL',
      `SELECT date_trunc('month', day), extract(year FROM day), strftime(day, '%Y-%m'), day + INTERVAL 1 MONTH FROM sales LIMIT 1`,
      `SELECT CASE WHEN region ILIKE 'N%' THEN upper(region) ELSE coalesce(region, '-') END FROM sales LIMIT 1`,
      'SELECT * FROM (VALUES (1, 2)) v(a, b), range(3) r(x)',
      'SELECT region FROM sales UNION ALL SELECT jefe FROM "Regiones de España" ORDER BY 1 LIMIT 2',
      'SELECT list_transform([1, 2], x -> x + 1), [x * 2 FOR x IN [1, 2]]',
      'SELECT * FROM sales WHERE region IN (SELECT region FROM "Regiones de España") LIMIT 1',
      "SELECT * FROM (PIVOT sales ON region IN ('north', 'south') USING sum(amount) GROUP BY id) LIMIT 1",
      'SELECT * FROM sales TABLESAMPLE reservoir(3) REPEATABLE (42)',
      'SELECT user FROM (SELECT region AS user FROM named)',
      'SELECT "user" FROM named AS n(id, "user")',
      'WITH n("user") AS (SELECT region FROM named) SELECT user FROM n',
      'SELECT 1; ',
      '-- a remark\nSELECT 1 /* and another */',
    ])('%s', async (sql) => {
      expect(await run(sql)).toMatchObject({ kind: 'rows' });
    });
  });

  describe('refuses, and names what', () => {
    it.each([
      ["SELECT * FROM read_csv('/etc/passwd')", 'read_csv'],
      ["SELECT * FROM read_text('/etc/passwd')", 'read_text'],
      ["SELECT * FROM glob('/*')", 'glob'],
      ["SELECT * FROM '/etc/passwd'", '/etc/passwd'],
      ["SELECT * FROM 'http://127.0.0.1:1/x.parquet'", 'http://127.0.0.1:1/x.parquet'],
      ["SELECT * FROM parquet_metadata('x')", 'parquet_metadata'],
      ["SELECT * FROM query('SELECT 1')", 'query'],
      ["SELECT * FROM query_table('sales')", 'query_table'],
      ["SELECT json_execute_serialized_sql('x')", 'json_execute_serialized_sql'],
      ["SELECT getenv('HOME')", 'getenv'],
      ["SELECT current_setting('memory_limit')", 'current_setting'],
      ['SELECT * FROM duckdb_settings()', 'duckdb_settings'],
      ['SELECT * FROM duckdb_secrets()', 'duckdb_secrets'],
      ['SELECT * FROM information_schema.tables', 'information_schema.tables'],
      ['SELECT * FROM pg_catalog.pg_class', 'pg_catalog.pg_class'],
      ['SELECT * FROM sqlite_master', 'sqlite_master'],
      ['SELECT * FROM duckdb_tables', 'duckdb_tables'],
      ['WITH duckdb_views AS (SELECT * FROM duckdb_views) SELECT * FROM duckdb_views', 'duckdb_views'],
      ['SELECT * FROM other_table', 'other_table'],
      ['WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a', 'b'],
      ['SELECT * FROM memory.main.sales', 'memory.sales'],
      ['SELECT * FROM sales AT (VERSION => 1)', 'AT'],
      ['SHOW TABLES', 'SHOW'],
      ['DESCRIBE sales', 'DESCRIBE'],
      ['SUMMARIZE sales', 'SUMMARY'],
      ['SELECT * FROM (DESCRIBE sales)', 'DESCRIBE'],
      ['PRAGMA database_list', 'PRAGMA'],
      ['CALL enable_logging()', 'CALL'],
      ['SET threads = 4', 'SET'],
      ['RESET threads', 'RESET'],
      ['SET VARIABLE a = 1', 'SET'],
      ["SELECT getvariable('a')", 'getvariable'],
      ["SELECT count(*) FROM sales\0 WHERE region = 'north'", '\\0'],
      ['SELECT 1;\0DELETE FROM sales', '\\0'],
      ['SELECT avg(amount) FROM sales TABLESAMPLE 10%', 'SAMPLE'],
      ['SELECT * FROM sales USING SAMPLE 3 ROWS', 'SAMPLE'],
      ['SELECT * FROM (SELECT id FROM sales) TABLESAMPLE reservoir(3)', 'SAMPLE'],
      ['SELECT reservoir_quantile(amount, 0.5) FROM sales', 'reservoir_quantile'],
      ['SELECT user, count(*) FROM named GROUP BY ALL', 'user'],
      ['SELECT "Current_User" FROM named', 'Current_User'],
      ["SELECT id FROM named WHERE session_user = 'duckdb'", 'session_user'],
      ['SELECT current_schema', 'current_schema'],
      ["ATTACH ':memory:' AS m", 'ATTACH'],
      ["COPY sales TO '/tmp/x.csv'", 'COPY'],
      ["EXPORT DATABASE '/tmp/x'", 'EXPORT'],
      ['INSTALL httpfs', 'INSTALL'],
      ['LOAD httpfs', 'LOAD'],
      ['CREATE TABLE t (a INT)', 'CREATE'],
      ['INSERT INTO sales VALUES (1)', 'INSERT'],
      ['UPDATE sales SET amount = 0', 'UPDATE'],
      ['DELETE FROM sales', 'DELETE'],
      ['DROP VIEW sales', 'DROP'],
      ['PREPARE p AS SELECT 1', 'PREPARE'],
      ['EXPLAIN SELECT 1', 'EXPLAIN'],
      ['BEGIN', 'BEGIN'],
      ['/* SELECT */ DELETE FROM sales', 'DELETE'],
      ['SELECT 1; DELETE FROM sales', ';'],
      ['SELECT 1; SELECT 2', ';'],
      ['SELECT 1;\n--\nSELECT 2', ';'],
      ['SELECT ?', '?'],
      ['SELECT $1', '?'],
      ['SELECT pg_sleep(1)', 'pg_sleep'],
      ['SELECT sleep_ms(1)', 'sleep_ms'],
      ["SELECT write_log('x')", 'write_log'],
      ["SELECT nextval('s')", 'nextval'],
      ["SELECT (SELECT max(content) FROM read_text('/etc/passwd'))", 'read_text'],
      ["SELECT * FROM sales WHERE EXISTS (FROM read_csv_auto('/etc/passwd'))", 'read_csv_auto'],
      ["SELECT * FROM sales ORDER BY (SELECT count(*) FROM glob('*'))", 'glob'],
      ["SELECT median(amount) FILTER (WHERE EXISTS (FROM glob('/*'))) FROM sales", 'glob'],
      ["SELECT avg((SELECT count(*) FROM read_blob('/etc/passwd'))) FROM sales", 'read_blob'],
      ["SELECT sum(id) OVER w FROM sales WINDOW w AS (ORDER BY (SELECT content FROM read_text('/x')))", 'read_text'],
      ["SELECT 1 LIMIT (SELECT count(*) FROM glob('/etc/*'))", 'glob'],
      ["SELECT list_transform([1], x -> (SELECT content FROM read_text('/etc/passwd')))", 'read_text'],
      ["SELECT * FROM sales POSITIONAL JOIN read_csv_auto('/etc/passwd')", 'read_csv_auto'],
      ['SELECT system.main.avg(amount) FROM sales', 'system.main.avg'],
      ["SELECT 'HOME'.getenv()", 'getenv'],
      ["SELECT * REPLACE (getenv('HOME') AS region) FROM sales", 'getenv'],
      ['SELECT regr_slope(amount) + json_serialize_plan(region) FROM sales', 'json_serialize_plan'],
      ["SELECT json_deserialize_sql('{}')", 'json_deserialize_sql'],
      ['CREATE MACRO avg(x) AS 1', 'CREATE'],
      ["SET allowed_paths = ['/']", 'SET'],
    ])('%s', async (sql, token) => {
      const outcome = await run(sql);
      expect(outcome.kind).toMatch(/^(refused|failed)$/);
      if (outcome.kind === 'refused') expect(outcome.token.toLowerCase()).toBe(token.toLowerCase());
      else expect(outcome).toMatchObject({ message: expect.stringMatching(/^Parser Error/) });
    });

    it('and writes nothing, reads nothing and connects nowhere meanwhile', async () => {
      let connections = 0;
      const server = createServer((_, response) => response.end()).on('connection', () => connections++);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      const secret = join(files.folder, 'secret.csv');
      writeFileSync(secret, 'a\nS3CR3T\n');
      const before = readdirSync(files.folder);
      for (const sql of [
        `SELECT * FROM read_csv('${secret}')`,
        `SELECT * FROM '${secret}'`,
        `COPY sales TO '${join(files.folder, 'stolen.csv')}'`,
        `SELECT * FROM 'http://127.0.0.1:${port}/x.csv'`,
        `SELECT * FROM read_csv('http://127.0.0.1:${port}/x.csv')`,
        `ATTACH '${join(files.folder, 'new.db')}'`,
      ]) {
        const outcome = await run(sql);
        expect(outcome.kind).toBe('refused');
        expect(JSON.stringify(outcome)).not.toContain('S3CR3T');
      }
      server.close();
      expect(connections).toBe(0);
      expect(readdirSync(files.folder)).toEqual(before);
      expect(existsSync(join(files.folder, 'stolen.csv'))).toBe(false);
    });

    it('a number that is too large, as one that the engine cannot read', async () => {
      for (const sql of ['SELECT 1e400', 'SELECT id FROM sales WHERE amount < -1e999']) {
        expect(await run(sql)).toEqual({
          kind: 'failed',
          message: 'Parser Error: A number in the statement is too large.',
        });
      }
    });

    it('a statement that is too long', async () => {
      expect(await run(`SELECT ${'1+'.repeat(10_000)}1`)).toMatchObject({ kind: 'refused' });
    });
  });

  it('keeps the tables of one query from the next', async () => {
    expect(await run('SELECT count(*) FROM sales', [sales])).toMatchObject({ kind: 'rows', rows: [[3000]] });
    expect(await run('SELECT count(*) FROM sales', [regions])).toMatchObject({ kind: 'refused', token: 'sales' });
  });

  it.each([
    ['SELECT amuont FROM sales', /amuont[^]*amount/],
    ['SELEC 1', /^Parser Error: /],
    ['SELECT region::INTEGER FROM sales', /Conversion Error/],
    ['SELECT sum(region) FROM sales', /Binder Error/],
    ['', /^$/],
  ])('says what is wrong with %s, and not where the tables lie', async (sql, message) => {
    const outcome = await run(sql);
    expect(JSON.stringify(outcome)).not.toContain(files.folder);
    if (sql === '') expect(outcome).toMatchObject({ kind: 'refused' });
    else expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringMatching(message) });
  });

  it('tells a table that is gone from a wrong statement', async () => {
    const gone = { sqlName: 'gone', file: join(files.folder, 'no.parquet') };
    expect(await run('SELECT * FROM gone', [sales, gone])).toEqual({ kind: 'unreadable', file: gone.file });
  });

  it('does not say so of one that the statement does not name', async () => {
    const gone = { sqlName: 'gone', file: join(files.folder, 'no.parquet') };
    expect(await run('SELECT count(*) AS n FROM sales', [sales, gone])).toMatchObject({ kind: 'rows' });
  });

  it('knows a damaged table from a wrong statement', async () => {
    const damaged = { sqlName: 'damaged', file: join(files.folder, 'damaged.parquet') };
    writeFileSync(damaged.file, 'PAR1 and nothing of a table PAR1');
    expect(await run('SELECT * FROM damaged', [damaged])).toEqual({ kind: 'unreadable', file: damaged.file });
    expect(await run('SELECT none FROM sales', [sales, damaged])).toMatchObject({ kind: 'failed' });
  });

  describe('stops at its limits', () => {
    it('of rows, bytes and the length of a text, and says which', async () => {
      const small = engineOf({ SQL_MAX_ROWS: '10', SQL_MAX_RESULT_MB: '1' });
      const cut = async (sql: string) =>
        (await small.run(CALLER, sql, [sales])) as Extract<QueryOutcome, { kind: 'rows' }>;
      expect(await cut('FROM sales LIMIT 10')).not.toHaveProperty('cutBy');
      const rows = await cut('FROM sales');
      expect(rows.rows).toHaveLength(10);
      expect(rows.cutBy).toBe('rows');
      expect(await cut("SELECT lpad('', 40000, 'x') AS x FROM sales LIMIT 2")).toMatchObject({ cutBy: 'cell' });
      expect(await cut("SELECT [lpad('', 300000, 'x')] AS x FROM sales LIMIT 9")).toMatchObject({ cutBy: 'bytes' });
      await small.close();
    });

    it('of bytes, which names of columns count for with every row', async () => {
      const small = engineOf({ SQL_MAX_RESULT_MB: '1' });
      const name = 'n'.repeat(10_000);
      const found = await small.run(CALLER, `SELECT 1 AS "${name}" FROM range(1000)`, []);
      expect(found).toMatchObject({ cutBy: 'bytes' });
      expect(asJsonLines(found as QueryRows).join('\n').length).toBeLessThan(2 ** 20);
      await small.close();
    });

    const RUNAWAY = 'SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range = 7';

    it.each([RUNAWAY, "SELECT length(lpad('', 2000000000, 'x')) + sum(a.range) FROM range(1000000000) a"])(
      'of time, and is whole afterwards: %s',
      async (sql) => {
        const hasty = engineOf({ SQL_SECONDS: '1', SQL_WORKERS: '1' });
        const outcome = await hasty.run(CALLER, sql, [sales]);
        expect(outcome.kind).toBe('stopped');
        expect(await hasty.run(CALLER, 'SELECT count(*) FROM sales', [sales])).toMatchObject({ rows: [[3000]] });
        await hasty.close();
      },
    );

    it('of memory, without a file beside it', async () => {
      const poor = engineOf({ SQL_MEMORY_MB: '32', SQL_SECONDS: '30' });
      expect(await poor.run(CALLER, 'SELECT * FROM range(30000000) t(a) ORDER BY hash(a), a DESC', [sales])).toEqual({
        kind: 'stopped',
        limit: 'memory',
      });
      expect(existsSync('.tmp')).toBe(false);
      await poor.close();
    });

    it('when whoever asked is gone', async () => {
      const gone = new AbortController();
      const running = engine.run(CALLER, RUNAWAY, [sales], gone.signal);
      setTimeout(() => gone.abort(new Error('gone')), 200);
      await expect(running).rejects.toThrow('gone');
    });
  });
});
