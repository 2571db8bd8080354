/** Many large bodies at once: the memory stays bounded, small requests go on, nobody is refused without a name. */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually } from '../support/eventually';
import { startServer, type TestServer } from '../support/start-server';

const MiB = 1024 ** 2;
const BODIES = 36;
const SIZE = 8 * MiB;
/** What all of them may add at the peak; they are 288 MiB on the wire, and more than twice that when read at once. */
const MOST_ADDED_MB = 320;

let server: TestServer;
beforeAll(async () => {
  // What the library lets wait is not what holds the memory here.
  server = await startServer({
    env: { MAX_BODIES_MB: '32', MAX_WAITING_INGEST_MB: '2048', MAX_INGEST_BODY_MB: '16', LOG_LEVEL: 'error' },
  });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

const peakMb = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;

const post = (path: string, body: RequestInit['body'], init: RequestInit & { duplex?: 'half' } = {}) =>
  server.fetch(path, { ...init, method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** Taken in whole and decoded; then it turns out to be no kind of document. */
const unreadable = JSON.stringify({
  artifact: 'unreadable',
  input: { type: 'file', value: Buffer.alloc((SIZE / 4) * 3, 1).toString('base64') },
  metadata: { file_name: 'content.bin' },
});
/** A short document in a large body. */
const padded = (artifact: string) =>
  JSON.stringify({ artifact, input: { type: 'text', value: 'El plazo es de 30 días.' }, padding: 'x'.repeat(SIZE) });

it('keeps within its memory while large bodies come in, and answers small requests meanwhile', async () => {
  const idle = peakMb();
  let sending = true;
  const large = Promise.all(
    Array.from({ length: BODIES }, async (_, at) => {
      const response = await post('/v1/artifacts/ingest', at % 6 === 0 ? padded(`short ${at}`) : unreadable);
      return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
    }),
  ).finally(() => (sending = false));
  const small: number[] = [];
  while (sending) small.push((await server.post('/v1/messages/validate', { messages: [{ content: 'Hola' }] })).status);
  for (const { status, retryAfter, text } of await large) {
    if (status === 200) continue;
    expect(text).toMatch(/unsupported_file|MAX_BODIES_MB/);
    expect([400, 529]).toContain(status);
    expect(retryAfter === null).toBe(status === 400);
  }
  expect(new Set(small)).toEqual(new Set([200]));
  expect(peakMb() - idle).toBeLessThan(MOST_ADDED_MB);
}, 180_000);

it('gives back the room of a body in every way that it can end', async () => {
  const padding = 'x'.repeat(2 * MiB);
  for (let round = 0; round < 12; round++) {
    expect((await post('/v1/artifacts/ingest', `{"padding": "${padding}"`)).status).toBe(400);
    const gone = AbortSignal.timeout(5 + 8 * round);
    await post('/v1/artifacts/ingest', unreadable, { signal: gone }).catch(() => undefined);
  }
  expect((await post('/v1/artifacts/ingest', padded('after'))).status).toBe(200);
}, 120_000);

it('takes a large body without a length', async () => {
  const chunks = new Blob([padded('in chunks')]).stream();
  expect((await post('/v1/artifacts/ingest', chunks, { duplex: 'half' })).status).toBe(200);
}, 60_000);

describe('callers that send their bodies slowly', () => {
  /** Has sent the head and a part of its body, and nothing from then on. */
  async function slow(path: string, body: string, length: string, sent: number): Promise<Socket> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
    );
    socket.write(body.slice(0, sent));
    await once(socket, 'connect');
    return socket;
  }
  const answerOf = async (socket: Socket): Promise<{ status: number; body: string }> => {
    const answer = await text(socket);
    return { status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n')) };
  };
  const sized = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;

  it('do not hold the room that others wait for, and are answered when they are done', async () => {
    // Each alone would hold all the room for large bodies, and the small ones together all that small ones have.
    const large = padded('slow and large');
    const small = JSON.stringify({ messages: [{ content: 'Hola' }], padding: 'x'.repeat(MiB - 100) });
    const callers = await Promise.all([
      ...Array.from({ length: 3 }, () => slow('/v1/artifacts/ingest', large, sized(large), 1000)),
      ...Array.from({ length: 10 }, () => slow('/v1/messages/validate', small, sized(small), small.length - 10)),
    ]);
    const settled: unknown[] = [];
    const answers = callers.map((socket) => answerOf(socket).finally(() => settled.push(socket)));

    expect((await post('/v1/artifacts/ingest', padded('prompt'))).status).toBe(200);
    expect((await post('/v1/messages/validate', small)).status).toBe(200);
    expect(settled).toEqual([]);

    const [first, , , ...others] = callers;
    first!.write(large.slice(1000));
    for (const socket of others) socket.write(small.slice(-10));
    expect((await Promise.all([answers[0]!, ...answers.slice(3)])).map(({ status }) => status)).toEqual(
      [first, ...others].map(() => 200),
    );
    const leaving = Promise.allSettled(answers.slice(1, 3));
    for (const socket of callers.slice(1, 3)) socket.destroy();
    await leaving;
  }, 180_000);

  it('are told of their limits as others are, and what they sent leaves nothing on the disk', async () => {
    const chunked = 'Transfer-Encoding: chunked';
    const inChunks = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`;
    const endless = await slow('/v1/messages/validate', inChunks('{"a":"'), chunked, 100);
    const whole = await slow('/v1/messages/validate', inChunks('{"messages":[{"content":"Ho'), chunked, 100);
    const gone = await slow('/v1/messages/validate', '{"a":', 'Content-Length: 5000', 5);
    const folder = join(server.dataDir, 'bodies');
    const onDisk = () =>
      readdirSync(`/proc/${server.pid}/fd`).filter((fd) => {
        try {
          return readlinkSync(`/proc/${server.pid}/fd/${fd}`).startsWith(folder);
        } catch {
          // Closed meanwhile.
          return false;
        }
      }).length;
    const before = await eventually(onDisk, (count) => count >= 3);
    gone.destroy();
    await eventually(onDisk, (count) => count < before);

    whole.write(inChunks('la"}]}') + '0\r\n\r\n');
    expect((await answerOf(whole)).status).toBe(200);
    endless.on('error', () => undefined);
    for (let sent = 0; sent < 40; sent++) endless.write(inChunks('x'.repeat(MiB)));
    expect(await answerOf(endless)).toMatchObject({
      status: 413,
      body: expect.stringContaining('MAX_MESSAGE_BODY_MB'),
    });
    await eventually(onDisk, (count) => count === 0);
    expect(readdirSync(folder)).toEqual([]);
  }, 180_000);
});
