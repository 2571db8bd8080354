/** Promises about the fields of a request: what each does, and that what does nothing is taken all the same. */
import { contractServer, DIALECTS, wordsOf } from './contract-server';

/** Of pages that nobody serves: they are not asked for. */
const IMAGE = { type: 'image', source: { type: 'url', url: 'https://pictures.example/a.png' } };
const DOCUMENT = { type: 'document', source: { type: 'url', url: 'https://pictures.example/a.pdf' } };

describe('a request', () => {
  const api = contractServer({ MODEL_CONTEXT_TOKENS: '32768' });
  const { ask, refusal } = api;
  const systemSent = () => api.prompt.messages.find(({ role }: { role: string }) => role === 'system')?.content ?? '';
  const heard = async (more: object, headers?: Record<string, string>) => {
    api.model.says('Sí.');
    await ask(more, headers);
    return api.prompt;
  };

  it.each(DIALECTS)('needs nothing but messages: %s (§messages-alone §role-default)', async (_, headers) => {
    const { messages, ...rest } = await heard({ messages: [{ content: 'Hola' }] }, headers);
    expect(messages).toEqual([{ role: 'user', content: 'Hola' }]);
    expect(Object.keys(rest).sort()).toEqual(['model', 'stream', 'stream_options']);
    expect((await heard({ messages: [{ role: null, content: 'Hola' }] })).messages).toEqual(messages);
  });

  it('is read over what it does not know, at every depth (§unknown-fields §output-config-unknown)', async () => {
    const odd = { surprise: { deep: [1, { er: true }] } };
    const prompt = await heard({
      ...odd,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hola', ...odd }], ...odd }],
      system: [{ type: 'text', text: 'Sé breve.', ...odd }],
      tools: [{ name: 'mirar', input_schema: { type: 'object', ...odd }, ...odd }],
      tool_choice: { type: 'auto', ...odd },
      output_config: { task_budget: { type: 'tokens', total: 9 }, ...odd },
      thinking: { type: 'disabled', ...odd },
      metadata: odd,
    });
    expect(prompt).toMatchObject({ messages: [{ content: 'Sé breve.' }, { content: 'Hola' }], tool_choice: 'auto' });
    expect(prompt.tools[0].function.parameters).toEqual({ type: 'object', ...odd });
  });

  it('is taken in both spellings, and snake_case wins (§aliases)', async () => {
    const tool = { name: 'mirar', deferLoading: true, inputSchema: { type: 'object', title: 'camel' } };
    const prompt = await heard({
      maxTokens: 7,
      topP: 0.5,
      top_p: 0.25,
      stopSequences: ['FIN'],
      outputConfig: { effort: 'low' },
      cacheControl: { type: 'ephemeral' },
      tools: [tool, { ...tool, name: 'otra', input_schema: { type: 'object', title: 'snake' } }],
      toolChoice: { type: 'auto', disableParallelToolUse: true, validationMode: 'lazy' },
    });
    expect(prompt).toMatchObject({ max_tokens: 7, top_p: 0.25, reasoning_effort: 'low', parallel_tool_calls: false });
    expect(prompt.tools.map((one: any) => one.function.parameters.title)).toEqual(['camel', 'snake']);
    const context = [{ type: 'text', value: 'x' }];
    expect(wordsOf(await refusal({ toolContext: context }))).toContain('no tools are specified');
  });

  it.each([undefined, null, 'default', 'claude-sonnet-4-5', 'claude-3-5-haiku-20241022'])(
    'for the model %s is answered by the default one (§model-default)',
    async (model) => {
      api.model.says('Sí.');
      expect((await ask({ model })).model).toBe('big-model');
    },
  );

  it.each([
    [128_000, { 'anthropic-version': '2026-10-21' }],
    [32_000, {}],
  ])('for %d tokens gets as many as there are (§max-tokens-clamped)', async (max_tokens, headers) => {
    const { max_tokens: asked } = await heard({ max_tokens }, headers as Record<string, string>);
    expect(asked).toBeGreaterThan(30_000);
    expect(asked).toBeLessThan(32_768);
  });

  it.each([0, -1, null])('for %j tokens has no limit of its own (§max-tokens-zero)', async (max_tokens) => {
    expect(await heard({ max_tokens })).not.toHaveProperty('max_tokens');
  });

  it('hands the sampling on, zeros too (§sampling §sampling-negative)', async () => {
    const given = { temperature: 0, top_p: 0, top_k: 0, min_p: 0.1, repetition_penalty: 1.1 };
    const more = { presence_penalty: 0.2, frequency_penalty: 0, seed: 7 };
    expect(await heard({ ...given, ...more })).toMatchObject({ ...given, ...more });
    const none = { repetition_penalty: -1, presence_penalty: -0.5, frequency_penalty: -2, seed: -1 };
    const prompt = await heard(none);
    for (const name of Object.keys(none)) expect(prompt).not.toHaveProperty(name);
  });

  it.each([
    ['temperature', 1.01],
    ['temperature', -0.1],
    ['temperature', 'warm'],
    ['top_p', 1.2],
    ['top_p', -1],
    ['top_k', -1],
    ['top_k', 1.5],
  ])('with %s %j is refused at that field (§sampling-ranges)', async (field, value) => {
    const { status, body } = await refusal({ [field]: value });
    expect([status, body.detail]).toMatchObject([400, [{ loc: ['body', field] }]]);
  });

  it('may say null where it might say nothing (§nulls)', async () => {
    const fields =
      'model max_tokens stream system tools tool_choice tool_context mcp_servers thinking response_format output_format ' +
      'output_config temperature top_p top_k min_p repetition_penalty presence_penalty frequency_penalty seed ' +
      'stop_sequences priority correlation_id metadata service_tier container thread cache_control';
    const nothing = Object.fromEntries(fields.split(' ').map((name) => [name, null]));
    expect(Object.keys(await heard(nothing)).sort()).toEqual(['messages', 'model', 'stream', 'stream_options']);
    const inside = {
      output_config: { effort: null, format: null },
      metadata: { user_id: null },
      tool_choice: { type: 'auto', name: null, disable_parallel_tool_use: null, validation_mode: null },
      tools: [{ name: 'a', type: null, description: null, input_schema: null, context: null, defer_loading: null }],
      system: { text: null, use_default_prompt: null, citations: { enabled: null, known_citations: null } },
      thinking: { enabled: null, type: null, budget_tokens: null, effort: null },
    };
    expect((await heard(inside)).messages).toHaveLength(1);
  });

  it('may hold what has no effect here (§service-fields §cache-control §context-management §metadata §priority)', async () => {
    const ephemeral = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    const user_id = JSON.stringify({ device_id: 'a'.repeat(64), account_uuid: '', session_id: 'b' });
    const plain = await heard({ system: 'Sé breve.', tools: [{ name: 'mirar' }] });
    const full = await heard({
      ...ephemeral,
      system: [{ type: 'text', text: 'Sé breve.', ...ephemeral, citations: null }],
      tools: [{ name: 'mirar', ...ephemeral }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: '¿Cuántos días de vacaciones tengo?', ...ephemeral }] },
      ],
      service_tier: 'standard_only',
      container: 'session-1',
      inference_geo: 'eu',
      speed: 'fast',
      diagnostics: { level: 2 },
      user_profile_id: 'u-1',
      maximum_loaded_skills: 3,
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      metadata: { user_id, team: 'hr' },
      priority: -5,
    });
    expect(full).toEqual(plain);
    expect((await refusal({ metadata: { user_id: 'x'.repeat(513) } })).body.detail).toMatchObject([
      { loc: ['body', 'metadata', 'user_id'] },
    ]);
    expect((await refusal({ priority: 'high' })).status).toBe(400);
  });

  it.each([
    ['/v1/messages', { type: 'create' }],
    ['/v1/messages', { type: 'continue', previous_message_id: 'msg_1' }],
    ['/v1/messages/validate', { type: 'create' }],
    ['/v1/messages/async', { type: 'create' }],
  ])('for a thread at %s is refused by its code (§thread)', async (path, thread) => {
    const response = await api.post({ thread }, {}, path);
    const said = (await response.json()) as any;
    expect(response.status).toBe(400);
    if (path.endsWith('validate')) expect(said).toMatchObject({ valid: false });
    else expect(said.error.details).toEqual({ error_code: 'thread_unsupported_request' });
  });

  it.each<[string, object, (string | number)[], string]>([
    ['an image in system', { system: [{ type: 'text', text: 'x' }, IMAGE] }, ['body', 'system', 1], 'image'],
    ['a document as system', { system: DOCUMENT }, ['body', 'system'], 'document'],
    [
      'an image in a system message at the beginning',
      {
        messages: [
          { role: 'system', content: [{ type: 'text', text: 'x' }, IMAGE] },
          { role: 'user', content: 'Hola' },
        ],
      },
      ['body', 'messages', 0, 'content', 1],
      'image',
    ],
  ])('is refused for %s, which would be lost (§system-media)', async (_, more, loc, kind) => {
    const said = await refusal(more);
    expect([said.status, said.body.detail]).toMatchObject([
      400,
      [{ loc, msg: expect.stringContaining(`holds text alone. Put the ${kind} block into a message of the user`) }],
    ]);
  });

  it.each(DIALECTS)('for MCP servers is refused by its code: %s (§mcp-refused)', async (_, headers) => {
    const said = await refusal({ mcp_servers: [{ type: 'url', url: 'https://mcp.example', name: 'x' }] }, headers);
    expect([said.status, said.body.error.detail.code]).toEqual([400, 'INVALID_REQUEST_INVALID_MCP_ERROR']);
    api.model.says('Sí.');
    await ask({ mcp_servers: [] }, headers);
  });

  it('may be long (§many-messages)', async () => {
    const turns = Array.from({ length: 1999 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'a' }));
    expect((await heard({ messages: turns })).messages).toHaveLength(1999);
    expect(wordsOf(await refusal({ messages: [...turns, ...turns] }))).toContain('at most 2,000 messages');
  });

  describe('with a system prompt', () => {
    it.each<[string, unknown]>([
      ['a text', 'Sé breve.'],
      ['a block', { type: 'text', text: 'Sé breve.' }],
      ['an object', { text: 'Sé breve.' }],
      ['a list of texts', ['Sé breve.']],
      ['a list of everything', [{ type: 'text', text: '' }, 'Sé breve.', { text: null }, { extensions: ['zylon'] }]],
    ])('that is %s sends the same words (§system-forms)', async (_, system) => {
      await heard({ system });
      expect(systemSent()).toBe('Sé breve.');
    });

    it.each([null, [], '', {}, [{ text: null }]])('that is %j sends none (§system-forms)', async (system) => {
      await heard({ system });
      expect(systemSent()).toBe('');
    });

    it('merges its entries, whatever each carries (§system-merge §system-blocks)', async () => {
      const citation = { type: 'char_location', cited_text: 'x', document_index: 0 };
      await heard({
        system: [
          { type: 'text', text: 'Uno.', cache_control: { type: 'ephemeral' }, citations: null },
          { type: 'text', text: 'Dos.', citations: [citation] },
          { text: 'Tres.', blob_visibility: 'internal', prompt: {} },
          { prompt_config: { tools: null } },
        ],
      });
      expect(systemSent()).toBe('Uno.\nDos.\nTres.');
    });

    it('gets the parts of the platform’s prompt that it names, where they mean something (§system-prompt-options)', async () => {
      const tools = [{ name: 'mirar' }];
      const thinking = { type: 'adaptive' };
      const all = { tools: true, thinking: true, citations: true, code_execution: true, skills: true };
      const sent = async (system: object, more: object) => {
        await heard({ system: { text: 'Hola.', ...system }, ...more });
        return systemSent() as string;
      };
      for (const spelling of ['prompt', 'prompt_config']) {
        expect(await sent({ [spelling]: { tools: true } }, { tools })).toMatch(/^Hola\.\n\nWhere tools give you/);
        expect(await sent({ [spelling]: { thinking: true } }, { thinking })).toMatch(/^Hola\.\n\nThink the question/);
        expect(await sent({ [spelling]: all }, {})).toBe('Hola.');
        expect(await sent({ [spelling]: { tools: false } }, { tools })).toBe('Hola.');
      }
    });

    it('gets the platform’s own with the date when it asks for it, and never unasked (§default-prompt)', async () => {
      await heard({ system: [{ use_default_prompt: true }, 'Sé breve.'], tools: [{ name: 'mirar' }] });
      expect(systemSent()).toMatch(/^Today is \d{4}-\d\d-\d\d\. [^]*Sé breve\.\n\nWhere tools give you material/);
      await heard({ system: 'Sé breve.' });
      expect(systemSent()).not.toMatch(/\d{4}/);
    });

    it('is freed of the billing block of Claude Code (§billing-header)', async () => {
      const billing = 'x-anthropic-billing-header: cc_version=2.1.197.8d1; cc_entrypoint=cli; cch=a1b2c;';
      await heard({
        system: [
          { type: 'text', text: billing },
          { type: 'text', text: 'You are Claude Code.' },
        ],
      });
      expect(systemSent()).toBe('You are Claude Code.');
    });
  });

  describe('with thinking', () => {
    const effort = async (more: object) => (await heard(more)).reasoning_effort;

    it.each<[unknown, object]>([
      ['medium', { thinking: { enabled: true } }],
      ['medium', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
      ['medium', { thinking: { type: 'adaptive', display: 'summarized' } }],
      ['low', { thinking: { effort: 'low' } }],
      ['low', { thinking: { enabled: false, effort: 'low' } }],
      ['low', { output_config: { effort: 'low' } }],
      ['high', { output_config: { effort: 'high' }, thinking: { enabled: true, effort: 'low' } }],
      ['high', { output_config: { effort: 'xhigh' } }],
      ['high', { output_config: { effort: 'max' } }],
      [undefined, {}],
      [undefined, { thinking: {} }],
      [undefined, { thinking: { enabled: false } }],
      [undefined, { output_config: { effort: null } }],
      [undefined, { thinking: { type: 'disabled' }, output_config: { effort: 'max' } }],
      [undefined, { thinking: { type: 'disabled', enabled: true } }],
    ])('asks for %s by %j (§thinking-forms §thinking-effort §thinking-disabled)', async (expected, more) => {
      expect(await effort(more)).toBe(expected);
    });

    it('is a wish where the model cannot, and refused where the caller insists (§thinking-wish §thinking-insisted)', async () => {
      const builtin = (more: object) => ask({ model: 'builtin', ...more });
      for (const thinking of [{ type: 'adaptive' }, { type: 'enabled', budget_tokens: 1024 }, { effort: 'max' }]) {
        const message = await builtin({ thinking, output_config: { effort: 'high' } });
        expect(message.content.map(({ type }) => type)).toEqual(['text']);
      }
      for (const stream of [false, true]) {
        const said = await refusal({ model: 'builtin', thinking: { enabled: true }, stream });
        expect([said.status, said.body.error.detail.code]).toEqual([400, 'INVALID_REQUEST_REASONING_SUPPORTED_ERROR']);
      }
    });

    it.each([{ type: 'sometimes' }, { effort: 'enormous' }, { budget_tokens: 'many' }])(
      'of an unknown kind is refused: %j (§rule-17)',
      async (thinking) => expect((await refusal({ thinking })).status).toBe(400),
    );
  });
});

describe('the tokens that an answer may have', () => {
  const told = [{ id: 'big-model' }, { id: 'short', max_completion_tokens: 1000 }];
  const shown = async (api: ReturnType<typeof contractServer>) => {
    const { data } = (await (await api.server.fetch('/v1/models')).json()) as {
      data: { id: string; max_tokens: number }[];
    };
    return Object.fromEntries(data.map(({ id, max_tokens }) => [id, max_tokens]));
  };
  const heard = async (api: ReturnType<typeof contractServer>, more: object): Promise<number | undefined> => {
    api.model.says('Sí.');
    await api.ask(more);
    return api.prompt.max_tokens;
  };

  describe('where nobody limits them', () => {
    const api = contractServer({ MODEL_CONTEXT_TOKENS: '32768' }, told);

    it('are those of its window, or what its server tells, and no more are asked for (§max-tokens-shown)', async () => {
      expect(await shown(api)).toMatchObject({ 'big-model': 32_768, short: 1000 });
      expect(await heard(api, { model: 'short', max_tokens: 128_000 })).toBe(1000);
      expect(await heard(api, { model: 'short', max_tokens: 999 })).toBe(999);
      expect(await heard(api, { model: 'short' })).toBeUndefined();
    });
  });

  describe('where the operator limits them', () => {
    const api = contractServer({ MODEL_MAX_OUTPUT_TOKENS: '500' }, told);

    it.each([
      [128_000, 500],
      [501, 500],
      [20, 20],
      [undefined, 500],
      [0, 500],
      [null, 500],
    ])('are the limit of every answer, asked for %j: %d (§max-tokens-shown)', async (max_tokens, limit) => {
      expect(await shown(api)).toMatchObject({ 'big-model': 500, short: 500 });
      expect(await heard(api, { max_tokens })).toBe(limit);
    });
  });
});
