/** What the log tells of requests whose callers leave: on a real server whose model takes its time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { rawRequest } from '../support/raw-request';
import { startServer, type TestServer } from '../support/start-server';

let model: FakeModelServer;
let server: TestServer;

beforeAll(async () => {
  model = await FakeModelServer.start();
  server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
});
afterAll(async () => {
  await server?.stop();
  await model?.stop();
});

interface Line {
  readonly requestId: string;
  readonly method?: string;
  readonly path?: string;
  readonly status: number;
  readonly organisation?: string;
}

const lines = (): Line[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'Request');

/** What the log gains by what is done: that many lines, and whatever comes in a moment more. */
async function logged(work: () => Promise<unknown>, count = 1): Promise<Line[]> {
  const before = lines().length;
  await work();
  await eventually(
    () => lines().length,
    (now) => now >= before + count,
  );
  await wait(300);
  return lines().slice(before);
}

const head = (path: string, length: number, method = 'POST') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const post = (path: string, body: object) => {
  const text = JSON.stringify(body);
  return head(path, Buffer.byteLength(text)) + text;
};
const question = (more: object = {}) => post('/v1/messages', { messages: [{ role: 'user', content: 'Hi' }], ...more });

async function send(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Until the model is at work on it. */
const asked = () => model.asked(model.requests.length + 1);

describe('a request whose caller leaves', () => {
  it('is in the log on one line, when the answer was to be whole', async () => {
    model.slow(500, 'one', 'two');
    const found = await logged(async () => {
      const [socket] = await Promise.all([send(question()), asked()]);
      socket.destroy();
    });
    expect(found).toEqual([
      expect.objectContaining({ method: 'POST', path: '/v1/messages', status: 499, organisation: 'default' }),
    ]);
    expect(found[0]!.requestId).toMatch(/^req_/);
  });

  it('is in the log on one line, before the first event of a stream and after it', async () => {
    model.slow(500, 'one', 'two');
    const before = await logged(async () => {
      const [socket] = await Promise.all([send(question({ stream: true })), asked()]);
      socket.destroy();
    });
    expect(before.map(({ status }) => status)).toEqual([499]);
    model.slow(500, 'one', 'two');
    const after = await logged(async () => {
      const socket = await send(question({ stream: true }));
      await once(socket, 'data');
      socket.destroy();
    });
    expect(after.map(({ status }) => status)).toEqual([499]);
  });

  it('is in the log on one line, in the middle of a body', async () => {
    const found = await logged(async () => {
      const expecting = head('/v1/messages', 5000).replace(/\r\n$/, 'Expect: 100-continue\r\n\r\n');
      const socket = await send(expecting);
      // The server has the request, and waits for its body.
      await once(socket, 'data');
      socket.write('{"messages":', () => socket.destroy());
    });
    expect(found).toEqual([expect.objectContaining({ path: '/v1/messages', status: 499 })]);
  });

  it('is in the log on one line, in an ingest', async () => {
    const value = 'The oven must be cleaned every Friday. '.repeat(5000);
    const found = await logged(async () => {
      const socket = await send(
        post('/v1/artifacts/ingest', { collection: 'c', artifact: 'a', input: { type: 'text', value } }),
      );
      await wait(150);
      socket.destroy();
    });
    expect(found).toEqual([expect.objectContaining({ path: '/v1/artifacts/ingest', status: 499 })]);
  });

  it('is in the log on one line for each that was sent ahead on the connection', async () => {
    model.slow(500, 'one');
    const found = await logged(async () => {
      const ahead = head('/v1/models', 0, 'GET');
      const [socket] = await Promise.all([send(question() + ahead + ahead), asked()]);
      socket.destroy();
    }, 3);
    expect(found.map(({ path, status }) => [path, status]).sort()).toEqual([
      ['/v1/messages', 499],
      ['/v1/models', 499],
      ['/v1/models', 499],
    ]);
  });
});

describe('a request whose caller stays', () => {
  it('is in the log on one line with its status, whole and streamed, on one connection', async () => {
    for (const stream of [false, true]) {
      model.says('Hello');
      expect(
        await logged(async () => {
          const response = await server.post('/v1/messages', { messages: [{ role: 'user', content: 'Hi' }], stream });
          await response.text();
        }),
      ).toEqual([expect.objectContaining({ path: '/v1/messages', status: 200 })]);
    }
  });

  it.each([
    ['a path that does not exist', '/nothing', 404],
    ['a path that is no URL', '/v1/models/%zz', 400],
  ])('is in the log on one line: %s', async (_, path, status) => {
    let id: string | null = null;
    const found = await logged(async () => (id = (await server.fetch(path)).headers.get('request-id')));
    expect(found).toEqual([expect.objectContaining({ requestId: id, path, status })]);
  });

  it('is in the log on one line when it is no HTTP, or stops being it in the middle', async () => {
    expect(await logged(() => rawRequest(server.url, { head: 'NONSENSE' }))).toEqual([
      expect.objectContaining({ requestId: expect.stringMatching(/^req_/), status: 400 }),
    ]);
    const broken =
      'POST /v1/messages HTTP/1.1\nHost: localhost\nContent-Type: application/json\nTransfer-Encoding: chunked';
    const found = await logged(() => rawRequest(server.url, { head: broken, body: [Buffer.from('zz\r\n')] }));
    expect(found).toEqual([expect.objectContaining({ path: '/v1/messages' })]);
  });
});
