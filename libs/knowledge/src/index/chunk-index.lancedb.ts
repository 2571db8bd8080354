import './lancedb-environment';
import { connect, Index, makeArrowTable, MatchQuery, Session, type Connection, type Table } from '@lancedb/lancedb';
import { ChunkIndex, type IndexHit, type IndexRecord, type IndexSearch } from './chunk-index';
import { TableUpkeep, type UpkeepPolicy } from './table-upkeep';

/** Tables kept open at once; the least recently used one is let go. */
const OPEN_TABLES = 64;
/** What LanceDB may keep in memory of its indexes, and of its files' metadata. */
const INDEX_CACHE_BYTES = 1024n * 1024n * 1024n;
const METADATA_CACHE_BYTES = 128n * 1024n * 1024n;
/** The graph knows vectors by their rough shape; at least so many that it proposes are compared again in full. */
const REFINED = 60;
/** Candidates that a walk through the graph keeps in hand, at least. */
const EF = 120;
const WRITE_ATTEMPTS = 5;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Terms arrive analysed; nothing is left for the engine to do but to split at the spaces. */
const wordIndex = () =>
  Index.fts({
    baseTokenizer: 'whitespace',
    withPosition: false,
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    maxTokenLength: 256,
  });

type TableSchema = Parameters<Connection['createEmptyTable']>[1];

export interface LanceDbOptions {
  /** Called with failures of the upkeep, which hurt no request. */
  readonly onUpkeepError?: (error: unknown) => void;
  readonly policy?: Partial<UpkeepPolicy>;
}

/**
 * ChunkIndex on LanceDB, in process: one table for each collection, named by the collection's id. So tenants never
 * share a table, and each collection has its own word statistics and number of dimensions.
 *
 * Rows are found at once: what no index covers yet, LanceDB scans. Its scan of fresh rows counts a repeated word as
 * so many documents, which sinks frequent words; that is why a record holds each term once.
 */
export class LanceDbChunkIndex extends ChunkIndex {
  private readonly tables = new Map<string, Promise<Table | undefined>>();
  /** Tables that are being made, by collection: made twice, the second one could wipe out what is in the first. */
  private readonly creating = new Map<string, Promise<Table>>();
  /** Word indexes that are being made, by collection: two at once would be one too many. */
  private readonly indexing = new Map<string, Promise<void>>();
  private readonly upkeep: TableUpkeep;

  private constructor(
    private readonly connection: Connection,
    { onUpkeepError = () => {}, policy }: LanceDbOptions,
  ) {
    super();
    this.upkeep = new TableUpkeep((collection) => this.table(collection), onUpkeepError, policy);
  }

  /** `folder` is made when it is not there. One process at a time may use it. */
  static async open(folder: string, options: LanceDbOptions = {}): Promise<LanceDbChunkIndex> {
    const session = new Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES);
    return new LanceDbChunkIndex(await connect(folder, { readConsistencyInterval: 0, session }), options);
  }

  async add(collection: string, records: readonly IndexRecord[]): Promise<void> {
    if (records.length === 0) return;
    const rows = makeArrowTable(
      records.map(({ chunk, revision, vector, terms }) => ({
        chunk: uuid(chunk),
        revision: uuid(revision),
        vector,
        terms: [...new Set(terms)].join(' '),
      })),
    );
    const table = (await this.table(collection)) ?? (await this.create(collection, rows.schema));
    await insist(() => table.add(rows));
    this.upkeep.wrote(collection);
  }

  nearest(collection: string, vector: Float32Array, { limit, revisions }: IndexSearch): Promise<IndexHit[]> {
    const factor = Math.max(1, Math.ceil(REFINED / limit));
    return this.search(collection, revisions, async (table, where) => {
      const query = table
        .query()
        .nearestTo(vector)
        .column('vector')
        .distanceType('cosine')
        .refineFactor(factor)
        // The walk must hold at least what is compared again.
        .ef(Math.max(EF, factor * limit));
      if (where) query.where(where);
      const rows = await query.select(['chunk', 'revision', '_distance']).limit(limit).toArray();
      return rows.map(({ chunk, revision, _distance }) => ({ chunk, revision, score: 1 - _distance }));
    });
  }

  matching(collection: string, terms: readonly string[], { limit, revisions }: IndexSearch): Promise<IndexHit[]> {
    if (terms.length === 0) return Promise.resolve([]);
    return this.search(collection, revisions, async (table, where) => {
      const query = table.query().fullTextSearch(new MatchQuery([...new Set(terms)].join(' '), 'terms'));
      if (where) query.where(where);
      const rows = await query.select(['chunk', 'revision', '_score']).limit(limit).toArray();
      return rows.map(({ chunk, revision, _score }) => ({ chunk, revision, score: _score }));
    });
  }

  async removeRevisions(collection: string, revisions: readonly string[]): Promise<void> {
    if (revisions.length === 0) return;
    const table = await this.table(collection);
    if (!table) return;
    await insist(() => table.delete(among(revisions)));
    this.upkeep.wrote(collection);
  }

  async drop(collection: string): Promise<void> {
    this.upkeep.forget(collection);
    this.tables.delete(collection);
    await this.connection.dropTable(uuid(collection)).catch(unlessMissing);
  }

  async collections(): Promise<string[]> {
    const names: string[] = [];
    for (;;) {
      const page = await this.connection.tableNames({ startAfter: names.at(-1), limit: 1000 });
      names.push(...page);
      if (page.length < 1000) return names.filter((name) => UUID.test(name));
    }
  }

  async close(): Promise<void> {
    await this.upkeep.stop();
    this.tables.clear();
    this.connection.close();
  }

  /** Resolves once no upkeep is due or under way. For measuring. */
  settled(): Promise<void> {
    return this.upkeep.settled();
  }

  private table(collection: string): Promise<Table | undefined> {
    const open = this.tables.get(collection) ?? this.open(collection);
    this.keep(collection, open);
    return open;
  }

  private keep(collection: string, open: Promise<Table | undefined>): void {
    this.tables.delete(collection);
    this.tables.set(collection, open);
    if (this.tables.size > OPEN_TABLES) this.tables.delete(this.tables.keys().next().value as string);
  }

  private async open(collection: string): Promise<Table | undefined> {
    try {
      const table = await this.connection.openTable(uuid(collection)).catch(unlessMissing);
      if (!table) return this.forgotten(collection);
      // A server that was killed between the two steps of `create` left a table that cannot be searched by words.
      await this.ensureWordIndex(collection, table);
      return table;
    } catch (error) {
      this.forgotten(collection);
      throw error;
    }
  }

  private async search(
    collection: string,
    revisions: readonly string[] | undefined,
    run: (table: Table, where: string | undefined) => Promise<IndexHit[]>,
  ): Promise<IndexHit[]> {
    if (revisions?.length === 0) return [];
    const table = await this.table(collection);
    if (!table) return [];
    try {
      // LanceDB merges indexed and fresh rows without sorting them again.
      return (await run(table, revisions && among(revisions))).sort((a, b) => b.score - a.score);
    } catch (error) {
      // Dropped while it was being read: nothing is found there any more.
      if (await this.connection.openTable(uuid(collection)).catch(unlessMissing)) throw error;
      return [];
    }
  }

  /** What is not there is not remembered as such: the next one to ask may find it. */
  private forgotten(collection: string): undefined {
    this.tables.delete(collection);
    return undefined;
  }

  private create(collection: string, schema: TableSchema): Promise<Table> {
    const creating =
      this.creating.get(collection) ?? this.make(collection, schema).finally(() => this.creating.delete(collection));
    this.creating.set(collection, creating);
    return creating;
  }

  private async make(collection: string, schema: TableSchema): Promise<Table> {
    // Somebody else may have made it since we looked.
    const table =
      (await this.connection.openTable(uuid(collection)).catch(unlessMissing)) ??
      (await this.connection.createEmptyTable(uuid(collection), schema, { mode: 'create' }));
    await this.ensureWordIndex(collection, table);
    this.keep(collection, Promise.resolve(table));
    return table;
  }

  private ensureWordIndex(collection: string, table: Table): Promise<void> {
    const indexing =
      this.indexing.get(collection) ??
      insist(() => makeWordIndex(table)).finally(() => this.indexing.delete(collection));
    this.indexing.set(collection, indexing);
    return indexing;
  }
}

async function makeWordIndex(table: Table): Promise<void> {
  const indices = await table.listIndices();
  if (!indices.some(({ columns }) => columns.includes('terms'))) {
    await table.createIndex('terms', { config: wordIndex() });
  }
}

/** Only ids of ours get into a query, which LanceDB takes as text. */
function uuid(id: string): string {
  if (!UUID.test(id)) throw new Error('An id that is not a UUID was kept out of the index');
  return id;
}

const among = (revisions: readonly string[]) => `revision IN (${revisions.map((id) => `'${uuid(id)}'`).join(', ')})`;

function unlessMissing(error: unknown): undefined {
  if (!/was not found/i.test(String(error))) throw error;
}

/** The upkeep and a write may get in each other's way; then LanceDB refuses one of them and asks to try again. */
async function insist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === WRITE_ATTEMPTS || !/commit conflict|concurrent/i.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
    }
  }
}
