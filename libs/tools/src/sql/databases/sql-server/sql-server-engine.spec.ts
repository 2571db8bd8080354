/**
 * Against a fake that speaks TDS over a real socket and runs no SQL: what the adapter says on the wire, and how it
 * takes what comes back. Whether a SQL Server would agree is not shown here.
 */
import { Secret } from '@app/platform';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { TestAuthority } from '../../../../../../test/support/certificates';
import {
  FakeSqlServer,
  type Answer,
  type Asked,
  type FakeSqlServerOptions,
} from '../../../../../../test/support/fake-sql-server';
import * as tds from '../../../../../../test/support/tds-wire';
import type { DatabaseOutcome } from '../database-engine';
import type { DatabaseTarget } from '../target';
import { SqlServerEngine } from './sql-server-engine';
import { guard } from './sql-server-guard';

const PASSWORD = 'S3CR3T-pass';
const LIMITS = { rows: 1000, bytes: 5 * 1024 * 1024, cell: 32 * 1024, ms: 30_000 };
const signal = new AbortController().signal;
const FAILED = {
  token: 'connection_failed',
  message:
    'The database could not be connected to. Check its address, user, password and TLS; the server log says more.',
};

let server: FakeSqlServer;
afterEach(() => server.close());

const start = async (options: FakeSqlServerOptions = {}) =>
  (server = await FakeSqlServer.start({ password: PASSWORD, ...options }));

const answering = (answer: Answer, when = 'SELECT') => ({
  answer: ({ kind, sql }: Asked) => (kind === 'call' && sql.startsWith(when) ? answer : undefined),
});

const dial = ({ host, port }: DatabaseTarget): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => resolve(socket));
    socket.once('error', reject);
  });

const engine = (options: { ca?: string; login?: 'any'; connectMs?: number } = {}) =>
  new SqlServerEngine({
    dial,
    guards: { check: (_, sql, scope) => Promise.resolve(guard({ sql, schemas: scope.schemas })) },
    login: options.login ?? 'read_only',
    ca: options.ca,
    limits: { connectMs: options.connectMs ?? 20_000 },
  });

const target = (change: Partial<DatabaseTarget> = {}): DatabaseTarget => ({
  engine: 'sqlserver',
  host: '127.0.0.1',
  port: server.port,
  user: 'reader',
  password: new Secret(PASSWORD),
  database: 'shop',
  tls: false,
  ...change,
});

const run = (sql: string, limits = LIMITS, made = engine(), at = target(), stop = signal): Promise<DatabaseOutcome> =>
  made.run(at, { sql, schemas: ['dbo'], calls: [] }, limits, stop);

/** Numbers below `limit` that look random and are the same each time. */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % limit;
}

function* numbers(from = 1): Generator<readonly unknown[]> {
  for (let i = from; ; i++) yield [i];
}

describe('SqlServerEngine', () => {
  it('sends the statement as the value of a parameter, in a transaction that is taken back', async () => {
    await start(answering({ columns: [tds.int('uno')], rows: [[1], [null]] }));
    const sql = "SELECT 1 AS uno WHERE 'año''s' <> N'x'";
    expect(await run(sql)).toEqual({
      kind: 'rows',
      columns: [{ name: 'uno', type: 'int' }],
      rows: [[1], [null]],
      timeZone: '+01:00',
    });
    expect(server.logins).toEqual([
      { host: 'toolwright', user: 'reader', password: PASSWORD, application: 'toolwright', database: 'shop' },
    ]);
    expect(server.asked.filter(({ kind }) => kind === 'call')).toEqual([{ kind: 'call', sql, values: [] }]);
    const batches = server.asked.filter(({ kind }) => kind === 'batch').map((asked) => asked.sql);
    expect(batches).toHaveLength(3);
    expect(batches.join('\n')).not.toContain('uno');
    expect(batches[1]).toMatch(/SET LOCK_TIMEOUT 5000;[^]*SNAPSHOT;\s*BEGIN TRANSACTION;/);
    expect(batches[2]).toContain('ROLLBACK TRANSACTION');
  });

  it('gives values as they are', async () => {
    const columns = [
      tds.raw('big', 0x26, 8),
      tds.raw('price', 0x6a, 17, 38, 10),
      tds.raw('debt', 0x6c, 5, 9, 2),
      tds.raw('money', 0x6e, 8),
      tds.raw('small', 0x6e, 4),
      tds.raw('at', 0x2a, 7),
      tds.raw('there', 0x2b, 3),
      tds.raw('old', 0x6f, 8),
      tds.raw('minute', 0x6f, 4),
      tds.raw('day', 0x28),
      tds.raw('time', 0x29, 0),
      tds.raw('id', 0x24, 16),
      tds.raw('float', 0x6d, 8),
      tds.raw('real', 0x6d, 4),
      tds.bit('yes'),
      tds.varbinary('bytes'),
      tds.nvarchar('text'),
      tds.nvarcharMax('long'),
      tds.variant('any'),
      tds.int(''),
      tds.int('yes'),
    ];
    const row = [
      'ffffffffffffff7f',
      '014ef338de509049c4133302f0f6b04909',
      '0039300000',
      'ffffff7fffffffff',
      '18fcffff',
      '07c739af6d24490b',
      '3af7d30423490b7800',
      'c9b30000dea5d700',
      'c9b38402',
      'dab937',
      'a08c00',
      '00112233445566778899aabbccddeeff',
      '9a9999999999b93f',
      'cdcccc3d',
      true,
      '00ff',
      'ñandú 😀',
      'x'.repeat(10),
      '6a02120201d2040000000000000000000000000000',
      7,
      null,
    ];
    await start(answering({ columns, rows: [row] }));
    const found = await run('SELECT *');
    expect(found).toMatchObject({ kind: 'rows' });
    if (found.kind !== 'rows') return;
    const [values] = found.rows as [readonly unknown[]];
    expect(Object.fromEntries(found.columns.map(({ name, type }, i) => [name, [type, values[i]]]))).toEqual({
      big: ['bigint', '9223372036854775807'],
      price: ['decimal(38,10)', '1234567890123456789012345678.9012345678'],
      debt: ['numeric(9,2)', '-123.45'],
      money: ['money', '922337203685477.5807'],
      small: ['smallmoney', '-0.1000'],
      at: ['datetime2(7)', '2026-01-05 13:05:09.1234567'],
      there: ['datetimeoffset(3)', '2026-01-05 00:30:00.250 +02:00'],
      old: ['datetime', '2026-01-05 13:05:09.007'],
      minute: ['smalldatetime', '2026-01-05 10:44:00'],
      day: ['date', '9999-12-31'],
      time: ['time(0)', '10:00:00'],
      id: ['uniqueidentifier', '33221100-5544-7766-8899-AABBCCDDEEFF'],
      float: ['float', 0.1],
      real: ['real', 0.1],
      yes: ['bit', true],
      bytes: ['varbinary(8000)', '0x00ff'],
      text: ['nvarchar(4000)', 'ñandú 😀'],
      long: ['nvarchar(max)', 'xxxxxxxxxx'],
      any: ['sql_variant', '12.34'],
      column_20: ['int', 7],
      yes_1: ['int', null],
    });
  });

  it('stops reading at the limits, tells the server to stop, and lets go of the connection', async () => {
    await start(answering({ columns: [tds.int('n')], rows: numbers() }));
    expect(await run('SELECT n', { ...LIMITS, rows: 3 })).toMatchObject({ rows: [[1], [2], [3]], cutBy: 'rows' });
    await attentions(1);
    expect(await run('SELECT n', { ...LIMITS, bytes: 10 })).toMatchObject({ cutBy: 'bytes' });
    await attentions(2);
    await gone();
  });

  it('stops a statement that takes too long, whether or not the server listens', async () => {
    await start(answering('silence'));
    expect(await run('SELECT 1', { ...LIMITS, ms: 1000 })).toEqual({ kind: 'stopped', limit: 'time' });
    await attentions(1);
    await server.close();
    await start(answering('deaf'));
    expect(await run('SELECT 1', { ...LIMITS, ms: 1000 })).toEqual({ kind: 'stopped', limit: 'time' });
    await gone();
  });

  it('ends with the signal, at once', async () => {
    await start(answering('silence'));
    const controller = new AbortController();
    const running = run('SELECT 1', LIMITS, engine(), target(), controller.signal);
    const failed = expect(running).rejects.toThrow('enough');
    while (!server.asked.some(({ kind }) => kind === 'call')) await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort(new Error('enough'));
    await failed;
    await attentions(1);
    await gone();
  });

  it('says what is wrong by number and name, and nothing of the data', async () => {
    await start(answering({ error: 207, message: "Invalid column name 'preció'." }));
    expect(await run('SELECT x')).toEqual({ kind: 'failed', message: '207: there is no column preció.' });
    await server.close();
    await start(
      answering({
        error: 245,
        message: "Conversion failed when converting the varchar value 'S3CR3T' to data type int.",
      }),
    );
    expect(await run('SELECT x')).toEqual({ kind: 'failed', message: '245: a text is no number.' });
    await server.close();
    await start(answering({ error: 99_999, message: "'S3CR3T'" }));
    expect(await run('SELECT x')).toEqual({ kind: 'failed', message: '99999: the statement cannot be run.' });
  });

  it('gives one text for every way not to get in', async () => {
    await start();
    await expect(
      run('SELECT 1', LIMITS, engine(), target({ password: new Secret('S3CR3T-wrong') })),
    ).rejects.toMatchObject(FAILED);
    for (const misbehaviour of ['mute', 'noise', 'endless login', 'elsewhere'] as const) {
      await server.close();
      await start({ misbehaviour });
      await expect(run('SELECT 1', LIMITS, engine({ connectMs: 500 }))).rejects.toMatchObject(FAILED);
      await gone();
    }
    expect(server.connections).toBe(1);
  });

  it('names neither the password nor the user in what it tells the log', async () => {
    await start();
    const error = await run('SELECT 1', LIMITS, engine(), target({ password: new Secret('S3CR3T-wrong') })).catch(
      (thrown: unknown) => thrown,
    );
    expect(JSON.stringify([error, (error as Error).stack, (error as { detail: string }).detail])).not.toMatch(
      /S3CR3T|reader/,
    );
    expect((error as { detail: string }).detail).toContain('ELOGIN');
  });

  it('does not read a server for ever that does not stop sending', async () => {
    await start(answering('endless'));
    expect(await run('SELECT 1', { ...LIMITS, rows: 1_000_000_000, bytes: 1_000_000 })).toMatchObject({
      cutBy: 'bytes',
    });
    await gone();
  });

  it('says so where the connection is lost', async () => {
    await start(answering('hang up'));
    expect(await run('SELECT 1')).toEqual({ kind: 'failed', message: 'The connection was lost.' });
  });

  it('refuses a login that may write, and names the setting', async () => {
    await start({
      facts: ['dbo', '+00:00', null, 'INSERT, DELETE, '],
      ...answering({ columns: [tds.int('n')], rows: [[1]] }),
    });
    await expect(run('SELECT 1')).rejects.toMatchObject({
      token: 'connection_denied',
      message: expect.stringContaining('DATABASE_SQL_SERVER_LOGIN') as string,
    });
    expect(server.asked.some(({ kind }) => kind === 'call')).toBe(false);
    expect(await run('SELECT 1', LIMITS, engine({ login: 'any' }))).toMatchObject({
      rows: [[1]],
      notes: [expect.stringContaining('db_datareader')],
    });
  });

  it('reads what there is', async () => {
    const n = (name: string) => tds.nvarchar(name);
    const i = (name: string) => tds.int(name);
    const answers: readonly (readonly [
      part: string,
      columns: readonly tds.Column[],
      rows: readonly (readonly unknown[])[],
    ])[] = [
      ['ProductVersion', [n('v')], [['16.0.4135.4']]],
      [
        'FROM sys.partitions',
        [i('id'), n('s'), n('o'), n('t'), n('c'), tds.raw('rows', 0x26, 8)],
        [
          [1, 'dbo', 'Order Details', 'U', 'líneas', '0500000000000000'],
          [2, 'ventas', 'v_total', 'V', null, null],
        ],
      ],
      [
        'FROM sys.columns c JOIN sys.objects',
        [i('id'), n('c'), n('t'), i('l'), i('p'), i('s'), tds.bit('n'), n('d')],
        [
          [1, 'id', 'int', 4, 10, 0, false, null],
          [1, 'kind', 'nvarchar', 20, 0, 0, true, 'tipo'],
          [1, 'price', 'decimal', 9, 12, 2, true, null],
          [1, 'text', 'varchar', -1, 0, 0, true, null],
          [2, 'total', 'datetime2', 8, 27, 3, true, null],
        ],
      ],
      ['is_primary_key', [i('id'), n('c')], [[1, 'id']]],
      [
        'sys.foreign_key_columns',
        [i('id'), i('k'), n('c'), n('rs'), n('r'), n('rc')],
        [[1, 9, 'kind', 'ventas', 'kinds', 'code']],
      ],
      ['sys.check_constraints', [i('id'), n('d')], [[1, "([kind]='it''s' OR [kind]=N'big')"]]],
      [
        'sys.sql_modules',
        [i('id'), n('s'), n('o'), n('t'), n('c'), n('d'), i('e'), i('m')],
        [
          [3, 'dbo', 'net', 'FN', 'neto', 'CREATE FUNCTION dbo.net…', null, 1],
          [4, 'dbo', 'close_month', 'P', null, null, null, 1],
        ],
      ],
      [
        'sys.parameters',
        [i('id'), i('n'), n('p'), n('t'), i('l'), i('pr'), i('s')],
        [
          [3, 0, '', 'decimal', 9, 12, 2],
          [3, 1, '@gross', 'decimal', 9, 12, 2],
        ],
      ],
    ];
    await start({
      answer: ({ sql }) => {
        const found = answers.find(([part]) => sql.includes(part));
        return found && { columns: found[1], rows: found[2] };
      },
    });
    const wish = { tables: true, views: true, functions: true, procedures: true, maxObjects: 100 };
    const catalog = await engine().readCatalog(target(), { ...wish, schemas: ['dbo', "ven'tas"] }, signal);
    expect(catalog).toEqual({
      product: 'SQL Server 16.0.4135.4',
      timeZone: '+01:00',
      schemas: ['dbo', "ven'tas"],
      truncated: false,
      tables: [
        {
          schema: 'dbo',
          name: 'Order Details',
          kind: 'table',
          comment: 'líneas',
          rowEstimate: 5,
          columns: [
            { name: 'id', type: 'int', nullable: false },
            { name: 'kind', type: 'nvarchar(10)', nullable: true, comment: 'tipo', enumValues: ['big', "it's"] },
            { name: 'price', type: 'decimal(12,2)', nullable: true },
            { name: 'text', type: 'varchar(max)', nullable: true },
          ],
          primaryKey: ['id'],
          foreignKeys: [{ columns: ['kind'], schema: 'ventas', table: 'kinds', references: ['code'] }],
        },
        {
          schema: 'ventas',
          name: 'v_total',
          kind: 'view',
          columns: [{ name: 'total', type: 'datetime2(3)', nullable: true }],
          primaryKey: [],
          foreignKeys: [],
        },
      ],
      routines: [
        {
          schema: 'dbo',
          name: 'net',
          kind: 'function',
          signature: 'net(@gross decimal(12,2)) returns decimal(12,2)',
          comment: 'neto',
          callable: true,
        },
        { schema: 'dbo', name: 'close_month', kind: 'procedure', signature: 'close_month()', callable: false },
      ],
    });
    const asked = server.asked.filter(({ kind, sql }) => kind === 'call' && sql.includes('s.name IN'));
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.every(({ sql, values }) => !sql.includes('tas') && values.includes("ven'tas"))).toBe(true);
  });

  it('looks at the rows of tables, and leaves out what it cannot read', async () => {
    const columns = [tds.int('id'), tds.nvarchar('city'), tds.varbinary('photo')];
    const rows = Array.from({ length: 30 }, (_, n) => [n, n % 3 === 0 ? 'León' : 'Bilbao', '00ff']);
    await start({
      answer: ({ kind, sql }) =>
        kind !== 'call' ? undefined : sql.includes('secret') ? { error: 229, message: 'no' } : { columns, rows },
    });
    const names = ['secret', 'we]ird'].map((name) => ({ schema: 'dbo', name }));
    const samples = await engine().sample(target(), names, signal);
    expect(server.asked.map(({ sql }) => sql)).toContain('SELECT TOP (1001) * FROM [dbo].[we]]ird]');
    expect(samples).toEqual([
      {
        schema: 'dbo',
        name: 'we]ird',
        columns: [
          { name: 'id', samples: ['0', '1', '2', '3', '4'], minimum: '0', maximum: '29' },
          {
            name: 'city',
            values: {
              list: [
                { value: 'Bilbao', count: 20 },
                { value: 'León', count: 10 },
              ],
              complete: true,
            },
            samples: ['León', 'Bilbao'],
          },
          { name: 'photo', samples: [] },
        ],
      },
    ]);
  });

  it('lets no name without a schema mean a table of a schema that is not in scope', async () => {
    await start({
      facts: ['hr', '+00:00', 'dbo.elsewhere/', ''],
      ...answering({ columns: [tds.int('n')], rows: [[1]] }),
    });
    expect(await run('SELECT 1 FROM t')).toMatchObject({ kind: 'refused', token: 'hr' });
    expect(await run('SELECT 1 FROM dbo.t')).toMatchObject({ rows: [[1]] });
    expect(await run('SELECT 1 FROM dbo.t JOIN [DBO].[Elsewhere] e ON 1 = 1')).toMatchObject({
      kind: 'refused',
      token: 'Elsewhere',
    });
  });

  it('looks at the functions that a statement calls once more', async () => {
    const routine = (definition: string | null) => [1, 'dbo', 'net_price', 'FN', null, definition, null, 1];
    const columns = [
      tds.int('id'),
      tds.nvarchar('s'),
      tds.nvarchar('o'),
      tds.nvarchar('t'),
      tds.nvarchar('c'),
      tds.nvarchar('d'),
      tds.int('e'),
      tds.int('m'),
    ];
    const answers = (definition: string | null) => (asked: Asked) => {
      if (asked.sql.includes('sys.sql_modules')) return { columns, rows: [routine(definition)] };
      if (asked.sql.includes('ProductVersion')) return { columns: [tds.nvarchar('v')], rows: [['16.0']] };
      if (asked.sql.includes('sys.parameters')) return undefined;
      return asked.kind === 'call' ? { columns: [tds.int('n')], rows: [[1]] } : undefined;
    };
    const call = { sql: 'SELECT dbo.net_price(1)', schemas: ['dbo'], calls: [{ schema: 'dbo', name: 'Net_Price' }] };
    await start({ answer: answers('CREATE FUNCTION dbo.net_price(@a int) RETURNS int AS BEGIN RETURN @a END') });
    expect(await engine().run(target(), call, LIMITS, signal)).toMatchObject({ rows: [[1]] });
    for (const definition of [null, 'CREATE FUNCTION … EXEC master..xp_cmdshell']) {
      await server.close();
      await start({ answer: answers(definition) });
      expect(await engine().run(target(), call, LIMITS, signal)).toMatchObject({
        kind: 'refused',
        token: 'dbo.Net_Price',
      });
    }
  });

  it('outlives servers that say anything at any time', async () => {
    const random = seeded(7);
    const garbled = (bytes: Buffer) => {
      const copy = Buffer.from(bytes);
      for (let i = 0; i <= random(4); i++) copy[8 + random(Math.max(copy.length - 8, 1))] = random(256);
      return random(5) === 0 ? copy.subarray(0, random(copy.length)) : copy;
    };
    const round = async () => {
      let count = 0;
      const from = random(6);
      const rows = answering({ columns: [tds.int('n'), tds.nvarcharMax('t')], rows: [[1, 'x']] });
      const one = await FakeSqlServer.start({ ...rows, garble: (bytes) => (count++ < from ? bytes : garbled(bytes)) });
      const at = { ...target(), port: one.port };
      const ended = await run('SELECT 1', { ...LIMITS, ms: 300 }, engine({ connectMs: 300 }), at).then(
        ({ kind }) => kind,
        (error: { token?: string }) => error.token,
      );
      await one.close();
      return ended;
    };
    await start(answering({ columns: [tds.int('n')], rows: [[1]] }));
    const ends = new Set(await Promise.all(Array.from({ length: 60 }, round)));
    expect(
      [...ends].filter((end) => !['rows', 'failed', 'stopped', 'connection_failed'].includes(String(end))),
    ).toEqual([]);
    expect(await run('SELECT 1')).toMatchObject({ rows: [[1]] });
  });

  describe('TLS', () => {
    let authority: TestAuthority;
    let tls: { key: string; cert: string };
    let ca: string;

    beforeAll(() => {
      authority = new TestAuthority();
      ca = readFileSync(authority.file, 'utf8');
      tls = issued();
    });

    afterAll(() => authority.remove());

    const issued = (options?: { days: number }) => {
      const { key, certificate } = authority.issue(options);
      return { key, cert: certificate };
    };

    const onWire = () =>
      [tds.hiddenPassword(PASSWORD), Buffer.from(PASSWORD, 'utf16le'), Buffer.from(PASSWORD)].some((bytes) =>
        server.received.includes(bytes),
      );

    it('is used, with the chain and the name verified, where "ssl" asks for it', async () => {
      await start({ tls, ...answering({ columns: [tds.int('n')], rows: [[1]] }) });
      const at = target({ host: 'localhost', tls: true });
      expect(await run('SELECT 1', LIMITS, engine({ ca }), at)).toMatchObject({ rows: [[1]] });
      expect(server.logins[0]!.password).toBe(PASSWORD);
      expect(onWire()).toBe(false);
    });

    it('gives no password to a server with another name, of an unknown authority, or with a certificate that has expired', async () => {
      await start({ tls });
      await expect(run('SELECT 1', LIMITS, engine({ ca }), target({ tls: true }))).rejects.toMatchObject(FAILED);
      await expect(run('SELECT 1', LIMITS, engine(), target({ host: 'localhost', tls: true }))).rejects.toMatchObject(
        FAILED,
      );
      expect(server.logins).toEqual([]);
      await server.close();
      await start({ tls: issued({ days: -1 }) });
      await expect(
        run('SELECT 1', LIMITS, engine({ ca }), target({ host: 'localhost', tls: true })),
      ).rejects.toMatchObject(FAILED);
      expect(server.logins).toEqual([]);
      expect(onWire()).toBe(false);
    });

    it('gives no password to a server that does not encrypt, where "ssl" asks for it', async () => {
      await start();
      await expect(run('SELECT 1', LIMITS, engine({ ca }), target({ tls: true }))).rejects.toMatchObject({
        ...FAILED,
        detail: expect.stringContaining('does not encrypt') as string,
      });
      expect(server.logins).toEqual([]);
      expect(onWire()).toBe(false);
    });

    it('is used without "ssl" as well where the server has it, by any certificate', async () => {
      await start({ tls, ...answering({ columns: [tds.int('n')], rows: [[1]] }) });
      expect(await run('SELECT 1')).toMatchObject({ rows: [[1]] });
      expect(onWire()).toBe(false);
    });
  });

  const gone = () => becomes(() => server.open, 0);
  /** The server reads what it is told a moment after it was said. */
  const attentions = (count: number) => becomes(() => server.attentions, count);

  async function becomes(look: () => number, wanted: number): Promise<void> {
    const patience = AbortSignal.timeout(20_000);
    let found = look();
    while (found !== wanted && !patience.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      found = look();
    }
    expect(found).toBe(wanted);
  }
});
