/** Promises about what clients bring along, and about the endpoints beside the answer itself. */
import { modelInfoSchema } from '@app/contract';
import { asyncClient } from '../support/async-client';
import { readStream } from '../support/read-stream';
import { ANTHROPIC, contractServer, DIALECTS, QUESTION, refusalOf } from './contract-server';

/** As recorded of Claude Code 2.1, shortened. */
const CLAUDE_CODE = {
  model: 'claude-opus-4-8',
  max_tokens: 32_000,
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: { user_id: JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's' }) },
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.197.8d1; cc_entrypoint=sdk-cli;' },
    { type: 'text', text: 'You are Claude Code.', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'Work in the folder.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  tools: Array.from({ length: 24 }, (_, at) => ({
    name: at ? `Tool${at}` : 'Read',
    description: 'Reads a file. '.repeat(200),
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { file_path: { type: 'string' }, limit: { type: 'integer', exclusiveMinimum: 0 } },
      required: ['file_path'],
      additionalProperties: false,
    },
    eager_input_streaming: true,
  })),
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>x</system-reminder>' },
        { type: 'text', text: 'Read a.txt' },
      ],
    },
    { role: 'system', content: 'Today is a good day.' },
  ],
};
const CLAUDE_HEADERS = {
  'anthropic-version': '2023-06-01',
  'anthropic-beta':
    'claude-code-20250219,interleaved-thinking-2025-05-14,mid-conversation-system-2026-04-07,unknown-2099-01-01',
  'anthropic-dangerous-direct-browser-access': 'true',
  authorization: 'Bearer sk-anything',
  'x-api-key': '',
  'x-app': 'cli',
  'x-claude-code-session-id': '1b2c',
  'x-stainless-lang': 'js',
  'x-stainless-retry-count': '0',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'user-agent': 'claude-cli/2.1.197 (external, sdk-cli)',
};

describe('a client', () => {
  const api = contractServer({}, [{ id: 'big-model', max_model_len: 200_000 }, 'org/alpha:7b']);

  it('like Claude Code reads a file, streamed and whole (§claude-code §beta-header §client-headers §query-ignored)', async () => {
    for (const stream of [true, false]) {
      const send = (more: object) =>
        api.post({ ...CLAUDE_CODE, stream, ...more }, CLAUDE_HEADERS, '/v1/messages?beta=true');
      const read = async (response: Response): Promise<any> =>
        stream ? readStream(response) : { content: ((await response.json()) as any).content };
      api.model.replies({
        reasoning: ['Leo.'],
        text: ['Voy.'],
        calls: [{ name: 'Read', input: { file_path: 'a.txt' } }],
      });
      const first = await read(await send({}));
      expect(first.content.map(({ type }: any) => type)).toEqual(['thinking', 'text', 'tool_use']);
      const { messages } = api.prompt;
      expect(messages.map(({ role }: any) => role)).toEqual(['system', 'user']);
      expect(messages[0].content).toBe('You are Claude Code.\nWork in the folder.');
      expect(messages[1].content).toMatch(/Read a\.txt\n\nToday is a good day\.$/);
      const results = [
        {
          type: 'tool_result',
          tool_use_id: first.content[2].id,
          content: '1\thola',
          is_error: false,
          cache_control: { type: 'ephemeral' },
        },
      ];
      api.model.says('Pone hola.');
      const next = await read(
        await send({
          messages: [
            ...CLAUDE_CODE.messages,
            { role: 'assistant', content: first.content },
            { role: 'user', content: results },
          ],
        }),
      );
      expect(next.content).toMatchObject([{ type: 'text', text: 'Pone hola.' }]);
      expect(api.prompt.messages.slice(0, 2)).toEqual(messages);
    }
    expect(api.model.requests).toHaveLength(4);
  });

  it('may ask several things at once (§parallel-requests)', async () => {
    api.model.always((body) => ({ text: [body.messages.at(-1).content], pauseMs: 20 }));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        api.ask({ messages: [{ role: 'user', content: `n${at}` }] }, CLAUDE_HEADERS),
      ),
    );
    expect(answers.map(({ content }) => (content[0] as any).text)).toEqual(answers.map((_, at) => `n${at}`));
  });

  it.each(['2023-06-01', '2026-10-21', '1999-01-01', 'soon'])(
    'of version %s is refused nothing (§version-header §no-version-refusals)',
    async (version) => {
      api.model.says('Sí.');
      const messages = [
        { role: 'user', content: [{ type: 'text', text: 'Hola', citations: [{ type: 'char_location' }] }] },
        {
          role: 'assistant',
          content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }],
        },
        QUESTION,
      ];
      const message = await api.ask({ messages, temperature: 1, top_p: 1, top_k: 5 }, { 'anthropic-version': version });
      expect(message.content).toMatchObject([{ text: 'Sí.' }]);
    },
  );

  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['an empty one', { 'x-api-key': '' }],
    ['any', { 'x-api-key': 'sk-ant-anything' }],
    ['a bearer', { authorization: 'Bearer anything' }],
    ['two that differ', { 'x-api-key': 'one', authorization: 'Bearer other' }],
  ])('needs no key where none is asked for: %s (§no-auth-any-key)', async (_, headers) => {
    api.model.says('Sí.');
    await api.ask({}, headers);
  });

  it('finds its models, one by its id, and no more than there are (§models-list §models-get §models-entry §models-both-dialects §models-has-more)', async () => {
    for (const [, headers] of DIALECTS) {
      const get = async (path: string) =>
        (await (await api.server.fetch(`/v1/models${path}`, { headers })).json()) as any;
      const all = await get('?limit=1000');
      expect(all).toMatchObject({ object: 'list', has_more: false, first_id: 'big-model', last_id: 'builtin' });
      expect(all.data.map(({ id }: any) => id)).toEqual(['big-model', 'org/alpha:7b', 'builtin']);
      for (const model of all.data) {
        expect(modelInfoSchema.strict().parse(model)).toEqual(model);
        expect(model).toMatchObject({
          type: 'model',
          object: 'model',
          display_name: expect.any(String),
          created: expect.any(Number),
          owned_by: expect.any(String),
        });
        expect(await get(`/${encodeURIComponent(model.id)}`)).toEqual(model);
      }
      expect(await get('?limit=2')).toMatchObject({ has_more: true, last_id: 'org/alpha:7b' });
      expect(await get('?limit=2&after_id=org%2Falpha%3A7b')).toMatchObject({
        has_more: false,
        data: [{ id: 'builtin' }],
      });
      const unknown = await refusalOf(await api.server.fetch('/v1/models/org%2Fnada%3A1', { headers }));
      expect([unknown.status, unknown.body.error.type]).toEqual([404, 'not_found_error']);
    }
  });

  it.each(['limit=0', 'limit=1001', 'limit=many', 'after_id=a&before_id=b', 'after_id=nada'])(
    'is refused a page of models that makes no sense: %s (§models-cursors)',
    async (query) => expect((await refusalOf(await api.server.fetch(`/v1/models?${query}`))).status).toBe(400),
  );

  it('counts what it would send, whatever else it sends along (§count-tokens §count-extra-fields)', async () => {
    const count = async (more: object) => {
      const response = await api.post(more, ANTHROPIC, '/v1/messages/count_tokens?beta=true');
      expect(response.status).toBe(200);
      return ((await response.json()) as any).input_tokens as number;
    };
    const plain = await count({});
    expect(plain).toBeGreaterThan(0);
    expect(await count({ system: 'Sé muy breve, por favor.' })).toBeGreaterThan(plain);
    expect(await count({ tools: CLAUDE_CODE.tools })).toBeGreaterThan(plain + 1000);
    const { messages: _, ...rest } = CLAUDE_CODE;
    expect(await count({ ...rest, system: undefined, tools: undefined, thread: null, speed: 'fast' })).toBe(plain);
    expect(api.model.requests).toEqual([]);
  });

  it.each(DIALECTS)(
    'learns without an answer whether it would get one: %s (§validate-ok §validate-engine §validate-schema)',
    async (_, headers) => {
      const check = async (more: object) => {
        const response = await api.post(more, headers, '/v1/messages/validate');
        return [response.status, await response.json()];
      };
      expect(await check({})).toEqual([200, { valid: true, errors: null }]);
      expect(await check({ stream: true, tools: ['semantic_search_v1'] })).toEqual([
        400,
        { valid: false, errors: ['Semantic search tool requires an ingested artifact context.'] },
      ]);
      expect(await check({ tool_choice: { type: 'none' }, tools: ['semantic_search_v1'] })).toMatchObject([
        200,
        { valid: true },
      ]);
      expect(await check({ model: 'nada' })).toMatchObject([
        400,
        { valid: false, errors: [expect.stringContaining('nada')] },
      ]);
      expect(await check({ messages: [{ role: 'user', content: ' ' }] })).toEqual([
        400,
        { valid: false, errors: ['The message cannot be empty.'] },
      ]);
      expect(await check({ messages: [] })).toMatchObject([
        400,
        { type: 'error', detail: [{ loc: ['body', 'messages'] }] },
      ]);
      expect(api.model.requests).toEqual([]);
    },
  );

  it('may leave an async message, which goes on without it (§async-reader-leaves §async-replay)', async () => {
    const client = asyncClient(api.server);
    api.model.slow(100, ...Array.from({ length: 10 }, (_, at) => `${at} `));
    await client.start({ messages: [QUESTION], stream: false }, 'left');
    const leaving = new AbortController();
    const reader = (await client.stream('left', { signal: leaving.signal })).body!.getReader();
    await reader.read();
    leaving.abort();
    await client.until('left', 'completed');
    expect((await readStream(await client.stream('left'))).text).toBe('0 1 2 3 4 5 6 7 8 9 ');
  });
});
