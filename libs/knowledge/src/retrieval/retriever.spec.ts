import type { Caller } from '@app/access';
import { chunkSchema } from '@app/contract';
import { openKnowledge, type TestKnowledge } from '../../../../test/support/open-knowledge';
import type { ChunkIndex } from '../index/chunk-index';
import { citationMark } from './citation-mark';
import { Retriever, type SearchRequest } from './retriever';

let knowledge: TestKnowledge;
let caller: Caller;

const MANUAL = `# Manual

## Backups

Backups run every night and are kept for a month on the second disk.

## Users

${Array.from({ length: 6 }, (_, at) => `Paragraph${at} tells about accounts. ${`Accounts have a home folder and a shell. `.repeat(8)}`).join('\n\n')}

## Network

The address is set in /etc/network/interfaces by hand.`;

beforeAll(async () => {
  knowledge = await openKnowledge();
  caller = await knowledge.caller();
  const { library } = knowledge;
  await library.ingest(caller, knowledge.text('manual', MANUAL, { metadata: { file_name: 'manual.md' } }));
  await library.ingest(caller, knowledge.text('guía', 'Las copias de seguridad se hacen cada noche.'));
  await library.ingest(caller, knowledge.text('elsewhere', 'Backups of another collection.', { collection: 'other' }));
});
afterAll(() => knowledge.close());

const search = (query: string, more: Partial<SearchRequest> = {}, scope = {}) =>
  knowledge.retriever.search(caller, {
    mode: 'hybrid',
    query,
    limit: 10,
    ...more,
    filter: { collection: 'docs', artifacts: undefined, metadata_filter: undefined, ...scope },
  });

describe('search', () => {
  it.each(['semantic', 'keyword', 'hybrid'] as const)(
    '%s: chunks as the contract has them, best first',
    async (mode) => {
      const chunks = await search('backups night disk', { mode });
      expect(chunks[0]).toMatchObject({
        text: 'Backups run every night and are kept for a month on the second disk.',
        document: { artifact: 'manual', doc_metadata: { collection: 'docs', file_name: 'manual.md' } },
        metadata: { title: 'Manual › Backups', abs_idx: 0, rel_idx: 0 },
        previous_texts: [],
        next_texts: [],
      });
      for (const chunk of chunks) chunkSchema.parse(chunk);
      const scores = chunks.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
    },
  );

  it('finds by inflected words, with and without accents, in both languages', async () => {
    const keyword = { mode: 'keyword' as const };
    expect((await search('copia de seguridad', keyword))[0]?.document.artifact).toBe('guía');
    expect((await search('backup', keyword))[0]?.metadata.title).toBe('Manual › Backups');
    expect((await search('/etc/network/interfaces', keyword))[0]?.metadata.title).toBe('Manual › Network');
  });

  it('looks for the keywords besides the query', async () => {
    const [first] = await search('', { keywords: ['network', 'address'] });
    expect(first?.metadata.title).toBe('Manual › Network');
    expect((await search('', { mode: 'keyword', keywords: ['seguridad'] }))[0]?.document.artifact).toBe('guía');
  });

  it('finds nothing for nothing', async () => {
    expect(await search('')).toEqual([]);
    expect(await search(' \n\0 ', { mode: 'semantic' })).toEqual([]);
    expect(await search('the of and', { mode: 'keyword' })).toEqual([]);
  });

  it('takes NUL and halves of surrogate pairs in a query for what they are: nothing', async () => {
    expect((await search('back\0ups \ud800 backups'))[0]?.metadata.title).toBe('Manual › Backups');
  });

  it('keeps to its collection; one that is not there has nothing', async () => {
    expect((await search('backups', {}, { collection: 'other' })).map(({ text }) => text)).toEqual([
      'Backups of another collection.',
    ]);
    expect(await search('backups', {}, { collection: 'made-up' })).toEqual([]);
    expect(await search('backups', {}, { collection: 'nul\0' })).toEqual([]);
  });

  it('keeps to the artifacts listed, and finds nothing among none', async () => {
    const artifacts = ['guía'];
    expect(
      new Set((await search('backups noche', {}, { artifacts })).map(({ document }) => document.artifact)),
    ).toEqual(new Set(artifacts));
    expect(await search('backups', {}, { artifacts: [] })).toEqual([]);
  });

  it('refuses a listed artifact that is not there, also by `check`', async () => {
    const message = 'The context cannot be used: artifact=ghost is not initialized.';
    const scope = { collection: 'docs', artifacts: ['manual', 'ghost'], metadata_filter: undefined };
    await expect(search('backups', {}, scope)).rejects.toMatchObject({ type: 'invalid_request_error', message });
    await expect(knowledge.retriever.check(caller, scope)).rejects.toMatchObject({ message });
    await expect(
      knowledge.retriever.check(caller, { ...scope, collection: 'made-up', artifacts: ['ghost'] }),
    ).rejects.toMatchObject({ message });
    await knowledge.retriever.check(caller, { ...scope, artifacts: ['manual'] });
  });

  it('gives no more than the limit, and nothing below the threshold', async () => {
    expect(await search('accounts', { limit: 3 })).toHaveLength(3);
    const all = await search('accounts home folder', { mode: 'semantic' });
    const scoreThreshold = all[1]!.score;
    const some = await search('accounts home folder', { mode: 'semantic', scoreThreshold });
    expect(some.length).toBeLessThan(all.length);
    expect(some.every(({ score }) => score >= scoreThreshold)).toBe(true);
  });

  it('fills in the neighbours of the same section, at most two on each side', async () => {
    const users = (await search('paragraph3 accounts', { expand: true, mode: 'keyword' })).filter(
      ({ metadata }) => metadata.title === 'Manual › Users',
    );
    const inOrder = [...users].sort((a, b) => a.metadata.abs_idx - b.metadata.abs_idx);
    expect(inOrder.length).toBeGreaterThan(4);
    inOrder.forEach(({ previous_texts, next_texts }, at) => {
      const texts = inOrder.map(({ text }) => text);
      expect(previous_texts).toEqual(texts.slice(Math.max(0, at - 2), at));
      expect(next_texts).toEqual(texts.slice(at + 1, at + 3));
    });
  });

  it('starts again when an artifact is replaced between the look into the index and into the texts', async () => {
    const { library, index, passages, embedder } = knowledge;
    const body = (word: string) => knowledge.text('page', `A ${word} text.`, { collection: 'changing' });
    await library.ingest(caller, body('first'));
    let looks = 0;
    const slow = new Proxy(index as ChunkIndex, {
      get:
        (target, property) =>
        async (collection: string, ...given: never[]) => {
          const hits = await (target as any)[property](collection, ...given);
          if (property === 'matching' && looks++ === 0) {
            await library.ingest(caller, body('second'));
            await knowledge.sweeper.sweep();
          }
          return hits;
        },
    });
    const filter = { collection: 'changing', artifacts: undefined, metadata_filter: undefined };
    const request = { mode: 'hybrid' as const, query: 'text', limit: 5, filter };
    const found = await new Retriever(passages, slow, embedder).search(caller, request);
    expect(found.map(({ text }) => text)).toEqual(['A second text.']);
    expect(looks).toBe(2);
  });

  it('looks further where much of what the index proposes is dead', async () => {
    const { library, index, query } = knowledge;
    await library.ingest(caller, knowledge.text('page', 'A living text.', { collection: 'haunted' }));
    const [{ id }] = await query.call(knowledge, `SELECT id FROM collections WHERE name = 'haunted'`);
    const [vector] = await knowledge.embedder.embed(['living text']);
    const ghosts = Array.from({ length: 200 }, () => ({
      chunk: crypto.randomUUID(),
      revision: crypto.randomUUID(),
      vector: vector as Float32Array,
      terms: ['living', 'text'],
    }));
    await index.add(id, ghosts);
    for (const mode of ['semantic', 'keyword', 'hybrid'] as const) {
      const found = await search('living text', { mode }, { collection: 'haunted' });
      expect(found.map(({ text }) => text)).toEqual(['A living text.']);
    }
  });

  it('stops when the caller goes away', async () => {
    await expect(
      knowledge.retriever.search(
        caller,
        {
          mode: 'hybrid',
          query: 'backups',
          limit: 1,
          filter: { collection: 'docs', artifacts: undefined, metadata_filter: undefined },
        },
        AbortSignal.abort(new Error('gone')),
      ),
    ).rejects.toThrow('gone');
  });
});

describe('citationMark', () => {
  it('is four of A-Z and 0-9, and always the same for a chunk', () => {
    const ids = Array.from({ length: 500 }, () => crypto.randomUUID());
    const marks = ids.map(citationMark);
    expect(marks.every((mark) => /^[A-Z0-9]{4}$/.test(mark))).toBe(true);
    expect(ids.map(citationMark)).toEqual(marks);
    expect(new Set(marks).size).toBeGreaterThan(490);
  });
});
