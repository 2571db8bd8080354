import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Caller } from '@app/access';
import type { ContextFilter } from '@app/contract';
import { Embedder } from '@app/models';
import { createLogger, loadConfig, openDatabase } from '@app/platform';
import { KNOWLEDGE_ENTITIES } from '../../libs/knowledge/src/artifacts/artifact.entity';
import { TypeOrmArtifactStore } from '../../libs/knowledge/src/artifacts/artifact-store.typeorm';
import { TypeOrmPassageStore } from '../../libs/knowledge/src/artifacts/passage-store.typeorm';
import { LanceDbChunkIndex } from '../../libs/knowledge/src/index/chunk-index.lancedb';
import { analyseText } from '../../libs/knowledge/src/retrieval/analyse-text';
import { Retriever } from '../../libs/knowledge/src/retrieval/retriever';
import { MIGRATIONS } from '../../migrations';
import { median, type Benchmark, type Figure } from './figure';

const COLLECTION = 'bench';
const DIMENSIONS = 512;
const ARTIFACTS = 1000;
const CHUNKS_PER_ARTIFACT = 100;
/** Subjects that the texts are about; a chunk is near the middle of one. */
const TOPICS = 400;
const SPREAD = 0.9;
const WORDS = 20_000;
const WORDS_PER_CHUNK = 80;
const QUESTIONS = 100;
/** Of the corpus: while one waits for the database, the others make their texts. */
const WRITERS = 4;
const MAX_MS = 20;
const MIN_RECALL = 0.95;

/**
 * Hybrid search over 100,000 chunks with the join in PostgreSQL, without the embedding of the question; and how many
 * of the ten nearest, by an exact scan, the vector search finds.
 */
export const hybridSearch: Benchmark = {
  name: 'hybrid-search',
  run: () => measureHybridSearch(ARTIFACTS),
};

/** @param artifacts of 100 chunks each. */
export async function measureHybridSearch(artifacts: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hybrid-search-'));
  const config = loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' });
  const options = { entities: KNOWLEDGE_ENTITIES, migrations: MIGRATIONS, logger: createLogger(config) };
  const database = await openDatabase(config, options);
  const index = await LanceDbChunkIndex.open(join(folder, 'index'));
  try {
    const corpus = new Corpus(artifacts * CHUNKS_PER_ARTIFACT);
    const caller = await aCaller((sql) => database.dataSource.query(sql));
    const began = performance.now();
    await fill(corpus, artifacts, caller, new TypeOrmArtifactStore(database.dataSource), index);
    await index.settled();
    const seconds = (performance.now() - began) / 1000;
    const embedder = new KnownVectors();
    const retriever = new Retriever(new TypeOrmPassageStore(database.dataSource), index, embedder);
    const [{ id }] = await database.dataSource.query('SELECT id FROM collections');
    return [
      ...(await times(retriever, embedder, corpus, caller)),
      await recall(index, id, corpus),
      { name: 'chunks written and indexed', measured: `${Math.round(corpus.size / seconds)}/s` },
    ];
  } finally {
    await index.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function times(retriever: Retriever, embedder: KnownVectors, corpus: Corpus, caller: Caller): Promise<Figure[]> {
  const everywhere = { collection: COLLECTION, artifacts: undefined, metadata_filter: undefined };
  const tenth: ContextFilter = { ...everywhere, metadata_filter: [{ key: 'part', operator: '==', value: 3 }] };
  const timed = async (filter: ContextFilter) => {
    const taken: number[] = [];
    for (let question = 0; question < QUESTIONS + 20; question++) {
      const chunk = corpus.someChunk();
      embedder.next = corpus.near(chunk);
      const query = corpus.question(chunk);
      const began = performance.now();
      const found = await retriever.search(caller, { mode: 'hybrid', query, filter, limit: 10 });
      // The first ones read the files.
      if (question >= 20) taken.push(performance.now() - began);
      if (found.length !== 10) throw new Error(`A search found ${found.length} of 10`);
    }
    return taken.sort((one, other) => one - other);
  };
  const all = await timed(everywhere);
  const some = await timed(tenth);
  const p95 = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.95)] as number;
  return [
    {
      name: `hybrid search, ${corpus.size.toLocaleString('en')} chunks, p50 (p95)`,
      measured: `${median(all).toFixed(1)} ms (${p95(all).toFixed(1)} ms)`,
      goal: `≤ ${MAX_MS} ms`,
      ok: median(all) <= MAX_MS,
    },
    {
      name: 'hybrid search among one artifact in ten, p50 (p95)',
      measured: `${median(some).toFixed(1)} ms (${p95(some).toFixed(1)} ms)`,
    },
  ];
}

async function recall(index: LanceDbChunkIndex, collection: string, corpus: Corpus): Promise<Figure> {
  let found = 0;
  for (let question = 0; question < QUESTIONS; question++) {
    const vector = corpus.near(corpus.someChunk());
    const exact = new Set(corpus.nearest(vector, 10));
    const hits = await index.nearest(collection, vector, { limit: 10 });
    found += hits.filter(({ chunk }) => exact.has(chunk)).length;
  }
  const share = found / (QUESTIONS * 10);
  return {
    name: 'recall@10 of the vector search against an exact scan',
    measured: share.toFixed(3),
    goal: `≥ ${MIN_RECALL}`,
    ok: share >= MIN_RECALL,
  };
}

/** As an ingest does it, but for the parsing and the embedding. */
async function fill(
  corpus: Corpus,
  artifacts: number,
  caller: Caller,
  store: TypeOrmArtifactStore,
  index: LanceDbChunkIndex,
): Promise<void> {
  const embedder = { id: KnownVectors.id, dimensions: DIMENSIONS };
  const write = async (at: number) => {
    const address = { collection: COLLECTION, artifact: `artifact-${at}` };
    const revision = randomUUID();
    const collection = await store.open(caller, { ...address, revision, embedder, byteSize: 1 });
    const places = Array.from({ length: CHUNKS_PER_ARTIFACT }, (_, place) => at * CHUNKS_PER_ARTIFACT + place);
    const records = places.map((place) => ({
      chunk: corpus.ids[place] as string,
      revision,
      vector: corpus.vector(place),
      terms: analyseText(corpus.text(place), 'en'),
    }));
    await index.add(collection, records);
    await store.publish(caller, revision, {
      ...address,
      fileName: 'a.txt',
      contentHash: '',
      byteSize: 1,
      metadata: { part: at % 10 },
      chunks: places.map((place, position) => ({
        id: corpus.ids[place] as string,
        text: corpus.text(place),
        headings: ['Bench'],
        position,
        positionUnderHeading: position,
      })),
    });
  };
  // The first one makes the collection.
  await write(0);
  let next = 1;
  const writer = async () => {
    for (let at = next++; at < artifacts; at = next++) await write(at);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

/** Random, but the same in every run: vectors in clusters, and texts whose words are as unevenly spread as real ones. */
class Corpus {
  readonly ids: readonly string[];
  private readonly random = randomNumbers(20_240_601);
  private readonly vectors: Float32Array;
  private readonly topics: readonly Float32Array[];

  constructor(readonly size: number) {
    this.ids = Array.from({ length: size }, () => randomUUID());
    this.topics = Array.from({ length: TOPICS }, () => this.unit());
    this.vectors = new Float32Array(size * DIMENSIONS);
    for (let place = 0; place < size; place++) {
      this.vectors.set(this.aside(this.topics[place % TOPICS] as Float32Array), place * DIMENSIONS);
    }
  }

  vector(place: number): Float32Array {
    return this.vectors.subarray(place * DIMENSIONS, (place + 1) * DIMENSIONS);
  }

  someChunk(): number {
    return Math.floor(this.random() * this.size);
  }

  /** A question about a chunk: near it, among others of its subject. */
  near(place: number): Float32Array {
    return this.aside(this.vector(place));
  }

  text(place: number): string {
    const random = randomNumbers(place + 1);
    return Array.from({ length: WORDS_PER_CHUNK }, (_, at) => this.word(random, place, at)).join(' ');
  }

  /** Six of its words, frequent and rare ones. */
  question(place: number): string {
    const words = this.text(place).split(' ');
    return Array.from({ length: 6 }, (_, at) => words[(at * 13) % words.length]).join(' ');
  }

  /** Ids of the nearest, by comparing with all. */
  nearest(wanted: Float32Array, count: number): string[] {
    const best: { place: number; score: number }[] = [];
    for (let place = 0, from = 0; place < this.size; place++, from += DIMENSIONS) {
      let score = 0;
      for (let at = 0; at < DIMENSIONS; at++) score += (this.vectors[from + at] as number) * (wanted[at] as number);
      if (best.length === count && score <= (best[count - 1]?.score as number)) continue;
      best.push({ place, score });
      best.sort((one, other) => other.score - one.score);
      best.length = Math.min(best.length, count);
    }
    return best.map(({ place }) => this.ids[place] as string);
  }

  /** Every fourth word is one of its subject's, the others follow Zipf's law. */
  private word(random: () => number, place: number, at: number): string {
    const rank =
      at % 4 === 0
        ? 500 + (place % TOPICS) * 20 + Math.floor(random() * 20)
        : Math.floor(Math.exp(random() * Math.log(WORDS)));
    return spell(rank);
  }

  private unit(): Float32Array {
    return normalised(Float32Array.from({ length: DIMENSIONS }, () => this.normal()));
  }

  private aside(middle: Float32Array): Float32Array {
    const step = SPREAD / Math.sqrt(DIMENSIONS);
    return normalised(middle.map((value) => value + step * this.normal()));
  }

  private normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');

/** A word of its own for each number. */
function spell(number: number): string {
  let word = '';
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length];
  }
  return `${word}k`;
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Numbers from 0 to below 1 (the mulberry32 generator). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Gives the vector it was told, so that a search is timed without the embedding. */
class KnownVectors extends Embedder {
  static readonly id = 'known-vectors';
  override readonly id = KnownVectors.id;
  override readonly maxWords = 100;
  override readonly languages: readonly string[] = [];
  next: Float32Array = new Float32Array(DIMENSIONS);

  override dimensions(): Promise<number> {
    return Promise.resolve(DIMENSIONS);
  }

  override embed(): Promise<Float32Array[]> {
    return Promise.resolve([this.next]);
  }
}

async function aCaller(query: (sql: string) => Promise<{ id: string }[]>): Promise<Caller> {
  const [row] = await query(`INSERT INTO organisations (name) VALUES ('bench-search') RETURNING id`);
  return { organisationId: (row as { id: string }).id, organisation: 'bench-search', scopes: ['read', 'write'] };
}
