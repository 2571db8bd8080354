/** Promises about tools that hold whatever the model and its server make of them. */
import type { Message } from '@app/contract';
import { FakeModelServer } from '../support/fake-model-server';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';

const add = {
  name: 'add',
  description: 'Adds two integers.',
  input_schema: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
  },
};

describe('the tools of POST /v1/messages', () => {
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
  beforeEach(() => model.requests.splice(0));
  afterEach(() => expect(model.unasked).toBe(0));

  const post = (more: object) =>
    server.post('/v1/messages', { messages: [{ role: 'user', content: 'What is 1 and 2?' }], ...more });
  const answer = async (more: object) => {
    const response = await post(more);
    return { status: response.status, body: (await response.json()) as any };
  };
  const ask = async (more: object): Promise<Message> => {
    const { status, body } = await answer(more);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };

  describe('a forced tool', () => {
    const forced = { tools: [add], tool_choice: { type: 'tool', name: 'add' } };

    it('is asked for once more when the model answers in words, which the caller never reads (§choice-forced-really)', async () => {
      for (const tool_choice of [forced.tool_choice, { type: 'any' }]) {
        model.requests.splice(0);
        model.says('It is ', '3.').calls('add', { a: 1, b: 2 });
        const message = await ask({ ...forced, tool_choice });
        expect(message).toMatchObject({
          content: [{ type: 'tool_use', input: { a: 1, b: 2 } }],
          stop_reason: 'tool_use',
        });
        const [first, second] = model.requests;
        expect(second!.tool_choice).toEqual(first!.tool_choice);
        expect(second!.messages).toEqual([
          ...first!.messages,
          { role: 'assistant', content: 'It is 3.' },
          { role: 'user', content: expect.stringMatching(/^Call .*tool/) },
        ]);
      }
    });

    it('that is not called then either is an error by status, and one error event in a stream (§choice-forced-really)', async () => {
      model.says('3').says('Three!');
      const { status, body } = await answer(forced);
      expect([status, body.error.type, body.detail]).toEqual([
        500,
        'api_error',
        expect.stringMatching(/did not call the tool add/),
      ]);
      model.says('3').says('Three!');
      const { events, content } = await readStream(await post({ ...forced, stream: true }));
      expect(content).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    });

    it('may be introduced in words, which come before the call', async () => {
      model.replies({ text: ['I will ', 'add.'], calls: [{ name: 'add', input: { a: 1, b: 2 } }] });
      const { content } = await readStream(await post({ ...forced, stream: true }));
      expect(content).toMatchObject([{ type: 'text', text: 'I will add.' }, { type: 'tool_use' }]);
    });

    it('that the limit left no room for is an answer cut by its limit', async () => {
      model.replies({ text: ['Well, let me'], finish: 'length' });
      expect(await ask(forced)).toMatchObject({ content: [{ text: 'Well, let me' }], stop_reason: 'max_tokens' });
    });
  });

  describe('a call of the caller’s tool', () => {
    const book = {
      name: 'book',
      input_schema: {
        type: 'object',
        properties: {
          date: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
          code: { type: 'string', pattern: '^[A-Z]{3}$' },
          seats: { type: 'integer', minimum: 1 },
        },
        required: ['date', 'seats'],
        additionalProperties: false,
      },
    };
    const good = { date: '2027-01-05', seats: 2 };

    it('that does not fit its schema is made again, and the caller sees the good one alone (§arguments-repaired §arguments-object)', async () => {
      model.calls('book', { date: 'tomorrow', seats: 2 }, 'call_a').calls('book', good, 'call_b');
      const { content, events } = await readStream(await post({ tools: [book], stream: true }));
      expect(content).toMatchObject([{ type: 'tool_use', name: 'book', input: good }]);
      expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
      expect(model.requests[1]!.messages.slice(-2)).toMatchObject([
        { role: 'assistant', tool_calls: [{ id: 'call_a' }] },
        { role: 'tool', tool_call_id: 'call_a', content: expect.stringMatching(/date must match pattern/) },
      ]);
      expect(JSON.stringify(model.requests[1])).toContain('Make this call again');
    });

    it.each<[string, object, RegExp]>([
      ['a second pattern of the same schema', { ...good, code: 'abc' }, /code must match pattern/],
      ['a missing argument', { date: '2027-01-05' }, /required property 'seats'/],
      ['an argument too many', { ...good, wish: 'window' }, /additional properties/],
      ['a number out of range', { ...good, seats: 0 }, /seats must be >= 1/],
    ])('that breaks the schema by %s is told what is wrong', async (_, input, problem) => {
      model.calls('book', input).calls('book', good);
      expect((await ask({ tools: [book] })).content).toMatchObject([{ input: good }]);
      expect(model.requests[1]!.messages.at(-1).content).toMatch(problem);
    });

    it('that is wrong twice is handed over as it is, with what is wrong (§arguments-repaired)', async () => {
      model.calls('book', { seats: 2 }).calls('book', { seats: 3 });
      const message = await ask({ tools: [book] });
      expect(message).toMatchObject({
        content: [{ input: { seats: 3 }, _meta: { invalid_arguments: expect.stringContaining("'date'") } }],
        stop_reason: 'tool_use',
      });
    });

    it('that fits leaves even when another beside it is made again', async () => {
      model.callsAll({ name: 'book', input: good }, { name: 'add', input: { a: 1 } }).says('Done.');
      const message = await ask({ tools: [book, add] });
      expect(message).toMatchObject({
        content: [{ name: 'book' }, { type: 'text', text: 'Done.' }],
        stop_reason: 'tool_use',
      });
      expect(model.requests[1]!.messages.slice(-2)).toMatchObject([
        { role: 'tool', content: expect.stringContaining('accepted') },
        { role: 'tool', content: expect.stringContaining("'b'") },
      ]);
    });

    it('that is no JSON object is made again, and is an error when it is none then either', async () => {
      model.calls('add', [1, 2]).calls('add', { a: 1, b: 2 });
      expect(await ask({ tools: [add] })).toMatchObject({ content: [{ input: { a: 1, b: 2 } }] });
      model.calls('add', [1, 2]).calls('add', [1, 2]);
      const { status, body } = await answer({ tools: [add] });
      expect([status, body.detail]).toEqual([500, expect.stringContaining('not a JSON object')]);
    });

    it.each<[string, object]>([
      ['prototypes', { any: '{"__proto__":{"x":1},"constructor":{"prototype":1},"a":1}' }],
      ['levels without end', { any: '['.repeat(5000) + ']'.repeat(5000) }],
      ['more levels than a body may have', { any: '['.repeat(70) + ']'.repeat(70) }],
      ['half characters and U+0000', { object: '{"a":"\\ud800","\\udc00":"\\u0000"}', any: '["\\ud800"]' }],
    ])('can be sent back whatever stands in its strings of JSON: %s (§arguments-object)', async (_, input) => {
      const properties = { any: {}, object: { type: 'object' } };
      const tools = [{ name: 'keep', input_schema: { type: 'object', properties } }];
      model.calls('keep', input).says('Kept.');
      const { content } = await ask({ tools });
      const [call] = content as { id: string }[];
      const messages = [
        { role: 'user', content: 'Keep it.' },
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call!.id, content: 'done' }] },
      ];
      expect(await ask({ tools, messages })).toMatchObject({ content: [{ text: 'Kept.' }] });
    });

    it('whose arguments the limit has cut off is an answer cut by its limit', async () => {
      model.replies({ calls: [{ name: 'add', input: 'cut' }], finish: 'length' });
      expect(await ask({ tools: [add] })).toMatchObject({ content: [], stop_reason: 'max_tokens' });
    });

    it('stays forced while it is made again', async () => {
      model.calls('add', { a: 1 }).calls('add', { a: 1, b: 2 });
      await ask({ tools: [add], tool_choice: { type: 'any' } });
      expect(model.requests.map(({ tool_choice }) => tool_choice)).toEqual(['required', 'required']);
    });
  });

  describe('max_tokens', () => {
    it('are not the only limit: an answer that never ends is cut, and the model called off', async () => {
      const hungUp = model.floods('¿Y qué más? '.repeat(1000));
      const { content, stop_reason } = await ask({});
      expect([stop_reason, content.map((block) => block.type === 'text' && block.text.length)]).toEqual([
        'max_tokens',
        [4 * 1024 ** 2],
      ]);
      await hungUp;
    });

    it('leave room for what a turn has grown by, so that the model server refuses none of its calls', async () => {
      const long = 'La válvula tiene garantía. '.repeat(300);
      await server.post('/v1/artifacts/ingest', {
        artifact: 'long',
        collection: 'long',
        input: { type: 'text', value: long },
      });
      model.calls('search', { query: 'garantía' }).says('24.');
      const tools = [{ name: 'search', type: 'semantic_search_v1' }];
      const tool_context = [{ type: 'ingested_artifact', context_filter: { collection: 'long' } }];
      expect((await post({ tools, tool_context, max_tokens: 1_000_000 })).status).toBe(200);
      const [first, second] = model.requests.map(({ max_tokens }) => max_tokens as number);
      const result = model.requests[1]!.messages.at(-1).content as string;
      expect(result.length).toBeGreaterThan(2000);
      expect(first! - second!).toBeGreaterThan(result.length / 4);
      expect(second).toBeGreaterThan(0);
    });
  });

  describe('the schema of a caller’s tool', () => {
    const tool = (input_schema: object) => ({ tools: [{ name: 'custom', input_schema }] });
    const doubling = Object.fromEntries(
      Array.from({ length: 28 }, (_, i) => [`d${i}`, { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) }]),
    );
    let deep: object = { type: 'string' };
    for (let level = 0; level < 40; level++) deep = { not: deep };

    it.each<[string, object, RegExp]>([
      ['is too deep', deep, /at #(\/not)+: nested deeper/],
      ['leads back to itself', { $ref: '#' }, /at #: a \$ref leads back/],
      [
        'leads back to itself over two steps',
        { properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { anyOf: [{ $ref: '#/$defs/x' }] } } },
        /leads back/,
      ],
      ['doubles and doubles', { $ref: '#/$defs/d0', $defs: { ...doubling, d28: {} } }, /more than 5000 schemas/],
      [
        'has 10,000 properties',
        { properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, {}])) },
        /bytes|1000 schemas/,
      ],
      [
        'has a huge enum',
        { properties: { a: { enum: Array.from({ length: 1001 }, (_, i) => i) } } },
        /properties\/a\/enum/,
      ],
      ['has a huge pattern', { properties: { a: { pattern: 'a'.repeat(513) } } }, /at #\/properties\/a: a pattern/],
    ])(
      'that %s is refused before the model runs, eager and lazy alike (§tool-schema-bombs)',
      async (_, schema, why) => {
        for (const validation_mode of ['eager', 'lazy']) {
          const { status, body } = await answer({ ...tool(schema), tool_choice: { type: 'auto', validation_mode } });
          expect([status, body.detail]).toEqual([
            400,
            expect.stringMatching(/^unsafe_schema: the input_schema of custom/),
          ]);
          expect(body.detail).toMatch(why);
        }
        expect(model.requests).toEqual([]);
      },
    );

    it('may be of any draft and refer to itself or away; what cannot be enforced is let through (§tool-schema-any)', async () => {
      const schema = {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'https://example.com/tree',
        type: 'object',
        properties: {
          value: { type: 'string', nullable: true, pattern: '^(?!no)' },
          pair: { type: 'array', items: [{ type: 'string' }, { type: 'number', exclusiveMinimum: true }] },
          away: { $ref: 'https://127.0.0.1:9/other.json' },
          child: { $ref: '#' },
        },
        required: ['value'],
      };
      const input = { value: 'no', pair: ['a', 1], away: 7, child: { value: null, child: { value: 'leaf' } } };
      model.calls('custom', input);
      expect((await ask(tool(schema))).content).toMatchObject([{ input }]);
      model.calls('custom', { value: 'x', child: {} }).calls('custom', { value: 'x' });
      await ask(tool(schema));
      expect(model.requests.at(-1)!.messages.at(-1).content).toContain("/child must have required property 'value'");
    });

    it('that nobody can check in time is told beside the call, which is handed over without another round (§check-unfinished)', async () => {
      // Twice as long for each level of the arguments.
      const schema = {
        properties: { in: { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, leaf: { type: 'string' } },
      };
      let input: object = { leaf: 1 };
      for (let level = 0; level < 30; level++) input = { in: input };
      model.calls('custom', input);
      expect(await ask(tool(schema))).toMatchObject({
        content: [
          { type: 'tool_use', input, _meta: { unchecked_arguments: expect.stringMatching(/^limit_exceeded: /) } },
        ],
        stop_reason: 'tool_use',
      });
      expect(model.requests).toHaveLength(1);
    });

    it('counts own properties only, and a pattern that explodes elsewhere is held against long texts', async () => {
      model.calls('custom', {}).calls('custom', { toString: 'x' });
      await ask(tool({ type: 'object', required: ['toString'] }));
      expect(model.requests).toHaveLength(2);
      const bad = { text: `${'a'.repeat(20_000)}!` };
      model.calls('custom', bad).calls('custom', { text: 'aa' });
      await ask(tool({ type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } }));
      expect(model.requests).toHaveLength(4);
      expect(model.requests[3]!.messages.at(-1).content).toContain('/text must match pattern');
    });
  });
});
