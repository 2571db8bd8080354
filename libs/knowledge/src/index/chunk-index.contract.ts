import { randomUUID } from 'node:crypto';
import type { ChunkIndex, IndexRecord } from './chunk-index';

const unit = (...values: number[]) => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};

const record = (over: Partial<IndexRecord> = {}): IndexRecord => ({
  chunk: randomUUID(),
  revision: randomUUID(),
  vector: unit(1, 0, 0, 0),
  terms: ['word'],
  ...over,
});

/** What any ChunkIndex must do. Each adapter's spec calls this with a way to make a fresh, empty one. */
export function chunkIndexContract(create: () => Promise<ChunkIndex>): void {
  describe('ChunkIndex contract', () => {
    let index: ChunkIndex;
    let collection: string;
    beforeEach(async () => {
      index = await create();
      collection = randomUUID();
    });
    afterEach(() => index.close());

    const chunks = (hits: readonly { chunk: string }[]) => hits.map(({ chunk }) => chunk);

    it('returns the nearest first, at most `limit` of them, with the cosine as score', async () => {
      const far = record({ vector: unit(-1, 0, 0, 0) });
      const near = record();
      const between = record({ vector: unit(1, 1, 0, 0) });
      await index.add(collection, [far, near, between]);
      const hits = await index.nearest(collection, unit(1, 0, 0, 0), { limit: 2 });
      expect(chunks(hits)).toEqual([near.chunk, between.chunk]);
      expect(hits[0]?.score).toBeCloseTo(1, 3);
      expect(hits[1]?.score).toBeCloseTo(Math.SQRT1_2, 3);
      expect(hits[0]?.revision).toBe(near.revision);
    });

    it('finds by any term, the rarer term first', async () => {
      const common = Array.from({ length: 20 }, () => record({ terms: ['package', 'list'] }));
      const rare = record({ terms: ['package', 'etc/apt/sources.list'] });
      await index.add(collection, [...common, rare, record({ terms: ['other'] })]);
      const hits = await index.matching(collection, ['package', 'etc/apt/sources.list'], { limit: 50 });
      expect(hits).toHaveLength(21);
      expect(hits[0]?.chunk).toBe(rare.chunk);
      expect(hits.every(({ score }, at) => score > 0 && (at === 0 || score <= (hits[at - 1]?.score as number)))).toBe(
        true,
      );
    });

    it('finds a term that every record has, and one that a record was given twice', async () => {
      const records = Array.from({ length: 50 }, () => record({ terms: ['backup', 'backup', 'backup', 'disk'] }));
      await index.add(collection, records.slice(0, 25));
      await index.add(collection, records.slice(25));
      expect(new Set(chunks(await index.matching(collection, ['backup'], { limit: 100 })))).toEqual(
        new Set(chunks(records)),
      );
    });

    it('finds a record from the moment that `add` resolves, by vector and by word', async () => {
      for (let round = 0; round < 5; round++) {
        const fresh = record({ vector: unit(Math.random(), Math.random(), Math.random(), 1), terms: [`t${round}`] });
        await index.add(collection, [fresh]);
        expect(chunks(await index.matching(collection, [`t${round}`], { limit: 5 }))).toEqual([fresh.chunk]);
        expect(chunks(await index.nearest(collection, fresh.vector, { limit: 1 }))).toEqual([fresh.chunk]);
      }
    });

    it('narrows both searches to the revisions asked for; no revisions means nothing', async () => {
      const [wanted, other] = [record(), record()];
      await index.add(collection, [wanted, other]);
      const options = { limit: 10, revisions: [wanted.revision] };
      expect(chunks(await index.nearest(collection, wanted.vector, options))).toEqual([wanted.chunk]);
      expect(chunks(await index.matching(collection, ['word'], options))).toEqual([wanted.chunk]);
      const nothing = { limit: 10, revisions: [] };
      expect(await index.nearest(collection, wanted.vector, nothing)).toEqual([]);
      expect(await index.matching(collection, ['word'], nothing)).toEqual([]);
    });

    it('never crosses collections, which may differ in dimensions', async () => {
      const other = randomUUID();
      const [ours, theirs] = [record(), record({ vector: unit(1, 1) })];
      await index.add(collection, [ours]);
      await index.add(other, [theirs]);
      expect(chunks(await index.matching(collection, ['word'], { limit: 10 }))).toEqual([ours.chunk]);
      expect(chunks(await index.nearest(other, unit(1, 0), { limit: 10 }))).toEqual([theirs.chunk]);
      expect(new Set(await index.collections())).toEqual(new Set([collection, other]));
    });

    it('removes revisions whole, and nothing else', async () => {
      const revision = randomUUID();
      const [gone, alsoGone, stays] = [record({ revision }), record({ revision }), record()];
      await index.add(collection, [gone, stays]);
      await index.add(collection, [alsoGone]);
      await index.removeRevisions(collection, [revision, randomUUID()]);
      await index.removeRevisions(randomUUID(), [revision]);
      expect(chunks(await index.nearest(collection, stays.vector, { limit: 10 }))).toEqual([stays.chunk]);
      expect(chunks(await index.matching(collection, ['word'], { limit: 10 }))).toEqual([stays.chunk]);
    });

    it('drops a collection; one that is not there finds nothing and can be dropped', async () => {
      await index.add(collection, [record()]);
      await index.drop(collection);
      await index.drop(randomUUID());
      expect(await index.nearest(collection, unit(1, 0, 0, 0), { limit: 10 })).toEqual([]);
      expect(await index.matching(collection, ['word'], { limit: 10 })).toEqual([]);
      expect(await index.collections()).toEqual([]);
    });

    it('takes writes side by side, also the first ones of a collection', async () => {
      const records = Array.from({ length: 40 }, () => record());
      await Promise.all(records.map((each) => index.add(collection, [each])));
      expect(new Set(chunks(await index.nearest(collection, unit(1, 0, 0, 0), { limit: 100 })))).toEqual(
        new Set(chunks(records)),
      );
    });

    it('keeps anything but a UUID out of its queries', async () => {
      await index.add(collection, [record()]);
      const revisions = ["x') OR true OR revision IN ('"];
      await expect(index.nearest(collection, unit(1, 0, 0, 0), { limit: 10, revisions })).rejects.toThrow('UUID');
      await expect(index.removeRevisions(collection, revisions)).rejects.toThrow('UUID');
      await expect(index.add('../outside', [record()])).rejects.toThrow('UUID');
    });
  });
}
