/** Many large bodies at once: the memory stays bounded, small requests go on, nobody is refused without a name. */
import { readFileSync } from 'node:fs';
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
