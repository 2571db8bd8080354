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

    it('is asked for once more when the model answers in words, which the caller never reads', async () => {
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

    it('that is not called then either is an error by status, and one error event in a stream', async () => {
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
});
