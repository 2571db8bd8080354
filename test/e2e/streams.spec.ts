/**
 * What a stream is worth when something takes long, stalls, or stops: on one real server with an embedded database,
 * which is stopped in the middle of its work at the end.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';

const STALLED_READER_SECONDS = 3;
const MAX_STREAMS_PER_KEY = 3;
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';
/** Nothing of the test database is used: the embedded one must not outlive its server. */
const UNUSED = { url: '', drop: () => Promise.resolve() };

let model: FakeModelServer;
let server: TestServer;
let exitCode: Promise<number | null> | undefined;

beforeAll(async () => {
  model = await FakeModelServer.start();
  server = await startServer({
    database: UNUSED,
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      MODEL_IDLE_SECONDS: '120',
      STALLED_READER_SECONDS: String(STALLED_READER_SECONDS),
      MAX_STREAMS_PER_KEY: String(MAX_STREAMS_PER_KEY),
      // What a socket takes in while nobody reads is no whole answer.
      MODEL_MAX_ANSWER_MB: '64',
    },
  });
});
afterAll(async () => {
  if (!exitCode) await server?.stop();
  await model?.stop();
});
beforeEach(() => model.requests.splice(0));
// An answer that is left over would be given to the next test.
afterEach(() => expect(model.unasked).toBe(0));

const QUESTION = { messages: [{ role: 'user', content: 'Tell me.' }] };
const ask = (more: object = {}, init?: RequestInit) =>
  server.post('/v1/messages', { ...QUESTION, stream: true, ...more }, init);

const asked = (times: number) => model.asked(times);

/** The stream, held against the contract, as it was written, and when it was silent for how long. */
async function watch(request: Promise<Response>) {
  const started = Date.now();
  const response = await request;
  const headersAfter = (Date.now() - started) / 1000;
  const pingsAfter: number[] = [];
  let raw = '';
  for await (const bytes of response.body!) {
    const text = Buffer.from(bytes).toString();
    if (text === PING) pingsAfter.push((Date.now() - started) / 1000);
    raw += text;
  }
  const again = new Response(raw, response);
  return { status: response.status, headersAfter, pingsAfter, raw, ...(await readStream(again)) };
}

/** The question as it is on the wire. */
function written(stream: boolean): string {
  const body = JSON.stringify({ ...QUESTION, stream });
  return `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A caller that reads what is there now, and nothing more from then on. */
async function stalledReader(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(written(true));
  await new Promise((resolve) => socket.once('data', resolve));
  return socket.pause();
}

const memoryMiB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;

describe('a stream', () => {
  it('keeps what the model says inside of its JSON strings (SEC-122) (§stream-one-line §stream-no-done)', async () => {
    const nasty = [
      '\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
      '\r\n\r\n: \u2028\u2029\0\n',
      'data: [DONE]',
    ];
    model.says(...nasty);
    const { raw, text } = await watch(ask());
    // A NUL could not come back as history; it is the one thing that does not leave.
    expect(text).toBe(nasty.join('').replaceAll('\0', ''));
    expect(raw.match(/^event: message_stop$/gm)).toHaveLength(1);
    expect(raw.split(/\r\n|\r|\n/).filter((line) => !/^(event: [a-z_]+|data: \{.*\}|)$/s.test(line))).toEqual([]);
  });

  it('begins after ten seconds without a first event, and pings after every fifteen of silence (§stream-early §stream-pings)', async () => {
    model.late(26_500, 'At ', 'last.').replies({ text: ['Well.'], pauseMs: 16_500 });
    const late = watch(ask());
    await asked(1);
    const silent = watch(ask());
    await asked(2);

    const slowlyBegun = await late;
    expect(slowlyBegun).toMatchObject({ status: 200, text: 'At last.' });
    expect(slowlyBegun.headersAfter).toBeGreaterThan(9.5);
    // Before the model has said anything.
    expect(slowlyBegun.headersAfter).toBeLessThan(26.5);
    expect(slowlyBegun.pingsAfter).toHaveLength(1);
    expect(slowlyBegun.pingsAfter[0]).toBeGreaterThan(24);

    const slowlyGoingOn = await silent;
    expect(slowlyGoingOn).toMatchObject({ status: 200, text: 'Well.' });
    expect(slowlyGoingOn.headersAfter).toBeLessThan(16.5);
    expect(slowlyGoingOn.pingsAfter).toHaveLength(1);
    expect(slowlyGoingOn.pingsAfter[0]).toBeGreaterThan(14);
  });

  it('is cut, and the model called off, when nobody reads it; until then it is not held in memory', async () => {
    // Once before, so that what is measured below is the stall and not the first large answer.
    model.replies({ text: Array.from({ length: 5000 }, () => 'x'.repeat(1000)) });
    await (await ask()).arrayBuffer();
    const before = memoryMiB();
    let said: number | undefined;
    const called = model.floods('x'.repeat(1000)).then((characters) => (said = characters));
    const socket = await stalledReader();
    const stalledAt = Date.now();
    let most = before;
    await eventually(
      () => {
        most = Math.max(most, memoryMiB());
        return said;
      },
      (seen) => seen !== undefined,
      { everyMs: 50 },
    );
    expect((Date.now() - stalledAt) / 1000).toBeGreaterThan(STALLED_READER_SECONDS - 1);
    await called;
    // What the sockets on the way take is all that was ever said; the rest is room for the garbage collector.
    expect(said).toBeLessThan(32_000_000);
    expect(most - before).toBeLessThan(32);

    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).resume();
    await closed;
  });

  it('is called off with the connection, also where it was asked for ahead of its turn (SEC-121)', async () => {
    const hungUp = [model.hangs(), model.hangs()];
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(written(true) + written(false));
    await asked(2);
    socket.destroy();
    await Promise.all(hungUp);
  });

  it('waits for its turn on the connection, which is not the fault of who reads', async () => {
    const pauseMs = 500;
    const words = Array.from({ length: (2 * STALLED_READER_SECONDS * 1000) / pauseMs }, (_, at) => `word ${at} `);
    model.slow(pauseMs, ...words).says(...Array.from({ length: 100 }, () => 'x'.repeat(1000)), 'the end');
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let read = '';
    socket.on('data', (bytes) => (read += bytes.toString()));
    socket.write(written(true));
    await asked(1);
    socket.write(written(true));
    await eventually(() => read.split('event: message_stop').length - 1 === 2 || socket.closed);
    expect(read).toContain('the end');
    socket.destroy();
  });

  it('is one of only so many that a key may have at once, streamed or whole (§error-rate)', async () => {
    const callers = Array.from({ length: MAX_STREAMS_PER_KEY }, () => new AbortController());
    const hungUp = callers.map(() => model.hangs('Well'));
    const open = await Promise.all(callers.map(({ signal }) => ask({}, { signal })));
    expect(open.map(({ status }) => status)).toEqual(callers.map(() => 200));
    for (const stream of [true, false]) {
      const response = await ask({ stream });
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      const { error } = (await response.json()) as { error: { type: string; message: string } };
      expect(error.type).toBe('rate_limit_error');
      expect(error.message).toMatch(/^limit_exceeded: .*\bMAX_STREAMS_PER_KEY\b/);
    }
    callers[0]!.abort();
    // Which of the three the model was asked first for is open.
    await Promise.race(hungUp);
    model.says('Now you.');
    const next = eventually(
      () => ask(),
      ({ status }) => status === 200,
    );
    expect(await watch(next)).toMatchObject({ status: 200, text: 'Now you.' });
    for (const caller of callers) caller.abort();
    await Promise.all(hungUp);
  });
});

describe('a database that crashes', () => {
  const pid = () => Number(readFileSync(join(server.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

  it('is asked again by the caller for a moment, and is never a fault of the server', async () => {
    const list = () => server.fetch('/v1/artifacts/list?collection=any');
    expect((await list()).status).toBe(200);
    process.kill(pid(), 'SIGKILL');
    const seen = new Set<number>();
    const look = async () => {
      const responses = await Promise.all([list(), list(), list(), list()]);
      for (const response of responses) {
        // The database had not crashed yet for those that came through at first.
        if (response.status === 529 || seen.has(529)) seen.add(response.status);
        if (response.status !== 200) expect([response.status, response.headers.get('retry-after')]).toEqual([529, '1']);
        await response.arrayBuffer();
      }
      return [...seen].sort();
    };
    expect(await eventually(look, ({ length }) => length === 2)).toEqual([200, 529]);
  });
});

describe('SIGTERM in the middle of everything', () => {
  /** The processes that it started, and those that these started. */
  function descendants(root: number): number[] {
    const parents = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const status = statusOf(Number(name));
        return status ? [{ pid: Number(name), parent: Number(/PPid:\s+(\d+)/.exec(status)![1]) }] : [];
      });
    const below = (parent: number): number[] =>
      parents.filter((one) => one.parent === parent).flatMap(({ pid }) => [pid, ...below(pid)]);
    return below(root);
  }
  function statusOf(pid: number): string | undefined {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8');
    } catch {
      return undefined;
    }
  }
  /** One that nobody has waited for yet is still in the table, and is no more. */
  const isAlive = (pid: number) => !/State:\s+Z/.test(statusOf(pid) ?? 'State: Z');

  it('lets answers end, tells the others, and leaves nothing running', async () => {
    const page = { type: 'file', value: Buffer.from('<h1>Leave</h1><p>27 days a year.</p>').toString('base64') };
    const ingest = { artifact: 'handbook.html', collection: 'hr', input: page };
    expect((await server.post('/v1/artifacts/ingest', ingest)).status).toBe(200);
    model.slow(200, ...Array.from({ length: 10 }, (_, word) => `${word} `));
    const ending = watch(ask());
    await asked(1);
    const hungUp = [model.hangs('Well'), model.hangs('Well')];
    const endless = watch(ask());
    await asked(2);
    const whole = ask({ stream: false });
    await asked(3);
    const started = descendants(server.pid);
    expect(started.length).toBeGreaterThan(5);

    exitCode = server.stop();
    expect(await ending).toMatchObject({ text: '0 1 2 3 4 5 6 7 8 9 ' });
    const { events } = await endless;
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
    expect(JSON.stringify(events.at(-1))).toContain('shutting down');
    expect((await whole).status).toBe(529);
    await Promise.all(hungUp);
    expect(await exitCode).toBe(0);
    expect(started.filter(isAlive)).toEqual([]);
  });
});
