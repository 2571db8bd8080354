/** Who may be at the other end: a server that wants a proof, one with TLS, and one that is no database at all. */
import { Secret } from '@app/platform';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TestAuthority } from '../../../../../../test/support/certificates';
import {
  describePostgres,
  dialLoopback,
  startPostgres,
  targetOn,
  type PostgresServer,
} from '../../../../../../test/support/postgres-server';
import { ConnectionError } from '../connection-error';
import type { DatabaseLimits } from '../database-engine';
import { GuardPool } from '../guard-pool';
import type { DatabaseTarget } from '../target';
import { PostgresEngine } from './postgres-engine';

const LIMITS: DatabaseLimits = { rows: 100, bytes: 1_000_000, cell: 1000, ms: 20_000 };
const guards = new GuardPool({ workers: 1 });
afterAll(() => guards.close());

const PASSWORD = 'S3CR3T-ñ/@:';
const statement = { sql: 'SELECT 1', schemas: ['public'], calls: [] };
const engineWith = (ca?: string, connectMs = 20_000) =>
  new PostgresEngine({ dial: dialLoopback, guards, ...(ca && { ca }), limits: { connectMs } });
const run = (engine: PostgresEngine, target: DatabaseTarget, ms = LIMITS.ms) =>
  engine.run(target, statement, { ...LIMITS, ms }, new AbortController().signal).catch((error: unknown) => error);
/** For those that are waited for in vain. */
const runHastily = (target: DatabaseTarget) => run(engineWith(undefined, 2000), target, 1000);

describePostgres('a server that asks for a password', (version) => {
  describe.each(['scram-sha-256', 'md5', 'password'] as const)('by %s', (auth) => {
    let server: PostgresServer;

    beforeAll(async () => {
      server = await startPostgres(version, {
        auth,
        settings: { password_encryption: auth === 'md5' ? 'md5' : 'scram-sha-256' },
      });
      const client = await server.connect();
      await client.query(`ALTER ROLE super PASSWORD '${PASSWORD}'`);
      await client.end();
    });
    afterAll(() => server.stop());

    it(
      auth === 'password' ? 'is refused: it goes out in clear through TLS alone' : 'is shown that we know it',
      async () => {
        const outcome = await run(engineWith(), targetOn(server, { password: new Secret(PASSWORD) }));
        if (auth === 'password') expect(outcome).toMatchObject({ token: 'connection_failed', detail: /in clear/ });
        else expect(outcome).toMatchObject({ rows: [[1]] });
      },
    );

    it.each([
      ['a wrong password', { password: new Secret('wrong') }],
      ['no password', { password: new Secret('') }],
      ['an unknown user', { user: 'nobody' }],
    ])('does not let %s in, and all are told alike', async (_, over) => {
      const outcome = await run(engineWith(), targetOn(server, { password: new Secret(PASSWORD), ...over }));
      expect(outcome).toBeInstanceOf(ConnectionError);
      expect((outcome as ConnectionError).message).toBe(ConnectionError.failed('').message);
      expect(JSON.stringify(outcome)).not.toContain('S3CR3T');
    });
  });
});

describePostgres(
  'TLS',
  (version) => {
    const authority = new TestAuthority();
    const stranger = new TestAuthority();
    const ca = readFileSync(authority.file, 'utf8');
    const servers: PostgresServer[] = [];

    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()));
      authority.remove();
      stranger.remove();
    });

    async function serverWith(names?: { name?: string; address?: string; days?: number }, by = authority) {
      const server = await startPostgres(version, { ...(names && { tls: by.issue(names) }), auth: 'password' });
      servers.push(server);
      const client = await server.connect();
      await client.query(`ALTER ROLE super PASSWORD '${PASSWORD}'`);
      await client.end();
      return server;
    }
    const secured = (server: PostgresServer, over: Partial<DatabaseTarget> = {}) =>
      targetOn(server, { password: new Secret(PASSWORD), tls: true, ...over });

    it('is used where the chain and the name are right, by name and by address', async () => {
      const server = await serverWith({ name: 'db.example.org', address: '127.0.0.1' });
      const engine = engineWith(ca);
      expect(await run(engine, secured(server))).toMatchObject({ rows: [[1]] });
      expect(await run(engine, secured(server, { host: 'db.example.org' }))).toMatchObject({ rows: [[1]] });
      expect(await run(engine, secured(server, { host: 'other.example.org' }))).toMatchObject({ detail: /altname/i });
      const unknown = await run(engineWith(), secured(server));
      expect(unknown).toMatchObject({ token: 'connection_failed', detail: /certificate/ });
      // A statement that is given up is cancelled through TLS as well.
      const slow = { ...statement, sql: `SELECT set_config('statement_timeout', '0', false), pg_sleep(60)` };
      const stopped = await engine.run(secured(server), slow, { ...LIMITS, ms: 100 }, new AbortController().signal);
      expect(stopped).toEqual({ kind: 'stopped', limit: 'time' });
      const witness = await server.connect();
      const left = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'toolwright'`;
      // The statement that nobody ended would sleep for as long as it is waited for.
      const patience = AbortSignal.timeout(20_000);
      let { rows } = await witness.query<{ n: number }>(left);
      while (rows[0]!.n > 0 && !patience.aborted) {
        await sleep(20);
        ({ rows } = await witness.query<{ n: number }>(left));
      }
      expect(rows).toEqual([{ n: 0 }]);
      await witness.end();
    });

    it.each([
      ['the server has none', undefined],
      ['the name is another', { name: 'localhost' }],
      ['the certificate has expired', { address: '127.0.0.1', days: -1 }],
    ])('is no connection where %s', async (_, names) => {
      const server = await serverWith(names);
      expect(await run(engineWith(ca), secured(server))).toMatchObject({ token: 'connection_failed' });
    });

    it('is no connection where somebody else has signed', async () => {
      const server = await serverWith({ address: '127.0.0.1' }, stranger);
      expect(await run(engineWith(ca), secured(server))).toMatchObject({ token: 'connection_failed' });
    });
  },
  ['18'],
);

/** A message of the server: its type, and its body. */
function message(type: string, ...parts: (string | number | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'number') {
        const four = Buffer.alloc(4);
        four.writeInt32BE(part);
        return four;
      }
      return typeof part === 'string' ? Buffer.from(`${part}\0`) : part;
    }),
  );
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const READY = Buffer.concat([message('R', 0), message('K', 1, 2), message('Z', Buffer.from('I'))]);
const NOTICE = message('N', Buffer.from('SNOTICE\0C00000\0Mhi\0\0'));
const scram = (iterations: number, nonce: string) =>
  message('R', 11, Buffer.from(`r=${nonce}x,s=${Buffer.from('salt').toString('base64')},i=${iterations}`));

describe('a server that means harm', () => {
  let server: Server;
  const sockets = new Set<Socket>();
  let received = '';

  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    server.close();
  });

  /** @param onData what it does with each thing it is sent, the first of which is the start-up message. */
  async function harmful(
    onData: (socket: Socket, data: Buffer, count: number) => void,
    options = {},
  ): Promise<DatabaseTarget> {
    received = '';
    server = createServer(options, (socket) => {
      let count = 0;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        received += data.toString('latin1');
        onData(socket, data, count++);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      engine: 'postgres',
      host: '127.0.0.1',
      port,
      user: 'u',
      password: new Secret(PASSWORD),
      database: 'd',
      tls: false,
    };
  }

  const flood = (socket: Socket, bytes: Buffer) => {
    const more = () => {
      while (!socket.destroyed && socket.write(bytes));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  };

  const HARM: [string, (socket: Socket, data: Buffer, count: number) => void, RegExp][] = [
    ['never answers', () => undefined, /long|abort|closed/],
    ['hangs up', (socket) => socket.destroy(), /./],
    ['speaks HTTP', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), /no place|longer/],
    ['asks for the password in clear', (socket) => socket.write(message('R', 3)), /in clear/],
    ['asks for a Kerberos ticket', (socket) => socket.write(message('R', 7)), /./],
    ['says that it is done before it asks', (socket, _, n) => n === 0 && socket.write(message('R', 12, 'v=x')), /./],
    ['promises a message of 2 GB', (socket) => socket.write(Buffer.from([0x45, 0x7f, 0xff, 0xff, 0xff])), /longer/],
    ['sends notices without end', (socket) => flood(socket, NOTICE), /aside/],
    [
      'sends notices once it is ready',
      (socket, _, n) => (n === 0 ? socket.write(READY) : flood(socket, NOTICE)),
      /aside/,
    ],
    ['goes silent once it is ready', (socket, _, n) => n === 0 && socket.write(READY), /let us in, and said nothing/],
    [
      'asks for a file',
      (socket, _, n) => socket.write(n === 0 ? READY : message('G', Buffer.from([0, 0, 0]))),
      /no place/,
    ],
    [
      'sends rows nobody asked for',
      (socket, _, n) => socket.write(n === 0 ? READY : message('D', Buffer.from([0, 0]))),
      /./,
    ],
    [
      'sends ready without end',
      (socket, _, n) => (n === 0 ? socket.write(READY) : flood(socket, message('Z', Buffer.from('I')))),
      /./,
    ],
    [
      'wants ten billion rounds of hashing',
      (socket, data, n) =>
        n === 0
          ? socket.write(message('R', 10, Buffer.from('SCRAM-SHA-256\0\0')))
          : socket.write(scram(2_000_000_000, /r=([^,]+)/.exec(data.toString('latin1'))![1]!)),
      /iteration/,
    ],
  ];

  it.each(HARM)('and %s is left in time', async (_, onData, detail) => {
    const target = await harmful(onData);
    const before = process.memoryUsage().rss;
    const outcome = await runHastily(target);
    if (outcome instanceof ConnectionError) expect(outcome.detail).toMatch(detail);
    else expect(outcome).toMatchObject({ kind: 'stopped' });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    expect(received).not.toContain('S3CR3T');
  });

  it('and goes silent once it is ready is not waited for with its catalog either', async () => {
    const target = await harmful((socket, _, n) => n === 0 && socket.write(READY));
    const wish = { tables: true, views: true, functions: true, procedures: true, maxObjects: 100 };
    const read = engineWith(undefined, 500).readCatalog(target, wish, new AbortController().signal);
    await expect(read).rejects.toMatchObject({
      token: 'connection_failed',
      detail: expect.stringMatching(/said nothing for 0\.5 seconds \(DATABASE_CONNECT_SECONDS\)/),
    });
  });

  it('and goes on with a statement that it was asked to end keeps no caller waiting, and nothing of ours', async () => {
    // It takes the requests to end it, and neither hangs up on those nor on the statement.
    const target = await harmful((socket, _, n) => n === 0 && socket.write(READY), { allowHalfOpen: true });
    const dialed: Socket[] = [];
    const dial = async (to: { readonly port: number }) => {
      const socket = await dialLoopback(to);
      dialed.push(socket);
      return socket;
    };
    const engine = new PostgresEngine({ dial, guards, limits: { connectMs: 500 } });
    expect(await run(engine, target)).toBeInstanceOf(ConnectionError);
    // The statement, and two of the five requests.
    expect(dialed.length).toBeLessThanOrEqual(3);
    while (dialed.length < 6 || dialed.some(({ destroyed }) => !destroyed)) await sleep(20);
  });

  it('cannot slip words in before TLS begins', async () => {
    const target = await harmful((socket) => socket.write(Buffer.concat([Buffer.from('S'), READY])));
    expect(await run(engineWith(), { ...target, tls: true })).toMatchObject({ detail: /not one byte/ });
  });

  it('gets no word of a statement before it has said that it is ready', async () => {
    const target = await harmful(() => undefined);
    await runHastily(target);
    expect(received).not.toMatch(/SELECT|BEGIN/);
    expect(received).toContain('user\0u\0');
  });
});
