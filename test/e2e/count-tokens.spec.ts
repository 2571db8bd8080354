/** Who counts the tokens of a prompt: the model server where it can, else the tokenizer that comes with the product. */
import type { CountTokensResponse } from '@app/contract';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

const messages = [{ role: 'user', content: '¿Cuántos días de permiso tengo?' }];
const tools = [{ name: 'add', input_schema: { type: 'object', properties: { a: { type: 'integer' } } } }];

describe('POST /v1/messages/count_tokens', () => {
  let model: FakeModelServer;
  let server: TestServer;

  beforeAll(async () => {
    model = await FakeModelServer.start({
      models: [
        { id: 'of-vllm', owned_by: 'vllm' },
        { id: 'slow', owned_by: 'vllm' },
        { id: 'of-llama', owned_by: 'llamacpp' },
        { id: 'of-nobody' },
      ],
    });
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });
  beforeEach(() => model.tokenizeRequests.splice(0));

  const count = async (id: string, more: object = {}) => {
    const response = await server.post('/v1/messages/count_tokens', { model: id, messages, ...more });
    expect(response.status).toBe(200);
    return (await response.json()) as CountTokensResponse;
  };

  it('asks vLLM, with the prompt as it would be answered (§count-by-server)', async () => {
    model.tokenizes = { as: 'vllm' };
    expect(await count('of-vllm', { system: 'Sé breve.', tools })).toEqual({ input_tokens: 13, counted_by: 'model' });
    expect(model.tokenizeRequests).toEqual([
      {
        model: 'of-vllm',
        messages: [{ role: 'system', content: 'Sé breve.' }, messages[0]],
        tools: [expect.objectContaining({ type: 'function' })],
        add_generation_prompt: true,
      },
    ]);
  });

  it('asks llama.cpp, which renders the prompt first (§count-by-server)', async () => {
    model.tokenizes = { as: 'llama.cpp' };
    expect(await count('of-llama')).toEqual({ input_tokens: 8, counted_by: 'model' });
    expect(model.tokenizeRequests[0]).toMatchObject({ content: expect.stringContaining('<s> user ¿Cuántos') });
  });

  it('counts by itself where the server is of another kind, or cannot any more (§count-by-server)', async () => {
    model.tokenizes = undefined;
    const counted = { input_tokens: 12, counted_by: 'tokenizer' };
    expect(await count('of-nobody')).toEqual(counted);
    expect(await count('of-llama')).toEqual(counted);
    // It is left alone for a while.
    model.tokenizes = { as: 'llama.cpp' };
    expect(await count('of-llama')).toEqual(counted);
    expect(model.tokenizeRequests).toHaveLength(0);
  });

  it('does not wait for a server that takes long', async () => {
    model.tokenizes = { as: 'vllm', lateMs: 20_000 };
    expect(await count('slow')).toMatchObject({ counted_by: 'tokenizer' });
  });

  it('says when it can only estimate, and what the built-in model itself counts (§count-by-server)', async () => {
    const long = [{ role: 'user', content: 'Una línea más. '.repeat(300_000) }];
    expect(await count('of-nobody', { messages: long })).toMatchObject({ counted_by: 'estimate' });
    const response = await server.post('/v1/messages', { model: 'builtin', messages });
    const { usage } = (await response.json()) as { usage: { input_tokens: number } };
    expect(await count('builtin')).toEqual({ input_tokens: usage.input_tokens, counted_by: 'model' });
  });
});
