import { join } from 'node:path';
import { Embedder } from '@app/models';
import { ModelsModule } from '@app/models';
import { CONFIG, LOGGER, WebClient, type Config, type Logger } from '@app/platform';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArtifactStore } from './artifacts/artifact-store';
import { TypeOrmArtifactStore } from './artifacts/artifact-store.typeorm';
import { ContentStore } from './artifacts/content-store';
import { TypeOrmContentStore } from './artifacts/content-store.typeorm';
import { PassageStore } from './artifacts/passage-store';
import { TypeOrmPassageStore } from './artifacts/passage-store.typeorm';
import { RevisionJournal } from './artifacts/revision-journal';
import { TypeOrmRevisionJournal } from './artifacts/revision-journal.typeorm';
import { DocumentTexts } from './documents/document-texts';
import { ChunkIndex } from './index/chunk-index';
import { LanceDbChunkIndex } from './index/chunk-index.lancedb';
import { DocumentReader } from './ingestion/document-reader';
import { ChildDocumentReader } from './ingestion/document-reader.child';
import { IndexSweeper } from './ingestion/index-sweeper';
import { Library } from './ingestion/library';
import { Retriever } from './retrieval/retriever';
import { PageReader } from './web/page-reader';
import { WebPages } from './web/web-pages';
import { TableFiles } from './tables/table-files';
import { TableStore } from './tables/table-store';
import { TypeOrmTableStore } from './tables/table-store.typeorm';

const tablesFolder = (dataDir: string) => join(dataDir, 'tables');

@Module({
  imports: [ModelsModule],
  providers: [
    {
      provide: ArtifactStore,
      inject: [DataSource],
      useFactory: (source: DataSource) => new TypeOrmArtifactStore(source),
    },
    {
      provide: PassageStore,
      inject: [DataSource],
      useFactory: (source: DataSource) => new TypeOrmPassageStore(source),
    },
    {
      provide: ContentStore,
      inject: [DataSource],
      useFactory: (source: DataSource) => new TypeOrmContentStore(source),
    },
    {
      provide: RevisionJournal,
      inject: [DataSource],
      useFactory: (source: DataSource) => new TypeOrmRevisionJournal(source),
    },
    {
      provide: ChunkIndex,
      inject: [CONFIG, LOGGER],
      useFactory: ({ dataDir }: Config, logger: Logger) =>
        LanceDbChunkIndex.open(join(dataDir, 'index'), {
          onUpkeepError: (error) => logger.warn({ err: error }, 'upkeep of the index failed'),
        }),
    },
    {
      provide: TableFiles,
      inject: [CONFIG],
      useFactory: ({ dataDir }: Config) => new TableFiles(tablesFolder(dataDir)),
    },
    {
      provide: IndexSweeper,
      inject: [RevisionJournal, ChunkIndex, TableFiles, LOGGER],
      useFactory: (journal: RevisionJournal, index: ChunkIndex, tables: TableFiles, logger: Logger) =>
        new IndexSweeper(journal, index, tables, (error) => logger.warn({ err: error }, 'sweeping the index failed')),
    },
    {
      provide: DocumentReader,
      inject: [CONFIG],
      useFactory: ({ ingestion }: Config) => new ChildDocumentReader(ingestion),
    },
    {
      provide: DocumentTexts,
      inject: [CONFIG],
      useFactory: ({ ingestion, http }: Config) =>
        new DocumentTexts(new ChildDocumentReader(ingestion), http.maxMessageBodyBytes),
    },
    {
      provide: Library,
      inject: [ArtifactStore, ChunkIndex, TableFiles, IndexSweeper, Embedder, DocumentReader, WebPages, CONFIG],
      useFactory: (
        store: ArtifactStore,
        index: ChunkIndex,
        tables: TableFiles,
        sweeper: IndexSweeper,
        embedder: Embedder,
        reader: DocumentReader,
        web: WebPages,
        { ingestion }: Config,
      ) =>
        new Library({
          store,
          index,
          tables,
          sweeper,
          embedder,
          reader,
          web,
          maxFileBytes: ingestion.maxFileBytes,
          maxWaitingBytes: ingestion.maxWaitingBytes,
        }),
    },
    {
      provide: PageReader,
      inject: [CONFIG],
      useFactory: ({ ingestion, web }: Config) => new PageReader(ingestion, web.readers),
    },
    {
      provide: WebPages,
      inject: [WebClient, PageReader, CONFIG],
      useFactory: (client: WebClient, reader: PageReader, { web, ingestion }: Config) =>
        new WebPages(client, reader, web, ingestion.maxFileBytes),
    },
    {
      provide: Retriever,
      inject: [PassageStore, ChunkIndex, Embedder],
      useFactory: (passages: PassageStore, index: ChunkIndex, embedder: Embedder) =>
        new Retriever(passages, index, embedder),
    },
    {
      provide: TableStore,
      inject: [DataSource, CONFIG],
      useFactory: (source: DataSource, { dataDir }: Config) => new TypeOrmTableStore(source, tablesFolder(dataDir)),
    },
  ],
  exports: [ContentStore, DocumentTexts, Library, Retriever, TableStore, WebPages],
})
export class KnowledgeModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(Library) private readonly library: Library,
    @Inject(DocumentReader) private readonly reader: DocumentReader,
    @Inject(DocumentTexts) private readonly texts: DocumentTexts,
    @Inject(PageReader) private readonly pages: PageReader,
    @Inject(IndexSweeper) private readonly sweeper: IndexSweeper,
    @Inject(ChunkIndex) private readonly index: ChunkIndex,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Before anything is served, what a killed server left half done is seen to. A worker leaves it to the server. */
  async onModuleInit(): Promise<void> {
    if (this.config.role === 'server') await this.library.recover();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reader.close();
    await this.texts.close();
    await this.pages.close();
    await this.sweeper.stop();
    await this.index.close();
  }
}
