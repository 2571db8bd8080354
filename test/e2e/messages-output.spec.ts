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
    it('end the answer before them, split over chunks or not, and the answer says which it was', async () => {
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

    it('close the connection to the model server at once', async () => {
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
});
