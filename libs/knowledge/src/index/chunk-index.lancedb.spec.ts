import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chunkIndexContract } from './chunk-index.contract';
import { LanceDbChunkIndex } from './chunk-index.lancedb';

const folder = mkdtempSync(join(tmpdir(), 'chunk-index-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const fresh = () => join(folder, String(made++));

chunkIndexContract(() => LanceDbChunkIndex.open(fresh()));

describe('LanceDbChunkIndex', () => {
  const vectors = (count: number) =>
    Array.from({ length: count }, () => {
      const values = Float32Array.from({ length: 16 }, () => Math.random() - 0.5);
      const length = Math.hypot(...values);
      return values.map((value) => value / length);
    });

  it('keeps what was added when it is opened again', async () => {
    const [collection, chunk, revision] = [randomUUID(), randomUUID(), randomUUID()];
    const [vector] = vectors(1) as [Float32Array];
    const path = fresh();
    const first = await LanceDbChunkIndex.open(path);
    await first.add(collection, [{ chunk, revision, vector, terms: ['word'] }]);
    await first.close();
    const second = await LanceDbChunkIndex.open(path);
    expect(await second.nearest(collection, vector, { limit: 1 })).toMatchObject([{ chunk, revision }]);
    expect(await second.matching(collection, ['word'], { limit: 1 })).toMatchObject([{ chunk, revision }]);
    await second.close();
  });

  it('finds the same, fresh rows too, while and after its upkeep builds the indexes', async () => {
    const failures: unknown[] = [];
    const index = await LanceDbChunkIndex.open(fresh(), {
      onUpkeepError: (error) => failures.push(error),
      policy: { quietMs: 10, latestMs: 50, indexedFrom: 1000, freshRows: 200, keepVersionsMs: 0 },
    });
    const collection = randomUUID();
    const revision = randomUUID();
    const records = vectors(2400).map((vector, at) => ({
      chunk: randomUUID(),
      revision,
      vector,
      terms: ['all', `number${at}`],
    }));
    for (let at = 0; at < records.length; at += 100) {
      await index.add(collection, records.slice(at, at + 100));
      const last = records[at + 99] as (typeof records)[number];
      expect(await index.matching(collection, [`number${at + 99}`], { limit: 1 })).toMatchObject([
        { chunk: last.chunk },
      ]);
      expect(await index.nearest(collection, last.vector, { limit: 1 })).toMatchObject([{ chunk: last.chunk }]);
    }
    await index.settled();
    let found = 0;
    for (const { chunk, vector } of records.slice(0, 100)) {
      const [hit] = await index.nearest(collection, vector, { limit: 1 });
      if (hit?.chunk === chunk) found += 1;
    }
    expect(found).toBeGreaterThanOrEqual(98);
    expect(await index.matching(collection, ['all'], { limit: 5000 })).toHaveLength(2400);
    const [{ vector: anywhere }] = records as [(typeof records)[number]];
    expect(await index.nearest(collection, anywhere, { limit: 500 })).toHaveLength(500);
    expect((await index.nearest(collection, anywhere, { limit: 5000 })).length).toBeGreaterThan(2300);
    expect(failures).toEqual([]);
    await index.close();
  });

  it('gets to the end of its upkeep with many words, however few processors there are', async () => {
    const index = await LanceDbChunkIndex.open(fresh(), { policy: { quietMs: 0, indexedFrom: 1_000_000 } });
    const collection = randomUUID();
    const revision = randomUUID();
    const anyWord = () => `w${Math.floor(Math.random() * 50_000)}`;
    const someRecord = () => ({
      chunk: randomUUID(),
      revision,
      vector: new Float32Array([1, 0, 0, 0]),
      terms: Array.from({ length: 100 }, anyWord),
    });
    for (let round = 0; round < 5; round++) {
      await index.add(collection, Array.from({ length: 8000 }, someRecord));
      await index.settled();
    }
    expect(await index.matching(collection, ['w1'], { limit: 10 })).toHaveLength(10);
    await index.close();
  });
});
