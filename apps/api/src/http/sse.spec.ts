import type { Caller } from '@app/access';
import { InvalidRequestError, OverloadedError, type StreamEvent } from '@app/contract';
import type { StopSignal } from '@app/platform';
import fastify, { type FastifyInstance } from 'fastify';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually, settled } from '../../../../test/support/eventually';
import { Answers } from './answers';
import { sendEvents } from './sse';
import { StreamClock } from './stream-clock';

const CALLER: Caller = { organisationId: 'o', organisation: 'default', scopes: ['read'] };
const START: StreamEvent = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'm',
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 0 },
  },
};
const STOP: StreamEvent = { type: 'message_stop' };
const delta = (text: string): StreamEvent => ({
  type: 'content_block_delta',
  index: 0,
  block_id: 'block_1',
  delta: { type: 'text_delta', text },
});

/** Ticks when it is told to. */
class HandClock extends StreamClock {
  private readonly handled = new Set<{ tick(): void }>();
  override add(stream: { tick(): void }) {
    this.handled.add(stream);
  }
  override remove(stream: { tick(): void }) {
    this.handled.delete(stream);
  }
  pass(seconds: number) {
    for (let second = 0; second < seconds; second += 1) for (const one of this.handled) one.tick();
  }
}

describe('a stream of events', () => {
  let server: FastifyInstance;
  let clock: HandClock;
  let answers: Answers;
  let url: string;
  let port: number;
  let make: (signal: StopSignal) => AsyncGenerator<StreamEvent, void>;
  let failures: unknown[];

  beforeEach(async () => {
    clock = new HandClock();
    answers = new Answers({ http: { maxStreamsPerKey: 2 } } as any);
    failures = [];
    server = fastify({ forceCloseConnections: true });
    server.setErrorHandler((error: Error, _request, reply) => reply.status(418).send({ message: error.message }));
    server.get('/', async (_, reply) => {
      reply.header('request-id', 'req_1');
      const answer = answers.begin(CALLER, reply.raw);
      try {
        const onError = (error: unknown) => failures.push(error);
        await sendEvents(reply, make(answer.signal), {
          answer,
          clock,
          stalledReaderMs: 3000,
          requestId: 'req_1',
          onError,
        });
      } finally {
        answer.end();
      }
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = server.server.address() as AddressInfo);
    url = `http://127.0.0.1:${port}/`;
  });
  afterEach(() => server.close());

  it('is written event by event, in order, with the headers that keep proxies from holding it back', async () => {
    make = async function* () {
      yield START;
      yield delta('a\n\nevent: message_stop');
      await wait(20);
      yield delta('b');
      yield STOP;
    };
    const response = await fetch(url);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'request-id': 'req_1',
    });
    const written = [START, delta('a\n\nevent: message_stop'), delta('b'), STOP];
    expect(await response.text()).toBe(written.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join(''));
  });

  it('hands each event on before the next one is there', async () => {
    let release = () => {};
    make = async function* () {
      yield START;
      await new Promise<void>((resolve) => (release = resolve));
      yield STOP;
    };
    const reader = (await fetch(url)).body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toContain('message_start');
    release();
    expect(Buffer.from((await reader.read()).value!).toString()).toContain('message_stop');
  });

  it('that fails before its first event has not begun: the failure is thrown, to become a status', async () => {
    make = async function* () {
      throw new InvalidRequestError('no');
      yield START;
    };
    const response = await fetch(url);
    expect(response.status).toBe(418);
    expect(await response.json()).toEqual({ message: 'no' });
    expect(failures).toEqual([]);
  });

  it('that fails later ends with one error event, and says nothing of what nobody foresaw', async () => {
    make = async function* () {
      yield START;
      throw new Error('the driver said S3CR3T');
    };
    const text = await (await fetch(url)).text();
    expect(text).toMatch(
      /event: error\ndata: \{"type":"error","error":\{"type":"api_error","message":"Internal error".*"request_id":"req_1".*\n\n$/,
    );
    expect(text).not.toContain('S3CR3T');
    expect(text).not.toContain('message_stop');
    expect(failures).toHaveLength(1);
  });

  it('pings after 15 seconds without an event, and not while events flow', async () => {
    let release = () => {};
    make = async function* () {
      yield START;
      await new Promise<void>((resolve) => (release = resolve));
      yield STOP;
    };
    const reader = (await fetch(url)).body!.getReader();
    await reader.read();
    clock.pass(14);
    const next = reader.read();
    await expect(Promise.race([next, wait(30, 'nothing')])).resolves.toBe('nothing');
    clock.pass(1);
    expect(Buffer.from((await next).value!).toString()).toBe('event: ping\ndata: {"type":"ping"}\n\n');
    release();
  });

  it('is called off when the caller hangs up, and its slot is free again', async () => {
    let aborted = () => {};
    const heard = new Promise<void>((resolve) => (aborted = resolve));
    make = async function* (signal) {
      yield START;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const inner = make;
    make = (signal) => {
      signal.addEventListener('abort', aborted);
      return inner(signal);
    };
    for (let round = 0; round < 3; round += 1) {
      const hangUp = new AbortController();
      const response = await eventually(
        () => fetch(url, { signal: hangUp.signal }),
        ({ status }) => status === 200,
      );
      await response.body!.getReader().read();
      hangUp.abort();
      await heard;
    }
    expect(failures).toEqual([]);
  });

  it('is one of only so many that a key may have at once', async () => {
    make = async function* (signal) {
      yield START;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    await Promise.all([fetch(url), fetch(url)]);
    const third = await fetch(url);
    expect(third.status).toBe(418);
    expect(((await third.json()) as any).message).toContain('MAX_STREAMS_PER_KEY');
  });

  it('waits for a caller that reads slowly, and loses nothing', async () => {
    const texts = Array.from({ length: 400 }, (_, n) => `${n}:${'x'.repeat(20_000)}`);
    let pulled = 0;
    make = async function* () {
      yield START;
      for (const text of texts) {
        pulled += 1;
        yield delta(text);
      }
      yield STOP;
    };
    const response = await fetch(url);
    expect(await settled(() => pulled)).toBeLessThan(texts.length);
    const read = (await response.text()).split('\n\n').filter((frame) => frame.includes('text_delta'));
    expect(read.map((frame) => JSON.parse(frame.split('data: ')[1]!).delta.text)).toEqual(texts);
  });

  it('is cut when the caller has read nothing for as long as it may', async () => {
    let aborted: unknown;
    make = async function* (signal) {
      signal.addEventListener('abort', () => (aborted = signal.reason));
      yield START;
      for (; ; written += 1) yield delta('x'.repeat(50_000));
    };
    let written = 0;
    const socket = connect(port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await settled(() => written);
    clock.pass(2);
    expect(aborted).toBeUndefined();
    clock.pass(1);
    expect(String(await eventually(() => aborted))).toContain('stopped reading');
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('ends in words when the server has to stop', async () => {
    make = async function* (signal) {
      yield START;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const response = await fetch(url);
    await answers.drain(10);
    expect(await response.text()).toContain(new OverloadedError('The server is shutting down.').message);
  });
});
