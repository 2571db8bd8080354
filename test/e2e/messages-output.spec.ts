/** What ends an answer, and the shape it is asked to have. */
import type { Message } from '@app/contract';
import { FakeModelServer } from '../support/fake-model-server';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';

describe('the output of POST /v1/messages', () => {
  let model: FakeModelServer;
  let server: TestServer;

  beforeAll(async () => {
    model = await FakeModelServer.start({ models: ['big-model'] });
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
    const input = { type: 'text', value: 'Every employee has 27 days of paid leave a year.' };
    await server.post('/v1/artifacts/ingest', { artifact: 'handbook', collection: 'hr', input });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });
  beforeEach(() => model.requests.splice(0));
  afterEach(() => expect(model.unasked).toBe(0));

  const post = (more: object) =>
    server.post('/v1/messages', { messages: [{ role: 'user', content: 'Tell me.' }], ...more });
  const ask = async (more: object): Promise<Message> => {
    const response = await post(more);
    const body = await response.json();
    if (response.status !== 200) throw new Error(JSON.stringify(body));
    return body as Message;
  };

  describe('stop_sequences', () => {
    it('end the answer before them, split over chunks or not, and the answer says which it was (§stop-sequence §stop-sequence-split)', async () => {
      for (const text of [['One. E', 'N', 'D of it.'], ['One. END of it.']]) {
        model.says(...text).says(...text);
        const whole = await ask({ stop_sequences: ['STOP', 'END'] });
        expect(whole).toMatchObject({
          content: [{ text: 'One. ' }],
          stop_reason: 'stop_sequence',
          stop_sequence: 'END',
        });
        const streamed = await readStream(await post({ stop_sequences: ['STOP', 'END'], stream: true }));
        expect(streamed.text).toBe('One. ');
        expect(streamed.events.at(-2)).toMatchObject({
          delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' },
        });
      }
    });

    it('close the connection to the model server at once (§stop-sequence-hangs-up)', async () => {
      const closed = model.hangs('One. ', 'END', ' and on and on');
      expect(await ask({ stop_sequences: ['END'] })).toMatchObject({ stop_reason: 'stop_sequence' });
      await closed;
    });

    it('work after a tool call, and are no matter inside thinking or arguments', async () => {
      model
        .replies({ reasoning: ['not the END yet'], calls: [{ name: 'search', input: { query: 'END of leave' } }] })
        .says('27 days EN', 'D more');
      const message = await ask({
        stop_sequences: ['END'],
        thinking: { type: 'adaptive' },
        tools: [{ name: 'search', type: 'semantic_search_v1' }],
        tool_context: [{ type: 'ingested_artifact', context_filter: { collection: 'hr' } }],
      });
      expect(message).toMatchObject({
        content: [
          { type: 'thinking', thinking: 'not the END yet' },
          { type: 'tool_use', input: { query: 'END of leave' } },
          { type: 'tool_result' },
          { type: 'text', text: '27 days ' },
        ],
        stop_reason: 'stop_sequence',
        stop_sequence: 'END',
      });
    });

    it('that do not come leave the answer whole', async () => {
      model.says('It is EN', 'OUGH');
      expect(await ask({ stop_sequences: ['END'] })).toMatchObject({
        content: [{ text: 'It is ENOUGH' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
      });
    });
  });

  describe('thinking that the model server leaves in the text', () => {
    const words = [...'<think>\nVeamos: `</think>` no.\n</think>\n\nSon 27.'];

    it('becomes a block of its own for who asked for it, and is not shown to others (§thinking-tags)', async () => {
      model
        .says(...words)
        .says(...words)
        .says(...words);
      const thought = { type: 'thinking', thinking: 'Veamos: `</think>` no.' };
      const thinking = { enabled: true };
      expect((await ask({ thinking })).content).toMatchObject([thought, { type: 'text', text: 'Son 27.' }]);
      const { content } = await readStream(await post({ thinking, stream: true }));
      expect(content).toMatchObject([thought, { type: 'text', text: 'Son 27.' }]);
      expect((await ask({})).content).toMatchObject([{ type: 'text', text: 'Son 27.' }]);
    });

    it('is no matter to a JSON document', async () => {
      model.says('<think>An integer.</think>', '{"a": 1}');
      const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
      const { content } = await ask({ output_config: { format: { type: 'json_schema', schema } } });
      expect(content).toMatchObject([{ type: 'text', text: '{"a": 1}' }]);
    });

    it('is text where the server tells thinking apart itself', async () => {
      model.reasons('Veamos.', '<think>', ' is a tag.');
      expect((await ask({})).content).toMatchObject([{ type: 'text', text: '<think> is a tag.' }]);
    });
  });

  describe('a JSON document', () => {
    const schema = {
      type: 'object',
      properties: { days: { type: 'integer' }, kind: { enum: ['paid', 'unpaid'] } },
      required: ['days'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', schema };
    const wanted = { output_config: { format } };

    it.each([
      ['output_config.format', wanted],
      ['output_format', { output_format: format }],
      ['response_format', { response_format: { type: 'json_schema', json_schema: schema } }],
    ])(
      'asked for by %s is the one text block, whole and streamed (§format-forms §output-format §format-document)',
      async (_, asked) => {
        model.says('{"days"', ': 27}').says('```json\n{"days": 27}\n```');
        expect((await ask(asked)).content).toMatchObject([{ type: 'text', text: '{"days": 27}' }]);
        const streamed = await readStream(await post({ ...asked, stream: true }));
        expect(streamed.content).toMatchObject([{ type: 'text', text: '{"days": 27}' }]);
        expect(model.requests[0]!.response_format).toMatchObject({ type: 'json_schema', json_schema: { schema } });
      },
    );

    it('is owed by a model as well that calls what nobody has offered', async () => {
      model.calls('lookup', {}).says('{"days": 27}');
      expect((await ask(wanted)).content).toMatchObject([{ type: 'text', text: '{"days": 27}' }]);
      model.replies({ text: ['{"days": 28}'], calls: [{ name: 'lookup', input: {} }] });
      expect((await ask(wanted)).content).toMatchObject([{ type: 'text', text: '{"days": 28}' }]);
    });

    it.each([
      ['is no JSON', 'You have 27 days.', /not JSON/],
      ['does not fit', '{"days": "many"}', /days must be integer/],
      [
        'has a value of its own',
        '{"days": 1, "kind": "half"}',
        /kind must be equal to one of the allowed values.*unpaid/,
      ],
    ])('that %s is asked for once more (§format-checked)', async (_, text, problem) => {
      model.says(text).says('{"days": 27}');
      expect(await ask(wanted)).toMatchObject({ content: [{ text: '{"days": 27}' }], stop_reason: 'end_turn' });
      expect(model.requests[1]!.messages.slice(-2)).toEqual([
        { role: 'assistant', content: text },
        { role: 'user', content: expect.stringMatching(problem) },
      ]);
    });

    it('that is wrong twice is an error, and nothing of it is shown (§format-checked)', async () => {
      model.says('{}').says('{}').says('{}').says('{}');
      const response = await post(wanted);
      expect([response.status, await response.json()]).toMatchObject([
        500,
        { error: { type: 'api_error' }, detail: expect.stringContaining("required property 'days'") },
      ]);
      const { content, events } = await readStream(await post({ ...wanted, stream: true }));
      expect([content, events.at(-1)]).toMatchObject([[], { type: 'error' }]);
    });

    it('that nobody can check in time is an error, and not shown as if it had been (§check-unfinished)', async () => {
      // Twice as long for each level of the document.
      const doubling = { properties: { in: { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, leaf: { type: 'string' } } };
      const deep = `${'{"in":'.repeat(30)}{"leaf":1}${'}'.repeat(30)}`;
      model.says(deep);
      const response = await post({ output_config: { format: { type: 'json_schema', schema: doubling } } });
      expect([response.status, await response.json()]).toMatchObject([
        500,
        { error: { type: 'api_error' }, detail: expect.stringContaining('limit_exceeded: ') },
      ]);
      expect(model.requests).toHaveLength(1);
    });

    it('that the limit cut is shown as it is, with the reason', async () => {
      model.replies({ text: ['{"days": '], finish: 'length' });
      expect(await ask(wanted)).toMatchObject({ content: [{ text: '{"days":' }], stop_reason: 'max_tokens' });
    });

    it('stands next to the caller’s tools: a call, or the document (§format-with-tools)', async () => {
      const tools = [{ name: 'look', input_schema: { type: 'object', properties: { at: { type: 'string' } } } }];
      model.replies({ text: ['Let me look.'], calls: [{ name: 'look', input: { at: 'leave' } }] }).says('{"days": 27}');
      const first = await ask({ ...wanted, tools });
      expect(first).toMatchObject({ content: [{ type: 'tool_use', name: 'look' }], stop_reason: 'tool_use' });
      expect(await ask({ ...wanted, tools })).toMatchObject({ content: [{ text: '{"days": 27}' }] });
    });

    it('of a schema that is a danger is refused before the model runs', async () => {
      const response = await post({ output_config: { format: { type: 'json_schema', schema: { $ref: '#' } } } });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { detail: expect.stringMatching(/^unsafe_schema: the schema of the wanted answer, at #: /) },
      ]);
      expect(model.requests).toEqual([]);
    });
  });
});
