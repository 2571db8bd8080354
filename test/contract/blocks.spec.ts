/** Promises about content blocks: what callers may send, what leaves, and that what left may come back. */
import { chunk } from '../support/fake-model-server';
import { ANTHROPIC, contractServer, DIALECTS, QUESTION, wordsOf } from './contract-server';

const PIXEL = 'iVBORw0KGgo=';
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const say = (text: string) => ({ type: 'text', text });
const withCall = (result: object) => [
  QUESTION,
  assistant({ type: 'tool_use', id: 'toolu_1', name: 'mirar', input: { a: 1 } }),
  user({ type: 'tool_result', tool_use_id: 'toolu_1', ...result }),
];

describe('content blocks', () => {
  const api = contractServer({ MODEL_MAX_IMAGES: '2' }, [
    { id: 'big-model', max_model_len: 200_000 },
    { id: 'blind', capabilities: { vision: false } },
  ]);
  const { ask, stream, refusal } = api;
  beforeAll(async () => {
    const input = { type: 'text', value: 'Cada empleado tiene 27 días de vacaciones al año.' };
    await api.server.post('/v1/artifacts/ingest', { artifact: 'manual', collection: 'rrhh', input });
  });
  const search = {
    tools: [{ name: 'buscar', type: 'semantic_search_v1' }, { name: 'mirar' }],
    tool_context: [{ type: 'ingested_artifact', context_filter: { collection: 'rrhh' } }],
  };
  /** What the model is sent for a conversation, without the marks around results. */
  const sent = async (...messages: object[]): Promise<any[]> => {
    api.model.says('Sí.');
    await ask({ messages });
    return api.prompt.messages;
  };

  describe('that callers send', () => {
    it.each([undefined, null, [], [{ type: 'char_location', cited_text: 'x' }]])(
      'are texts, with citations that are %j (§block-text §content-forms)',
      async (citations) => {
        const text = { ...say('Hola'), citations };
        expect(await sent(user(text), assistant({ ...text, text: 'Dime' }), user(text))).toEqual([
          { role: 'user', content: 'Hola' },
          { role: 'assistant', content: 'Dime' },
          { role: 'user', content: 'Hola' },
        ]);
      },
    );

    it('are refused where a picture of few bytes has more than 50 megapixels (§block-image-pixels)', async () => {
      const png = (width: number, height: number) => {
        const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
        const size = Buffer.alloc(8);
        size.writeUInt32BE(width, 0);
        size.writeUInt32BE(height, 4);
        const data = Buffer.concat([header, size, Buffer.alloc(100)]).toString('base64');
        return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
      };
      const said = await refusal({ messages: [user(say('¿Qué se ve?'), png(10_000, 5001))] });
      expect([said.status, said.body.detail]).toEqual([
        400,
        expect.stringMatching(/^unsafe_file: an image of 10000 x 5001 pixels .* 50 megapixels/),
      ]);
      expect(JSON.stringify(await sent(user(say('¿Qué se ve?'), png(10_000, 5000))))).toContain('image_url');
    });

    it('are dropped where they are texts without a word (§empty-text-in)', async () => {
      expect(await sent(user(say(''), say('Hola'), say('')), assistant(say('')), QUESTION)).toEqual([
        { role: 'user', content: `Hola\n\n${QUESTION.content}` },
      ]);
    });

    it('of one role after another are one message (§roles-merged)', async () => {
      expect(
        await sent(
          user(say('Uno')),
          { role: 'user', content: 'Dos' },
          assistant(say('a')),
          assistant(say('b')),
          QUESTION,
        ),
      ).toEqual([{ role: 'user', content: 'Uno\n\nDos' }, { role: 'assistant', content: 'ab' }, QUESTION]);
    });

    it.each<[string, object]>([
      ['a source', { source: { type: 'base64', media_type: 'image/png', data: PIXEL } }],
      ['data and mime_type', { data: PIXEL, mime_type: 'image/png' }],
      ['an unknown type', { data: PIXEL, mime_type: 'image/x-odd' }],
      ['no type', { data: PIXEL }],
    ])('are images with %s (§block-image §block-image-mime)', async (_, image) => {
      const [message] = await sent(user({ type: 'image', ...image }, say('¿Qué es?')));
      expect(message.content).toEqual([
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
        say('¿Qué es?'),
      ]);
    });

    it('are images without words, which say enough', async () => {
      const [message] = await sent(user({ type: 'image', data: PIXEL, mime_type: 'image/gif' }));
      expect(message.content).toEqual([{ type: 'image_url', image_url: { url: `data:image/gif;base64,${PIXEL}` } }]);
    });

    it.each<[string, object, string]>([
      [
        'images for a model that is blind',
        { type: 'image', data: PIXEL, mime_type: 'image/png' },
        'IMAGE_SUPPORT_ERROR',
      ],
      [
        'audio',
        { type: 'audio', source: { type: 'base64', data: 'AAAA', media_type: 'audio/wav' } },
        'AUDIO_SUPPORT_ERROR',
      ],
      [
        'audio by URL',
        { type: 'audio', source: { type: 'url', url: 'https://example.com/a.wav' } },
        'AUDIO_SUPPORT_ERROR',
      ],
    ])('are refused by their code: %s (§block-image-refused §block-audio-refused)', async (_, block, code) => {
      for (const [, headers] of DIALECTS) {
        for (const streamed of [false, true]) {
          const messages = [user(block, say('¿Qué es?'))];
          const said = await refusal({ model: 'blind', messages, stream: streamed }, headers);
          expect([said.status, said.body.error.detail.code]).toEqual([400, `INVALID_REQUEST_${code}`]);
        }
      }
    });

    it('are at most so many images (§block-image-count)', async () => {
      const image = { type: 'image', data: PIXEL, mime_type: 'image/png' };
      await sent(user(image, image, say('x')));
      const said = await refusal({
        messages: [user(image, say('x')), assistant(say('y')), user(image, image, say('z'))],
      });
      expect([said.status, said.body.error.detail.code]).toEqual([400, 'INVALID_REQUEST_IMAGE_MAX_NUM_ERROR']);
      expect(wordsOf(said)).toBe(
        'The model takes at most 2 images in a request, this one has 3 (setting MODEL_MAX_IMAGES).',
      );
    });

    it('are search results (§block-search-result)', async () => {
      const found = {
        type: 'search_result',
        source: 'https://example.com/a',
        title: 'Manual',
        content: [say('27 días')],
        citations: { enabled: true },
      };
      expect((await sent(user(found, say('¿Cuántos?'))))[0].content).toBe(
        'Manual\nhttps://example.com/a\n27 días\n\n¿Cuántos?',
      );
    });

    it('are what an assistant thought: with its signature, an empty one or none (§block-thinking §block-redacted-thinking)', async () => {
      const thought = { type: 'thinking', thinking: 'mm' };
      const signed = ['', 'Ep4BCkYIBRgCKkA', undefined, null].map((signature) => ({ ...thought, signature }));
      const redacted = { type: 'redacted_thinking', data: 'EroBCkYIBRgC' };
      const messages = await sent(QUESTION, assistant(...signed, redacted, say('27')), user(say('Gracias')));
      expect(messages[1]).toEqual({ role: 'assistant', content: '27' });
    });

    it('are calls that lack an input or tell their caller (§block-tool-use)', async () => {
      const call = (id: string, more: object) => ({ type: 'tool_use', id, name: 'mirar', ...more });
      const calls = [
        call('a', {}),
        call('b', { input: null, caller: { type: 'direct' } }),
        call('c', { input: { x: 1 }, caller: { type: 'code_execution_20260120', tool_id: 't' }, cache_control: null }),
      ];
      const results = ['c', 'a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id }));
      const [, { tool_calls }, ...answers] = await sent(QUESTION, assistant(...calls), user(...results));
      expect(tool_calls.map((one: any) => one.function.arguments)).toEqual(['{}', '{}', '{"x":1}']);
      expect(answers.map((one: any) => one.tool_call_id)).toEqual(['c', 'a', 'b']);
    });

    it.each<[string, object, string]>([
      ['nothing', {}, ''],
      ['null', { content: null, is_error: null }, ''],
      ['an empty text', { content: '' }, ''],
      ['an empty list', { content: [] }, ''],
      ['a text', { content: 'hecho', cache_control: { type: 'ephemeral' } }, 'hecho'],
      ['blocks', { content: [say('uno'), say('dos')] }, 'uno\ndos'],
      [
        'a reference',
        { content: [{ type: 'tool_reference', tool_name: 'otra' }] },
        '{"type":"tool_reference","tool_name":"otra"}',
      ],
      [
        'an image',
        { content: [say('mira'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }] },
        'mira\n[an image, which this model cannot see in a tool result]',
      ],
    ])('are results with %s (§block-tool-result §block-image-in-result)', async (_, result, words) => {
      expect((await sent(...withCall(result))).at(-1)).toEqual({
        role: 'tool',
        tool_call_id: 'toolu_1',
        content: `<tool_data>\n${words}\n</tool_data>`,
      });
    });

    it('are results that failed, of which the model is told', async () => {
      expect((await sent(...withCall({ content: 'no', is_error: true }))).at(-1).content).toMatch(
        /^The call failed\.\n/,
      );
    });

    it('are results beside words and in assistant messages (§results-in-user §results-in-assistant)', async () => {
      const call = { type: 'tool_use', id: 't1', name: 'mirar', input: {} };
      const result = { type: 'tool_result', tool_use_id: 't1', content: 'hecho' };
      const native = await sent(QUESTION, assistant(call, result, say('Ya está.')), user(say('Gracias')));
      expect(native.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
      const mixed = await sent(QUESTION, assistant(call), user(say('Mira:'), result, say('¿Y bien?')));
      expect(mixed.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
      const last = await sent(QUESTION, assistant(say('Miro.'), call, result));
      expect(last.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    });

    it.each<[string, object, object]>([
      [
        'a search',
        { name: 'web_search', input: { query: 'x' } },
        {
          type: 'web_search_tool_result',
          content: [
            { type: 'web_search_result', url: 'https://e.com', title: 'E', encrypted_content: 'Zm8=', page_age: null },
          ],
        },
      ],
      [
        'a failed search',
        { name: 'web_search' },
        {
          type: 'web_search_tool_result',
          content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
        },
      ],
      [
        'a page',
        { name: 'web_fetch' },
        {
          type: 'web_fetch_tool_result',
          content: {
            type: 'web_fetch_result',
            url: 'https://e.com',
            retrieved_at: '2026-01-01T00:00:00Z',
            content: { type: 'document', title: 'E', source: { type: 'text', media_type: 'text/plain', data: 'hola' } },
          },
        },
      ],
      [
        'code',
        { name: 'code_execution' },
        {
          type: 'code_execution_tool_result',
          content: { type: 'code_execution_result', stdout: '4', stderr: '', return_code: 0, content: [] },
        },
      ],
      [
        'bash',
        { name: 'bash_code_execution' },
        {
          type: 'bash_code_execution_tool_result',
          content: { type: 'bash_code_execution_result', stdout: '4', stderr: '', return_code: 0, content: [] },
        },
      ],
      [
        'an edit',
        { name: 'text_editor_code_execution' },
        {
          type: 'text_editor_code_execution_tool_result',
          content: { type: 'text_editor_code_execution_view_result', file_type: 'text', content: 'x' },
        },
      ],
      [
        'tools found',
        { name: 'tool_search_tool_bm25' },
        { type: 'tool_search_tool_result', content: { type: 'tool_search_tool_search_result', tool_references: [] } },
      ],
      [
        'advice',
        { name: 'advisor' },
        { type: 'advisor_tool_result', content: { type: 'advisor_result', text: 'sigue' } },
      ],
      ['any other', { name: 'anything at all' }, { type: 'server_tool_result', content: [say('x')] }],
    ])('are what a server’s own tool did: %s (§block-server-tools §foreign-history)', async (_, call, result) => {
      const did = [
        { type: 'server_tool_use', id: 'srvtoolu_1', input: {}, ...call },
        { tool_use_id: 'srvtoolu_1', ...result },
      ];
      const messages = await sent(QUESTION, assistant(say('Miro.'), ...did, say('Ya.')), user(say('Gracias')));
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    });

    it.each<[string, object]>([
      ['compaction', { type: 'compaction', content: 'resumen' }],
      ['fallback', { type: 'fallback', from: 'a', to: 'b' }],
      ['container_upload', { type: 'container_upload', file_id: 'file_1' }],
      ['source', { type: 'source', sources: [{ object: 'context.chunk', id: 'x', text: 'y' }] }],
      ['tldr', { type: 'tldr', content: [say('Antes: hola.')], tldr_side: 'left' }],
      ['resource', { type: 'resource', resource: { uri: 'file:///a', name: 'a' } }],
      ['local_resource', { type: 'local_resource', file_path: '/a', name: 'a', mime_type: 'text/plain' }],
    ])('are history that only its own server understands: %s (§block-beta §block-extended-in)', async (type, block) => {
      const messages = await sent(QUESTION, assistant(block, say('Ya.')), user(say('Gracias')));
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
      expect(messages[1].content).toBe(type === 'tldr' ? 'Antes: hola.Ya.' : 'Ya.');
    });

    it('are additions and removals of tools in a system turn (§block-beta)', async () => {
      const system = {
        role: 'system',
        content: [say('Sé breve.'), { type: 'tool_addition', tools: [] }, { type: 'tool_removal', names: ['x'] }],
      };
      expect((await sent(QUESTION, system)).at(-1).content).toBe(`${QUESTION.content}\n\nSé breve.`);
    });

    it.each(['resource_link', 'resource', 'local_resource', 'container_upload'])(
      'leave a note where the user sent what is not read: %s (§block-resources)',
      async (type) => {
        const [message] = await sent(user(say('¿Qué es esto?'), { type, uri: 'https://e.com/a', name: 'a' }));
        expect(message.content).toContain(`[a ${type} block, which was not read]`);
      },
    );

    it.each<[string, unknown]>([
      ['texts', [say('Ahora en inglés.')]],
      ['a text', 'Ahora en inglés.'],
    ])('are instructions in the middle, as %s (§block-mid-conv-system)', async (_, content) => {
      const messages = await sent(
        QUESTION,
        assistant(say('27')),
        user(say('¿Y?'), { type: 'mid_conv_system', content }),
      );
      expect(messages.at(-1).content).toContain('Ahora en inglés.');
    });

    it('are system messages, first, last or between (§system-role §system-role-place)', async () => {
      const system = (content: unknown) => ({ role: 'system', content });
      api.model.says('Sí.');
      await ask({
        system: 'Reglas.',
        messages: [system('Más.'), QUESTION, system([say('Breve.')]), assistant(say('27')), QUESTION, system('¡Ya!')],
      });
      expect(api.prompt.messages).toEqual([
        { role: 'system', content: 'Reglas.\n\nMás.' },
        { role: 'user', content: `${QUESTION.content}\n\nBreve.` },
        { role: 'assistant', content: '27' },
        { role: 'user', content: `${QUESTION.content}\n\n¡Ya!` },
      ]);
    });

    it('may carry _meta or metadata, and keys of anybody (§block-metadata-alias)', async () => {
      for (const name of ['_meta', 'metadata']) {
        expect(await sent(user({ ...say('Hola'), [name]: { role: 'x' }, start_timestamp: null }))).toEqual([
          { role: 'user', content: 'Hola' },
        ]);
      }
    });

    it('end in words of the assistant, which the model goes on with (§prefill)', async () => {
      const messages = await sent(QUESTION, assistant(say('La respuesta es')));
      expect(messages.at(-1)).toEqual({ role: 'assistant', content: 'La respuesta es' });
      expect(api.prompt).toMatchObject({ continue_final_message: true, add_generation_prompt: false });
      const said = await refusal({ model: 'builtin', messages: [QUESTION, assistant(say('La respuesta es'))] });
      expect([said.status, wordsOf(said)]).toEqual([
        400,
        expect.stringContaining('cannot go on with a message of the assistant'),
      ]);
    });

    it('end in words that a call goes on from, which stay one message (§prefill)', async () => {
      api.model.replies({ text: [' la búsqueda'], calls: [{ name: 'buscar', input: { query: 'días' } }] }).says('27.');
      await ask({ ...search, messages: [QUESTION, assistant(say('Empiezo'))] });
      expect(api.prompt.messages.map(({ role }: any) => role)).toEqual(['user', 'assistant', 'tool']);
      expect(api.prompt.messages[1]).toMatchObject({ content: 'Empiezo la búsqueda', tool_calls: [{}] });
    });
  });

  describe('that leave', () => {
    const everything = {
      ...search,
      thinking: { type: 'adaptive' },
      system: { extensions: ['zylon'], citations: { enabled: true } },
    };
    const reply = () => {
      api.model
        .replies({
          reasoning: ['Busco.'],
          text: ['Miro.', ''],
          calls: [{ name: 'buscar', input: { query: 'vacaciones' } }],
        })
        .callsAll({ name: 'nada', input: {} }, { name: 'mirar', input: { a: null } });
    };

    it.each(DIALECTS)(
      'have ids and times of the contract, and no nulls: %s (§ids §timestamps §no-nulls-in-blocks)',
      async (_, headers) => {
        for (const streamed of [false, true]) {
          reply();
          const { content } = streamed ? await stream(everything, headers) : await ask(everything, headers);
          const [thinking, text, call, result, unknown, own] = content as any[];
          for (const { start_timestamp, stop_timestamp } of content) {
            expect(start_timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
            expect(stop_timestamp! >= start_timestamp!).toBe(true);
          }
          expect([thinking.type, text.text]).toEqual(['thinking', 'Miro.']);
          const prefix = headers === ANTHROPIC ? 'mcptoolu' : 'tool';
          for (const { id } of [call, unknown]) expect(id).toMatch(new RegExp(`^${prefix}_[0-9a-f]{32}$`));
          expect(own.id).toMatch(/^[a-zA-Z0-9_-]+$/);
          expect(result.tool_use_id).toBe(call.id);
          // Null is a value only where a caller’s tool is given its arguments.
          expect(JSON.stringify(content).replace('"input":{"a":null}', '')).not.toContain('null');
          expect(own.input).toEqual({ a: null });
        }
      },
    );

    it('are never texts without a word, whatever the model says (§no-empty-text-out)', async () => {
      for (const text of [['', ''], [], ['', 'Sí.', '']]) {
        api.model.replies({ text }).replies({ text });
        const { content } = await ask();
        expect(content.map((block) => block.type === 'text' && block.text)).toEqual(
          text.includes('Sí.') ? ['Sí.'] : [],
        );
        expect((await stream()).content).toHaveLength(content.length);
      }
    });

    it.each(DIALECTS)('come back as they were, in the same dialect and the other: %s (§replay)', async (_, headers) => {
      for (const streamed of [false, true]) {
        reply();
        const { content } = streamed ? await stream(everything, headers) : await ask(everything, headers);
        const answers = (content as any[]).filter(({ type, name }) => type === 'tool_use' && name === 'mirar');
        const results = answers.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'hecho' }));
        for (const [, back] of DIALECTS) {
          api.model.says('Gracias.');
          const next = await ask(
            { ...everything, messages: [QUESTION, assistant(...content), user(...results)] },
            back,
          );
          expect(next.content).toMatchObject([say('Gracias.')]);
        }
      }
    });

    it('hold nothing of a model that could not come back (§arguments-clean §replay)', async () => {
      const wild =
        '{"__proto__":{"a":1},"constructor":{"prototype":{}},"text":"a\\u0000b\\ud800c","deep":{"__proto__":1}}';
      const call = { index: 0, id: 'bad id!', type: 'function', function: { name: 'mirar', arguments: wild } };

      const frames = [
        chunk({ delta: { content: 'a\u0000b' } }),
        chunk({
          delta: { tool_calls: [call, { index: 1, id: 'x', function: { name: 'n'.repeat(500), arguments: '{}' } }] },
        }),
        chunk({ delta: {}, finish_reason: 'tool_calls' }),
        'data: [DONE]\n\n',
      ];
      api.model.sends(frames);
      const { content } = await ask({ tools: [{ name: 'mirar' }] });
      const [text, own, other] = content as any[];
      expect(text.text).toBe('ab');
      expect(JSON.stringify(own.input)).toBe('{"text":"ab\ufffdc","deep":{}}');
      expect(other.name).toHaveLength(200);
      const result = { type: 'tool_result', tool_use_id: own.id, content: 'hecho' };
      api.model.says('Gracias.');
      await ask({ messages: [QUESTION, assistant(...content), user(result)] });
    });

    it('are extended for those who asked natively, and for nobody else (§extended-out §extended-stripped)', async () => {
      const extended = { system: { extensions: ['zylon'] } };
      for (const [more, headers, shown] of [
        [extended, {}, true],
        [{}, {}, false],
        [extended, ANTHROPIC, false],
        [{ system: { extensions: ['other'] } }, {}, false],
      ] as const) {
        for (const streamed of [false, true]) {
          api.model.calls('buscar', { query: 'vacaciones' }).says('27.');
          const request = { ...search, ...more };
          const { content } = streamed ? await stream(request, headers) : await ask(request, headers);
          const types = (content[1] as any).content.map(({ type }: { type: string }) => type);
          expect(types).toEqual(shown ? ['source', 'text'] : ['text']);
        }
      }
    });
  });
});
