/** Async messages outlive what answers them: stops, `kill -9`, and a worker beside the server. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ask, asyncClient, eventsOf, sleep, textOf } from '../support/async-client';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';
import { startWorker, type TestWorker } from '../support/start-worker';

const WORKER = join(__dirname, '../../dist/apps/worker/src/main.js');

describe('Async messages and their server', () => {
  let model: FakeModelServer;
  let dataDir: string;
  let server: TestServer | undefined;
  beforeAll(async () => {
    model = await FakeModelServer.start();
    dataDir = await mkdtemp(join(tmpdir(), 'toolwright-async-'));
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const start = (env: Record<string, string> = {}) =>
    startServer({
      dataDir,
      database: { url: '', drop: () => Promise.resolve() },
      env: { OPENAI_BASE_URL: model.baseUrl, ASYNC_CONCURRENCY: '2', ...env },
    });

  it('end as error when the server is killed in the middle; those that wait are answered by the next (§async-restart)', async () => {
    server = await start();
    const before = asyncClient(server);
    const hanging = model.hangs('Half of ');
    await before.start(ask('1'), 'running');
    await before.untilSaid('running', 'Half of');
    await before.start(ask('2'), 'waiting');
    await before.start(ask('3'), 'waiting-too');
    await before.cancel('waiting-too');
    expect((await before.status('waiting')).status).toBe('pending');
    await server.kill();
    await hanging;

    model.says('Answered later.');
    server = await start();
    const after = asyncClient(server);
    const lost = await after.until('running', 'error');
    expect(lost.error_message).toMatch(/server .* has ended/);
    const { events } = await readStream(await after.stream('running'));
    expect(textOf(events)).toBe('Half of ');
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      error: { type: 'overloaded_error', message: lost.error_message },
    });
    await after.until('waiting', 'completed');
    expect((await readStream(await after.stream('waiting'))).text).toBe('Answered later.');
    expect((await after.status('waiting-too')).status).toBe('cancelled');
    expect(model.requests.map(({ messages }) => messages.at(-1).content)).toEqual(['1', '2']);
  });

  it('end as error, with what was said, when the server is stopped and they take too long', async () => {
    const before = asyncClient(server!);
    const hanging = model.hangs('Half of ');
    await before.start(ask('4'), 'stopped');
    await before.untilSaid('stopped', 'Half of ');
    const open = before.stream('stopped').then((response) => response.text());
    await before.start(ask('5'), 'left');
    expect(await server!.stop()).toBe(0);
    await hanging;
    const seen = eventsOf(await open);
    expect(textOf(seen)).toBe('Half of ');
    expect(seen.at(-1)).toMatchObject({ type: 'error' });

    model.says('Answered later.');
    server = await start();
    const after = asyncClient(server);
    expect((await after.status('stopped')).error_message).toMatch(/server was stopped/);
    expect((await readStream(await after.stream('stopped'))).events).toEqual(seen);
    expect((await readStream(await after.stream('left'))).text).toBe('Answered later.');
  });

  it('end when their database dies, or go on with it', async () => {
    model.slow(150, ...Array.from({ length: 20 }, (_, at) => `word${at} `));
    const client = asyncClient(server!);
    await client.start(ask('6'), 'outage');
    await client.until('outage', 'processing');
    const postmaster = spawnSync('head', ['-n', '1', join(dataDir, 'postgres', 'postmaster.pid')]).stdout.toString();
    process.kill(Number(postmaster), 'SIGKILL');
    await eventually(
      () => server!.fetch('/health/ready'),
      ({ status }) => status === 200,
      { what: () => server!.output() },
    );
    await client.until('outage', 'completed');
    expect((await readStream(await client.stream('outage'))).text).toBe(
      Array.from({ length: 20 }, (_, at) => `word${at} `).join(''),
    );
  });

  it('are sealed by a key that only its owner can read', async () => {
    expect((await stat(join(dataDir, 'async.key'))).mode & 0o777).toBe(0o600);
  });
});

describe('A worker beside the server', () => {
  let model: FakeModelServer;
  let database: TestDatabase;
  let dataDir: string;
  let server: TestServer;
  let worker: TestWorker | undefined;
  let client: ReturnType<typeof asyncClient>;
  beforeAll(async () => {
    model = await FakeModelServer.start({ dimensions: 32 });
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'toolwright-async-'));
    server = await startServer({
      dataDir,
      database: { ...database, drop: () => Promise.resolve() },
      env: { ...modelOf(), ASYNC_WORKER: 'off' },
    });
    client = asyncClient(server);
  });
  afterAll(async () => {
    await worker?.stop();
    await server?.stop();
    await model?.stop();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const modelOf = () => ({
    OPENAI_BASE_URL: model.baseUrl,
    EMBEDDINGS_BASE_URL: model.baseUrl,
    EMBEDDINGS_MODEL: 'fake-embedder',
  });
  const ingest = (artifact: string, value: string) =>
    server.post('/v1/artifacts/ingest', { artifact, collection: 'docs', input: { type: 'text', value } });

  it('does the work that the server leaves to it, of which the database shows nothing meanwhile', async () => {
    await client.start(ask('the S3CR3T question'), 'first');
    await sleep(1000);
    expect((await client.status('first')).status).toBe('pending');
    const connection = new Client({ connectionString: database.url });
    await connection.connect();
    const { rows } = await connection.query(
      `SELECT length(request) AS length, encode(request, 'escape') || t::text ~ 'S3CR3T|question' AS readable
        FROM async_messages t`,
    );
    await connection.end();
    expect(rows).toEqual([{ length: expect.any(Number), readable: false }]);
    expect(rows[0].length).toBeGreaterThan(200);

    const reading = client.stream('first');
    model.slow(100, 'By ', 'the ', 'worker.');
    worker = await startWorker(server, modelOf());
    const read = await readStream(await reading);
    expect(read.text).toBe('By the worker.');
    expect((await readStream(await client.stream('first'))).events).toEqual(read.events);
  });

  it('searches what the server has ingested, also a moment ago and what has changed since', async () => {
    for (const days of ['twenty-seven', 'thirty']) {
      expect((await ingest('handbook', `# Leave\n\nEverybody has ${days} days of annual leave.`)).status).toBe(200);
      model.calls('search', { query: 'days of annual leave' }).says('See there.');
      await client.start(
        {
          ...ask('How many days of annual leave?'),
          tools: [{ name: 'search', type: 'semantic_search_v1' }],
          tool_context: [{ type: 'ingested_artifact', context_filter: { collection: 'docs' } }],
        },
        days,
      );
      const { content } = await readStream(await client.stream(days));
      expect(JSON.stringify(content)).toContain(`${days} days of annual leave`);
    }
  });

  it('leaves an ingest alone that the server is in the middle of', async () => {
    await worker!.stop();
    const connection = new Client({ connectionString: database.url });
    await connection.connect();
    await connection.query(
      `INSERT INTO index_revisions (revision, collection_id, artifact, state)
        VALUES (gen_random_uuid(), gen_random_uuid(), 'half', 'writing')`,
    );
    worker = await startWorker(server, modelOf());
    await sleep(300);
    const { rowCount } = await connection.query(
      `DELETE FROM index_revisions WHERE artifact = 'half' AND state = 'writing'`,
    );
    expect(rowCount).toBe(1);
    await connection.end();
  });

  it('lets the model go when the message is cancelled at the server', async () => {
    const hungUp = model.hangs('One. ');
    await client.start(ask('Hi'), 'cancelled');
    await client.untilSaid('cancelled', 'One.');
    await client.cancel('cancelled');
    await hungUp;
    expect(textOf(eventsOf(await (await client.stream('cancelled')).text()))).toBe('One. ');
  });

  it('is missed when it is killed: its message ends as error, and the next worker takes the others', async () => {
    const hanging = model.hangs('One. ');
    await client.start(ask('Hi'), 'killed');
    const open = client.stream('killed').then((response) => response.text());
    await client.untilSaid('killed', 'One. ');
    await worker!.kill();
    await hanging;
    await client.until('killed', 'error');
    expect(eventsOf(await open).at(-1)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
    model.says('By the next.');
    await client.start(ask('Hi'), 'next');
    worker = await startWorker(server, modelOf());
    expect((await readStream(await client.stream('next'))).text).toBe('By the next.');
    expect(await worker.stop()).toBe(0);
    worker = undefined;
  }, 60_000);

  it('does not start where it could not do its work, and says why', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'toolwright-async-'));
    const run = (env: Record<string, string>) =>
      spawnSync(process.execPath, [WORKER], {
        cwd: elsewhere,
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      });
    const embedded = run({ DATA_DIR: dataDir });
    expect([embedded.status, embedded.stderr]).toEqual([1, expect.stringContaining('A worker needs DATABASE_URL')]);
    const foreign = run({ DATA_DIR: elsewhere, DATABASE_URL: database.url, MODEL_DISCOVERY: 'off' });
    expect([foreign.status, foreign.stderr]).toEqual([1, expect.stringContaining('must be the folder of the server')]);
    await rm(elsewhere, { recursive: true, force: true });
  });
});

describe('A revoked key', () => {
  it('takes its messages with it', async () => {
    const model = await FakeModelServer.start();
    const server = await startServer({
      env: { PROFILE: 'server', OPENAI_BASE_URL: model.baseUrl, ASYNC_CONCURRENCY: '2' },
    });
    try {
      const [, key] = /First key, shown only once: (\S+)/.exec(server.output())!;
      const client = asyncClient(server, { authorization: `Bearer ${key}` });
      const hungUp = model.hangs('One. ');
      await client.start(ask('1'), 'running');
      await client.untilSaid('running', 'One. ');
      await client.start(ask('2'), 'waiting');
      const database = new Client({ connectionString: server.database.url });
      await database.connect();
      await database.query('UPDATE api_keys SET revoked_at = now()');
      await hungUp;
      const { rows } = await eventually(
        () => database.query('SELECT name, status, error_message FROM async_messages ORDER BY name'),
        (seen) => seen.rows.every(({ status }) => status === 'error'),
      );
      const error_message = 'The API key of this message is no longer valid.';
      expect(rows).toEqual([
        { name: 'running', status: 'error', error_message },
        { name: 'waiting', status: 'error', error_message },
      ]);
      await database.end();
      expect(model.requests).toHaveLength(1);
    } finally {
      await server.stop();
      await model.stop();
    }
  });
});
