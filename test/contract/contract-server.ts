/** One real server before a fake model, for a file of promises, and the ways in which the files ask it. */
import type { ErrorBody, Message } from '@app/contract';
import { FakeModelServer } from '../support/fake-model-server';
import { readStream, type ReadStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';

export const QUESTION = { role: 'user', content: '¿Cuántos días de vacaciones tengo?' };
export const ANTHROPIC = { 'anthropic-version': '2023-06-01' };
/** Both dialects, for tables. */
export const DIALECTS: [name: string, headers: Record<string, string>][] = [
  ['native', {}],
  ['Anthropic', ANTHROPIC],
];

export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ErrorBody;
}

/** Starts both before the tests of the file, and sees to it that no test leaves an answer for the next. */
export function contractServer(env: Record<string, string> = {}, models: (string | object)[] = ['big-model']) {
  let model!: FakeModelServer;
  let server!: TestServer;
  beforeAll(async () => {
    model = await FakeModelServer.start({ models });
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl, ...env } });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });
  beforeEach(() => model.requests.splice(0));
  afterEach(() => expect(model.unasked).toBe(0));

  /** `more` over a question; the path of messages unless another is named. */
  const post = (more: object = {}, headers: Record<string, string> = {}, path = '/v1/messages') =>
    server.post(path, { messages: [QUESTION], ...more }, { headers });

  return {
    post,
    get server() {
      return server;
    },
    get model() {
      return model;
    },
    /** What the model server was sent last. */
    get prompt(): Record<string, any> {
      return model.requests.at(-1)!;
    },
    /** @throws Error with what was said, for anything but a Message. */
    async ask(more: object = {}, headers?: Record<string, string>): Promise<Message> {
      const response = await post(more, headers);
      const body = (await response.json()) as Message;
      if (response.status !== 200) throw new Error(JSON.stringify(body));
      return body;
    },
    async stream(more: object = {}, headers?: Record<string, string>): Promise<ReadStream> {
      return readStream(await post({ ...more, stream: true }, headers));
    },
    /** @throws Error when it was not refused, or not in the one envelope. */
    async refusal(more: object = {}, headers?: Record<string, string>, path?: string): Promise<Refusal> {
      return refusalOf(await post(more, headers, path));
    },
  };
}

/** A refusal, held against what all of them have in common. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text();
  if (response.status < 400) throw new Error(`Not refused: ${response.status} ${text}`);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const body = JSON.parse(text) as ErrorBody;
  expect(body).toMatchObject({
    type: 'error',
    error: { type: expect.any(String), message: expect.stringMatching(/./) },
  });
  expect(body.detail).toEqual(body.error.detail.explanation);
  expect(body.request_id).toBe(response.headers.get('request-id'));
  return { status: response.status, headers: response.headers, body };
}

/** What a refusal says: a sentence, or the messages of its list. */
export const wordsOf = ({ body }: Refusal): string =>
  typeof body.detail === 'string' ? body.detail : body.detail.map(({ msg }) => msg).join('\n');
