/** Requests of the shape that Claude Code sends (anthropic-compat §15): a first one, its loop, and its side jobs. */
import { FakeModelServer } from '../support/fake-model-server';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';

const HEADERS = {
  accept: 'application/json',
  authorization: 'Bearer any',
  'anthropic-version': '2023-06-01',
  'anthropic-beta':
    'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,' +
    'prompt-caching-scope-2026-01-05,mid-conversation-system-2026-04-07,effort-2025-11-24',
  'anthropic-dangerous-direct-browser-access': 'true',
  'user-agent': 'claude-cli/2.1.197 (external, cli)',
  'x-app': 'cli',
  'x-claude-code-session-id': '5f0c8a52-3f43-4a58-9e07-0f6e3f0d9a11',
  'x-stainless-helper-method': 'stream',
  'x-stainless-lang': 'js',
  'x-stainless-retry-count': '0',
  'x-stainless-timeout': '600',
};

/** Keywords as its own tools and those of MCP servers bring them; not every grammar engine knows all. */
const tool = (name: string, properties: object, required: string[] = []) => ({
  name,
  description: `What ${name} is for, at some length. `.repeat(20),
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  },
});
const TOOLS = [
  tool('Bash', { command: { type: 'string' }, timeout: { type: 'number', maximum: 600_000 } }, ['command']),
  tool('Read', { file_path: { type: 'string' }, offset: { type: 'integer', minimum: 0 } }, ['file_path']),
  tool('Edit', { file_path: { type: 'string' }, replace_all: { type: 'boolean', default: false } }, ['file_path']),
  tool('TodoWrite', {
    todos: {
      type: 'array',
      items: {
        type: 'object',
        properties: { status: { enum: ['pending', 'done'] }, content: { type: 'string', minLength: 1 } },
      },
    },
  }),
  tool('WebFetch', { url: { type: 'string', format: 'uri' }, prompt: { type: 'string' } }, ['url']),
  tool('AskUser', {
    answers: {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^(?!__)' },
      additionalProperties: { type: 'string' },
    },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  }),
  {
    ...tool('mcp__a_rather_long_server_name__a_tool_with_a_name_that_goes_on_for_quite_a_while', {}),
    defer_loading: true,
  },
  ...Array.from({ length: 16 }, (_, i) =>
    tool(`Tool${i}`, { kind: { const: 'x' }, of: { $ref: '#/properties/kind' } }),
  ),
  {
    ...tool('ExitPlanMode', { plan: { type: 'string' } }),
    cache_control: { type: 'ephemeral' },
    eager_input_streaming: true,
  },
];
const cached = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });

const SYSTEM = [
  text('x-anthropic-billing-header: cc_version=2.1.197.c3f; cc_entrypoint=cli; cch=8f2e1;'),
  text('You are a coding agent.', { cache_control: { type: 'ephemeral', scope: 'global' } }),
  text('Rules of the house. '.repeat(50), cached),
];
const ASKED = [
  {
    role: 'user',
    content: [text('<system-reminder>\nThe folder is empty.\n</system-reminder>'), text('List the files.', cached)],
  },
  { role: 'system', content: [text('The current mode is: plan.')] },
];
const body = (more: object = {}) => ({
  model: 'claude-sonnet-4-6',
  max_tokens: 32_000,
  stream: true,
  temperature: 1,
  system: SYSTEM,
  tools: TOOLS,
  messages: ASKED as object[],
  thinking: { type: 'adaptive', display: 'summarized' },
  output_config: { effort: 'high', task_budget: { type: 'tokens', total: 200_000 } },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: { user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: '5f0c' }) },
  ...more,
});

describe('Claude Code (§claude-code)', () => {
  let model: FakeModelServer;
  let server: TestServer;
  const send = (sent: object, path = '/v1/messages?beta=true') => server.post(path, sent, { headers: HEADERS });

  beforeAll(async () => {
    model = await FakeModelServer.start({ models: [{ id: 'coder', max_model_len: 64_000 }] });
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });
  beforeEach(() => void (model.requests.length = 0));

  it('is answered, and its model gets what it was meant to get', async () => {
    model.reasons('They want a list.', 'There are none.');
    const { content, events } = await readStream(await send(body()));
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'They want a list.' },
      { type: 'text', text: 'There are none.' },
    ]);
    const start = events[0] as { message: { usage: { input_tokens: number } } };
    expect(start.message.usage.input_tokens).toBeGreaterThan(1000);

    const [asked] = model.requests;
    expect(asked).toMatchObject({ model: 'coder', tool_choice: 'auto', reasoning_effort: 'high' });
    expect(asked!.max_tokens).toBeLessThanOrEqual(32_000);
    expect(asked!.tools.map((declared: any) => declared.function.name)).toEqual(TOOLS.map(({ name }) => name));
    const [system, user, ...rest] = asked!.messages;
    expect(rest).toEqual([]);
    expect(system.content).toMatch(/^You are a coding agent\.\n+Rules of the house\./);
    const said = typeof user.content === 'string' ? user.content : JSON.stringify(user.content);
    expect(said).toMatch(/The folder is empty\.[^]*List the files\.[^]*The current mode is: plan\./);
  });

  it('loops its tools: what goes on extends the prompt word for word (§prompt-extends)', async () => {
    model
      .replies({
        reasoning: ['Two things.'],
        text: ['Let me look.'],
        calls: [
          { name: 'Bash', input: { command: 'ls' } },
          { name: 'Read', input: { file_path: '/a.txt' } },
        ],
      })
      .says('Only a.txt, and it is empty.');
    const first = await readStream(await send(body()));
    const calls = first.content.filter((block) => block.type === 'tool_use');
    expect(calls).toMatchObject([{ name: 'Bash' }, { name: 'Read' }]);
    expect(first.events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });

    const results = calls.map(({ id }, i) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: i === 0 ? 'a.txt' : '',
      is_error: false,
      ...(i === 1 && cached),
    }));
    const turns = [
      ...ASKED,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [...results, text('<system-reminder>Mind the todos.</system-reminder>')] },
    ];
    const second = await readStream(await send(body({ messages: turns })));
    expect(second.text).toBe('Only a.txt, and it is empty.');

    const [before, after] = model.requests;
    expect(after!.messages.slice(0, before!.messages.length)).toEqual(before!.messages);
    expect(JSON.stringify(after!.tools)).toBe(JSON.stringify(before!.tools));
    expect(after!.messages.slice(before!.messages.length)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: calls[0]!.id }, { id: calls[1]!.id }] },
      { role: 'tool', tool_call_id: calls[0]!.id, content: expect.stringContaining('a.txt') },
      { role: 'tool', tool_call_id: calls[1]!.id },
      { role: 'user', content: expect.stringContaining('Mind the todos.') },
    ]);
  });

  it('may change the billing header with every request without changing the prompt (§billing-header §prompt-deterministic)', async () => {
    model.says('a').says('b');
    const nonce = (value: string) => [
      text(`x-anthropic-billing-header: cc_version=2.1.100; cch=${value};`),
      ...SYSTEM.slice(1),
    ];
    await readStream(await send(body({ system: nonce('1') })));
    await readStream(await send(body({ system: nonce('2') })));
    const [first, second] = model.requests;
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  });

  it('gets the same answer without a stream', async () => {
    model.calls('Bash', { command: 'ls' });
    const { stream: _, ...whole } = body();
    const response = await send(whole);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({
      content: [{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } }],
      stop_reason: 'tool_use',
    });
  });

  it('gets its side jobs done while it works (§parallel-requests)', async () => {
    model.always((asked) => ({ text: [asked.response_format ? '{"title":"Listing files"}' : 'ok'] }));
    const haiku = { model: 'claude-haiku-4-5-20251001', messages: [{ role: 'user', content: 'quota' }], max_tokens: 1 };
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    };
    const title = {
      ...haiku,
      max_tokens: 512,
      stream: true,
      output_config: { format: { type: 'json_schema', schema } },
    };
    const [main, quota, named, counted] = await Promise.all([
      send(body()),
      send(haiku),
      send(title),
      send({ model: haiku.model, messages: ASKED, tools: TOOLS }, '/v1/messages/count_tokens?beta=true'),
    ]);
    expect((await readStream(main!)).text).toBe('ok');
    expect(await quota!.json()).toMatchObject({ type: 'message' });
    expect((await readStream(named!)).text).toBe('{"title":"Listing files"}');
    expect(((await counted!.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(1000);
  });
});
