/** Text completions, on the machinery of messages. */
import type { Completion, CompletionEvent, ErrorBody } from '@app/contract';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

const PROMPT = '\n\nHuman: ¿Cuántos días?\n\nAssistant:';

describe('POST /v1/complete', () => {
  let model: FakeModelServer;
  let server: TestServer;

  beforeAll(async () => {
    model = await FakeModelServer.start();
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });
  beforeEach(() => model.requests.splice(0));
  afterEach(() => expect(model.unasked).toBe(0));

  const complete = (more: object = {}, headers: Record<string, string> = {}) =>
    server.post(
      '/v1/complete',
      { model: 'claude-2.1', prompt: PROMPT, max_tokens_to_sample: 50, ...more },
      { headers },
    );
  const completion = async (more: object = {}) => {
    const response = await complete(more);
    expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)]);
    return (await response.json()) as Completion;
  };

  it('completes a prompt, and echoes the model that was named (§complete-shape)', async () => {
    model.says('Son ', '27.');
    expect(await completion({ temperature: 0, top_p: 0.5, top_k: 3, metadata: { user_id: 'u' } })).toEqual({
      id: expect.stringMatching(/^compl_[0-9a-f]{32}$/),
      type: 'completion',
      completion: 'Son 27.',
      stop_reason: 'stop_sequence',
      stop: null,
      model: 'claude-2.1',
    });
    expect(model.requests[0]).toMatchObject({ max_tokens: 50, temperature: 0, top_p: 0.5, top_k: 3 });
  });

  it.each([
    ['turns', '\n\nHuman: A?\n\nAssistant: B.\n\nHuman: C?\n\nAssistant:', ['user A?', 'assistant B.', 'user C?']],
    ['a system prompt before them', 'Sé breve.\n\nHuman: A?\n\nAssistant:', ['system Sé breve.', 'user A?']],
    ['a beginning of the answer', 'Human: A?\n\nAssistant: Son', ['user A?', 'assistant Son']],
    ['a text alone', 'A?', ['user A?']],
    ['a question without its mark', 'A?\n\nAssistant:', ['user A?']],
  ])('reads %s in a prompt (§complete-turns)', async (_, prompt, expected) => {
    model.says('27.');
    await completion({ prompt });
    const turns = model.requests[0]!.messages.map(({ role, content }: any) => `${role} ${content}`);
    expect(turns).toEqual(expected);
  });

  it('stops where it is told to, where the human would speak, and at the limit (§complete-stops)', async () => {
    model
      .says('one two', ' three')
      .says('one.\n\nHum', 'an: and?')
      .replies({ text: ['one'], finish: 'length' });
    expect(await completion({ stop_sequences: [' two'] })).toMatchObject({
      completion: 'one',
      stop_reason: 'stop_sequence',
      stop: ' two',
    });
    expect(await completion()).toMatchObject({ completion: 'one.', stop_reason: 'stop_sequence', stop: null });
    expect(await completion()).toMatchObject({ completion: 'one', stop_reason: 'max_tokens' });
  });

  it('takes its fields in camelCase (§complete-fields)', async () => {
    model.says('one');
    const body = { model: 'm', prompt: 'Hi', maxTokensToSample: 7, topP: 0.1, topK: 2, stopSequences: ['x'] };
    const response = await server.post('/v1/complete', { ...body, model: 'default' });
    expect(response.status).toBe(200);
    expect(model.requests[0]).toMatchObject({ max_tokens: 7, top_p: 0.1, top_k: 2 });
  });

  it('streams to Anthropic clients; to native ones it never does (§complete-stream)', async () => {
    model.says('Son ', '27.').says('Son ', '27.');
    const response = await complete({ stream: true }, { 'anthropic-version': '2023-06-01' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = (await response.text()).split('\n\n').filter(Boolean);
    const pieces = events.map((event) => {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event)!;
      expect(name).toBe('completion');
      return JSON.parse(data!) as CompletionEvent & { type: 'completion' };
    });
    expect(pieces.map(({ completion: text }) => text).join('')).toBe('Son 27.');
    expect(pieces.filter(({ stop_reason }) => stop_reason !== null)).toEqual([pieces.at(-1)]);
    expect(new Set(pieces.map(({ id }) => id)).size).toBe(1);
    expect(await completion({ stream: true })).toMatchObject({ completion: 'Son 27.' });
  });

  it.each([
    ['no model', { model: undefined }, 'model'],
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ['no limit', { max_tokens_to_sample: undefined }, 'max_tokens_to_sample'],
    ['a limit of nothing', { max_tokens_to_sample: 0 }, 'max_tokens_to_sample'],
    ['half a token', { max_tokens_to_sample: 1.5 }, 'max_tokens_to_sample'],
    ['too high a temperature', { temperature: 1.5 }, 'temperature'],
    ['a negative top_k', { top_k: -1 }, 'top_k'],
  ])('refuses %s by the field', async (_, more, field) => {
    const response = await complete(more);
    expect(response.status).toBe(400);
    const { detail } = (await response.json()) as ErrorBody;
    expect(detail).toEqual([expect.objectContaining({ loc: ['body', field] })]);
  });

  it('refuses a prompt in which nobody asks, and a model that is not there, with a status in a stream too', async () => {
    const empty = await complete({ prompt: '\n\nHuman: \n\nAssistant:' });
    expect(empty.status).toBe(400);
    expect(((await empty.json()) as ErrorBody).detail).toContain('The prompt cannot be empty');
    const many = await complete({ prompt: '\n\nHuman: a'.repeat(2001) });
    expect([many.status, ((await many.json()) as ErrorBody).detail]).toEqual([400, expect.stringContaining('2,000')]);
    const headers = { 'anthropic-version': '2023-06-01' };
    expect((await complete({ model: 'nope', stream: true }, headers)).status).toBe(404);
    expect((await complete({ model: 'nope' })).status).toBe(400);
  });
});
