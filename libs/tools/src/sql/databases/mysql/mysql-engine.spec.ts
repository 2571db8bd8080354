import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MariaDb } from '../../../../../../test/support/mariadb';
import { ConnectionError } from '../connection-error';
import type { DatabaseLimits } from '../database-engine';
import { MysqlEngine } from './mysql-engine';
import { tellSkipped } from '../../../../../../test/support/skipped';

const reason = MariaDb.missing();
if (reason) tellSkipped(`MySQL's engine on a real MariaDB: ${reason}`);

const SCHEMA = join(__dirname, '../../../../../../test/fixtures/databases/mysql-shop.sql');
const LIMITS: DatabaseLimits = { rows: 1000, bytes: 5 * 1024 ** 2, cell: 32 * 1024, ms: 30_000 };
const LONG = 'SELECT /* a_long_one */ COUNT(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b WHERE a.seq + b.seq = 3';
const GONE_WITHIN_MS = 20_000;
const never = new AbortController().signal;

(reason ? describe.skip : describe)("MySQL's engine on a real MariaDB", () => {
  let server: MariaDb;
  const engine = new MysqlEngine({
    dial: async ({ host, port }) => connect(port, host),
    guards: { check: () => Promise.reject(new Error('nothing is guarded here')) },
    limits: { connectMs: 30_000 },
  });
  const run = (sql: string, limits: Partial<DatabaseLimits> = {}, signal = never) =>
    engine.run(server.target('tienda'), { sql, schemas: ['tienda'], calls: [] }, { ...LIMITS, ...limits }, signal);
  const rows = async (sql: string, limits: Partial<DatabaseLimits> = {}) => {
    const outcome = await run(sql, limits);
    if (outcome.kind !== 'rows') throw new Error(JSON.stringify(outcome));
    return outcome;
  };
  const running = async () =>
    (await server.query("SELECT id, info FROM information_schema.processlist WHERE info LIKE '%a_long_one%' AND info NOT LIKE '%processlist%'")).length; // prettier-ignore

  /** What is killed ends a moment later: what is left after that. */
  const left = async () => {
    const patience = AbortSignal.timeout(GONE_WITHIN_MS);
    for (;;) {
      const count = await running();
      if (count === 0 || patience.aborted) return count;
      await sleep(20);
    }
  };

  beforeAll(async () => {
    server = await MariaDb.start();
    await server.query(readFileSync(SCHEMA, 'utf8'));
    await server.query('ANALYZE TABLE tienda.customers');
  });
  afterAll(() => server?.stop());

  describe('values', () => {
    it('are exact', async () => {
      const { columns, rows: found } = await rows('SELECT * FROM exact ORDER BY id');
      const [first, second, third] = found.map((row) =>
        Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])),
      );
      expect(first).toEqual({
        id: 1,
        big: '9223372036854775807',
        ubig: '18446744073709551615',
        dec_: '1234567890123456789012345678.0123456789',
        f: 0.1,
        d: 0.1,
        b1: 1,
        b64: '18446744073709551615',
        bin: '0x00ff1020',
        vbin: '0xdeadbeef',
        bl: '0x626c6f62',
        dt: '2024-02-29 23:59:59.120',
        ts: '2024-07-01 12:00:00.000001',
        t: '838:59:59.00',
        dte: '9999-12-31',
        y: 2024,
        u: '123e4567-e89b-12d3-a456-426655440000',
        ip: '2001:db8::1',
        j: '{"a": 1, "big": 12345678901234567890, "l": [1, 2.5, "x"]}',
        txt: 'línea\ndos 😀',
        flag: 1,
        e: 'b',
        s: 'x,y',
        p: '0x000000000101000000000000000000f03f0000000000000040',
      });
      expect(second).toEqual({
        id: 2,
        big: '-9223372036854775808',
        ubig: 0,
        dec_: '-0.0000000001',
        f: -1.5,
        d: 1e300,
        b1: 0,
        b64: 0,
        bin: '0x00000000',
        vbin: '0x',
        bl: '0x',
        dt: '0000-00-00 00:00:00.000',
        ts: null,
        t: '-01:02:03.50',
        dte: '2024-00-00',
        y: 1901,
        u: null,
        ip: null,
        j: { a: [1, null, true] },
        txt: '',
        flag: 0,
        e: 'a',
        s: '',
        p: null,
      });
      expect(Object.values(third!)).toEqual([3, ...Array<null>(23).fill(null)]);
      expect(columns.map(({ type }) => type)).toEqual([
        ...['int', 'bigint', 'bigint unsigned', 'decimal(38,10)', 'float', 'double', 'bit(1)', 'bit(64)', 'binary(4)'],
        ...['varbinary(16)', 'blob', 'datetime(3)', 'timestamp(6)', 'time(2)', 'date', 'year', 'uuid', 'inet6', 'json'],
        ...['text', 'tinyint', 'enum', 'set', 'point'],
      ]);
    });

    it('keep the names of columns apart', async () => {
      const { columns } = await rows('SELECT 1 AS a, 2 AS a, 3 AS `a:1`, 4');
      expect(columns.map(({ name }) => name)).toEqual(['a', 'a:1', 'a:1:1', '4']);
    });

    it('come with the time zone of the server, which is kept', async () => {
      expect((await rows('SELECT 1')).timeZone).toBe('UTC');
      await server.query("SET GLOBAL time_zone = '+05:30'");
      const shifted = await rows('SELECT FROM_UNIXTIME(0), TIMEDIFF(NOW(), UTC_TIMESTAMP())');
      await server.query('SET GLOBAL time_zone = SYSTEM');
      expect([shifted.timeZone, shifted.rows]).toEqual(['+05:30', [['1970-01-01 05:30:00', '05:30:00']]]);
    });

    it('are read as our lexer reads, whatever the server is set to', async () => {
      await server.query("SET GLOBAL sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,ORACLE'");
      const found = await rows("SELECT \"a\", 'b\\'c'");
      await server.query("SET GLOBAL sql_mode = ''");
      expect(found.rows).toEqual([['a', "b'c"]]);
    });

    it('are as long as they are: lists, too', async () => {
      const { rows: found } = await rows('SELECT LENGTH(GROUP_CONCAT(seq)) FROM seq_1_to_20000');
      expect(found).toEqual([[108893]]);
    });
  });

  describe('limits', () => {
    it('cut rows, bytes and cells, and say which', async () => {
      const many = await rows('SELECT seq FROM seq_1_to_1000000', { rows: 10 });
      expect([many.rows.length, many.rows.at(-1), many.cutBy]).toEqual([10, [10], 'rows']);
      const asked = await rows('SELECT seq FROM seq_1_to_10000000 LIMIT 9000000', { rows: 10 });
      expect([asked.rows.length, asked.cutBy]).toEqual([10, 'rows']);
      const exactly = await rows('SELECT seq FROM seq_1_to_10', { rows: 10 });
      expect([exactly.rows.length, exactly.cutBy]).toEqual([10, undefined]);
      const heavy = await rows("SELECT REPEAT('x', 1000) FROM seq_1_to_1000", { bytes: 10_000 });
      expect([heavy.rows.length, heavy.cutBy]).toEqual([9, 'bytes']);
      const long = await rows("SELECT REPEAT('ñ', 100), '{}'", { cell: 10 });
      expect([long.rows, long.cutBy]).toEqual([[['ñññññññññ'.padEnd(10, 'ñ') + '…', '{}']], 'cell']);
    });

    it('count rows in the result and nowhere else', async () => {
      const { rows: found } = await rows(
        'WITH c AS (SELECT seq FROM seq_1_to_500) SELECT (SELECT COUNT(*) FROM (SELECT seq FROM c) d), COUNT(*) FROM c',
        { rows: 10 },
      );
      expect(found).toEqual([[500, 500]]);
      const union = await rows('SELECT seq FROM seq_1_to_5 UNION ALL SELECT seq FROM seq_1_to_5', { rows: 7 });
      expect([union.rows.length, union.cutBy]).toEqual([7, 'rows']);
    });

    it('end a statement that takes too long, on the server too', async () => {
      expect(await run(LONG, { ms: 300 })).toEqual({ kind: 'stopped', limit: 'time' });
      expect(await left()).toBe(0);
    });

    it('end it where the server does not end it by itself', async () => {
      const sql = `SET STATEMENT max_statement_time = 0 FOR ${LONG}`;
      expect(await run(sql, { ms: 300 })).toEqual({ kind: 'stopped', limit: 'time' });
      expect(await left()).toBe(0);
    });

    it('end it when its caller leaves', async () => {
      const caller = new AbortController();
      const asking = run(LONG, { ms: 60_000 }, caller.signal);
      while ((await running()) === 0) await sleep(20);
      caller.abort(new Error('gone'));
      await expect(asking).rejects.toThrow('gone');
      expect(await left()).toBe(0);
    });

    it('let nothing be brought here that cannot be kept', async () => {
      const outcome = await run("SELECT REPEAT('x', 12000000) FROM seq_1_to_1000 LIMIT 1000", { bytes: 1e9 });
      expect(outcome).toEqual({ kind: 'stopped', limit: 'memory' });
    });

    it('leave no connection behind', async () => {
      await Promise.all(Array.from({ length: 5 }, () => run('SELECT 1')));
      const others = 'SELECT id, command, state, info FROM information_schema.processlist WHERE id <> CONNECTION_ID()';
      const patience = AbortSignal.timeout(GONE_WITHIN_MS);
      let left = await server.query(others);
      while (left.length > 0 && !patience.aborted) {
        await sleep(20);
        left = await server.query(others);
      }
      expect(left).toEqual([]);
    });

    it('hold for a lock that somebody else has', async () => {
      const other = await server.connect('tienda');
      await other.query('LOCK TABLES ledger WRITE');
      expect(await run('SELECT * FROM ledger', { ms: 300 })).toEqual({ kind: 'stopped', limit: 'time' });
      await other.end();
      expect((await rows('SELECT COUNT(*) FROM ledger')).rows).toEqual([[2]]);
    });
  });

  describe('what goes wrong', () => {
    const failed = async (sql: string) => {
      const outcome = await run(sql);
      return outcome.kind === 'failed' ? outcome.message : outcome;
    };

    it('is told by number, a phrase of ours and the name at fault', async () => {
      expect(await failed('SELECT cityy FROM customers')).toBe('1054 (42S22): There is no such column. (cityy)');
      expect(await failed('SELECT c.nope FROM customers c')).toBe('1054 (42S22): There is no such column. (c.nope)');
      expect(await failed('SELECT 1 FROM pedidos')).toBe('1146 (42S02): There is no such table. (pedidos)');
      expect(await failed('SELECT id FROM customers JOIN orders ON 1')).toBe(
        '1052 (23000): The column is ambiguous: write its table before it. (id)',
      );
      expect(await failed('SELECT nope(1)')).toBe('1305 (42000): There is no such function. (nope)');
      expect(await failed('SELECT 1 FROM customers WHERE SUM(id) > 1')).toMatch(/^1111 .*HAVING/);
      expect(await failed('SELECT ROUND(1, 2, 3)')).toMatch(/^1582|^1064/);
      expect(await failed('SELECT 1 FORM customers')).toMatch(
        /^1064 \(42000\): The syntax is wrong near this\. \(customers/,
      );
      expect(await failed('SELECT (SELECT id FROM customers)')).toBe(
        '1242 (21000): A subquery gives more than one row.',
      );
      expect(await failed('SELECT 1 UNION SELECT 1, 2')).toMatch(/^1222 /);
      expect(await failed('SELECT 18446744073709551615 + 1')).toBe('1690 (22003): A number is out of range.');
    });

    it('quotes no data', async () => {
      for (const sql of [
        'SELECT CAST(word AS DATE) + INTERVAL 1 DAY FROM secreto.passwords',
        'SELECT EXP(LENGTH(word) * 1000) FROM secreto.passwords',
        "SELECT UPDATEXML(1, CONCAT('~', (SELECT word FROM secreto.passwords)), 1)",
        'SELECT (SELECT word FROM secreto.passwords) + 18446744073709551615 + 1',
        'SELECT ST_GeomFromText(word) FROM secreto.passwords',
      ]) {
        expect(JSON.stringify(await run(sql))).not.toContain('S3CR3T');
      }
    });

    it('about a connection is one text, whatever the reason', async () => {
      await server.query("CREATE USER ana@'%' IDENTIFIED BY 'S3CR3T-word'");
      const target = server.target('tienda');
      const reasons: string[] = [];
      const texts = await Promise.all(
        [
          server.target('tienda', 'ana', 'S3CR3T-wrong'),
          server.target('tienda', 'ana', 'S3CR3T-word'),
          server.target('tienda', 'S3CR3T-nobody', ''),
          server.target('nowhere'),
          { ...target, port: 1 },
          { ...target, tls: true },
        ].map(async (to) => {
          const error: unknown = await engine
            .run(
              to,
              { sql: 'SELECT 1', schemas: to.database === 'nowhere' ? ['nowhere'] : ['tienda'], calls: [] },
              LIMITS,
              never,
            )
            .catch((thrown: unknown) => thrown);
          if (!(error instanceof ConnectionError)) return error;
          reasons.push(error.detail ?? '');
          return `${error.token}: ${error.message}`;
        }),
      );
      expect(new Set(texts).size).toBe(1);
      expect(texts[0]).toMatch(/^connection_failed: /);
      expect(reasons.join()).not.toContain('S3CR3T');
      expect(reasons).toEqual(expect.arrayContaining([expect.stringContaining('ER_ACCESS_DENIED_ERROR')]));
    });

    it('is a server that goes away, and comes back', async () => {
      const lost = run(LONG, { ms: 60_000 });
      const failing = expect(lost).rejects.toMatchObject({ token: 'connection_failed' });
      while ((await running()) === 0) await sleep(20);
      await server.halt();
      await failing;
      await expect(run('SELECT 1')).rejects.toMatchObject({ token: 'connection_failed' });
      await server.restart();
      expect((await rows('SELECT 1')).rows).toEqual([[1]]);
    });
  });

  describe('the catalog', () => {
    const WISH = { tables: true, views: true, functions: true, procedures: true, maxObjects: 500 };

    it('tells tables, views, columns, comments, labels, keys and routines', async () => {
      const catalog = await engine.readCatalog(server.target('tienda'), { ...WISH, schemas: ['tienda'] }, never);
      expect(catalog).toMatchObject({
        product: expect.stringMatching(/^MariaDB \d+\.\d+\.\d+$/) as string,
        timeZone: 'UTC',
        schemas: ['tienda'],
        truncated: false,
      });
      const table = (name: string) => catalog.tables.find((one) => one.name === name);
      expect(catalog.tables.map(({ name }) => name)).toEqual([
        ...['customers', 'customer_totals', 'employees', 'exact', 'ledger', 'orders', 'order_items', 'paid_orders'],
        ...['prices', 'products', 'sales', 'Ventas Año'],
      ]);
      expect(table('customers')).toMatchObject({
        schema: 'tienda',
        kind: 'table',
        comment: 'Clientes de la tienda',
        rowEstimate: 5,
        primaryKey: ['id'],
        columns: expect.arrayContaining([
          { name: 'id', type: 'int(11)', nullable: false },
          { name: 'name', type: 'varchar(80)', nullable: false, comment: 'Nombre y apellidos' },
          { name: 'segment', type: 'enum', nullable: false, enumValues: ['particular', 'empresa', 'administración'] },
          { name: 'tags', type: "set('nuevo','vip','moroso')", nullable: false },
          { name: 'data', type: 'json', nullable: true },
        ]) as object,
      });
      expect(table('products')!.columns.at(-1)).toMatchObject({ name: 'status', enumValues: ['activo', 'agotado'] });
      expect(table('order_items')).toMatchObject({
        primaryKey: ['order_id', 'line'],
        foreignKeys: [
          { columns: ['order_id'], schema: 'tienda', table: 'orders', references: ['id'] },
          { columns: ['product_id'], schema: 'tienda', table: 'products', references: ['id'] },
        ],
      });
      expect(table('paid_orders')).toMatchObject({ kind: 'view', foreignKeys: [] });
      expect(table('paid_orders')!.comment).toBeUndefined();
      expect(catalog.routines.filter(({ name }) => /net_price|writer|wipe/.test(name))).toEqual([
        {
          schema: 'tienda',
          name: 'net_price',
          kind: 'function',
          signature: 'net_price(gross decimal(10,2), rate decimal(4,2)) returns decimal(10,2)',
          comment: 'Sin impuestos',
          callable: true,
        },
        {
          schema: 'tienda',
          name: 'wipe',
          kind: 'procedure',
          signature: 'wipe(dry tinyint(1), out deleted int(11))',
          callable: false,
        },
        { schema: 'tienda', name: 'writer', kind: 'function', signature: 'writer() returns int(11)', callable: false },
      ]);
    });

    it('has what is wished for, the own schema first, and no more than is allowed', async () => {
      const all = await engine.readCatalog(
        server.target('tienda'),
        { ...WISH, functions: false, procedures: false },
        never,
      );
      expect([all.schemas, all.routines]).toEqual([['tienda', 'almacen', 'secreto'], []]);
      const few = await engine.readCatalog(server.target('tienda'), { ...WISH, maxObjects: 3 }, never);
      expect([few.tables.length, few.routines.length, few.truncated]).toEqual([3, 0, true]);
      const views = await engine.readCatalog(server.target(), { ...WISH, tables: false, schemas: ['tienda', 'mysql', 'x'] }, never); // prettier-ignore
      expect([views.schemas, views.tables.map(({ name }) => name)]).toEqual([
        ['tienda'],
        ['customer_totals', 'paid_orders'],
      ]);
      expect(engine.dialectOf(all)).toBe('MariaDB');
      expect(engine.dialectOf({ ...all, product: 'MySQL 8.4.3' })).toBe('MySQL');
    });

    it('is sampled: values, bounds and keys of JSON; what cannot be read is left out', async () => {
      const samples = await engine.sample(
        server.target('tienda'),
        ['customers', 'nowhere', 'exact', 'Ventas Año'].map((name) => ({ schema: 'tienda', name })),
        never,
      );
      const column = (table: string, name: string) =>
        samples.find((one) => one.name === table)!.columns.find((one) => one.name === name);
      expect(column('customers', 'segment')).toEqual({
        name: 'segment',
        samples: ['particular', 'empresa', 'administración'],
        values: {
          list: [
            { value: 'particular', count: 2 },
            { value: 'empresa', count: 2 },
            { value: 'administración', count: 1 },
          ],
          complete: true,
        },
      });
      // Of few things each has a name of its own, which a question may say.
      expect(column('customers', 'name')!.values?.list).toHaveLength(5);
      expect(column('customers', 'born')).toMatchObject({ minimum: '1979-11-02', maximum: '2000-02-29' });
      expect(column('customers', 'data')).toEqual({
        name: 'data',
        samples: [],
        jsonKeys: ['address', 'address.city', 'address.zip', 'orders', 'likes'],
      });
      expect(column('exact', 'bl')).toEqual({ name: 'bl', samples: [] });
      expect(column('Ventas Año', 'Importe (€)')).toMatchObject({ minimum: '10.50', maximum: '20.25' });
    });
  });
});
