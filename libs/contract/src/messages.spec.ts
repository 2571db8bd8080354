import { messagesRequestSchema, type MessagesRequest } from './messages';

const parse = (body: object) => messagesRequestSchema.safeParse(body);
const ask = (more: object = {}) => parse({ messages: [{ role: 'user', content: 'Hola' }], ...more });
const accepted = (more: object = {}): MessagesRequest => {
  const parsed = ask(more);
  if (!parsed.success) throw parsed.error;
  return parsed.data;
};
const refusal = (result: ReturnType<typeof parse>): string =>
  result.success
    ? 'accepted'
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message} ${deeper(issue)}`).join('\n');
/** What the branches of a union say; the API picks the one that fits best. */
const deeper = (issue: object) => ('errors' in issue ? JSON.stringify(issue.errors) : '');
const turns = (...messages: object[]) => parse({ messages });
const use = (id: string, name = 'add') => ({ type: 'tool_use', id, name, input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });

describe('a request of POST /v1/messages', () => {
  it('needs nothing but messages, and a missing role is the user', () => {
    const parsed = parse({ messages: [{ content: 'Say hi' }] });
    expect(parsed.data).toMatchObject({
      messages: [{ role: 'user', content: 'Say hi' }],
      stream: false,
      stop_sequences: [],
    });
  });

  it('is accepted in both spellings, and snake_case wins', () => {
    const tool = { name: 'add', inputSchema: { type: 'object', title: 'camel' } };
    expect(accepted({ tools: [tool], toolChoice: { type: 'any', disableParallelToolUse: true } })).toMatchObject({
      tools: [{ input_schema: { title: 'camel' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
    const both = { ...tool, input_schema: { type: 'object', title: 'snake' } };
    expect(accepted({ tools: [both] }).tools).toMatchObject([{ input_schema: { title: 'snake' } }]);
  });

  it('ignores what it does not know, at every depth', () => {
    const messages = [
      {
        role: 'user',
        content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' }, citations: null, new: 1 }],
        x: 1,
      },
    ];
    expect(
      accepted({ messages, speed: 'fast', context_management: { edits: [] }, output_config: { task_budget: 3 } }),
    ).toMatchObject({ messages: [{ content: [{ type: 'text', text: 'Hi' }] }] });
  });

  it('takes an empty list of artifacts from the caller as the whole collection', () => {
    const filter = { collection: 'docs', artifacts: [], metadata_filter: null };
    const { tool_context } = accepted({
      tools: ['semantic_search_v1'],
      tool_context: [{ type: 'ingested_artifact', context_filter: filter }],
    });
    expect(tool_context).toEqual([{ type: 'ingested_artifact', context_filter: { collection: 'docs' } }]);
  });

  it.each([
    ['no messages', { messages: [] }, 'messages: Value error, Messages cannot be empty'],
    ['only system messages', { messages: [{ role: 'system', content: 'x' }] }, 'Messages cannot be empty'],
    ['an empty content', { messages: [{ role: 'user', content: '' }] }, 'Message content cannot be empty'],
    ['an empty list of blocks', { messages: [{ role: 'user', content: [] }] }, 'Message content cannot be empty'],
    ['a null content', { messages: [{ role: 'user', content: null }] }, 'Message content cannot be empty'],
    ['two tools of one name', { tools: [{ name: 'a' }, { name: 'a' }] }, 'Duplicate tool names: a'],
    [
      'a choice that is not among the tools',
      { tools: [{ name: 'a' }], tool_choice: { type: 'tool', name: 'b' } },
      "Tool choice 'b' is not in the provided tools.",
    ],
    ['a choice without a name', { tools: [{ name: 'a' }], tool_choice: { type: 'tool' } }, 'needs the name of a tool'],
    ['a tool without a name', { tools: [{ type: 'semantic_search_v1' }] }, 'Invalid tool specification'],
    ['a tool that is a number', { tools: [7] }, 'Invalid tool specification'],
    [
      'context without tools',
      { tool_context: [{ type: 'text', value: 'x' }] },
      'Tool context is provided, but no tools are specified.',
    ],
    [
      'a schema format without a schema',
      { response_format: { type: 'json_schema' } },
      'JSON schema must be provided when response format is json_schema',
    ],
    [
      'response_format with tools',
      { response_format: { type: 'json_schema', json_schema: {} }, tools: [{ name: 'a' }] },
      'Tools are not supported when response_format is set to json_schema',
    ],
    ['a temperature above 1', { temperature: 1.5 }, 'temperature'],
    ['an unknown kind of context', { tools: [{ name: 'a' }], tool_context: [{ type: 'folder' }] }, 'tool_context.0'],
  ])('refuses %s', (_, body, expected) => {
    expect(refusal(ask(body))).toContain(expected);
  });

  it('lets a choice name a built-in by its type or canonical name, and ignores a choice without tools', () => {
    const tools = [{ name: 'kb', type: 'semantic_search_v1' }];
    for (const name of ['kb', 'semantic_search', 'semantic_search_v1', 'semantic_search_v2']) {
      expect(refusal(ask({ tools, tool_choice: { type: 'tool', name } }))).toBe('accepted');
    }
    expect(refusal(ask({ tool_choice: { type: 'tool', name: 'gone' } }))).toBe('accepted');
  });

  it.each([
    [
      'a call by the user',
      [
        { role: 'user', content: [use('t1')] },
        { role: 'user', content: [result('t1')] },
      ],
      'assistant messages',
    ],
    [
      'one id twice',
      [
        { role: 'assistant', content: [use('t1'), use('t1')] },
        { role: 'user', content: [result('t1')] },
      ],
      'Duplicate tool use ID found: t1',
    ],
    ['a result before its call', [{ role: 'user', content: [result('t9')] }], 'unknown tool use ID: t9'],
    ['a call without a result', [{ role: 'assistant', content: [use('t1')] }], 'Tool result blocks must match'],
    [
      'two results for a call',
      [
        { role: 'assistant', content: [use('t1')] },
        { role: 'user', content: [result('t1'), result('t1')] },
      ],
      'Invalid message order',
    ],
    ['an id with a space', [{ role: 'assistant', content: [use('t 1')] }], 'letters, digits'],
    ['an unknown block', [{ role: 'user', content: [{ type: 'hologram' }] }], 'Invalid discriminator value'],
    [
      'a blob over 25 MiB',
      [{ role: 'user', content: [{ type: 'image', data: 'A'.repeat(36_000_000), mime_type: 'image/png' }] }],
      '25 MiB',
    ],
  ])('refuses %s in a conversation', (_, messages, expected) => {
    expect(JSON.stringify(turns({ role: 'user', content: 'x' }, ...messages).error?.issues)).toContain(expected);
  });

  const image = (data: string) =>
    turns({ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }] });

  it.each(['', 'AAAA', 'AAA=', 'AA==', 'a+/9'])('takes base64 as it should be: %j', (data) => {
    expect(refusal(image(data))).toBe('accepted');
  });

  it.each(['AAAA!', 'not base64!!', 'AAA', 'AA=A', 'A===', '====', 'AA\nAA==', 'a-_9', 'data:image/png;base64,AAAA'])(
    'refuses what is not base64: %j (§block-blob-base64)',
    (data) => {
      expect(JSON.stringify(image(data).error?.issues)).toContain('not base64');
      const older = turns({ role: 'user', content: [{ type: 'image', data, mime_type: 'image/png' }] });
      expect(JSON.stringify(older.error?.issues)).toContain('not base64');
    },
  );

  it('looks through a blob of the largest size in no time (§block-blob-size §block-blob-base64)', () => {
    const largest = 'A'.repeat(34_952_532);
    const began = process.cpuUsage();
    expect(refusal(image(largest))).toBe('accepted');
    expect(refusal(image(`${largest.slice(0, -4)}AAA!`))).toContain('not base64');
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(10_000);
  });

  it.each([
    [{}, 'a tool needs a name'],
    [{ name: '' }, 'a tool needs a name'],
    [{ name: 7 }, 'a tool needs a name'],
    [{ name: 'x'.repeat(201) }, 'has at most 200 characters'],
    [{ name: 'get\u0007weather' }, 'no control characters'],
    [{ name: 'get\nweather' }, 'no control characters'],
    [{ name: 'get\u0085weather' }, 'no control characters'],
  ])('says what is wrong with the name of a tool: %j', (tool, words) => {
    const said = JSON.stringify(ask({ tools: [{ input_schema: {}, ...tool }] }).error?.issues);
    for (const other of ['a tool needs a name', 'has at most 200 characters', 'no control characters']) {
      expect(said.includes(other)).toBe(other === words);
    }
  });

  it('takes a name of a tool as long as it may be', () => {
    expect(refusal(ask({ tools: [{ name: 'é'.repeat(200), input_schema: {} }] }))).toBe('accepted');
  });

  it('accepts back everything that the server emits, in both dialects', () => {
    const history = [
      { role: 'user', content: 'How long?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: '' },
          { ...use('tool_1', 'semantic_search'), start_timestamp: '2026-01-01T00:00:00.000000Z' },
          {
            ...result('tool_1'),
            content: [
              { type: 'source', sources: [] },
              { type: 'text', text: 'x' },
            ],
            is_error: false,
          },
          { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'search', server_name: 'toolwright', input: {} },
          {
            type: 'mcp_tool_result',
            tool_use_id: 'mcptoolu_1',
            content: [{ type: 'text', text: 'x' }],
            is_error: false,
          },
          { type: 'text', text: '30 days.', citations: [{ id: 'GONG', index: 0, artifact_id: 'a', source_id: 'b' }] },
        ],
      },
      { role: 'user', content: 'Thanks' },
    ];
    expect(refusal(turns(...history))).toBe('accepted');
  });
});
