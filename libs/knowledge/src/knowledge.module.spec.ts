import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, loadConfig, openDatabase, PlatformModule } from '@app/platform';
import { NestFactory } from '@nestjs/core';
import { MIGRATIONS } from '../../../migrations';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database';
import { FakeModelServer } from '../../../test/support/fake-model-server';
import { KNOWLEDGE_ENTITIES, KnowledgeModule, Library, Retriever } from './index';

describe('KnowledgeModule', () => {
  let folder: string;
  let database: TestDatabase;
  let fake: FakeModelServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'knowledge-module-'));
    database = await createTestDatabase();
    fake = await FakeModelServer.start();
  });
  afterAll(async () => {
    await fake.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  async function open() {
    const config = loadConfig({
      LOG_LEVEL: 'silent',
      MODEL_DISCOVERY: 'off',
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      EMBEDDINGS_BASE_URL: fake.baseUrl,
      EMBEDDINGS_MODEL: 'bge-small',
    });
    const logger = createLogger(config);
    const opened = await openDatabase(config, { entities: KNOWLEDGE_ENTITIES, migrations: MIGRATIONS, logger });
    const platform = PlatformModule.forRoot({ config, logger, dataSource: opened.dataSource });
    const app = await NestFactory.createApplicationContext(
      { module: class Everything {}, imports: [platform, KnowledgeModule] },
      { logger: false, abortOnError: false },
    );
    const close = async () => {
      await app.close();
      await opened.close();
    };
    return { library: app.get(Library), retriever: app.get(Retriever), dataSource: opened.dataSource, close };
  }

  it('keeps what was ingested over a restart, and tidies up what a killed server left, before it serves', async () => {
    const first = await open();
    const [{ id }] = await first.dataSource.query(`INSERT INTO organisations (name) VALUES ('a') RETURNING id`);
    const caller = { organisationId: id, organisation: 'a', scopes: ['read', 'write'] as const };
    const value = Buffer.from('# Copias\n\nLas copias de seguridad se hacen de noche.').toString('base64');
    const input = { type: 'file' as const, value };
    const metadata = { file_name: 'guía.md' };
    await first.library.ingest(caller, { artifact: 'guía', collection: 'docs', input, metadata });
    await first.dataSource.query(
      `INSERT INTO index_revisions (revision, collection_id, artifact, state) SELECT $1, id, 'half', 'writing' FROM collections`,
      [randomUUID()],
    );
    await first.close();

    const second = await open();
    expect(await second.dataSource.query('SELECT * FROM index_revisions')).toEqual([]);
    expect(await second.library.list(caller, 'docs')).toMatchObject([{ artifact: 'guía' }]);
    const filter = { collection: 'docs', artifacts: ['guía'], metadata_filter: undefined };
    const request = { mode: 'hybrid' as const, query: 'copia de seguridad', filter, limit: 3 };
    expect(await second.retriever.search(caller, request)).toMatchObject([
      {
        document: { doc_metadata: { file_name: 'guía.md', embedder: 'openai/bge-small' } },
        metadata: { title: 'Copias' },
      },
    ]);
    await second.close();
  });
});
