/** What goes wrong with databases of requests: told clearly and in time, connections given back, the server up. */
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { TestAuthority } from '../support/certificates';
import { FakeModelServer } from '../support/fake-model-server';
import { FaultyLink } from '../support/faulty-link';
import { holdPort } from '../support/ports';
import { CANARY, READER, salesDatabase, type SalesDatabase } from '../support/sales-database';
import { startServer, type TestServer } from '../support/start-server';

const fenced = (sql: string) => `\`\`\`sql\n${sql}\n\`\`\``;
const COUNT = 'SELECT count(*) AS n FROM orders';
/** Limits of the server under test, and what a busy machine may add. */
const CONNECT_MS = 3000;
const SQL_MS = 5000;
const BUSY_MS = 30_000;

describe('databases that fail', () => {
  const authority = new TestAuthority();
  let model: FakeModelServer;
  let server: TestServer;
  let sales: SalesDatabase;
  let link: FaultyLink;

  beforeAll(async () => {
    [model, sales] = await Promise.all([FakeModelServer.start(), salesDatabase('18', { tls: authority.issue() })]);
    link = await FaultyLink.to(sales.server.port);
    server = await startServer({
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        DATABASE_CONNECT_SECONDS: `${CONNECT_MS / 1000}`,
        SQL_SECONDS: `${SQL_MS / 1000}`,
        DATABASE_WAIT_SECONDS: '3',
        DATABASE_SCHEMA_SECONDS: '1',
        DATABASE_CA_FILE: authority.file,
      },
    });
  });
  beforeEach(() => {
    model.forget();
    model.requests.splice(0);
    link.fault = 'none';
    link.connections = 0;
  });
  afterEach(async () => {
    // Whatever it was: nothing stays open, and the next question is answered.
    link.fault = 'none';
    await until(async () => link.live === 0 && (await sessions()).length === 0);
    expect(await ask(COUNT)).toMatchObject({ is_error: false, text: expect.stringContaining('n\n30') });
  });
  afterAll(async () => {
    expect(server.output()).not.toContain('S3CR3T');
    await server?.stop();
    await model?.stop();
    link?.close();
    await sales?.server.stop();
    authority.remove();
  });

  const database = (over: Parameters<SalesDatabase['connectionString']>[0] = {}, more: object = {}) => ({
    type: 'sql_database',
    connection_string: sales.connectionString({ port: link.port, ...over }),
    schema: 'sales',
    ...more,
  });

  /** One question, whose statement the model has ready, and how long it took. */
  async function ask(sql: string, artifact: object = database()) {
    model.forget();
    model.always(() => ({ text: [fenced(sql)] }));
    const started = Date.now();
    const response = await server.post('/v1/tools/database-query', {
      query: '¿Cuántos pedidos?',
      artifacts: [artifact],
    });
    const body: any = await response.json();
    const text: string = body.content.flatMap((block: any) => (block.type === 'text' ? [block.text] : [])).join('\n');
    expect(text).not.toContain('S3CR3T');
    return { status: response.status, is_error: body.is_error as boolean, text, ms: Date.now() - started };
  }

  /** What the reader runs at the database, in whatever state. */
  const sessions = () =>
    sales.query<{ query: string }>(`SELECT query FROM pg_stat_activity WHERE usename = '${READER}'`);
  const FAILED = expect.stringMatching(
    /^No results found\.\nError: connection_failed: The database could not be connected to\./,
  );

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 30_000; !(await isSo()); await new Promise((later) => setTimeout(later, 50))) {
      if (Date.now() > end)
        throw new Error(`It does not get there: ${JSON.stringify(await sessions())}, ${link.live} open`);
    }
  }

  describe('to be reached', () => {
    it('all say the same, whatever it is', async () => {
      const closed = await holdPort();
      const told = await Promise.all([
        ask(COUNT, database({ port: closed.port })),
        ask(COUNT, database({ password: 'S3CR3T-wrong' })),
        ask(COUNT, database({ password: '' })),
        ask(COUNT, { ...database(), connection_string: `postgresql://nobody:S3CR3T@127.0.0.1:${link.port}/postgres` }),
        ask(COUNT, { ...database(), connection_string: sales.connectionString().replace(/\/postgres$/, '/nowhere') }),
      ]);
      expect(new Set(told.map(({ text }) => text)).size).toBe(1);
      expect(told[0]).toMatchObject({ status: 200, is_error: true, text: FAILED });
      closed.release();
    });

    it.each([
      ['that says nothing', 'silent'],
      ['that is no database', { says: 'HTTP/1.1 400 Bad Request\r\n\r\n' }],
      ['that says something endless', { says: 'R'.repeat(4_000_000) }],
      ['that hangs up in the middle of the greeting', { cutAfter: 10 }],
      ['that hangs up in the middle of the look at its tables', { cutAfter: 1500 }],
    ] as const)('one %s', async (_, fault) => {
      link.fault = fault;
      // Of these schemas nothing has been read before.
      const told = await ask(COUNT, database({}, { schemas: ['hr'] }));
      expect(told).toMatchObject({ status: 200, is_error: true, text: FAILED });
      expect(told.ms).toBeLessThan(CONNECT_MS + BUSY_MS);
      link.fault = 'none';
    });

    it('by verified TLS, where that is wanted (§database-ssl)', async () => {
      expect(await ask(COUNT, database({ host: 'localhost' }, { ssl: true }))).toMatchObject({ is_error: false });
      expect(await ask(COUNT, database({ host: 'localhost', query: '?sslmode=require' }))).toMatchObject({
        is_error: false,
      });
      // The certificate is for localhost.
      expect(await ask(COUNT, database({ host: '127.0.0.1' }, { ssl: true }))).toMatchObject({
        is_error: true,
        text: FAILED,
      });
    });

    it('by TLS that has expired, or that is none: no password goes out', async () => {
      const expired = await salesDatabase('18', { tls: authority.issue({ days: -1 }) });
      const plain = await salesDatabase('18', { auth: 'password' });
      try {
        for (const { server: other } of [expired, plain]) {
          const wire = await recorder(other.port);
          const told = await ask(COUNT, database({ host: 'localhost', port: wire.port }, { ssl: true }));
          expect(told).toMatchObject({ is_error: true, text: FAILED });
          expect(wire.heard()).not.toContain('S3CR3T');
          wire.close();
        }
        // In plain text, a password that would go out as it is does not (SEC-54).
        const wire = await recorder(plain.server.port);
        await ask(COUNT, database({ port: wire.port }));
        expect(wire.heard()).not.toContain(CANARY);
        wire.close();
      } finally {
        await Promise.all([expired.server.stop(), plain.server.stop()]);
      }
    });
  });

  describe('while they are asked', () => {
    it('by a statement that takes too long: it is over at the database, too', async () => {
      const told = await ask('SELECT count(*) FROM generate_series(1, 1000000000000) n');
      expect(told).toMatchObject({ is_error: true, text: expect.stringMatching(/^No results found\.\nError: sql_timeout: .*5 seconds \(SQL_SECONDS\)/) });
      expect(told.ms).toBeLessThan(SQL_MS + BUSY_MS);
      await until(async () => (await sessions()).length === 0);
    }); // prettier-ignore

    it('by one that gives ten million rows: a thousand are taken, and no more are sent', async () => {
      const told = await ask(
        `SELECT a, repeat('x', 20) AS words FROM generate_series(1, 10000) a, generate_series(1, 1000) b`,
      );
      expect(told).toMatchObject({
        is_error: false,
        text: expect.stringMatching(/More than 1000 rows[^]*truncated: true/),
      });
      expect(told.ms).toBeLessThan(SQL_MS + BUSY_MS);
    });

    it('by one with cells of megabytes', async () => {
      const told = await ask(`SELECT repeat('x', 30000000) AS words`);
      expect(told.text).toMatch(/truncated: true|sql_limit/);
      expect(told.text.length).toBeLessThan(200_000);
    });

    it('for what another session has locked', async () => {
      const other = await sales.server.connect();
      await ask(COUNT);
      try {
        await other.query('BEGIN; LOCK TABLE sales.orders IN ACCESS EXCLUSIVE MODE');
        const told = await ask(COUNT);
        expect(told).toMatchObject({ is_error: true, text: expect.stringMatching(/^No results found\.\nError: (?:sql_timeout|sql_failed: 55P03)/) });
        expect(told.ms).toBeLessThan(3 * SQL_MS + BUSY_MS);
      } finally {
        await other.query('ROLLBACK');
        await other.end();
      }
    }); // prettier-ignore

    it('by a caller who leaves: the statement ends', async () => {
      model.always(() => ({ text: [fenced('SELECT count(*) FROM generate_series(1, 1000000000000) n')] }));
      const gone = new AbortController();
      const asking = server
        .post('/v1/tools/database-query', { query: 'x', artifacts: [database()] }, { signal: gone.signal })
        .catch(() => undefined);
      await until(async () => (await sessions()).some(({ query }) => query.includes('generate_series')));
      gone.abort();
      await asking;
      await until(async () => (await sessions()).length === 0);
    });

    it('when they are restarted in the middle', async () => {
      const asking = ask('SELECT count(*) FROM generate_series(1, 1000000000000) n');
      await until(async () => (await sessions()).some(({ query }) => query.includes('generate_series')));
      await sales.server.restart();
      expect(await asking).toMatchObject({ status: 200, is_error: true, text: FAILED });
    });

    it('when their link is cut in the middle of the rows', async () => {
      await ask(COUNT);
      link.fault = { cutAfter: 60_000 };
      const told = await ask(`SELECT n, repeat('x', 200) AS words FROM generate_series(1, 900) n`);
      expect(told).toMatchObject({ is_error: true, text: FAILED });
    });

    it('when they are gone for a while', async () => {
      await sales.server.kill();
      expect(await ask(COUNT)).toMatchObject({ is_error: true, text: FAILED });
      await sales.server.restart();
    });

    it('by more than have their turn: the last are told', async () => {
      model.always(() => ({ text: [fenced('SELECT count(*) FROM generate_series(1, 1000000000000) n')] }));
      const body = { query: 'x', artifacts: [database()] };
      const answers = await Promise.all(
        Array.from({ length: 8 }, async () => (await server.post('/v1/tools/database-query', body)).text()),
      );
      const tokens = answers.map((answer) => /Error: (\w+)/.exec(answer)?.[1]);
      expect(tokens.every((token) => token === 'sql_timeout' || token === 'limit_exceeded')).toBe(true);
      expect(tokens).toContain('limit_exceeded');
      expect(answers.join()).toContain('DATABASE_WAIT_SECONDS');
    });
  });
});

describe('databases where a key is needed', () => {
  let model: FakeModelServer;
  let server: TestServer;
  let sales: SalesDatabase;
  let link: FaultyLink;
  let key: string;

  beforeAll(async () => {
    [model, sales] = await Promise.all([FakeModelServer.start(), salesDatabase('18')]);
    link = await FaultyLink.to(sales.server.port);
    const DATABASE_ALLOW = `127.0.0.1:${sales.server.port}`;
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl, PROFILE: 'server', DATABASE_ALLOW } });
    key = /zgk_[\w-]+/.exec(server.output())![0];
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
    link?.close();
    await sales?.server.stop();
  });

  const ask = async (connection_string: string) => {
    model.forget();
    model.says(fenced('SELECT count(*) AS n FROM sales.orders'));
    const artifacts = [{ type: 'sql_database', connection_string }];
    const response = await server.post(
      '/v1/tools/database-query',
      { query: 'x', artifacts },
      { headers: { 'x-api-key': key } },
    );
    return JSON.stringify(await response.json());
  };

  it('are those that DATABASE_ALLOW lists, and no other, in whatever spelling', async () => {
    expect(await ask(sales.connectionString())).toContain('n\\n30');
    const told: string[] = [];
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f000001', '2130706433', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0', '10.0.0.1', '169.254.169.254', 'nobody.example']) {
      told.push(await ask(sales.connectionString({ host, port: link.port })));
    }
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toMatch(/Error: connection_denied: .*DATABASE_ALLOW/);
    expect(link.connections).toBe(0);
  }); // prettier-ignore
});

/** A wire to a port on which everything that is said to it can be read. */
async function recorder(target: number) {
  const heard: Buffer[] = [];
  const server: Server = createServer((client) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [client, far]) socket.on('error', () => (client.destroy(), far.destroy()));
    client.on('data', (chunk) => heard.push(chunk));
    client.pipe(far).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => Buffer.concat(heard).toString('latin1'),
    close: () => server.close(),
  };
}
