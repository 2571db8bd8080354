import { modelInfoSchema, modelListSchema, NotFoundError, OverloadedError } from '@app/contract';
import { createLogger, loadConfig } from '@app/platform';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { eventually } from '../../../../test/support/eventually';
import { FakeModelServer } from '../../../../test/support/fake-model-server';
import { BuiltInModel } from '../chat/built-in/built-in-model';
import { ModelServer } from '../chat/openai-compatible/model-server';
import { ModelNotFoundError } from './model-not-found.error';
import { NO_MODEL_LISTED, ServerModelCatalog, type ServerModelCatalogOptions } from './server-model-catalog';

const logger = createLogger(loadConfig({ LOG_LEVEL: 'silent' }));
const everything = { limit: 100 };

describe('ServerModelCatalog', () => {
  let fake: FakeModelServer;
  let catalog: ServerModelCatalog;
  const open = async (more: Partial<ServerModelCatalogOptions> = {}) => {
    await catalog?.onApplicationShutdown();
    const server = new ModelServer({ baseUrl: fake.baseUrl, connectMs: 500, idleMs: 5000, maxConnections: 5 });
    const builtIn = new BuiltInModel();
    catalog = new ServerModelCatalog({
      server,
      builtIn,
      contextTokens: 32_768,
      maxOutputTokens: 4096,
      logger,
      ...more,
    });
    await catalog.start();
    return catalog;
  };
  const ids = () => catalog.list(everything).data.map(({ id }) => id);
  const chosen = (name?: string) => catalog.resolve(name).info.id;

  beforeEach(async () => {
    fake = await FakeModelServer.start({ models: ['alpha', 'org/beta:7b'] });
  });
  afterEach(async () => {
    await catalog.onApplicationShutdown();
    await fake.stop();
  });

  it('lists the models of the server, and the built-in one last', async () => {
    await open();
    expect(ids()).toEqual(['alpha', 'org/beta:7b', 'builtin']);
    expect(chosen('org/beta:7b')).toBe('org/beta:7b');
    expect(chosen('builtin')).toBe('builtin');
  });

  it.each([undefined, 'default', 'claude-sonnet-4-5'])(
    'answers %s by the first that the server lists',
    async (name) => {
      await open();
      expect(chosen(name)).toBe('alpha');
      expect(catalog.get(name ?? 'default').id).toBe('alpha');
    },
  );

  it('answers the default by the configured model, listed or not', async () => {
    await open({ defaultModel: 'org/beta:7b' });
    expect([chosen(), ids()]).toEqual(['org/beta:7b', ['org/beta:7b', 'alpha', 'builtin']]);
    await open({ defaultModel: 'gamma' });
    expect([chosen(), ids()]).toEqual(['gamma', ['gamma', 'alpha', 'org/beta:7b', 'builtin']]);
  });

  it('takes a listed model for what it is called, also when that is an alias elsewhere', async () => {
    fake.models = ['alpha', 'claude-proxy'];
    await open();
    expect(chosen('claude-proxy')).toBe('claude-proxy');
  });

  it('does not choose an embedding model to answer', async () => {
    fake.models = ['nomic-embed-text:latest', 'llama3.1:8b'];
    await open();
    expect(chosen()).toBe('llama3.1:8b');
  });

  it('names some that exist when one does not', async () => {
    await open();
    expect(() => catalog.resolve('nope')).toThrow(ModelNotFoundError);
    expect(() => catalog.get('nope')).toThrow(NotFoundError);
    expect(() => catalog.resolve('nope')).toThrow("Model 'nope' not found. Available: alpha, org/beta:7b, builtin");
  });

  it('answers by the built-in model when there is no server, or it has no model', async () => {
    await open({ server: undefined });
    expect([chosen(), ids()]).toEqual(['builtin', ['builtin']]);
    fake.models = [];
    await open();
    expect([chosen(), ids()]).toEqual(['builtin', ['builtin']]);
  });

  it.each([
    ['an empty list', () => void (fake.models = [])],
    ['no list', () => void (fake.failing = 404)],
  ])('says once that the built-in model answers because the server has %s', async (_, spoil) => {
    const warned: unknown[] = [];
    const telling = { ...logger, info: () => undefined, warn: (...words: unknown[]) => warned.push(words[0]) } as never;
    await open({ logger: telling });
    expect(warned).toEqual([]);
    spoil();
    for (let time = 0; time < 3; time++) await catalog.refresh();
    expect([chosen(), warned]).toEqual(['builtin', [NO_MODEL_LISTED]]);
  });

  it('tells why a server cannot be reached in words, without a stack', async () => {
    const warned: unknown[] = [];
    await fake.stop();
    await open({ logger: { ...logger, warn: (...words: unknown[]) => warned.push(words[0]) } as never });
    expect(warned).toEqual([{ reason: expect.stringContaining('OPENAI_BASE_URL'), why: 'nothing listens there' }]);
    fake = await FakeModelServer.start();
  });

  it('reads how much a model takes from whichever field its server has for it', async () => {
    fake.models = [
      { id: 'vllm', max_model_len: 8192, created: 1_700_000_000, owned_by: 'vllm' },
      { id: 'llamacpp', meta: { n_ctx: 2048 } },
      { id: 'openrouter', context_length: 131_072, architecture: { input_modalities: ['text'] } },
      { id: 'silent' },
    ];
    await open();
    const told = catalog.list(everything).data.slice(0, 4);
    expect(told.map(({ max_input_tokens }) => max_input_tokens)).toEqual([8192, 2048, 131_072, 32_768]);
    expect(told.map(({ max_tokens }) => max_tokens)).toEqual([4096, 2048, 4096, 4096]);
    expect(told.map(({ capabilities }) => capabilities.image_input.supported)).toEqual([true, true, false, true]);
    expect(told[0]).toMatchObject({ created: 1_700_000_000, owned_by: 'vllm' });
  });

  it('knows which models call no tools, where a server says so, and takes no silence for a no', async () => {
    fake.models = [
      { id: 'mistral', capabilities: { function_calling: false, vision: true } },
      { id: 'openrouter', supported_parameters: ['temperature', 'seed'] },
      { id: 'calls', supported_parameters: ['tools', 'tool_choice'] },
      { id: 'llamacpp', capabilities: ['completion'] },
      { id: 'silent' },
    ];
    await open();
    expect(
      ['mistral', 'openrouter', 'calls', 'llamacpp', 'silent'].map((id) => catalog.resolve(id).info.tools),
    ).toEqual([false, false, true, undefined, undefined]);
  });

  it('shows each model as the contract has it (§models-entry)', async () => {
    await open();
    for (const model of modelListSchema.parse(catalog.list(everything)).data) {
      expect(modelInfoSchema.strict().parse(model)).toEqual(model);
      expect(catalog.get(model.id)).toEqual(model);
    }
    expect(catalog.get('builtin').display_name).toBe('built-in extractive model (no LLM)');
  });

  it('pages both ways, and says that there is more only when there is (§models-has-more)', async () => {
    fake.models = ['a', 'b', 'c', 'd'];
    await open();
    const page = (query: object) => {
      const { data, has_more, first_id, last_id } = catalog.list({ limit: 2, ...query });
      expect([first_id, last_id]).toEqual([data[0]?.id ?? null, data.at(-1)?.id ?? null]);
      return [data.map(({ id }) => id).join(' '), has_more];
    };
    expect(page({})).toEqual(['a b', true]);
    expect(page({ after_id: 'b' })).toEqual(['c d', true]);
    expect(page({ after_id: 'd' })).toEqual(['builtin', false]);
    expect(page({ after_id: 'builtin' })).toEqual(['', false]);
    expect(page({ before_id: 'd' })).toEqual(['b c', true]);
    expect(page({ before_id: 'c' })).toEqual(['a b', false]);
    expect(page({ limit: 5 })).toEqual(['a b c d builtin', false]);
    expect(() => page({ after_id: 'nope' })).toThrow('after_id');
  });

  it('takes up what the server lists later, and keeps it while the server is down', async () => {
    await open();
    fake.models = ['alpha', 'new'];
    await catalog.refresh();
    expect(ids()).toEqual(['alpha', 'new', 'builtin']);
    await fake.stop();
    await catalog.refresh();
    expect(ids()).toEqual(['alpha', 'new', 'builtin']);
    expect(chosen()).toBe('alpha');
    expect(() => catalog.resolve('nope')).toThrow(ModelNotFoundError);
  });

  it('starts without the server, says so to who asks, and finds it by itself when it comes', async () => {
    const { port } = fake;
    await fake.stop();
    await open();
    expect(() => catalog.resolve()).toThrow(OverloadedError);
    expect(() => catalog.resolve('alpha')).toThrow('OPENAI_BASE_URL');
    expect(chosen('builtin')).toBe('builtin');
    fake = await FakeModelServer.start({ port, models: ['alpha'] });
    const found = () => {
      try {
        return chosen('alpha');
      } catch {
        return undefined;
      }
    };
    expect(await eventually(found)).toBe('alpha');
  });

  it('answers by nothing else while the server takes long to list its models', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    await open({ server: new ModelServer({ baseUrl, connectMs: 500, idleMs: 5000, maxConnections: 5 }) });
    expect(() => catalog.resolve()).toThrow(OverloadedError);
    expect(chosen('builtin')).toBe('builtin');
    await catalog.onApplicationShutdown();
    silent.close();
  });

  it('needs no list for the configured model', async () => {
    await fake.stop();
    await open({ defaultModel: 'alpha' });
    expect([chosen(), chosen('alpha'), chosen('claude-x')]).toEqual(['alpha', 'alpha', 'alpha']);
    fake = await FakeModelServer.start();
  });

  it('lives with a server that has no list', async () => {
    fake.failing = 404;
    await open({ defaultModel: 'alpha' });
    expect(chosen()).toBe('alpha');
    expect(() => catalog.resolve('nope')).toThrow(ModelNotFoundError);
  });
});
