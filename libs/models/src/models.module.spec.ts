import { createLogger, loadConfig, PlatformModule } from '@app/platform';
import { NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { FakeModelServer } from '../../../test/support/fake-model-server';
import { ModelCatalog } from './catalog/model-catalog';
import { Embedder } from './embeddings/embedder';
import { ModelsModule } from './models.module';

async function open(environment: Record<string, string>) {
  const config = loadConfig({ LOG_LEVEL: 'silent', MODEL_DISCOVERY: 'off', ...environment });
  const platform = PlatformModule.forRoot({ config, logger: createLogger(config), dataSource: {} as DataSource });
  const app = await NestFactory.createApplicationContext(
    { module: class Everything {}, imports: [platform, ModelsModule] },
    { logger: false, abortOnError: false },
  );
  return { catalog: app.get(ModelCatalog), embedder: app.get(Embedder), close: () => app.close() };
}

describe('ModelsModule', () => {
  it('works with nothing configured', async () => {
    const { catalog, embedder, close } = await open({});
    expect(catalog.resolve().info.id).toBe('builtin');
    expect(embedder.id).toBe('use-lite-en-512');
    await close();
  });

  it('takes the servers that are configured, and hangs up on them when it closes', async () => {
    const fake = await FakeModelServer.start({ models: ['alpha'] });
    const { catalog, embedder, close } = await open({
      OPENAI_BASE_URL: fake.baseUrl,
      OPENAI_API_KEY: 'sk-3',
      MODEL: 'alpha',
      EMBEDDINGS_BASE_URL: fake.baseUrl,
      EMBEDDINGS_MODEL: 'bge-small',
    });
    expect(fake.headers.authorization).toBe('Bearer sk-3');
    expect(catalog.resolve().info).toMatchObject({ id: 'alpha', contextTokens: 32_768 });
    expect([embedder.id, (await embedder.embed(['a']))[0]!.length]).toEqual(['openai/bge-small', 16]);
    const hungUp = fake.hangs();
    const answer = catalog
      .resolve()
      .stream(
        {
          system: '',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
          tools: [],
          toolForcing: { type: 'auto' },
          parallelToolCalls: true,
          citations: false,
        },
        new AbortController().signal,
      )
      [Symbol.asyncIterator]();
    expect((await answer.next()).value).toEqual({ type: 'started' });
    await close();
    await hungUp;
    await answer.return?.();
    await fake.stop();
  });

  it('does not start with an embeddings server whose model it is not told', async () => {
    await expect(open({ EMBEDDINGS_BASE_URL: 'http://127.0.0.1:9/v1' })).rejects.toThrow('EMBEDDINGS_MODEL');
  });
});
