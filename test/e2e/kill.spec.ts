/**
 * What was answered with success survives `kill -9`: of the server, of PostgreSQL, or of both, at any moment.
 *
 * Each round ingests new versions of the same few documents, kills at a random moment, starts again without a hand,
 * and reads everything back. Every passage of a version carries that version's own word, so a half or a doubled
 * version cannot hide.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chunk, IngestedDocument } from '@app/contract';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

const ROUNDS = 21;
const DOCUMENTS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const SECTIONS = 8;
/** Nothing of the test database is used: the embedded one is what gets killed. */
const UNUSED = { url: '', drop: () => Promise.resolve() };

/** Numbers from a seed, so that a round that failed can be run again. */
function randomFrom(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const wordOf = (name: string, version: number) => `${name}version${version}`;
const documentOf = (name: string, version: number) =>
  Array.from(
    { length: SECTIONS },
    (_, section) =>
      `## Section ${section} of ${name}\n\nThis is ${wordOf(name, version)}, passage ${section} of ${SECTIONS}, about everything.`,
  ).join('\n\n');

describe('kill -9', () => {
  let embeddings: FakeModelServer;
  let dataDir: string;
  let server: TestServer | undefined;

  beforeAll(async () => {
    embeddings = await FakeModelServer.start({ dimensions: 32 });
    dataDir = await mkdtemp(join(tmpdir(), 'toolwright-kill-'));
  });
  afterAll(async () => {
    await server?.stop();
    await embeddings?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = () =>
    startServer({
      dataDir,
      database: UNUSED,
      env: { EMBEDDINGS_BASE_URL: embeddings.baseUrl, EMBEDDINGS_MODEL: 'fake-embedder' },
    });
  const postmaster = async () =>
    Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

  /** The version that is there, whole, or undefined where there is none. */
  async function versionOf(running: TestServer, name: string, candidates: number[]): Promise<number | undefined> {
    const list = (await (await running.fetch('/v1/artifacts/list?collection=kill')).json()) as {
      data: IngestedDocument[];
    };
    const listed = list.data.filter(({ artifact }) => artifact === name);
    expect(listed.length).toBeLessThanOrEqual(1);
    const found: number[] = [];
    for (const version of candidates) {
      const body = {
        type: 'keywords_search',
        keywords: [wordOf(name, version)],
        context_filter: { collection: 'kill' },
        limit: 100,
      };
      const { data } = (await (await running.post('/v1/primitives/search', body)).json()) as { data: Chunk[] };
      const passages = data.filter(({ text }) => text.includes(`${wordOf(name, version)},`));
      if (passages.length === 0) continue;
      expect(new Set(passages.map(({ text }) => text)).size).toBe(passages.length);
      expect(passages).toHaveLength(listed[0]!.doc_metadata!.chunk_count as number);
      expect(passages.every(({ document }) => document.artifact === name)).toBe(true);
      found.push(version);
    }
    expect(found.length).toBe(listed.length);
    return found[0];
  }

  it(`leaves every acknowledged document whole, ${ROUNDS} times`, async () => {
    const seed = Number(process.env.KILL_SEED ?? Date.now() % 100_000);
    const random = randomFrom(seed);
    const acknowledged = new Map<string, number>();
    const attempted = new Map<string, number[]>(DOCUMENTS.map((name) => [name, []]));
    let version = 0;
    let killedWhileWriting = 0;

    server = await start();
    for (let round = 0; round < ROUNDS; round++) {
      const running: TestServer = server;
      const victim = (['server', 'postgres', 'both'] as const)[round % 3]!;
      let inFlight = 0;
      let stopped = false;
      const writer = async (names: string[]) => {
        while (!stopped) {
          const name = names[Math.floor(random() * names.length)]!;
          const mine = ++version;
          attempted.get(name)!.push(mine);
          inFlight++;
          const body = { artifact: name, collection: 'kill', input: { type: 'text', value: documentOf(name, mine) } };
          const status = await running
            .post('/v1/artifacts/ingest', body)
            .then(async (response) => (await response.text(), response.status))
            .catch(() => 0);
          inFlight--;
          if (status === 200) acknowledged.set(name, mine);
          else await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      // Two writers with names of their own, so that "the last acknowledged" is a fact.
      const writers = [writer(DOCUMENTS.slice(0, 3)), writer(DOCUMENTS.slice(3))];
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 900));
      if (inFlight > 0) killedWhileWriting++;
      if (victim !== 'server') process.kill(await postmaster(), 'SIGKILL');
      if (victim !== 'postgres') await running.kill();
      else await new Promise((resolve) => setTimeout(resolve, random() * 300));
      stopped = true;
      await Promise.all(writers);
      if (victim === 'postgres') await recovered(running);
      else server = await start();

      for (const name of DOCUMENTS) {
        const promised = acknowledged.get(name);
        const candidates = attempted.get(name)!.filter((sent) => sent >= (promised ?? 0));
        const there = await versionOf(server, name, candidates);
        // A version that was sent after the acknowledged one may have made it without its answer; an older one may not.
        const failure = `seed ${seed}, round ${round}, ${victim}: ${name} is ${there}, acknowledged ${promised}`;
        if (promised !== undefined && (there === undefined || there < promised)) throw new Error(failure);
        if (there !== undefined) acknowledged.set(name, there);
      }
    }
    expect(acknowledged.size).toBe(DOCUMENTS.length);
    expect(killedWhileWriting).toBeGreaterThan(ROUNDS / 2);
  }, 600_000);

  /** The server brings its database back by itself. */
  async function recovered(running: TestServer): Promise<void> {
    await eventually(
      () => running.fetch('/health/ready').catch(() => undefined),
      (ready) => ready?.status === 200,
      { what: () => `not ready again: ${running.output().slice(-2000)}` },
    );
  }
});
