import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { loadConfig } from '../config/config';
import { createLogger } from '../logging/logger';
import { createTestDatabase, runIn, type TestDatabase } from '../../../../test/support/database';
import { eventually } from '../../../../test/support/eventually';
import { isDatabaseDown } from './database-errors';
import { openDatabase } from './open-database';
import { CreateAccess1796061600000 } from '../../../../migrations/1796061600000-create-access';

/** A query that meets a connection which is just going may fail, and says so; soon none does. */
const eventuallyRuns = (query: () => Promise<unknown>) =>
  eventually(() =>
    query().then(
      () => true,
      (error: unknown) => {
        if (isDatabaseDown(error)) return false;
        throw error;
      },
    ),
  );

describe('openDatabase with DATABASE_URL', () => {
  const logger = createLogger({ logging: { level: 'silent' } });
  const open = (url: string) =>
    openDatabase(loadConfig({ DATABASE_URL: url }), {
      entities: [],
      migrations: [CreateAccess1796061600000],
      logger,
    });
  const cannotBeUsed = (why: string) =>
    `Error: The database at DATABASE_URL cannot be used: ${why}. Correct DATABASE_URL, or mend that there.`;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('runs the migrations once, also when several processes start together', async () => {
    const opened = await Promise.all([open(database.url), open(database.url), open(database.url)]);
    const rows = await opened[0].dataSource.query('SELECT name FROM migrations');
    expect(rows).toEqual([{ name: 'CreateAccess1796061600000' }]);
    expect(await opened[2].dataSource.query('SELECT count(*)::int AS n FROM organisations')).toEqual([{ n: 0 }]);
    await Promise.all(opened.map((each) => each.close()));
  });

  it('lets no statement run for ever', async () => {
    const { dataSource, close } = await open(database.url);
    expect(await dataSource.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '30s' }]);
    expect(await dataSource.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '10s' }]);
    await close();
  });

  it('lives through the loss of every connection', async () => {
    const { dataSource, close } = await open(database.url);
    const cut =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() ORDER BY pid = pg_backend_pid()';
    const sleeping = dataSource.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    const asleep = "SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'";
    await eventually(async () => (await dataSource.query(asleep)).length > 0);
    await dataSource.query(cut).catch(() => undefined);
    expect(isDatabaseDown(await sleeping)).toBe(true);
    await eventuallyRuns(() => dataSource.query('SELECT 1'));
    await close();
  });

  it('gives up soon on a host where nothing listens, and on one that never answers', async () => {
    const silent = createServer(() => undefined);
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const gone = createServer();
    await once(gone.listen(0, '127.0.0.1'), 'listening');
    const [silentPort, gonePort] = [silent, gone].map((server) => (server.address() as AddressInfo).port);
    await once(gone.close(), 'close');
    const messages = [silentPort, gonePort].map(async (port) => {
      const error = await open(`postgresql://u:S3CR3T@127.0.0.1:${port}/d`).catch((thrown: unknown) => thrown);
      return String(error);
    });
    expect(await Promise.all(messages)).toEqual([
      cannotBeUsed('it does not answer'),
      cannotBeUsed('nothing listens there'),
    ]);
    silent.close();
  });

  it('says what is wrong with DATABASE_URL, and nothing that is in it', async () => {
    const url = new URL(database.url);
    url.pathname = '/S3CR3T_database';
    const missing = await open(url.href).catch((error: unknown) => error);
    expect(String(missing)).toBe(cannotBeUsed('it has no database of that name'));
    expect(JSON.stringify(missing) + (missing as Error).stack + String((missing as Error).cause)).not.toContain(
      'S3CR3T',
    );
  });

  /** An empty database for one start, its URL with more in it; resolves to how the start failed. */
  async function failure(options: { readonly with?: string; readonly sql?: string; readonly query?: object }) {
    const own = await createTestDatabase(options.with);
    try {
      if (options.sql) await runIn(own, options.sql);
      const url = new URL(own.url);
      for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value));
      return await open(url.href).then(
        async (opened) => (await opened.close(), 'it was opened'),
        (error: unknown) => String(error),
      );
    } finally {
      await own.drop();
    }
  }

  it.each([
    [
      'a database that cannot be written to',
      { query: { options: '-c default_transaction_read_only=on' } },
      'it can only be read (a standby, or default_transaction_read_only)',
    ],
    ['TLS that is not there', { query: { sslmode: 'verify-full' } }, 'it does not speak TLS, which sslmode asks for'],
    [
      'a file of certificates that is not there',
      { query: { sslmode: 'verify-full', sslrootcert: '/S3CR3T.pem' } },
      'a file that the URL names (sslrootcert, sslcert or sslkey) cannot be read',
    ],
    [
      'the database of another program',
      { sql: 'CREATE TABLE organisations (n int)' },
      'it has tables of the same names already; give this server a database of its own',
    ],
    [
      'a database that cannot hold every character',
      { with: `TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'` },
      "its encoding is LATIN1, and texts need UTF8 (CREATE DATABASE … ENCODING 'UTF8')",
    ],
    ['what nobody foresaw', { query: { options: '-c no_such_setting=S3CR3T' } }, 'it failed (42704)'],
  ])('refuses %s, and says why', async (_, options, why) => {
    expect(await failure(options)).toBe(cannotBeUsed(why));
  });

  it('takes a database that holds bytes as they come', async () => {
    expect(await failure({ with: `TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'` })).toBe(
      'it was opened',
    );
  });
});
