/** Promises about answers: the whole message, its stream, and what a refusal looks like. */
import { chunk } from '../support/fake-model-server';
import { rawRequest, type RawResponse } from '../support/raw-request';
import { readStream } from '../support/read-stream';
import { ANTHROPIC, contractServer, DIALECTS, QUESTION, refusalOf, wordsOf } from './contract-server';

const mirar = { name: 'mirar', input_schema: { type: 'object', properties: { a: { type: 'integer' } } } };
const search = {
  tools: [{ name: 'buscar', type: 'semantic_search_v1' }, mirar],
  tool_context: [{ type: 'ingested_artifact', context_filter: { collection: 'rrhh' } }],
};

describe('an answer', () => {
  const api = contractServer({ MODEL_IDLE_SECONDS: '2', MODEL_CONNECT_SECONDS: '2', MAX_MESSAGE_BODY_MB: '1' });
  const { ask, stream, refusal, post } = api;
  /** Begun first and looked at last: it takes the time that the server gives it. */
  let halfRequest: Promise<RawResponse>;
  beforeAll(async () => {
    halfRequest = rawRequest(api.server.url, { head: 'POST /v1/messages HTTP/1.1\nHost: 127.0.0.1', unfinished: true });
    const input = { type: 'text', value: 'Cada empleado tiene 27 días de vacaciones al año.' };
    await api.server.post('/v1/artifacts/ingest', { artifact: 'manual', collection: 'rrhh', input });
  });

  describe('that is whole', () => {
    it.each(DIALECTS)(
      'has the shape of a message: %s (§message-shape §message-model §usage §usage-cache-counters)',
      async (_, headers) => {
        api.model.replies({ text: ['Son 27.'], usage: { prompt_tokens: 12, completion_tokens: 5 } });
        const message = await ask({ model: 'claude-sonnet-4-5', max_tokens: 50 }, headers);
        expect(message).toEqual({
          id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
          type: 'message',
          role: 'assistant',
          model: 'big-model',
          content: [
            { type: 'text', text: 'Son 27.', start_timestamp: expect.any(String), stop_timestamp: expect.any(String) },
          ],
          stop_reason: 'end_turn',
          stop_sequence: null,
          usage: { input_tokens: 12, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
        });
      },
    );

    it('sums what all model calls used, and tells what came from a cache (§usage-summed §usage-cached)', async () => {
      const usage = (prompt_tokens: number, cached_tokens: number) => ({
        prompt_tokens,
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens },
      });
      api.model
        .replies({ calls: [{ name: 'buscar', input: { query: 'x' } }], usage: usage(100, 0) })
        .replies({ text: ['27.'], usage: usage(150, 90) });
      expect((await ask(search)).usage).toEqual({
        input_tokens: 160,
        output_tokens: 6,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 90,
      });
    });

    it.each([null, {}, { prompt_tokens: 'many' }, { prompt_tokens: -1, completion_tokens: -1 }])(
      'estimates what the model server does not tell: %j (§usage §usage-missing)',
      async (usage) => {
        const last = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}\n\n`;
        api.model.sends([chunk({ delta: { content: 'Son 27.' } }), last, 'data: [DONE]\n\n']);
        const { input_tokens, output_tokens } = (await ask()).usage;
        expect([
          Number.isInteger(input_tokens),
          input_tokens > 0,
          Number.isInteger(output_tokens),
          output_tokens > 0,
        ]).toEqual([true, true, true, true]);
      },
    );

    it.each([
      ['stop', 'end_turn'],
      ['length', 'max_tokens'],
      ['content_filter', 'refusal'],
      ['eos', 'end_turn'],
    ])(
      'that its model ended with %s says %s (§stop-end-turn §stop-max-tokens §stop-refusal)',
      async (finish, reason) => {
        api.model.replies({ text: ['Son'], finish }).replies({ text: ['Son'], finish });
        expect((await ask()).stop_reason).toBe(reason);
        expect((await stream()).events.at(-2)).toMatchObject({ delta: { stop_reason: reason } });
      },
    );

    it('is well formed when the model only thought (§thinking-only §thinking-unasked)', async () => {
      for (const [, headers] of DIALECTS) {
        api.model
          .replies({ reasoning: ['Mm.'] })
          .replies({ reasoning: ['Mm.'] })
          .replies({ reasoning: ['Mm.'] });
        const thinking = { type: 'adaptive' };
        expect(await ask({ thinking }, headers)).toMatchObject({
          content: [{ type: 'thinking', thinking: 'Mm.', signature: '' }],
          stop_reason: 'end_turn',
        });
        expect((await stream({ thinking }, headers)).content).toMatchObject([{ type: 'thinking', thinking: 'Mm.' }]);
        expect(await ask({}, headers)).toMatchObject({ content: [], stop_reason: 'end_turn' });
      }
    });

    it('shows that the model thinks and not what, where the caller asked for that (§thinking-omitted)', async () => {
      const omitted = { thinking: { type: 'adaptive', display: 'omitted' } };
      api.model.reasons(['Secreto ', 'mío.'], 'Son 27.').reasons(['Secreto ', 'mío.'], 'Son 27.');
      const blocks = [
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'text', text: 'Son 27.' },
      ];
      expect((await ask(omitted, ANTHROPIC)).content).toMatchObject(blocks);
      const { content, events } = await stream(omitted, ANTHROPIC);
      expect(content).toMatchObject(blocks);
      expect(JSON.stringify(events)).not.toContain('Secreto');
    });

    it('goes on counting where known citations end (§citations-known §citations-history)', async () => {
      const mark = (body: any) => /\[([A-Z0-9]{4})\]/.exec(body.messages.at(-1).content)![1]!;
      api.model.calls('buscar', { query: 'vacaciones' }).always((body) => ({ text: [`27 [${mark(body)}].`] }));
      const known = [{ id: 'ZZZZ', index: 4, artifact_id: 'a', source_id: 's' }];
      const system = { citations: { enabled: true, known_citations: known } };
      const first = await ask({ ...search, system });
      const [, , text] = first.content as any[];
      expect(text.citations).toMatchObject([{ index: 5, artifact_id: 'manual' }]);
      const id = text.citations[0].id as string;
      api.model.says('De nada.');
      await ask({ ...search, system, messages: [QUESTION, { role: 'assistant', content: first.content }, QUESTION] });
      expect(JSON.stringify(api.prompt.messages)).toContain(`27 [${id}].`);
      api.model.calls('buscar', { query: 'vacaciones' });
      const again = await ask({
        ...search,
        system: { citations: { enabled: true, known_citations: [{ ...known[0], id }] } },
      });
      expect((again.content[2] as any).citations).toMatchObject([{ id, index: 4 }]);
      // Anthropic clients lose the whole answer over a citation of a type they do not know.
      api.model.calls('buscar', { query: 'vacaciones' });
      const foreign = await ask({ ...search, system }, ANTHROPIC);
      expect(foreign.content[2]).not.toHaveProperty('citations');
      api.model.always(() => ({ text: ['?'] }));
    });

    it('has no citations for Anthropic clients, streamed neither (§citations-off)', async () => {
      const mark = (body: any) => /\[([A-Z0-9]{4})\]/.exec(body.messages.at(-1).content)![1]!;
      api.model.calls('buscar', { query: 'vacaciones' }).always((body) => ({ text: [`27 [${mark(body)}].`] }));
      const { events } = await stream({ ...search, system: { citations: { enabled: true } } }, ANTHROPIC);
      expect(JSON.stringify(events)).not.toContain('"citations"');
      api.model.always(() => ({ text: ['?'] }));
    });
  });

  describe('that is streamed', () => {
    const talk = () =>
      api.model
        .replies({
          reasoning: ['Bus', 'co.'],
          text: ['Mi', 'ro. '],
          calls: [{ name: 'buscar', input: { query: 'días' } }],
        })
        .replies({
          text: ['Y ahora: '],
          calls: [
            { name: 'mirar', input: { a: '1' } },
            { name: 'mirar', input: {} },
          ],
        });
    const request = { ...search, thinking: { type: 'adaptive' } };

    it.each(DIALECTS)(
      'is what the whole one is, in order and without a gap: %s (§stream-order §stream-indices §stream-deltas §stream-same-as-whole §stream-text-around-calls §stream-one-block §stream-results-whole)',
      async (_, headers) => {
        talk();
        const whole = await ask(request, headers);
        talk();
        const { content, events } = await stream(request, headers);
        const bare = (blocks: readonly object[]) =>
          JSON.parse(
            JSON.stringify(blocks)
              .replace(/"(start|stop)_timestamp":"[^"]*",?|"(id|tool_use_id)":"[^"]*",?/g, '')
              .replaceAll(',}', '}'),
          );
        expect(bare(content)).toEqual(bare(whole.content));
        const own = headers === ANTHROPIC ? ['mcp_tool_use', 'mcp_tool_result'] : ['tool_use', 'tool_result'];
        expect(content.map(({ type }) => type)).toEqual(['thinking', 'text', ...own, 'text', 'tool_use', 'tool_use']);
        const starts = events.filter(({ type }) => type === 'content_block_start') as any[];
        expect(starts.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
        expect(starts[3].content_block.content).toMatchObject([
          { type: 'text', text: expect.stringContaining('27 días') },
        ]);
        expect(
          events.some((event) => 'index' in event && event.index === 3 && event.type === 'content_block_delta'),
        ).toBe(false);
      },
    );

    it('has each call empty at its start and whole in one delta (§stream-tool-json)', async () => {
      talk();
      const { events } = await stream(request);
      for (const [index, input] of [
        [2, { query: 'días' }],
        [5, { a: 1 }],
        [6, {}],
      ] as const) {
        const [start, delta, stop, ...more] = events.filter(
          (event) => 'index' in event && event.index === index,
        ) as any[];
        expect([start.content_block.input, stop.type, more]).toEqual([{}, 'content_block_stop', []]);
        expect([JSON.parse(delta.delta.partial_json), delta.delta.partial_json_obj]).toEqual([input, input]);
      }
    });

    it.each(DIALECTS)(
      'begins with the prompt counted and ends with the totals: %s (§stream-start-usage §stream-delta-usage §stream-start-fields §stream-nulls)',
      async (_, headers) => {
        api.model.says('Son 27.');
        const { events } = await stream({}, headers);
        const [start, ...rest] = events as any[];
        const nulls = headers === ANTHROPIC ? { stop_reason: null, stop_sequence: null } : {};
        const { usage, ...message } = start.message;
        expect(message).toEqual({
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          role: 'assistant',
          content: [],
          model: 'big-model',
          ...nulls,
        });
        expect(usage).toMatchObject({ input_tokens: expect.any(Number), output_tokens: 0 });
        expect(usage.input_tokens).toBeGreaterThan(0);
        expect(rest.at(-2)).toEqual({
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', ...(headers === ANTHROPIC && { stop_sequence: null }) },
          usage: { input_tokens: 9, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
        });
        if (headers !== ANTHROPIC) expect(JSON.stringify(events)).not.toContain('null');
      },
    );

    it('is frames of an event and a data line, and nothing else (§stream-frames §stream-no-done)', async () => {
      talk();
      const response = await post({ ...request, stream: true });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
        'request-id': expect.stringMatching(/^req_/),
      });
      expect(response.headers.has('content-encoding')).toBe(false);
      const raw = await response.text();
      for (const frame of raw.slice(0, -2).split('\n\n')) {
        const [, event, data] = /^event: ([a-z_]+)\ndata: (\{[^\n]*\})$/.exec(frame)!;
        expect(JSON.parse(data!).type).toBe(event);
      }
      expect(raw.endsWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')).toBe(true);
    });

    it('has whole characters wherever the network has cut them (§stream-characters)', async () => {
      const bytes = Buffer.from(
        `${chunk({ delta: { content: 'añ😀漢' } })}${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
      );
      const halves = [
        chunk({ delta: { content: '\ud83d' } }),
        chunk({ delta: { content: '\ude00' } }),
        chunk({ delta: {}, finish_reason: 'stop' }),
        'data: [DONE]\n\n',
      ];
      api.model.sends(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))).sends(halves);
      const { text, events } = await stream();
      expect(text).toBe('añ😀漢');
      expect(JSON.stringify(events)).not.toContain('\ufffd');
      expect((await stream()).text).toBe('😀');
    });

    it('ends in one error that has the envelope, when the model breaks off (§stream-error §error-envelope)', async () => {
      for (const [, headers] of DIALECTS) {
        api.model.cuts('Son ');
        const response = await post({ stream: true }, headers);
        const id = response.headers.get('request-id');
        const { events, text } = await readStream(response);
        expect([response.status, text]).toEqual([200, 'Son ']);
        expect(events.at(-1)).toMatchObject({
          type: 'error',
          error: {
            type: 'api_error',
            message: expect.stringMatching(/stopped in the middle/),
            detail: { code: 'API_ERROR' },
          },
          request_id: id,
        });
        expect(events.map(({ type }) => type)).not.toContain('message_delta');
      }
    });

    it('goes on when a tool fails, of which it tells (§lazy-missing)', async () => {
      api.model.calls('nada', {}).says('No hay.');
      const { content, events } = await stream(search);
      expect(content).toMatchObject([
        { type: 'tool_use' },
        { type: 'tool_result', is_error: true },
        { text: 'No hay.' },
      ]);
      expect(events.at(-1)!.type).toBe('message_stop');
    });
  });

  describe('that is refused', () => {
    const schema: [string, object][] = [
      ['messages', { messages: [] }],
      ['messages.0.content', { messages: [{ role: 'user', content: 7 }] }],
      ['temperature', { temperature: 'S3CR3T' }],
      ['tools.0', { tools: [7] }],
    ];
    it.each(schema)(
      'for its body at %s is a 400 with a list (§error-issues §error-detail §error-status-400 §error-message)',
      async (place, body) => {
        for (const [, headers] of DIALECTS) {
          for (const path of [
            '/v1/messages',
            '/v1/messages/validate',
            '/v1/messages/count_tokens',
            '/v1/messages/async',
            '/api/gpt/v1/messages',
          ]) {
            const said = await refusal(body, headers, path);
            const issues = said.body.detail as { loc: (string | number)[]; msg: string; type: string }[];
            expect(said.status).toBe(400);
            expect(issues[0]).toEqual({ type: expect.any(String), loc: expect.any(Array), msg: expect.any(String) });
            expect(issues[0]!.loc[0]).toBe('body');
            expect(issues[0]!.loc.slice(1).join('.')).toBe(place);
            expect(said.body.error.message).toContain(`${place}: ${issues[0]!.msg}`);
            expect(JSON.stringify(said.body)).not.toContain('S3CR3T');
          }
        }
      },
    );

    it('has a public category and a code of the contract, and nothing of the inside (§error-exception §error-codes §error-no-secrets)', async () => {
      const database = {
        type: 'sql_database',
        connection_string: 'postgresql://S3CR3T-u:S3CR3T-p@127.0.0.1:1/S3CR3T-d?x=S3CR3T',
      };
      const broken: [object, number, string, string][] = [
        [{ model: 'nada' }, 400, 'INVALID_REQUEST_ERROR', 'ValueError'],
        [
          { tools: ['database_query_v1'], tool_context: [{ ...database, schemas: 7 }] },
          400,
          'INVALID_REQUEST_ERROR',
          'ValueError',
        ],
        [
          {
            tools: [
              { name: 'a', context: [database] },
              { name: 'a', context: [database] },
            ],
          },
          400,
          'INVALID_REQUEST_ERROR',
          'ValueError',
        ],
        [{ tool_context: [database] }, 400, 'INVALID_REQUEST_ERROR', 'ValueError'],
        [
          { tools: [{ name: 'a' }], tool_context: [database], tool_choice: { type: 'tool', name: 'b' } },
          400,
          'INVALID_REQUEST_ERROR',
          'ValueError',
        ],
        [
          { messages: [{ role: 'user', content: 'S3CR3T'.repeat(400_000) }] },
          413,
          'REQUEST_TOO_LARGE_ERROR',
          'ValueError',
        ],
      ];
      for (const [body, status, code, exception] of broken) {
        const said = await refusal(body);
        expect([said.status, said.body.error.detail.code, said.body.exception.type]).toEqual([status, code, exception]);
        expect(JSON.stringify(said.body)).not.toMatch(/S3CR3T|node_modules|\/libs\/|\bat [A-Z]\w+\.|ZodError/);
      }
      expect(api.server.output()).not.toContain('S3CR3T');
    });

    it('by a model server in trouble has the status of that, whole and streamed (§error-model-server §error-overloaded §failure-is-status §stream-early-status)', async () => {
      for (const streamed of [false, true]) {
        for (let n = 0; n < 3; n++) api.model.fails(503);
        const busy = await refusal({ stream: streamed }, ANTHROPIC);
        expect([busy.status, busy.body.error.type, Number(busy.headers.get('retry-after')) > 0]).toEqual([
          529,
          'overloaded_error',
          true,
        ]);
        api.model.fails(500, { error: { message: 'S3CR3T at /srv/model.py' } });
        const failed = await refusal({ stream: streamed }, ANTHROPIC);
        expect([failed.status, failed.body.error.type]).toEqual([500, 'api_error']);
        expect(JSON.stringify(failed.body)).not.toContain('S3CR3T');
        api.model.fails(400, { error: { message: 'no such sampler' } });
        expect(wordsOf(await refusal({ stream: streamed }, ANTHROPIC))).toContain('no such sampler');
      }
    });

    it('by a model server for its time or its state is told as such, whole and streamed (§error-timeout §error-conflict)', async () => {
      for (const streamed of [false, true]) {
        for (const [given, status, type] of [
          [504, 504, 'timeout_error'],
          [408, 504, 'timeout_error'],
          [409, 409, 'conflict_error'],
        ] as const) {
          api.model.fails(given, { error: { message: 'S3CR3T' } });
          const said = await refusal({ stream: streamed }, ANTHROPIC);
          expect([said.status, said.body.error.type, said.body.error.detail.code]).toEqual([
            status,
            type,
            type.toUpperCase(),
          ]);
          expect(JSON.stringify(said.body)).not.toContain('S3CR3T');
        }
      }
    });

    it('for a request that never gets whole is a 408 of that type (§error-timeout §error-envelope)', async () => {
      const { status, headers, body } = await halfRequest;
      expect(status).toBe(408);
      expect(JSON.parse(body)).toMatchObject({
        type: 'error',
        error: { type: 'timeout_error', message: 'Request Timeout.' },
        request_id: headers['request-id'],
      });
    }, 40_000);

    it.each([
      ['GET', '/v1/nothing', 404, 'not_found_error'],
      ['GET', '/v1/models/nada', 404, 'not_found_error'],
      ['GET', '/v1/messages/async/nada/status', 404, 'not_found_error'],
      ['GET', '/v1/messages', 405, 'invalid_request_error'],
      ['POST', '/v1/messages/batches', 404, 'not_found_error'],
      ['GET', '/v1/messages/batches/x', 404, 'not_found_error'],
      ['GET', '/v1/files', 404, 'not_found_error'],
      ['POST', '/v1/files', 404, 'not_found_error'],
    ])(
      'at %s %s is %d in the envelope, in both dialects (§error-not-found §error-envelope §batches-404 §files-404)',
      async (method, path, status, type) => {
        for (const [, headers] of DIALECTS) {
          const said = await refusalOf(await api.server.fetch(path, { method, headers }));
          expect([said.status, said.body.error.type]).toEqual([status, type]);
          expect(said.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
        }
      },
    );

    it('for its size names the setting (§error-too-large)', async () => {
      const said = await refusal({ messages: [{ role: 'user', content: 'x'.repeat(1024 ** 2) }] });
      expect([said.status, said.body.error.type]).toEqual([413, 'request_too_large']);
      expect(wordsOf(said)).toContain('MAX_MESSAGE_BODY_MB');
    });
  });
});
