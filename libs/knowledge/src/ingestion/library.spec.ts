import { randomUUID } from 'node:crypto';
import type { Caller } from '@app/access';
import { openKnowledge, type TestKnowledge } from '../../../../test/support/open-knowledge';
import { WordEmbedder } from '../../../../test/support/word-embedder';
import { ChunkIndex } from '../index/chunk-index';

let knowledge: TestKnowledge;
let caller: Caller;
beforeAll(async () => {
  knowledge = await openKnowledge();
});
afterAll(() => knowledge.close());
beforeEach(async () => {
  caller = await knowledge.caller();
  knowledge.embedder.before = () => {};
});
afterEach(() => expect(knowledge.failures).toEqual([]));

const search = (query: string, who = caller, collection = 'docs') =>
  knowledge.retriever.search(who, {
    mode: 'hybrid',
    query,
    filter: { collection, artifacts: undefined, metadata_filter: undefined },
    limit: 10,
  });
const texts = async (query: string) => (await search(query)).map(({ text }) => text);
const ingest = (artifact: string, value: string, more = {}) =>
  knowledge.library.ingest(caller, knowledge.text(artifact, value, more));
const remove = (artifact: string, collection = 'docs') => knowledge.library.remove(caller, { collection, artifact });
const artifacts = async (collection = 'docs') =>
  (await knowledge.library.list(caller, collection)).map(({ artifact }) => artifact);

/** What the index holds of the caller's collection, seen or not. */
async function indexed(collection = 'docs'): Promise<number> {
  const [row] = await knowledge.query('SELECT id FROM collections WHERE organisation_id = $1 AND name = $2', [
    caller.organisationId,
    collection,
  ]);
  const vector = new Float32Array(64).fill(1 / 8);
  return row ? (await knowledge.index.nearest(row.id, vector, { limit: 10_000 })).length : 0;
}

describe('ingest', () => {
  it('makes a text findable, and says what it is', async () => {
    const [document] = await ingest('notes', 'The backup runs every night.', {
      metadata: { team: 'ops', tags: ['a'] },
    });
    expect(document).toMatchObject({
      object: 'ingest.document',
      artifact: 'notes',
      doc_metadata: {
        team: 'ops',
        tags: ['a'],
        artifact_id: 'notes',
        collection: 'docs',
        file_name: 'text_content.txt',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        embedder: 'words',
        dimensions: 64,
        chunk_count: 1,
      },
    });
    expect(await search('backup')).toMatchObject([{ text: 'The backup runs every night.', document }]);
    expect(await knowledge.library.list(caller, 'docs')).toEqual([document]);
  });

  it('does nothing for the same content, and replaces for other content, metadata or name', async () => {
    await ingest('notes', 'First words.');
    expect(await ingest('notes', 'First words.')).toEqual([]);
    expect(await ingest('notes', 'Second words.')).toHaveLength(1);
    expect(await texts('words')).toEqual(['Second words.']);
    expect(await ingest('notes', 'Second words.', { metadata: { year: 2024 } })).toHaveLength(1);
    expect(await ingest('notes', 'Second words.', { metadata: { year: 2024 } })).toEqual([]);
    expect(await ingest('notes', 'Second words.', { metadata: { year: 2024, file_name: 'a.md' } })).toHaveLength(1);
    await knowledge.sweeper.sweep();
    expect(await indexed()).toBe(1);
  });

  it('works on four documents of an organisation at once, and keeps no content twice', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    knowledge.embedder.before = () => held;
    const bodies = Array.from({ length: 6 }, (_, at) => knowledge.text(`many-${at}`, `Words number ${at}.`));
    const other = await knowledge.caller();
    const theirs = knowledge.text('theirs', 'Their words.');
    const library = knowledge.libraryWith({ maxWaitingBytes: 128 * 1024 });
    const ingests = [
      ...bodies.slice(0, 5).map((body) => library.ingest(caller, body)),
      library.ingest(other, theirs),
      expect(library.ingest(caller, bodies[5]!)).rejects.toMatchObject({
        type: 'overloaded_error',
        message: expect.stringContaining('MAX_WAITING_INGEST_MB'),
        retryAfter: expect.any(Number),
      }),
    ];
    const taken = () => [...bodies.slice(0, 4), theirs].every(({ input }) => input.value === '');
    while (!taken()) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(bodies.map(({ input }) => input.value !== '')).toEqual([false, false, false, false, true, true]);
    release();
    await Promise.all(ingests);
    expect((await artifacts()).filter((id) => id.startsWith('many'))).toHaveLength(5);
  });

  it('takes a file as base64, with or without the head of a data URL', async () => {
    const value = Buffer.from('# Title\n\nSome words here.').toString('base64');
    const [document] = await knowledge.library.ingest(caller, {
      artifact: 'plain',
      collection: 'docs',
      input: { type: 'file', value },
      metadata: { file_name: 'read me.md' },
    });
    expect(document?.doc_metadata).toMatchObject({ file_name: 'read me.md' });
    await knowledge.library.ingest(caller, {
      artifact: 'data-url',
      collection: 'docs',
      input: { type: 'file', value: `data:text/markdown;base64,${value}` },
    });
    expect(await search('words')).toMatchObject([
      { metadata: { title: 'Title' }, text: 'Some words here.' },
      { text: expect.stringContaining('Some words here.') },
    ]);
  });

  const file = (value: string, metadata = {}) => ({ input: { type: 'file' as const, value }, metadata });
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  it.each([
    ['base64 with foreign characters', file('aGVs*G8='), 'not valid base64'],
    ['base64 without padding', file('aGVsbG8'), 'not valid base64'],
    ['base64 with stray bits', file('aGVsbG9='), 'not valid base64'],
    ['base64 with line breaks', file('aGVs\nbG8=\n\n\n'), 'not valid base64'],
    ['an empty file', file(''), '0 bytes'],
    [
      'a file that is not what its name says',
      file(encoded('plain words'), { file_name: 'a.html' }),
      'unsupported_file',
    ],
    ['an extension nobody reads', file(encoded('plain words'), { file_name: 'a.xyz' }), '.xyz'],
    ['an empty text', { input: { type: 'text' as const, value: ' \n ' } }, 'text is empty'],
    ['a text with NUL', { input: { type: 'text' as const, value: 'a\0b' } }, 'NUL character at position 1'],
    ['a text with half a surrogate pair', { input: { type: 'text' as const, value: 'a\ud800b' } }, 'surrogate'],
    ['a path as file name', { metadata: { file_name: '../../etc/passwd' } }, 'file_name'],
    ['a file name that is no text', { metadata: { file_name: 7 } }, 'file_name'],
    ['a key of the server', { metadata: { hash: 'x' } }, 'hash is set by the server'],
    ['another artifact id', { metadata: { artifact_id: 'other' } }, 'artifact_id is set by the server'],
    ['another collection', { metadata: { collection: 'other' } }, 'collection is set by the server'],
    ['an organisation', { metadata: { org_id: 'B' } }, 'org_id is set by the server'],
    ['metadata with NUL', { metadata: { a: ['\0'] } }, 'NUL'],
    ['metadata with half a surrogate pair', { metadata: { '\ud800': 1 } }, 'surrogate'],
    ['metadata beyond 64 KiB', { metadata: { a: 'x'.repeat(65_536) } }, 'limit_exceeded'],
    ['metadata nested too deep', { metadata: { a: JSON.parse('['.repeat(40) + ']'.repeat(40)) } }, 'nested'],
  ])('refuses %s and keeps nothing', async (_, body, reason) => {
    await expect(ingest('bad', 'Some words.', body)).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringContaining(reason),
    });
    await knowledge.sweeper.sweep();
    expect(await artifacts()).toEqual([]);
    expect(
      await knowledge.query('SELECT * FROM collections WHERE organisation_id = $1', [caller.organisationId]),
    ).toEqual([]);
    expect(await knowledge.query('SELECT * FROM index_revisions')).toEqual([]);
  });

  it('refuses one byte over the limit, of text and of a file, and takes the limit itself', async () => {
    const limited = knowledge.libraryWith({ maxFileBytes: 30 });
    const words = 'ten bytes!'.repeat(3);
    const refusal = { type: 'request_too_large', message: expect.stringContaining('MAX_FILE_MB') };
    await expect(limited.ingest(caller, knowledge.text('a', `${words}.`))).rejects.toMatchObject(refusal);
    const value = encoded(`${words}.`);
    await expect(limited.ingest(caller, { ...knowledge.text('a', ''), ...file(value) })).rejects.toMatchObject(refusal);
    expect(await limited.ingest(caller, { ...knowledge.text('a', ''), ...file(encoded(words)) })).toHaveLength(1);
  });

  it('lets metadata say what is so anyway', async () => {
    const [document] = await ingest('notes', 'Words.', {
      metadata: { artifact_id: 'notes', collection: 'docs', a: 1 },
    });
    expect(document?.doc_metadata).toMatchObject({ artifact_id: 'notes', collection: 'docs', a: 1 });
  });

  it('never mixes embedders, and says so by name', async () => {
    await ingest('notes', 'Words.');
    const other = knowledge.libraryWith({ embedder: new WordEmbedder('others', 32) });
    const refused = expect.stringContaining('built with the embedder words (64 dimensions)');
    await expect(other.ingest(caller, knowledge.text('more', 'Words.'))).rejects.toMatchObject({ message: refused });
    await remove('notes');
    expect(await other.ingest(caller, knowledge.text('more', 'Words.'))).toHaveLength(1);
    await expect(search('words')).rejects.toMatchObject({ message: expect.stringContaining('others (32') });
  });
});

describe('quotas of an organisation', () => {
  it('stops at 200 collections', async () => {
    await ingest('notes', 'Words.');
    await knowledge.query(
      `INSERT INTO collections (id, organisation_id, name, embedder_id, dimensions)
        SELECT gen_random_uuid(), $1, 'filler' || n, 'words', 64 FROM generate_series(1, 199) AS n`,
      [caller.organisationId],
    );
    await expect(ingest('notes', 'Words.', { collection: 'one more' })).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: 'limit_exceeded: an organisation may have 200 collections.',
    });
    expect(await ingest('more', 'More words.')).toHaveLength(1);
  });

  it('stops at 10 GiB in all, and counts an artifact that is replaced once', async () => {
    await ingest('notes', 'Words.');
    const nearly = 10 * 1024 ** 3 - 10;
    await knowledge.query(
      `UPDATE artifacts SET byte_size = $2 WHERE collection_id IN (SELECT id FROM collections WHERE organisation_id = $1)`,
      [caller.organisationId, nearly],
    );
    await expect(ingest('more', 'Eleven char')).rejects.toMatchObject({ message: expect.stringContaining('10 GiB') });
    expect(await ingest('notes', 'Eleven char')).toHaveLength(1);
  });
});

describe('tenancy', () => {
  it('keeps the same names of two organisations apart', async () => {
    const other = await knowledge.caller();
    await ingest('notes', 'Our secret words.');
    await knowledge.library.ingest(other, knowledge.text('notes', 'Their secret words.'));
    expect(await texts('secret')).toEqual(['Our secret words.']);
    expect((await search('secret', other)).map(({ text }) => text)).toEqual(['Their secret words.']);
    await remove('notes');
    expect((await search('secret', other)).map(({ text }) => text)).toEqual(['Their secret words.']);
    expect(await texts('secret')).toEqual([]);
  });

  it('answers for what is another organisation’s as for what does not exist', async () => {
    const other = await knowledge.caller();
    await knowledge.library.ingest(other, knowledge.text('notes', 'Their secret words.'));
    const both = async (ask: (collection: string) => Promise<unknown>) => {
      const answer = (collection: string) =>
        ask(collection).then(JSON.stringify, (error: Error) => error.message.replaceAll(collection, 'it'));
      expect(await answer('docs')).toEqual(await answer('made-up'));
    };
    await both((collection) => search('secret', caller, collection));
    await both((collection) => knowledge.library.list(caller, collection));
    await both((collection) => remove('notes', collection));
    await both((collection) =>
      knowledge.retriever.check(caller, { collection, artifacts: ['notes'], metadata_filter: undefined }),
    );
  });

  it('gives the same document another hash in another organisation', async () => {
    const other = await knowledge.caller();
    const [ours] = await ingest('notes', 'Words.');
    const [theirs] = await knowledge.library.ingest(other, knowledge.text('notes', 'Words.'));
    expect(ours?.doc_metadata?.hash).not.toBe(theirs?.doc_metadata?.hash);
  });
});

describe('remove', () => {
  it('leaves nothing behind', async () => {
    await ingest('notes', 'Words to forget.');
    await ingest('others', 'Words to keep.');
    await remove('notes');
    expect(await texts('words')).toEqual(['Words to keep.']);
    expect(await artifacts()).toEqual(['others']);
    await knowledge.sweeper.sweep();
    expect(await indexed()).toBe(1);
    await remove('others');
    await knowledge.sweeper.sweep();
    expect(await knowledge.query('SELECT * FROM index_revisions')).toEqual([]);
    const known = await knowledge.journal.collections();
    expect((await knowledge.index.collections()).every((id) => known.includes(id))).toBe(true);
  });

  it('refuses what is not ingested', async () => {
    await expect(remove('notes')).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: 'The artifact notes is not ingested in the collection docs.',
    });
  });

  it.each(['first', 'second'])('cancels an ingest that is under way, the %s of its name', async (which) => {
    if (which === 'second') await ingest('notes', 'Old words.');
    const embedding = new Promise<void>((resolve) => {
      knowledge.embedder.before = async () => {
        resolve();
        await new Promise((done) => setTimeout(done, 100));
      };
    });
    const late = ingest('notes', 'New words.');
    const outcome = expect(late).rejects.toMatchObject({ message: expect.stringContaining('was deleted while') });
    await embedding;
    await remove('notes');
    await outcome;
    await knowledge.sweeper.sweep();
    knowledge.embedder.before = () => {};
    expect(await artifacts()).toEqual([]);
    expect(await texts('words')).toEqual([]);
    expect(await indexed()).toBe(0);
  });

  it('also rids the index of what a cancelled ingest wrote after the removal', async () => {
    await ingest('kept', 'Kept words.');
    const late = new Proxy(knowledge.index as ChunkIndex, {
      get:
        (target, property) =>
        async (...given: never[]) => {
          if (property === 'add') {
            await remove('notes');
            await knowledge.sweeper.sweep();
          }
          return (target as any)[property](...given);
        },
    });
    const ingesting = knowledge.libraryWith({ index: late }).ingest(caller, knowledge.text('notes', 'New words.'));
    await expect(ingesting).rejects.toMatchObject({ message: expect.stringContaining('was deleted while') });
    await knowledge.sweeper.sweep();
    expect(await indexed()).toBe(1);
    expect(await texts('words')).toEqual(['Kept words.']);
  });

  it('fences an ingest of another server that is under way', async () => {
    const elsewhere = knowledge.libraryWith({});
    let started = () => {};
    const embedding = new Promise<void>((resolve) => (started = resolve));
    knowledge.embedder.before = async () => {
      started();
      await new Promise((done) => setTimeout(done, 100));
    };
    const late = expect(elsewhere.ingest(caller, knowledge.text('notes', 'New words.'))).rejects.toMatchObject({
      message: expect.stringContaining('was deleted while'),
    });
    await embedding;
    await remove('notes');
    await late;
    expect(await artifacts()).toEqual([]);
  });
});

describe('side by side', () => {
  it('ingests of one name come one after another; the last one wins and nothing is doubled', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, at) => ingest('notes', `Words number ${at}.`)));
    expect(await texts('words')).toEqual(['Words number 7.']);
    await knowledge.sweeper.sweep();
    expect(await indexed()).toBe(1);
  });

  it('two servers that ingest one name leave one of the two, whole', async () => {
    const elsewhere = knowledge.libraryWith({});
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        ingest('notes', `Words of one ${round}.`),
        elsewhere.ingest(caller, knowledge.text('notes', `Words of two ${round}.`)),
      ]);
      const found = await texts('words');
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(new RegExp(`Words of (one|two) ${round}\\.`));
    }
    await knowledge.sweeper.sweep();
    expect(await indexed()).toBe(1);
  });

  it('a search meets the old document or the new one, never both and never none', async () => {
    const document = (version: number) =>
      Array.from({ length: 5 }, (_, at) => `# Part ${at}\n\nVersion${version} says something.`).join('\n\n');
    const body = (version: number) => knowledge.text('notes', document(version), { metadata: { file_name: 'a.md' } });
    await knowledge.library.ingest(caller, body(0));
    let done = false;
    let searches = 0;
    // However quick either side is, there are enough of both.
    const writing = (async () => {
      for (let version = 1; version <= 25 || searches < 25; version++) {
        await knowledge.library.ingest(caller, body(version));
      }
      done = true;
    })();
    while (!done) {
      const versions = (await texts('something')).map((text) => /Version(\d+)/.exec(text)?.[1]);
      expect(versions).toHaveLength(5);
      expect(new Set(versions).size).toBe(1);
      searches += 1;
    }
    await writing;
    expect(searches).toBeGreaterThanOrEqual(25);
  });

  it('many artifacts into one new collection all arrive', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, at) => ingest(`a${at}`, `Unique${at} words.`)));
    expect(await artifacts()).toHaveLength(30);
    for (let at = 0; at < 30; at += 7) expect((await texts(`unique${at}`))[0]).toBe(`Unique${at} words.`);
  });
});

describe('what fails halfway', () => {
  const failing = (method: 'add' | 'removeRevisions') =>
    new Proxy(knowledge.index as ChunkIndex, {
      get(target, property) {
        if (property !== method) return (target as any)[property]?.bind?.(target) ?? (target as any)[property];
        return async (...given: never[]) => {
          await (target as any)[method](...given);
          throw new Error('the disk is full');
        };
      },
    });

  it.each<[string, () => Parameters<TestKnowledge['libraryWith']>[0]]>([
    [
      'the embedder',
      () => ({ embedder: Object.assign(new WordEmbedder(), { before: () => Promise.reject(new Error('down')) }) }),
    ],
    ['the index, after it wrote', () => ({ index: failing('add') })],
    [
      'the database, at the end',
      () => ({
        store: new Proxy(knowledge.store, {
          get: (target, property) =>
            property === 'publish' ? () => Promise.reject(new Error('gone')) : (target as any)[property].bind(target),
        }),
      }),
    ],
  ])('%s: the old document stays, and nothing of the new one', async (_, parts) => {
    await ingest('notes', 'Old words.');
    await expect(
      knowledge.libraryWith(parts()).ingest(caller, knowledge.text('notes', 'New words.')),
    ).rejects.toThrow();
    expect(await texts('words')).toEqual(['Old words.']);
    await knowledge.sweeper.sweep();
    expect(await indexed()).toBe(1);
    expect(await knowledge.query('SELECT * FROM index_revisions')).toEqual([]);
    expect(await ingest('notes', 'New words.')).toHaveLength(1);
  });

  it('a caller who goes away leaves nothing half done', async () => {
    const gone = new AbortController();
    knowledge.embedder.before = () => gone.abort(new Error('gone'));
    await expect(knowledge.library.ingest(caller, knowledge.text('notes', 'Words.'), gone.signal)).rejects.toThrow(
      'gone',
    );
    await knowledge.sweeper.sweep();
    expect(await artifacts()).toEqual([]);
    expect(await knowledge.query('SELECT * FROM index_revisions')).toEqual([]);
  });

  it('a server killed between any two steps leaves the old document or the new one, and the next start tidies up', async () => {
    await ingest('kept', 'Kept words.');
    await knowledge.sweeper.sweep();
    const [{ id }] = await knowledge.query('SELECT id FROM collections WHERE organisation_id = $1', [
      caller.organisationId,
    ]);
    const record = (revision: string) => ({
      chunk: randomUUID(),
      revision,
      vector: new Float32Array(64).fill(1 / 8),
      terms: ['words'],
    });
    const noted = (revision: string, collection: string, state: string) =>
      knowledge.query(
        'INSERT INTO index_revisions (revision, collection_id, artifact, state) VALUES ($1, $2, $3, $4)',
        [revision, collection, 'x', state],
      );
    // Opened only; opened and written; replaced and not yet swept; a collection dropped and its table not; a table
    // made for a collection that never was.
    await noted(randomUUID(), id, 'writing');
    const [written, replaced, dropped, orphan] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    await noted(written, id, 'writing');
    await noted(replaced, id, 'removing');
    await knowledge.index.add(id, [record(written), record(replaced)]);
    await noted(randomUUID(), dropped, 'removing');
    await knowledge.index.add(dropped, [record(randomUUID())]);
    await knowledge.index.add(orphan, [record(randomUUID())]);

    expect(await texts('words')).toEqual(['Kept words.']);
    await knowledge.libraryWith({}).recover();
    expect(await texts('words')).toEqual(['Kept words.']);
    expect(await indexed()).toBe(1);
    expect(await knowledge.query('SELECT * FROM index_revisions')).toEqual([]);
    expect(await knowledge.index.collections()).not.toEqual(expect.arrayContaining([dropped]));
    expect(await knowledge.index.collections()).not.toEqual(expect.arrayContaining([orphan]));
  });
});
