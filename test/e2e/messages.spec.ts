import type { Chunk, CountTokensResponse, Message } from '@app/contract';
import { chunk, FakeModelServer } from '../support/fake-model-server';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';

const POLICY = [
  '# Employee handbook',
  '## Leave',
  'Every employee has 27 days of paid leave a year. Unused days expire on 31 March.',
  '## Travel',
  'Train tickets are booked in second class. Flights need the approval of the finance team.',
].join('\n\n');

const question = { role: 'user', content: 'How many days of leave do I have?' };
const inCollection = (filter: object) => [{ type: 'ingested_artifact', context_filter: filter }];
const search = (filter: object = { collection: 'hr' }) => ({
  tools: [{ name: 'search', type: 'semantic_search_v1' }],
  tool_context: inCollection(filter),
});
const add = {
  name: 'add',
  description: 'Adds two integers.',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
  },
};

describe('POST /v1/messages', () => {
  let model: FakeModelServer;
  let server: TestServer;

  beforeAll(async () => {
    model = await FakeModelServer.start({ models: ['big-model'] });
    server = await startServer({
      env: { OPENAI_BASE_URL: model.baseUrl, MODEL_IDLE_SECONDS: '2', MODEL_CONNECT_SECONDS: '2' },
    });
    const ingest = { artifact: 'handbook', collection: 'hr', input: { type: 'text', value: POLICY } };
    expect((await server.post('/v1/artifacts/ingest', ingest)).status).toBe(200);
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });
  beforeEach(() => model.requests.splice(0));
  // An answer that is left over would be given to the next test.
  afterEach(() => expect(model.unasked).toBe(0));

  const post = (more: object, init?: RequestInit) =>
    server.post('/v1/messages', { messages: [question], ...more }, init);
  const ask = async (more: object, init?: RequestInit): Promise<Message> => {
    const response = await post(more, init);
    const body = await response.json();
    if (response.status !== 200) throw new Error(JSON.stringify(body));
    return body as Message;
  };
  const refusal = async (more: object, init?: RequestInit) => {
    const response = await post(more, init);
    return {
      status: response.status,
      body: (await response.json()) as { detail: unknown; error: any; request_id: string },
    };
  };
  const anthropic = { headers: { 'anthropic-version': '2023-06-01' } };

  describe('a plain answer', () => {
    it('is a Message of the contract, by the model that answered (§message-shape §message-model §stop-end-turn)', async () => {
      model.replies({ text: ['Hel', 'lo.'], usage: { prompt_tokens: 12, completion_tokens: 5 } });
      const message = await ask({ system: 'Be brief.', temperature: 0.2, max_tokens: 50 });
      expect(message).toMatchObject({
        type: 'message',
        role: 'assistant',
        model: 'big-model',
        content: [{ type: 'text', text: 'Hello.' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 12, output_tokens: 5 },
      });
      expect(model.requests[0]).toMatchObject({
        model: 'big-model',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'How many days of leave do I have?' },
        ],
        temperature: 0.2,
        max_tokens: 50,
      });
    });

    it('is the same whole and streamed (§stream-same-as-whole)', async () => {
      const reply = { reasoning: ['Hm. ', 'Yes.'], text: ['It ', 'is ', 'so.'] };
      model.replies(reply).replies(reply);
      const thinking = { type: 'enabled', budget_tokens: 1024 };
      const streamed = await readStream(await post({ stream: true, thinking }));
      const whole = await ask({ thinking });
      const bare = (content: Message['content']) =>
        content.map(({ start_timestamp: _, stop_timestamp: __, ...block }) => block);
      expect(bare(streamed.content)).toEqual(bare(whole.content));
      expect(streamed.events[0]).toMatchObject({ message: { usage: { input_tokens: expect.any(Number) } } });
    });

    it('signs what was thought once, just before it ends (§thinking-signature)', async () => {
      model.reasons(['Hm. ', 'Yes.'], 'It is so.');
      const { events } = await readStream(await post({ stream: true, thinking: { type: 'adaptive' } }));
      const ofTheFirst = events.filter((event) => 'index' in event && event.index === 0);
      expect(ofTheFirst.slice(-2)).toMatchObject([
        { delta: { type: 'signature_delta', signature: '' } },
        { type: 'content_block_stop' },
      ]);
      expect(JSON.stringify(events).match(/signature_delta/g)).toHaveLength(1);
    });

    it('keeps thinking apart from text, and away from who did not ask for it (§thinking-apart §thinking-unasked §thinking-signature)', async () => {
      model.reasons('Let me think.', 'Yes.').reasons('Let me think.', 'Yes.');
      expect((await ask({ thinking: { type: 'adaptive' } })).content).toMatchObject([
        { type: 'thinking', thinking: 'Let me think.', signature: '' },
        { type: 'text', text: 'Yes.' },
      ]);
      expect((await ask({})).content).toMatchObject([{ type: 'text', text: 'Yes.' }]);
    });

    it('says when the model was cut by its limit (§stop-max-tokens)', async () => {
      model.replies({ text: ['It goes on and'], finish: 'length' });
      expect((await ask({ max_tokens: 4 })).stop_reason).toBe('max_tokens');
    });
  });

  describe('semantic search', () => {
    it('is run by the server, and the model goes on with what was found (§run-built-in)', async () => {
      model.calls('search', { query: 'paid leave days' }).says('You have ', '27 days.');
      const message = await ask(search());
      expect(message.content).toMatchObject([
        { type: 'tool_use', name: 'search', input: { query: 'paid leave days' } },
        {
          type: 'tool_result',
          is_error: false,
          content: [{ type: 'text', text: expect.stringContaining('27 days of paid leave') }],
        },
        { type: 'text', text: 'You have 27 days.' },
      ]);
      expect(message.stop_reason).toBe('end_turn');
      const [, second] = model.requests;
      expect(second!.messages.slice(-2)).toMatchObject([
        { role: 'assistant', tool_calls: [{ function: { name: 'search' } }] },
        { role: 'tool', content: expect.stringContaining('27 days of paid leave') },
      ]);
    });

    it('carries the name that the caller gave it, and no other (§tool-built-in-fields §tool-callers-name)', async () => {
      model.says('Hello.');
      await ask({ ...search(), tools: [{ name: 'knowledge', type: 'semantic_search_v1', description: 'mine' }] });
      expect(model.requests[0]!.tools).toMatchObject([{ function: { name: 'knowledge' } }]);
      expect(JSON.stringify(model.requests[0])).not.toMatch(/semantic_search_v1|mine/);
    });

    it('cites what it found: tags in the text, a list beside it, the source block for those who know it (§citations-tags §citations-unknown §correlation-id §extended-out)', async () => {
      let mark = '';
      model.calls('search', { query: 'leave' }).always((body) => {
        mark = /Citation identifier \[([A-Z0-9]{4})\]/.exec(body.messages.at(-1).content)![1]!;
        return { text: ['27 days [', mark.slice(0, 2), `${mark.slice(2)}]`, ' and not [ZZZZ].'] };
      });
      const system = { citations: { enabled: true }, extensions: ['zylon'] };
      const { content, text } = await readStream(
        await post({ ...search(), system, stream: true, correlation_id: 'c-7' }),
      );
      model.always(() => ({ text: ['?'] }));
      const [, result, answer] = content;
      if (result?.type !== 'tool_result' || answer?.type !== 'text') throw new Error(JSON.stringify(content));
      const [source] = result.content;
      if (source?.type !== 'source') throw new Error(JSON.stringify(result));
      const cited = source.sources.find(({ metadata }) => metadata?.shorter_id === mark)! as Chunk;
      expect(answer.citations).toEqual([{ id: mark, index: 0, artifact_id: 'handbook', source_id: cited.id }]);
      expect(text).toBe(
        `27 days <citation id='${mark}' index='0' artifact_id='handbook' source_id='${cited.id}' correlation_id='c-7'></citation> and not [ZZZZ].`,
      );
      expect(cited.document.doc_metadata).toMatchObject({ artifact_id: 'handbook', collection: 'hr' });
    });

    it('shows extended blocks to nobody who did not ask for them (§extended-stripped)', async () => {
      model.calls('search', { query: 'leave' }).says('27.');
      expect(JSON.stringify(await ask(search()))).not.toContain('"source"');
    });

    it('is a pair of mcp blocks for Anthropic clients (§run-mcp-pair)', async () => {
      for (const stream of [false, true]) {
        model.calls('search', { query: 'leave' }).says('27 days.');
        const response = await post({ ...search(), stream }, anthropic);
        const { content } = stream ? await readStream(response) : ((await response.json()) as Message);
        expect(content).toMatchObject([
          { type: 'mcp_tool_use', name: 'search', server_name: 'toolwright', input: { query: 'leave' } },
          { type: 'mcp_tool_result', is_error: false, content: [{ type: 'text' }] },
          { type: 'text', text: '27 days.' },
        ]);
      }
    });

    it('lets the model narrow the scope, never widen it (§context-narrows)', async () => {
      const other = {
        artifact: 'secret',
        collection: 'hr',
        input: { type: 'text', value: 'Leave of the board: 99 days.' },
      };
      await server.post('/v1/artifacts/ingest', other);
      model.calls('search', { query: 'leave', artifacts: ['secret'] }).says('Nothing.');
      const message = await ask(search({ collection: 'hr', artifacts: ['handbook'] }));
      expect(message.content[1]).toMatchObject({ content: [{ text: 'No content is available.' }], is_error: false });
      await server.post('/v1/artifacts/delete', { collection: 'hr', artifact: 'secret' });
    });

    it('without its context is refused before the model is asked, by status in a stream as well (§context-missing §context-one)', async () => {
      const tools = search().tools;
      for (const stream of [false, true]) {
        expect(await refusal({ tools, stream })).toMatchObject({
          status: 400,
          body: { detail: 'Semantic search tool requires an ingested artifact context.' },
        });
      }
      expect(
        await refusal({ tools, tool_context: [...search().tool_context, ...search().tool_context] }),
      ).toMatchObject({
        status: 400,
        body: { detail: 'Only one ingested context is supported.' },
      });
      expect(model.requests).toHaveLength(0);
    });

    it.each([
      ['missing', { collection: 'hr', artifacts: ['gone'] }, {}],
      ['of another organisation', { collection: 'hr', artifacts: ['gone'] }, { 'x-org': 'rival' }],
    ])(
      'over an artifact that is %s is refused when eager, and told to the model when lazy (§eager-missing §lazy-missing)',
      async (_, filter, headers) => {
        const tool_choice = { type: 'auto', validation_mode: 'eager' };
        expect(await refusal({ ...search(filter), tool_choice }, { headers })).toMatchObject({
          status: 400,
          body: { detail: expect.stringContaining('artifact=gone is not initialized.') },
        });
        expect(model.requests).toHaveLength(0);
        model.calls('search', { query: 'leave' }).says('I could not look.');
        const message = await ask(search(filter), { headers });
        expect(message.content).toMatchObject([
          { type: 'tool_use' },
          {
            type: 'tool_result',
            is_error: true,
            content: [{ text: expect.stringContaining('artifact=gone is not initialized.') }],
          },
          { type: 'text', text: 'I could not look.' },
        ]);
      },
    );

    it('finds nothing in a collection that does not exist, or is somebody else’s: the same answer (§mode-empty)', async () => {
      const results: unknown[] = [];
      for (const [collection, org] of [
        ['nowhere', 'default'],
        ['hr', 'rival'],
      ]) {
        model.calls('search', { query: 'leave' }).says('Nothing.');
        const message = await ask(search({ collection }), { headers: { 'x-org': org! } });
        const [, result] = message.content;
        results.push({ ...result, tool_use_id: '', start_timestamp: '', stop_timestamp: '' });
      }
      expect(results[0]).toMatchObject({ is_error: false, content: [{ text: 'No content is available.' }] });
      expect(results[0]).toEqual(results[1]);
    });

    it('is told what it did wrong when the model leaves out what it needs (§mode-arguments)', async () => {
      model.calls('search', {}).says('Sorry.');
      expect((await ask(search())).content[1]).toMatchObject({
        is_error: true,
        content: [{ text: expect.stringContaining('invalid_tool_arguments') }],
      });
    });
  });

  describe('the caller’s own tools', () => {
    it('are handed back, with arguments bent to their schema, and the conversation goes on (§run-callers §arguments-coerced §results-in-user)', async () => {
      model.calls('add', { a: '5', b: 7 }, 'call_1');
      const first = await ask({ tools: [add], messages: [{ role: 'user', content: '5 + 7?' }] });
      expect(first).toMatchObject({
        stop_reason: 'tool_use',
        content: [{ type: 'tool_use', id: 'call_1', name: 'add', input: { a: 5, b: 7 } }],
      });
      model.says('12.');
      const answer = { type: 'tool_result', tool_use_id: 'call_1', content: '12' };
      const second = await ask({
        tools: [add],
        messages: [
          { role: 'user', content: '5 + 7?' },
          { role: 'assistant', content: first.content },
          { role: 'user', content: [answer] },
        ],
      });
      expect(second).toMatchObject({ stop_reason: 'end_turn', content: [{ text: '12.' }] });
      expect(model.requests[1]!.messages.at(-1)).toMatchObject({
        role: 'tool',
        tool_call_id: 'call_1',
        content: '<tool_data>\n12\n</tool_data>',
      });
    });

    it('get ids that are new in the conversation, also where the model server counts from zero each time (§run-ids)', async () => {
      const history = [
        question,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'add', input: { a: 1, b: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0', content: '2' }] },
      ];
      model.calls('add', { a: 2, b: 2 }, 'call_0');
      const { content } = await ask({ tools: [add], messages: history });
      expect(content).toMatchObject([{ type: 'tool_use', id: expect.stringMatching(/^toolu_[0-9a-f]{32}$/) }]);
    });

    it('stand beside the server’s own: those have their results before the stop (§run-callers §run-parallel)', async () => {
      model.callsAll({ name: 'search', input: { query: 'leave' } }, { name: 'add', input: { a: 1, b: 2 } });
      const { content, stop_reason } = await ask({ ...search(), tools: [...search().tools, add] });
      expect([stop_reason, content.map(({ type }) => type)]).toEqual([
        'tool_use',
        ['tool_use', 'tool_use', 'tool_result'],
      ]);
    });

    it('that the token limit cut in the middle are left out, and what was said before is kept (§stream-no-half-call)', async () => {
      const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a": 1, "b' } };
      const cut = [
        chunk({ delta: { content: 'Adding.' } }),
        chunk({ delta: { tool_calls: [call] } }),
        chunk({ delta: {}, finish_reason: 'length' }),
        'data: [DONE]\n\n',
      ];
      model.sends(cut);
      expect(await ask({ tools: [add] })).toMatchObject({
        stop_reason: 'max_tokens',
        content: [{ type: 'text', text: 'Adding.' }],
      });
    });

    it('are never called by name when they were not offered (§run-unknown)', async () => {
      model.calls('launch', { now: true }).says('I cannot.');
      expect((await ask({ tools: [add] })).content).toMatchObject([
        { type: 'tool_use', name: 'launch' },
        { type: 'tool_result', is_error: true, content: [{ text: "Tool 'launch' not found." }] },
        { type: 'text', text: 'I cannot.' },
      ]);
    });
  });

  describe('tool_choice', () => {
    it.each([
      [
        { type: 'tool', name: 'add' },
        { type: 'function', function: { name: 'add' } },
      ],
      [{ type: 'any' }, 'required'],
    ])(
      '%j is forced by the model server’s own means, in the first model call only (§choice-any §choice-tool)',
      async (tool_choice, forced) => {
        const tools = [add, { name: 'search', type: 'semantic_search_v1' }];
        const offered = tool_choice.type === 'any' ? 2 : 1;
        if (tool_choice.type === 'any') model.calls('search', { query: 'leave' }).says('Done.');
        else model.calls('add', { a: 1, b: 2 });
        await ask({ ...search(), tools, tool_choice });
        expect(model.requests[0]).toMatchObject({ tool_choice: forced });
        expect(model.requests[0]!.tools).toHaveLength(offered);
        if (model.requests[1]) expect(model.requests[1].tool_choice ?? 'auto').toBe('auto');
      },
    );

    it('none offers nothing and looks at nothing (§choice-none)', async () => {
      model.says('Hello.');
      const missing = search({ collection: 'hr', artifacts: ['gone'] });
      await ask({ ...missing, tool_choice: { type: 'none', validation_mode: 'eager' } });
      expect(model.requests[0]!.tools).toBeUndefined();
    });

    it('none lets no call out, also of a model that makes one all the same (§choice-none)', async () => {
      for (const more of [{ tools: [add], tool_choice: { type: 'none' } }, {}]) {
        model.replies({ text: ['I will add.'], calls: [{ name: 'add', input: { a: 1, b: 2 } }] });
        const message = await ask(more, anthropic);
        expect(message).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: 'I will add.' }] });
        expect(message.content).toHaveLength(1);
      }
    });

    it('keeps a model from calling in parallel, also one that does it all the same (§choice-sequential)', async () => {
      model.callsAll({ name: 'add', input: { a: 1, b: 1 } }, { name: 'add', input: { a: 2, b: 2 } });
      const tool_choice = { type: 'auto', disable_parallel_tool_use: true };
      expect((await ask({ tools: [add], tool_choice })).content).toHaveLength(1);
      expect(model.requests[0]).toMatchObject({ parallel_tool_calls: false });
    });

    it('of a tool that this server does not run is refused when eager and explained when lazy (§tool-disabled)', async () => {
      const tools = [{ name: 'news', type: 'web_search_v1' }];
      expect(await refusal({ tools, tool_choice: { type: 'auto', validation_mode: 'eager' } })).toMatchObject({
        status: 400,
        body: { detail: 'The built-in tool web_search is not enabled on this server.' },
      });
      model.calls('news', { query: 'example' }).says('I cannot read it.');
      expect((await ask({ tools })).content[1]).toMatchObject({ is_error: true });
    });
  });

  describe('a model that does not stop', () => {
    it('is stopped when it goes in circles, with what it has said so far (§run-limits)', async () => {
      model.always(() => ({ text: ['Again. '], calls: [{ name: 'search', input: { query: 'leave' } }] }));
      const message = await ask(search());
      model.always(() => ({ text: ['?'] }));
      expect(message.stop_reason).toBe('max_tokens');
      expect(model.requests).toHaveLength(3);
      expect(message.content.filter(({ type }) => type === 'text')).toHaveLength(3);
    });

    it('is stopped after 40 model calls, and no more than 20 tool calls are run (§run-limits)', async () => {
      let n = 0;
      model.always(() => ({ calls: [{ name: 'search', input: { query: `leave ${n++}` } }] }));
      const message = await ask(search());
      model.always(() => ({ text: ['?'] }));
      expect([message.stop_reason, model.requests.length]).toEqual(['max_tokens', 40]);
      const refused = message.content.filter((block) => block.type === 'tool_result' && block.is_error);
      expect(refused).toHaveLength(20);
      expect(JSON.stringify(refused[0])).toContain('limit_exceeded');
    });
  });

  describe('a model server in trouble', () => {
    const trouble: [string, (fake: FakeModelServer) => unknown, number, RegExp][] = [
      [
        'refuses the request',
        (fake) => fake.fails(400, { error: { message: 'no such sampler' } }),
        400,
        /no such sampler/,
      ],
      [
        'has a shorter window',
        (fake) =>
          fake.fails(400, {
            error: {
              message:
                "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4900 in the messages, 100 in the completion).",
            },
          }),
        400,
        /^prompt is too long: \d+ tokens > 4096 maximum/,
      ],
      [
        'answers with a web page',
        (fake) => fake.sends('<html><body>Welcome</body></html>', 'text/html'),
        500,
        /model server/i,
      ],
      ['answers garbage', (fake) => fake.sends('data: {"choices": [{]}\n\n'), 500, /model server/i],
      ['takes the request and says nothing', (fake) => void fake.ignores(), 504, /MODEL_IDLE_SECONDS|in time/],
      [
        'does not know its own key',
        (fake) => fake.fails(401, { error: { message: 'bad key' } }),
        500,
        /OPENAI_API_KEY/,
      ],
    ];

    it.each(trouble)(
      'that %s is told by a status, whole and streamed (§error-model-server §stream-early-status)',
      async (_, arrange, status, said) => {
        for (const stream of [false, true]) {
          arrange(model);
          const response = await post({ stream });
          const streamed = response.headers.get('content-type')?.startsWith('text/event-stream');
          if (streamed) {
            const { events } = await readStream(response);
            expect(events.at(-1)).toMatchObject({ type: 'error', error: { message: expect.stringMatching(said) } });
            continue;
          }
          const body = (await response.json()) as { error: { message: string }; request_id: string };
          expect([response.status, body.error.message]).toEqual([status, expect.stringMatching(said)]);
          expect(body.request_id).toBe(response.headers.get('request-id'));
        }
      },
    );

    it('that cuts the connection, in words or in a call, ends a stream with one error and no half block (§stream-error §stream-no-half-call §failure-is-status)', async () => {
      model.cuts('It is').cutsInToolCall('add');
      for (const tools of [undefined, [add]]) {
        const { events, content } = await readStream(await post({ stream: true, tools }));
        expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
        expect(events.some(({ type }) => type === 'message_delta' || type === 'message_stop')).toBe(false);
        if (tools) expect(content).toEqual([]);
      }
      model.cuts('It is').cutsInToolCall('add');
      expect((await refusal({})).status).toBe(500);
      expect((await refusal({ tools: [add] })).status).toBe(500);
    });

    it('that is busy is asked again, and the caller is told when it stays so (§error-overloaded)', async () => {
      model.fails(503).says('Here I am.');
      expect((await ask({})).content).toMatchObject([{ text: 'Here I am.' }]);
      for (let n = 0; n < 3; n++) model.fails(429, {}, { 'retry-after': '1' });
      const response = await post({});
      expect([response.status, response.headers.get('retry-after')]).toEqual([529, '1']);
    });
  });

  describe('a caller who goes away', () => {
    it.each([
      ['in the middle of a stream', true],
      ['before a whole answer is there', false],
    ])('%s stops the model (§stream-abort)', async (_, stream) => {
      const hungUp = model.hangs('Well');
      const caller = new AbortController();
      const request = post({ stream }, { signal: caller.signal }).then((response) => response.text());
      request.catch(() => undefined);
      await model.asked();
      caller.abort();
      await hungUp;
      await expect(request).rejects.toThrow();
    });

    it('before the model has said anything stops it too (§stream-abort)', async () => {
      const hungUp = model.ignores();
      const caller = new AbortController();
      const request = post({ stream: true }, { signal: caller.signal });
      request.catch(() => undefined);
      await model.asked();
      caller.abort();
      await hungUp;
    });
  });

  it.each([
    ['threads', { thread: { type: 'create' } }, 'thread_unsupported_request'],
    ['MCP servers', { mcp_servers: [{ url: 'https://mcp.example' }] }, 'mcp_servers are not enabled'],
    [
      'images without a model that sees',
      {
        model: 'builtin',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', data: 'iVBO', mime_type: 'image/png' },
              { type: 'text', text: 'x' },
            ],
          },
        ],
      },
      'INVALID_REQUEST_IMAGE_SUPPORT_ERROR',
    ],
    [
      'an unknown built-in by its bare name',
      { tools: ['semantic_serch_v1'] },
      "'semantic_serch_v1' is not a built-in tool",
    ],
    [
      'server tools of Anthropic that are not here',
      { tools: [{ name: 'web_search', type: 'web_search_20250305' }] },
      'web_search_20250305 is not enabled',
    ],
  ])('refuses %s by name (§block-image-refused §tool-dated-server §mcp-refused)', async (_, body, expected) => {
    const { status, body: said } = await refusal(body);
    expect([status, JSON.stringify(said)]).toEqual([400, expect.stringContaining(expected)]);
    expect(model.requests).toHaveLength(0);
  });

  it('answers an unknown model with 400, and with 404 where an Anthropic client asks (§model-unknown)', async () => {
    expect(await refusal({ model: 'nope' })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('big-model') },
    });
    expect(await refusal({ model: 'nope' }, anthropic)).toMatchObject({
      status: 404,
      body: { error: { type: 'not_found_error' } },
    });
    model.says('Hi.');
    expect((await ask({ model: 'claude-sonnet-4-5' })).model).toBe('big-model');
  });

  describe('a request that is only looked at', () => {
    const check = async (more: object) => {
      const response = await server.post('/v1/messages/validate', { messages: [question], ...more });
      return [response.status, await response.json()];
    };

    it('is valid when it would be answered, checked eagerly, and no model is asked (§validate-ok §validate-engine §validate-schema §mode-default)', async () => {
      expect(await check(search())).toEqual([200, { valid: true, errors: null }]);
      expect(await check(search({ collection: 'hr', artifacts: ['gone'] }))).toEqual([
        400,
        { valid: false, errors: [expect.stringContaining('artifact=gone is not initialized.')] },
      ]);
      expect(await check({ model: 'nope' })).toMatchObject([400, { valid: false }]);
      expect(await check({ messages: [] })).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
      expect(model.requests).toHaveLength(0);
    });

    it('is counted by a tokenizer, tools and all, and a stream of it begins with that count (§count-tokens §count-as-started)', async () => {
      const count = async (more: object) => {
        const response = await server.post('/v1/messages/count_tokens', { messages: [question], ...more });
        return (await response.json()) as CountTokensResponse;
      };
      const { tools } = search();
      const counted = await count({ tools });
      expect(counted).toEqual({ input_tokens: expect.any(Number), counted_by: 'tokenizer' });
      model.says('Hello.');
      const { events } = await readStream(await post({ ...search(), stream: true }));
      expect(events[0]).toMatchObject({ message: { usage: { input_tokens: counted.input_tokens } } });
      const alone = await count({});
      expect(counted.input_tokens).toBeGreaterThan(alone.input_tokens);
      expect(alone.input_tokens).toBeGreaterThan(0);
    });
  });
});
