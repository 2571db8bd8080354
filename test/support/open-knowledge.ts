import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '@app/access';
import type { IngestBody } from '@app/contract';
import { createLogger, loadConfig, openDatabase, Secret, type Database } from '@app/platform';
import { KNOWLEDGE_ENTITIES } from '../../libs/knowledge/src/artifacts/artifact.entity';
import { TypeOrmArtifactStore } from '../../libs/knowledge/src/artifacts/artifact-store.typeorm';
import type { DocumentText } from '../../libs/knowledge/src/documents/document-text';
import { TypeOrmPassageStore } from '../../libs/knowledge/src/artifacts/passage-store.typeorm';
import { TypeOrmRevisionJournal } from '../../libs/knowledge/src/artifacts/revision-journal.typeorm';
import { LanceDbChunkIndex } from '../../libs/knowledge/src/index/chunk-index.lancedb';
import {
  DocumentReader,
  type ReadDocument,
  type ReadOptions,
} from '../../libs/knowledge/src/ingestion/document-reader';
import { IndexSweeper } from '../../libs/knowledge/src/ingestion/index-sweeper';
import { Library, type LibraryParts } from '../../libs/knowledge/src/ingestion/library';
import { handle } from '../../libs/knowledge/src/ingestion/parse.task';
import type { SourceFile } from '../../libs/knowledge/src/parsers/parser';
import { Retriever } from '../../libs/knowledge/src/retrieval/retriever';
import { TableFiles } from '../../libs/knowledge/src/tables/table-files';
import { TypeOrmTableStore } from '../../libs/knowledge/src/tables/table-store.typeorm';
import { MIGRATIONS } from '../../migrations';
import { createTestDatabase, type TestDatabase } from './database';
import { WordEmbedder } from './word-embedder';

/** Reads files in this process, which is quicker to start than a child. */
class DirectReader extends DocumentReader {
  override read(file: SourceFile, options: ReadOptions): Promise<ReadDocument> {
    const job = { as: 'passages', file, limits: { maxPages: 100 }, maxChunks: 1000, ...options } as const;
    return handle(job) as Promise<ReadDocument>;
  }

  override text(file: SourceFile, maxBytes: number): Promise<DocumentText> {
    return handle({ as: 'text', file, limits: { maxPages: 100 }, maxBytes }) as Promise<DocumentText>;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The knowledge lib on a real PostgreSQL and a real LanceDB, both empty, with an embedder that needs no weights. */
export async function openKnowledge() {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'knowledge-'));
  const opened = await openDatabase(
    { dataDir: folder, database: { url: new Secret(database.url) } },
    { entities: KNOWLEDGE_ENTITIES, migrations: MIGRATIONS, logger: createLogger(loadConfig({ LOG_LEVEL: 'silent' })) },
  );
  return new TestKnowledge(database, opened, folder, await LanceDbChunkIndex.open(join(folder, 'index')));
}

export class TestKnowledge {
  readonly failures: unknown[] = [];
  readonly embedder = new WordEmbedder();
  readonly store: TypeOrmArtifactStore;
  readonly journal: TypeOrmRevisionJournal;
  readonly passages: TypeOrmPassageStore;
  readonly tableStore: TypeOrmTableStore;
  readonly sweeper: IndexSweeper;
  readonly tables: TableFiles;
  readonly library: Library;
  readonly retriever: Retriever;

  constructor(
    private readonly database: TestDatabase,
    readonly opened: Database,
    readonly folder: string,
    readonly index: LanceDbChunkIndex,
  ) {
    const source = opened.dataSource;
    this.store = new TypeOrmArtifactStore(source);
    this.journal = new TypeOrmRevisionJournal(source);
    this.passages = new TypeOrmPassageStore(source);
    this.tables = new TableFiles(join(folder, 'tables'));
    this.tableStore = new TypeOrmTableStore(source, join(folder, 'tables'));
    this.sweeper = new IndexSweeper(this.journal, index, this.tables, (error) => this.failures.push(error));
    this.library = this.libraryWith({});
    this.retriever = new Retriever(this.passages, index, this.embedder);
  }

  /** Another Library over the same stores, as a server that was started again would have. */
  libraryWith(parts: Partial<LibraryParts>): Library {
    const { store, index, tables, sweeper, embedder } = this;
    return new Library({
      store,
      index,
      tables,
      sweeper,
      embedder,
      reader: new DirectReader(),
      web: { checkDocument: () => undefined, document: () => Promise.reject(new Error('no web in this test')) },
      maxFileBytes: 1024 * 1024,
      maxWaitingBytes: 256 * 1024 * 1024,
      ...parts,
    });
  }

  async caller(organisation = randomUUID()): Promise<Caller> {
    const [{ id }] = await this.query('INSERT INTO organisations (name) VALUES ($1) RETURNING id', [organisation]);
    return { organisationId: id, organisation, scopes: ['read', 'write'] };
  }

  query(sql: string, parameters: unknown[] = []): Promise<any[]> {
    return this.opened.dataSource.query(sql, parameters);
  }

  text(artifact: string, value: string, more: Partial<IngestBody> = {}): IngestBody {
    return { artifact, collection: 'docs', input: { type: 'text', value }, ...more };
  }

  async close(): Promise<void> {
    await this.sweeper.stop();
    await this.index.close();
    await this.opened.close();
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
