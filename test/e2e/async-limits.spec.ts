/** Limits of async messages that hold over all processes of one database, and many messages at once (SEC-120 to 124). */
import { connect, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamEvent } from '@app/contract';
import { ask, asyncClient, eventsOf, sleep, textOf } from '../support/async-client';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';
import { startWorker, type TestWorker } from '../support/start-worker';

type Client = ReturnType<typeof asyncClient>;

const range = (length: number) => Array.from({ length }, (_, at) => at);
const statusOf = async (response: Promise<Response>) => {
  const { status, headers } = await response;
  return status === 429 ? `429, retry-after ${headers.get('retry-after')}` : status;
};
const count = (outcomes: readonly unknown[], wanted: unknown) => outcomes.filter((one) => one === wanted).length;

describe('Two servers on one database', () => {
  let model: FakeModelServer;
  let database: TestDatabase;
  let servers: TestServer[];
  let clients: Client[];
  beforeAll(async () => {
    model = await FakeModelServer.start();
    database = await createTestDatabase();
    const start = () =>
      startServer({
        database: { ...database, drop: () => Promise.resolve() },
        env: { OPENAI_BASE_URL: model.baseUrl, MAX_ASYNC_WAITING_PER_ORG: '12', ASYNC_CONCURRENCY: '2' },
      });
    servers = [await start()];
    servers.push(await start());
    clients = servers.map((server) => asyncClient(server));
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.stop();
    await model?.stop();
    await database?.drop();
  });

  it('let a message have ten readers in all, and forget those of a server that was killed', async () => {
    const [here, there] = clients as [Client, Client];
    const hungUp = model.hangs('One. ');
    await here.start(ask('Hi'), 'crowded');
    const leave = new AbortController();
    const open = await Promise.all(
      range(24).map(async (at) => {
        const response = await (at % 2 ? here : there).stream('crowded', { signal: leave.signal });
        return response.status;
      }),
    );
    expect([count(open, 200), count(open, 429)]).toEqual([10, 14]);
    for (const client of clients) expect(await statusOf(client.stream('crowded'))).toBe('429, retry-after 5');
    leave.abort();
    const opened = (client: Client) => () =>
      eventually(
        () => client.stream('crowded'),
        ({ status }) => status === 200,
      );
    const again = await Promise.all(range(10).map(opened(there)));
    expect((await here.stream('crowded')).status).toBe(429);

    await servers[1]!.kill();
    await Promise.all(again.map((response) => response.text().catch(() => '')));
    const response = await opened(here)();
    await here.remove('crowded');
    expect(textOf(eventsOf(await response.text()))).toBe('One. ');
    await hungUp;
    servers[1] = await startServer({
      database: { ...database, drop: () => Promise.resolve() },
      env: { OPENAI_BASE_URL: model.baseUrl, MAX_ASYNC_WAITING_PER_ORG: '12', ASYNC_CONCURRENCY: '2' },
    });
    clients[1] = asyncClient(servers[1]);
  });

  it('take as many messages as may wait, whoever is asked, and a name once', async () => {
    const hanging = [model.hangs('Long.'), model.hangs('Long.')];
    for (const [at, client] of clients.entries()) {
      await client.start(ask('busy'), `busy-${at}`);
      await client.until(`busy-${at}`, 'processing');
    }
    const outcomes = await Promise.all(
      range(40).map((at) => statusOf(clients[at % 2]!.start(ask('wait'), `wait-${at}`))),
    );
    expect([count(outcomes, 200), count(outcomes, '429, retry-after 5')]).toEqual([12, 28]);
    const taken = range(40).filter((at) => outcomes[at] === 200);
    await Promise.all(taken.map((at) => clients[(at + 1) % 2]!.cancel(`wait-${at}`)));
    const named = await Promise.all(range(8).map((at) => statusOf(clients[at % 2]!.start(ask('once'), 'once'))));
    expect([count(named, 200), count(named, 400)]).toEqual([1, 7]);
    await clients[0]!.remove('once');
    for (const at of [0, 1]) await clients[1 - at]!.cancel(`busy-${at}`);
    await Promise.all(hanging);
    expect(model.requests.filter(({ messages }) => messages.at(-1).content === 'wait')).toEqual([]);
  });
});

describe('Many async messages at once', () => {
  const MESSAGES = 300;
  const WORDS = 20;
  const LIMITS = {
    ASYNC_CONCURRENCY: String(2 * MESSAGES),
    MAX_ASYNC_WAITING_PER_ORG: String(MESSAGES),
    MAX_ASYNC_KEPT_PER_ORG: String(2 * MESSAGES),
  };
  const wordsOf = (name: string) => range(WORDS).map((at) => `${name}:${at} `);
  let model: FakeModelServer;
  let database: TestDatabase;
  let dataDir: string;
  let server: TestServer | undefined;
  let goOn: () => void;
  beforeEach(async () => {
    model = await FakeModelServer.start();
    // Every answer stands before its last word until the test lets it go on.
    const until = new Promise<void>((resolve) => (goOn = resolve));
    model.always(({ messages }) => ({ text: wordsOf(messages.at(-1).content), pauseMs: 20, until }));
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'toolwright-async-'));
  });
  afterEach(async () => {
    goOn();
    await server?.stop();
    await model.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  const start = (env: Record<string, string> = {}) =>
    startServer({
      dataDir,
      database: { ...database, drop: () => Promise.resolve() },
      env: { OPENAI_BASE_URL: model.baseUrl, ...LIMITS, ...env },
    });

  it('are cancelled, deleted and read to the end beside each other, and nothing is lost', async () => {
    server = await start();
    const client = asyncClient(server);
    const names = range(MESSAGES).map((at) => `m${at}`);
    const started = await Promise.all(names.map((name) => client.start(ask(name), name)));
    expect(started.every(({ status }) => status === 200)).toBe(true);
    const live = new Map<string, Promise<StreamEvent[]>>();
    for (const name of names)
      live.set(
        name,
        client.stream(name).then(async (answer) => eventsOf(await answer.text())),
      );
    await model.asked(MESSAGES);
    const fates = names.map((name, at) => ({ name, fate: (['cancel', 'remove', 'end'] as const)[at % 3]! }));
    await Promise.all(fates.map(({ name, fate }) => (fate === 'end' ? undefined : client[fate](name))));
    // Those that were called off are let go; nobody else is.
    const busy = await eventually(
      () => model.busy,
      (count) => count <= MESSAGES / 3,
    );
    expect(busy).toBe(MESSAGES / 3);
    goOn();
    for (const { name, fate } of fates) {
      const events = await live.get(name)!;
      const said = textOf(events);
      if (fate === 'end') expect(said).toBe(wordsOf(name).join(''));
      else expect(wordsOf(name).join('').startsWith(said)).toBe(true);
      const again = await client.stream(name);
      if (fate === 'remove') expect(again.status).toBe(404);
      else expect(eventsOf(await again.text())).toEqual(events);
      if (fate !== 'remove')
        expect((await client.status(name)).status).toBe(fate === 'end' ? 'completed' : 'cancelled');
    }
  }, 240_000);

  it('lose nothing that was shown when their worker is killed, and those that wait are answered by the next', async () => {
    server = await start({ ASYNC_WORKER: 'off' });
    const client = asyncClient(server);
    const half = MESSAGES / 3;
    const env = { OPENAI_BASE_URL: model.baseUrl, ...LIMITS, ASYNC_CONCURRENCY: String(half) };
    let worker: TestWorker = await startWorker(server, env);
    const names = range(half).map((at) => `k${at}`);
    await Promise.all(names.map((name) => client.start(ask(name), name)));
    const live = names.map((name) => client.stream(name).then(async (answer) => eventsOf(await answer.text())));
    // An organisation gets half of the hands: the others wait.
    await model.asked(half / 2);
    await sleep(1000);
    await worker.kill();
    const before = new Set(model.requests.map(({ messages }) => messages.at(-1).content as string));
    goOn();
    worker = await startWorker(server, env);
    for (const [at, name] of names.entries()) {
      const events = await live[at]!;
      const said = textOf(events);
      if (before.has(name)) {
        expect(events.at(-1)!.type).toBe('error');
        expect(wordsOf(name).slice(0, -1).join('').startsWith(said)).toBe(true);
        expect((await client.status(name)).status).toBe('error');
      } else expect(said).toBe(wordsOf(name).join(''));
      expect(eventsOf(await (await client.stream(name)).text())).toEqual(events);
    }
    // Never twice: whoever was answered in part is not answered again.
    const questions = model.requests.map(({ messages }) => messages.at(-1).content as string);
    expect(new Set(questions).size).toBe(questions.length);
    expect(questions.length).toBe(half);
    await worker.stop();
  }, 240_000);

  it('are not held in memory for readers who do not read, and these are cut', async () => {
    server = await start({ STALLED_READER_SECONDS: '3', MAX_ASYNC_EVENTS_MB: '64', MODEL_MAX_ANSWER_MB: '64' });
    const client = asyncClient(server);
    model.replies({ text: range(4000).map((at) => `${at} ${'x'.repeat(10_000)}`) });
    await client.start(ask('much'), 'much');
    await client.until('much', 'completed');
    const read = async () => (await (await client.stream('much')).text()).length;
    // Before, so that what is measured is the stall and not the work.
    const [length] = await Promise.all(range(6).map(read));
    expect(length).toBeGreaterThan(40_000_000);
    const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server!.pid}/status`, 'utf8'))![1]) / 1024;
    const before = memory();
    const sockets = await Promise.all(range(10).map(() => stalled(server!, 'much')));
    const closed = sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, memory() - before)), 50);
    // They are all that may read it at once: others come in where they are cut. What the server has written is read only then.
    const others = await Promise.all(
      range(10).map(() =>
        eventually(
          () => client.stream('much'),
          ({ status }) => status === 200,
          { everyMs: 500 },
        ).finally(() => clearInterval(watch)),
      ),
    );
    await Promise.all(others.map((response) => response.body!.cancel()));
    // A page for each, with room for the garbage collector, which takes up to 150; all of it would be 400.
    expect(most).toBeLessThan(250);
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    await Promise.all(closed);
    expect(Math.max(...sockets.map(({ bytesRead }) => bytesRead))).toBeLessThan(length!);
    // The server may yet have to hear that the others are gone.
    await eventually(read, (found) => found === length, { everyMs: 500 });
  }, 240_000);
});

/** A reader that takes the head of the answer, and nothing from then on. */
async function stalled(server: TestServer, name: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(`GET /v1/messages/async/${name}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  return socket.pause();
}
