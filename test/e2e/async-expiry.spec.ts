/** Messages that expire while others run, are read, and are started (messages-api §11). */
import type { StreamEvent } from '@app/contract';
import { ask, asyncClient, eventsOf, sleep, textOf } from '../support/async-client';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

const RETENTION_SECONDS = 2;
const WAVES = 4;
const A_WAVE = 12;
const LONG = 12;
/** Longer than messages are kept, with and without a word in between. */
const PIECES = 24;
const PAUSE_MS = 300;
const SILENT_MS = 3 * RETENTION_SECONDS * 1000;

const range = (length: number) => Array.from({ length }, (_, at) => at);
const wordsOf = (name: string, pieces = 3) => range(pieces).map((at) => `${name} says ${at}. `);

interface Gate {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}
function gate(): Gate {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

describe('Async messages that expire', () => {
  let model: FakeModelServer;
  let server: TestServer;
  let client: ReturnType<typeof asyncClient>;
  /** Settles once a message is being read, whoever asks first. */
  const readers = new Map<string, Gate>();
  const readerOf = (name: string) => {
    if (!readers.has(name)) readers.set(name, gate());
    return readers.get(name)!;
  };
  beforeAll(async () => {
    model = await FakeModelServer.start();
    model.always(({ messages }) => {
      const name = messages.at(-1).content as string;
      if (name.startsWith('long')) return { text: wordsOf(name, PIECES), pauseMs: PAUSE_MS };
      if (name.startsWith('silent')) return { text: wordsOf(name), until: sleep(SILENT_MS) };
      // Not over before somebody reads it: on a busy machine it would be gone by then.
      return { text: wordsOf(name), until: readerOf(name).promise };
    });
    const env = {
      OPENAI_BASE_URL: model.baseUrl,
      ASYNC_RETENTION_SECONDS: String(RETENTION_SECONDS),
      MAX_ASYNC_WAITING_PER_ORG: '1000',
    };
    server = await startServer({ env });
    client = asyncClient(server);
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });

  const start = async (name: string) => expect((await client.start(ask(name), name)).status).toBe(200);
  const readWhole = async (name: string): Promise<StreamEvent[] | undefined> => {
    const response = await client.stream(name);
    if (response.status === 200) readerOf(name).resolve();
    const text = await response.text();
    return response.status === 404 ? undefined : eventsOf(text);
  };
  /** Reads a message again and again until it is gone: what is read is the whole of it, every time. */
  const readUntilGone = async (name: string, whole: readonly StreamEvent[]): Promise<number> => {
    let times = 0;
    await eventually(
      async () => {
        const events = await readWhole(name);
        if (events === undefined) return true;
        expect(events).toEqual(whole);
        times++;
        return false;
      },
      Boolean,
      { everyMs: 150 },
    );
    return times;
  };

  it('are whole until they are gone, and take nothing with them that runs or is read (§async-expiry §async-retention §async-replay)', async () => {
    const lasting = [...range(LONG).map((at) => `long-${at}`), 'silent-1', 'silent-2'];
    await Promise.all(lasting.map(start));
    const lived = lasting.map(readWhole);

    const passing: { name: string; gone: Promise<number> }[] = [];
    for (const wave of range(WAVES)) {
      const names = range(A_WAVE).map((at) => `short-${wave}-${at}`);
      await Promise.all(names.map(start));
      for (const name of names) {
        const gone = readWhole(name).then((events) => {
          expect(textOf(events!)).toBe(wordsOf(name).join(''));
          expect(events!.at(-1)!.type).toBe('message_stop');
          return readUntilGone(name, events!);
        });
        // Awaited below; what fails must not be nobody's until then.
        gone.catch(() => undefined);
        passing.push({ name, gone });
      }
      await sleep(1000);
    }
    const times = await Promise.all(passing.map(({ gone }) => gone));
    expect(times.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0);

    const late = await Promise.all(lived);
    lasting.forEach((name, at) => {
      const pieces = name.startsWith('long') ? PIECES : 3;
      expect([name, textOf(late[at]!)]).toEqual([name, wordsOf(name, pieces).join('')]);
      expect(late[at]!.at(-1)!.type).toBe('message_stop');
    });
    await Promise.all(lasting.map((name, at) => readUntilGone(name, late[at]!)));

    for (const name of [passing[0]!.name, lasting[0]!, 'silent-1']) {
      const answers = await Promise.all([
        client.stream(name),
        client.cancel(name),
        client.remove(name),
        server.fetch(`/v1/messages/async/${name}/status`),
      ]);
      for (const answer of answers) {
        expect([answer.status, ((await answer.json()) as any).detail]).toEqual([
          404,
          `Stream with message_id ${name} not found`,
        ]);
      }
    }
    expect(model.requests).toHaveLength(lasting.length + passing.length);
    await start(lasting[0]!);
    expect(textOf((await readWhole(lasting[0]!))!)).toBe(wordsOf(lasting[0]!, PIECES).join(''));
  }, 120_000);
});
