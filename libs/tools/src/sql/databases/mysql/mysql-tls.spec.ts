import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { TLSSocket } from 'node:tls';
import { TestAuthority, type Certificate } from '../../../../../../test/support/certificates';
import { FakeMysqlServer } from '../../../../../../test/support/fake-mysql-server';
import { MariaDb } from '../../../../../../test/support/mariadb';
import { MysqlEngine } from './mysql-engine';
import { tellSkipped } from '../../../../../../test/support/skipped';

const LIMITS = { rows: 100, bytes: 1024 ** 2, cell: 1024, ms: 30_000 };
const FAILED = { token: 'connection_failed' };
const PASSWORD = 'S3CR3T-password';
const never = new AbortController().signal;

describe('TLS with MySQL', () => {
  const authority = new TestAuthority();
  const engine = new MysqlEngine({
    dial: async ({ port }) => connect(port, '127.0.0.1'),
    guards: { check: () => Promise.reject(new Error('nothing is guarded here')) },
    limits: { connectMs: 30_000 },
    ca: readFileSync(authority.file, 'utf8'),
  });
  afterAll(() => authority.remove());

  const statement = (sql: string) => ({ sql, schemas: [], calls: [] });

  /** A server that begins TLS with a certificate, and what it hears after that. */
  async function heardBy(certificate: Certificate, host = 'localhost'): Promise<string> {
    let heard = '';
    const server = await FakeMysqlServer.start(
      ({ socket, rest }) => {
        if (socket.listenerCount('data') === 0) return;
        socket.removeAllListeners('data').pause();
        if (rest.length > 0) socket.unshift(rest);
        const { key, certificate: cert } = certificate;
        const secure = new TLSSocket(socket, { isServer: true, key, cert });
        secure
          .on('error', () => socket.destroy())
          .on('data', (chunk: Buffer) => {
            heard += chunk.toString('latin1');
            socket.destroy();
          });
      },
      { tls: true },
    );
    const target = { ...server.target(PASSWORD), host, tls: true };
    await expect(engine.run(target, statement('SELECT 1'), LIMITS, never)).rejects.toMatchObject(FAILED);
    await server.stop();
    return heard;
  }

  it('is begun with nobody but the server that was named, by an authority of the operator, in its time', async () => {
    expect(await heardBy(authority.issue())).toContain('ana');
    expect(await heardBy(authority.issue({ name: 'db.example.com' }))).toBe('');
    expect(await heardBy(authority.issue(), 'db.example.com')).toBe('');
    expect(await heardBy(authority.issue(), '127.0.0.1')).toBe('');
    expect(await heardBy(authority.issue({ days: -1 }))).toBe('');
    const other = new TestAuthority();
    expect(await heardBy(other.issue())).toBe('');
    other.remove();
  });

  it('is not done without where the server does not offer it: it hears no name and no password', async () => {
    const server = await FakeMysqlServer.start(() => undefined);
    const target = { ...server.target(PASSWORD), tls: true };
    await expect(engine.run(target, statement('SELECT 1'), LIMITS, never)).rejects.toMatchObject({
      ...FAILED,
      detail: expect.stringContaining('HANDSHAKE_NO_SSL_SUPPORT') as string,
    });
    expect(server.received).toHaveLength(0);
    await server.stop();
  });

  const reason = MariaDb.missing();
  if (reason) tellSkipped(`TLS with a real MariaDB: ${reason}`);
  (reason ? it.skip : it)('carries all that is said with a real server', async () => {
    const server = await MariaDb.start({ tls: authority.issue() });
    await server.query(`CREATE USER ana@'%' IDENTIFIED BY '${PASSWORD}' REQUIRE SSL`);
    const target = { ...server.target('', 'ana', PASSWORD), host: 'localhost' };
    await expect(
      engine.run({ ...target, tls: true }, statement("SHOW STATUS LIKE 'Ssl_version'"), LIMITS, never),
    ).resolves.toMatchObject({ rows: [['Ssl_version', 'TLSv1.3']] });
    await expect(engine.run(target, statement('SELECT 1'), LIMITS, never)).rejects.toMatchObject(FAILED);
    await server.stop();
  });
});
