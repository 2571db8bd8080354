/** What only the official client has, of both of its lines; `clients.spec.ts` has what every client does. */
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import AnthropicZero from 'anthropic-sdk-0';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

const LINES = [
  ['1.x', Anthropic],
  ['0.x', AnthropicZero as unknown as typeof Anthropic],
] as const;

let model: FakeModelServer;
let server: TestServer;
beforeAll(async () => {
  model = await FakeModelServer.start({ models: ['big-model'] });
  server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
});
afterAll(async () => {
  await server?.stop();
  await model?.stop();
});

describe.each(LINES)('@anthropic-ai/sdk %s', (line, Client) => {
  /** Bodies as the client sends them. */
  const sent: any[] = [];
  let client: Anthropic;
  beforeAll(() => {
    client = new Client({
      baseURL: server.url,
      apiKey: 'any',
      maxRetries: 0,
      fetch: (input, init) => {
        if (typeof init?.body === 'string') sent.push(JSON.parse(init.body));
        return fetch(input, init);
      },
    });
  });
  beforeEach(() => void (sent.length = 0));
  afterEach(() => {
    const { unasked } = model;
    model.forget();
    expect(unasked).toBe(0);
  });

  const request = (more: object = {}) => ({
    model: 'default',
    max_tokens: 1000,
    messages: [{ role: 'user' as const, content: 'Hello' }],
    ...more,
  });

  it('knows the id of every request: of an answer, of a stream, of an error (§request-id)', async () => {
    model.says('Hello.').says('Hello.');
    const id = /^req_[0-9a-f]{32}$/;
    expect((await client.messages.create(request()))._request_id).toMatch(id);
    const stream = client.messages.stream(request());
    await stream.finalMessage();
    expect(stream.request_id).toMatch(id);
    const refused = client.messages.create(request({ model: 'nope' }));
    await expect(refused).rejects.toMatchObject({ requestID: expect.stringMatching(id) });
  });

  it('hears of a stream what it listens for', async () => {
    model.replies({ reasoning: ['Hm.'], text: ['Let me see.'], calls: [{ name: 'add', input: { a: 1 } }] });
    const heard: string[] = [];
    const tools = [{ name: 'add', input_schema: { type: 'object' as const, properties: { a: { type: 'integer' } } } }];
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 };
    const message = await client.messages
      .stream(request({ tools, thinking }))
      .on('thinking', (_, thought) => heard.push(`thinks ${thought}`))
      .on('signature', () => heard.push('signs'))
      .on('text', (_, said) => heard.push(`says ${said}`))
      .on('inputJson', (_, input) => heard.push(`calls with ${JSON.stringify(input)}`))
      .on('contentBlock', ({ type }) => heard.push(`ends ${type}`))
      .finalMessage();
    expect(heard).toEqual([
      'thinks Hm.',
      'signs',
      'ends thinking',
      'says Let me see.',
      'ends text',
      'calls with {"a":1}',
      'ends tool_use',
    ]);
    expect(message.content).toMatchObject([{ signature: '' }, {}, { input: { a: 1 } }]);
  });

  it('counts what a stream says at its start (§count-as-started)', async () => {
    model.says('Hello.');
    const { max_tokens: _, ...prompt } = request({ system: 'Be brief.' });
    const { input_tokens } = await client.messages.countTokens(prompt);
    for await (const event of await client.messages.create({ ...request({ system: 'Be brief.' }), stream: true })) {
      if (event.type === 'message_start') expect(event.message.usage.input_tokens).toBe(input_tokens);
    }
  });

  it(`runs tools (§thread) ${line === '1.x' ? 'without the message thread that it asks for first' : 'without a message thread'}`, async () => {
    model.calls('add', { a: 1, b: 2 }).says('It is 3.');
    const add = betaTool({
      name: 'add',
      description: 'Adds.',
      inputSchema: {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' } },
        required: ['a', 'b'],
      },
      run: ({ a, b }) => String(a + b),
    });
    const last = await client.beta.messages.toolRunner({ ...request(), tools: [add] }).runUntilDone();
    expect(last.content).toMatchObject([{ type: 'text', text: 'It is 3.' }]);
    expect(sent.map(({ thread, messages }) => [thread?.type ?? 'no thread', messages.length])).toEqual([
      ...(line === '1.x' ? [['create', 1]] : []),
      ['no thread', 1],
      ['no thread', 3],
    ]);
  });

  it('sends every kind of block and of wish, also by its beta namespace', async () => {
    model.says('All of it.');
    const cache_control = { type: 'ephemeral' as const, ttl: '1h' as const };
    const stream = client.beta.messages.stream({
      model: 'claude-sonnet-4-6',
      max_tokens: 128_000,
      betas: ['context-management-2025-06-27', 'something-2030-01-01'],
      cache_control,
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      metadata: { user_id: 'somebody' },
      service_tier: 'auto',
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is in these?', cache_control },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'The first one.' },
              title: 'First',
              citations: { enabled: true },
            },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'The second one.' }] } },
            {
              type: 'search_result',
              source: 'https://example.com/third',
              title: 'Third',
              content: [{ type: 'text', text: 'The third one.' }],
              citations: { enabled: true },
            },
          ],
        },
      ],
    });
    expect(await stream.finalText()).toBe('All of it.');
    const prompt = JSON.stringify(model.requests.at(-1)!.messages);
    for (const words of ['What is in these?', 'The first one.', 'The second one.', 'The third one.']) {
      expect(prompt).toContain(words);
    }
  });

  it('is told what this server does not have', async () => {
    const refusals = [client.messages.batches.list(), client.beta.files.list()];
    for (const refused of refusals) {
      await expect(refused).rejects.toBeInstanceOf(Client.NotFoundError);
      await expect(refused).rejects.toThrow(/There is no such path/);
    }
  });
});
