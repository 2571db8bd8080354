import { Secret } from '@app/platform';
import { generateKeyPairSync } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { columnOf, END, FakeMysqlServer, OK, type Turn } from '../../../../../../test/support/fake-mysql-server';
import { MariaDb } from '../../../../../../test/support/mariadb';
import { MysqlEngine } from './mysql-engine';
import { tellSkipped } from '../../../../../../test/support/skipped';

const PASSWORD = 'S3CR3T-password';
const LIMITS = { rows: 100, bytes: 1024 ** 2, cell: 1024, ms: 500 };
const FAILED = { token: 'connection_failed' };
const never = new AbortController().signal;

const patient = (connectMs: number) =>
  new MysqlEngine({
    dial: async ({ port }) => connect(port, '127.0.0.1'),
    guards: { check: () => Promise.reject(new Error('nothing is guarded here')) },
    limits: { connectMs },
  });
const engine = patient(20_000);
/** For those that are waited for in vain. */
const impatient = patient(2000);
const hasty = patient(300);

describe('a MySQL server that means harm', () => {
  let server: FakeMysqlServer | undefined;
  let complaints: jest.SpyInstance[];
  const strays: unknown[] = [];
  const stray = (error: unknown) => strays.push(error);

  beforeEach(() => {
    complaints = [jest.spyOn(console, 'error').mockImplementation(), jest.spyOn(console, 'warn').mockImplementation()];
    process.on('uncaughtException', stray).on('unhandledRejection', stray);
  });
  afterEach(async () => {
    await server?.stop();
    process.off('uncaughtException', stray).off('unhandledRejection', stray);
    expect(strays).toEqual([]);
    for (const complaint of complaints) expect(complaint).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  const ask = async (
    behave: (turn: Turn) => void,
    options: Parameters<typeof FakeMysqlServer.start>[1] = {},
    by = engine,
  ) => {
    server = await FakeMysqlServer.start(behave, options);
    return by.run(server.target(PASSWORD), { sql: 'SELECT 1', schemas: ['tienda'], calls: [] }, LIMITS, never);
  };

  it('gets no file, but an empty packet and a closed socket', async () => {
    const told: Buffer[] = [];
    await expect(
      ask(({ number, packet, say }) => {
        told.push(packet);
        if (number === 0) say(OK);
        else if (number === 1) say('\xfb/etc/passwd');
      }),
    ).rejects.toMatchObject(FAILED);
    while (server!.closed === 0) await sleep(10);
    expect(told.slice(2)).toEqual([Buffer.alloc(0)]);
    expect(server!.closed).toBe(1);
  });

  it('is not told that files could be sent, nor that several statements could', async () => {
    let flags = 0;
    await expect(ask(({ packet, socket }) => {
      flags = packet.readUInt32LE(0);
      socket.destroy();
    })).rejects.toMatchObject(FAILED); // prettier-ignore
    expect({ files: flags & 0x80, statements: flags & 0x10000 }).toEqual({ files: 0, statements: 0 });
  });

  it.each([
    ['in its greeting', 'mysql_clear_password'],
    ['later', 'mysql_native_password'],
  ])('gets no password in clear text, asked for %s', async (_, plugin) => {
    await expect(
      ask(({ number, say }) => number === 0 && say('\xfemysql_clear_password\0'), { plugin }),
    ).rejects.toMatchObject(FAILED);
    expect(server!.received.toString('latin1')).not.toContain(PASSWORD);
  });

  it('gets it encrypted at most, by caching_sha2_password', async () => {
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
    const told: Buffer[] = [];
    await expect(
      ask(
        ({ number, packet, say }) => {
          told.push(packet);
          if (number === 0) say('\x01\x04');
          if (number === 1) say(`\x01${key.toString()}`);
        },
        { plugin: 'caching_sha2_password' },
      ),
    ).rejects.toMatchObject(FAILED);
    expect([told[1], told[2]?.length]).toEqual([Buffer.from([2]), 256]);
    expect(server!.received.toString('latin1')).not.toContain(PASSWORD);
  });

  it.each<[string, (turn: Turn) => void]>([
    ['says nothing', () => undefined],
    ['hangs up', ({ socket }) => socket.destroy()],
    ['counts its packets wrongly', ({ say }) => Array.from({ length: 1000 }, () => say(OK, 77))],
    ['talks when it is not asked', ({ say }) => Array.from({ length: 1000 }, () => say(OK))],
    ['sends noise', ({ say }) => say(Buffer.from(Array.from({ length: 300 }, (_, i) => (i * 7919) % 251)))],
    ['announces a packet that never comes', ({ socket }) => socket.write(Buffer.from([0xff, 0xff, 0xff, 1, 0]))],
    ['lets nobody in, in many words', ({ say }) => say(`\xff\x15\x04#28000Access denied for ${PASSWORD}`)],
    ['switches to a way that does not exist', ({ say }) => say('\xfetoString\0abc\0')],
    ['asks for the second factor', ({ say }) => say('\x02mysql_clear_password\0')],
  ])('%s: one text, in time', async (_, behave) => {
    await expect(ask(behave, {}, impatient)).rejects.toMatchObject(FAILED);
  });

  it('is not read further where its greeting does not end', async () => {
    const flood = createServer((socket) => {
      socket.on('error', () => undefined);
      const more = Buffer.alloc(1024 ** 2, 'A');
      const go = () => {
        while (socket.writable && socket.write(more));
      };
      socket.on('drain', go).write(Buffer.from([0xff, 0xff, 0xff, 0]));
      go();
    });
    await new Promise<void>((resolve) => flood.listen(0, '127.0.0.1', resolve));
    const { port } = flood.address() as AddressInfo;
    const sockets: ReturnType<typeof connect>[] = [];
    const watched = new MysqlEngine({
      dial: async (to) => {
        sockets.push(connect(to.port, '127.0.0.1'));
        return sockets.at(-1)!;
      },
      guards: { check: () => Promise.reject(new Error('nothing is guarded here')) },
      limits: { connectMs: 2000 },
    });
    const target = { engine: 'mysql', host: '127.0.0.1', port, user: 'ana', password: new Secret(PASSWORD), database: 'tienda', tls: false } as const; // prettier-ignore
    const statement = { sql: 'SELECT 1', schemas: ['tienda'], calls: [] };
    await expect(watched.run(target, statement, LIMITS, never)).rejects.toMatchObject({ detail: 'the server broke the protocol' }); // prettier-ignore
    expect(sockets.map(({ bytesRead }) => bytesRead < 1024 ** 2)).toEqual([true]);
    await new Promise((resolve) => flood.close(resolve));
  });

  it('answers what we ask with rows without end, and is left', async () => {
    const flood = (turn: Turn) => {
      turn.say('\x03');
      for (const name of ['a', 'b', 'c']) turn.say(columnOf(name));
      turn.say(END);
      const rows = Buffer.concat(Array.from({ length: 20_000 }, (_, i) => Buffer.from([3, 0, 0, (i + 6) & 0xff, 0, 0, 0]))); // prettier-ignore
      turn.socket.write(rows);
    };
    await expect(ask((turn) => (turn.number < 4 ? turn.say(OK) : flood(turn)))).rejects.toMatchObject(FAILED);
  });

  it('is left when it sends too much, whatever it is', async () => {
    const noise = Buffer.alloc(1024 ** 2);
    noise.writeUIntLE(0xffffff, 0, 3);
    const before = process.memoryUsage().rss;
    let written = 0;
    await expect(
      ask(({ number, socket, say }) => {
        if (number < 4) return say(OK);
        const pour = () => {
          while (!socket.destroyed && written < 1024 ** 3) {
            written += noise.length;
            if (!socket.write(noise)) return;
          }
        };
        socket.on('drain', pour);
        pour();
      }),
    ).rejects.toMatchObject(FAILED);
    expect(written).toBeLessThan(512 * 1024 ** 2);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 ** 2);
  });

  it('says that it does not keep to our reading of statements, and is not asked', async () => {
    const queries: string[] = [];
    const texts = (...words: string[]) => words.map((word) => String.fromCharCode(word.length) + word).join('');
    await expect(
      ask(({ number, packet, say }) => {
        if (number > 0) queries.push(packet.subarray(1).toString());
        if (number < 4) return say(OK);
        say('\x03');
        for (const name of ['a', 'b', 'c']) say(columnOf(name));
        say(END);
        say(texts('ANSI_QUOTES', 'UTC', 'UTC'));
        say(END);
      }),
    ).rejects.toMatchObject({ ...FAILED, detail: 'sql_mode stays ANSI_QUOTES' });
    expect(queries.some((sql) => sql.includes('SELECT 1'))).toBe(false);
  });
});

const reason = MariaDb.missing();
if (reason) tellSkipped(`a MariaDB whose answers are changed on the way: ${reason}`);

(reason ? describe.skip : describe)('a MariaDB whose answers are changed on the way', () => {
  let server: MariaDb;
  let between: Server;
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };

  beforeAll(async () => {
    server = await MariaDb.start();
    await server.query("CREATE DATABASE d; CREATE TABLE d.t (a INT, b VARCHAR(20), c DATETIME, d JSON); INSERT INTO d.t VALUES (1, 'x', NOW(), '{}'), (2, NULL, NULL, NULL)"); // prettier-ignore
    between = createServer((near) => {
      const far = connect(server.port, '127.0.0.1');
      let at = random(1500);
      near.on('error', () => far.destroy()).on('close', () => far.destroy());
      far.on('error', () => near.destroy()).on('close', () => near.destroy());
      near.pipe(far);
      far.on('data', (chunk) => {
        const changed = Buffer.from(chunk);
        for (let i = 0; i < 1 + random(3); i++) {
          if (at < changed.length) changed[(at + i) % changed.length] = random(256);
        }
        at -= changed.length;
        if (at < 0) at = random(600);
        near.write(changed);
      });
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    between?.close();
    await server?.stop();
  });

  it('gives rows or a reason, in time, and nothing falls over', async () => {
    const strays: unknown[] = [];
    const stray = (error: unknown) => strays.push(error);
    process.on('uncaughtException', stray).on('unhandledRejection', stray);
    const complaint = jest.spyOn(console, 'error').mockImplementation();
    const trace = jest.spyOn(console, 'trace').mockImplementation();
    const target = { ...server.target('d'), port: (between.address() as AddressInfo).port };
    const kinds: Record<string, number> = {};
    const one = async () => {
      const outcome = await hasty
        .run(
          target,
          { sql: 'SELECT * FROM t', schemas: ['d'], calls: [] },
          { ...LIMITS, ms: 300 },
          new AbortController().signal,
        )
        .catch((error: unknown) => ({ kind: (error as { token?: string }).token ?? String(error) }));
      kinds[outcome.kind] = (kinds[outcome.kind] ?? 0) + 1;
    };
    for (let round = 0; round < 8; round++) await Promise.all(Array.from({ length: 30 }, one));
    process.off('uncaughtException', stray).off('unhandledRejection', stray);
    expect(strays).toEqual([]);
    expect(complaint).not.toHaveBeenCalled();
    expect(trace).not.toHaveBeenCalled();
    jest.restoreAllMocks();
    expect(
      Object.keys(kinds).filter((kind) => !/^(?:rows|failed|refused|stopped|connection_failed)$/.test(kind)),
    ).toEqual([]);
    expect(kinds.connection_failed).toBeGreaterThan(10);
  });
});
