/** The official client, unchanged, against the server: with a model server behind it, and with the built-in model. */
import Anthropic from '@anthropic-ai/sdk';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather in a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const search = {
  tools: [{ name: 'search', type: 'semantic_search_v1' }],
  tool_context: [{ type: 'ingested_artifact', context_filter: { collection: 'docs' } }],
} as unknown as { tools: Anthropic.ToolUnion[] };

describe.each(['a model server', 'the built-in model'])('the official Anthropic client, with %s', (behind) => {
  const builtIn = behind === 'the built-in model';
  let model: FakeModelServer;
  let server: TestServer;
  let client: Anthropic;

  beforeAll(async () => {
    model = await FakeModelServer.start({ models: ['big-model'] });
    server = await startServer({ env: builtIn ? {} : { OPENAI_BASE_URL: model.baseUrl } });
    client = new Anthropic({ apiKey: 'anything', baseURL: server.url, maxRetries: 0 });
    const value = 'The warranty of the HydroScan pump lasts 36 months from the day of delivery.';
    await server.post('/v1/artifacts/ingest', {
      artifact: 'manual',
      collection: 'docs',
      input: { type: 'text', value },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });

  const request = (content: string, more: object = {}) => ({
    model: 'default',
    max_tokens: 1000,
    messages: [{ role: 'user' as const, content }],
    ...more,
  });

  it('creates a message and knows its request id', async () => {
    model.says('Hello!');
    const message = await client.messages.create(request('Hello'));
    expect(message.content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/\w/) });
    expect(message.stop_reason).toBe('end_turn');
    expect(message._request_id).toMatch(/^req_[0-9a-f]{32}$/);
  });

  it('streams the answer of a search that the server ran', async () => {
    model.calls('search', { query: 'warranty of the pump' }).slow(20, 'The warranty lasts ', '36 months.');
    const pieces: string[] = [];
    const stream = client.messages.stream(request('How long is the warranty of the HydroScan pump?', search));
    const message = await stream.on('text', (piece) => pieces.push(piece)).finalMessage();
    expect(message.content.map(({ type }) => type as string)).toEqual(['mcp_tool_use', 'mcp_tool_result', 'text']);
    expect(message.content[0]).toMatchObject({ name: 'search', input: { query: expect.stringMatching(/warranty/i) } });
    expect(pieces.join('')).toContain('36 months');
    expect(pieces.length).toBeGreaterThan(1);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.input_tokens).toBeGreaterThan(0);
  });

  it('loops a tool of its own: call, result, answer', async () => {
    model.calls('get_weather', { city: 'Madrid' }).says('It is sunny in Madrid, 31 degrees.');
    const asked = request('What is the weather in the city of "Madrid"?', {
      tools: [weather],
      tool_choice: { type: 'tool', name: 'get_weather' },
    });
    const first = await client.messages.create(asked as Anthropic.MessageCreateParamsNonStreaming);
    expect(first.stop_reason).toBe('tool_use');
    const call = first.content.find((block) => block.type === 'tool_use')!;
    expect(call).toMatchObject({ name: 'get_weather', input: { city: 'Madrid' } });
    const second = await client.messages.create({
      ...request(''),
      tools: [weather],
      messages: [
        ...asked.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'sunny, 31 degrees' }] },
      ],
    });
    expect(second.stop_reason).toBe('end_turn');
    expect(second.content[0]).toMatchObject({ type: 'text', text: expect.stringContaining('31') });
  });

  // Only a model that says so may ask instead of calling; the fake one does not.
  if (builtIn)
    it('is asked in words for what a forced tool needs and the message does not say', async () => {
      const asked = request('What is the weather?', {
        tools: [weather],
        tool_choice: { type: 'tool', name: 'get_weather' },
      });
      const message = await client.messages.create(asked as Anthropic.MessageCreateParamsNonStreaming);
      expect(message.content).toMatchObject([{ type: 'text', text: expect.stringContaining('city') }]);
      expect(message.stop_reason).toBe('end_turn');
    });

  it('takes back what the server answered as history', async () => {
    model.calls('search', { query: 'warranty' }).says('36 months.').says('You are welcome.');
    const question = request('How long is the warranty of the HydroScan pump?', search);
    const first = await client.messages.create(question as Anthropic.MessageCreateParamsNonStreaming);
    const next = await client.messages.create({
      ...(question as Anthropic.MessageCreateParamsNonStreaming),
      messages: [
        ...question.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: 'Thanks!' },
      ],
    });
    expect(next.content.at(-1)).toMatchObject({ type: 'text' });
  });

  it('lists and gets models', async () => {
    const listed: string[] = [];
    for await (const entry of client.models.list({ limit: 1 })) listed.push(entry.id);
    expect(listed).toContain('builtin');
    expect((await client.models.retrieve('builtin')).display_name).toContain('no LLM');
    await expect(client.models.retrieve('nope/x:1')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('gets its own error classes', async () => {
    await expect(client.messages.create({ ...request('x'), model: 'nope' })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    );
    const empty = client.messages.create({ ...request('x'), messages: [] });
    await expect(empty).rejects.toThrow(/Messages cannot be empty/);
    await expect(empty).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  });
});
