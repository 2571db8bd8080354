/**
 * A model server whose answers the test writes.
 *
 * It speaks the OpenAI-compatible wire over real HTTP, so the adapter, timeouts and parsing under test are the
 * ones that ship. Answers are served in order; a request that the test wrote no answer for fails loudly. For load and
 * for loops of unknown length, `always` computes the answer from the request instead.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from './eventually';

/** What the model says in one answer: reasoning, then text, then calls. */
export interface Reply {
  readonly reasoning?: readonly string[];
  readonly text?: readonly string[];
  readonly calls?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[];
  /** Between two chunks. */
  readonly pauseMs?: number;
  /** Waited for before the last piece. */
  readonly until?: Promise<unknown>;
  /** Instead of `stop` or `tool_calls`. */
  readonly finish?: string;
  readonly usage?: object;
}

type Answer = (response: ServerResponse, body: any) => void | Promise<void>;

export interface FakeModelServerOptions {
  /** Entries of `GET /v1/models`; a string is short for one that has only an id. */
  readonly models?: readonly (string | object)[];
  readonly port?: number;
  /** Its port is taken, so that nobody else gets it, but whoever connects is hung up on until it `arrives`. */
  readonly absent?: boolean;
  /** Length of the vectors of `/v1/embeddings`. */
  readonly dimensions?: number;
}

export class FakeModelServer {
  /** Bodies of `/v1/chat/completions`, in order. */
  readonly requests: Record<string, any>[] = [];
  /** Bodies of `/v1/embeddings`, in order. */
  readonly embeddingRequests: Record<string, any>[] = [];
  /** Headers of the latest request to any path. */
  headers: IncomingHttpHeaders = {};
  /** What `GET /v1/models` lists; a test may change it. */
  models: (string | object)[];
  /** While set, `/v1/models` and `/v1/embeddings` answer with this status. */
  failing: number | undefined;
  /** The tokenizer that it offers, and how long it takes. Every word is a token, and every message has three more. */
  tokenizes: { readonly as: 'vllm' | 'llama.cpp'; readonly lateMs?: number } | undefined;
  /** Bodies of `/tokenize`, in order. */
  readonly tokenizeRequests: Record<string, any>[] = [];
  /** Stays when the server is stopped, so that another can come back in its place. */
  port = 0;
  /** Connections that were ever made. */
  connections = 0;
  /** Answers that have left for the other side as a whole. */
  answered = 0;
  /** Requests that are being answered. */
  busy = 0;

  private isThere: boolean;
  private readonly answers: Answer[] = [];
  private readonly embeddings: unknown[] = [];
  private otherwise: ((body: any) => Reply) | undefined;
  private readonly server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    this.headers = request.headers;
    response.once('finish', () => this.answered++);
    this.busy++;
    response.once('close', () => this.busy--);
    const path = request.url?.split('?')[0];
    if (path === '/v1/models') this.list(response);
    else if (path === '/v1/embeddings') this.embed(response, JSON.parse(text));
    else if (path === '/v1/chat/completions') await this.complete(response, JSON.parse(text));
    else if (this.tokenizes && this.tokenize(path, response, text)) return;
    else json(response, 404, { error: { message: `no such path: ${path}` } });
  });

  private constructor(private readonly options: FakeModelServerOptions) {
    this.models = [...(options.models ?? ['test-model'])];
    this.isThere = !options.absent;
    this.server.on('connection', (socket) => {
      this.connections++;
      if (!this.isThere) socket.destroy();
    });
  }

  static async start(options: FakeModelServerOptions = {}): Promise<FakeModelServer> {
    const fake = new FakeModelServer(options);
    await new Promise<void>((resolve, reject) => {
      fake.server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    fake.port = (fake.server.address() as AddressInfo).port;
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Resolves once it has been asked so many times for an answer. */
  async asked(times = 1): Promise<void> {
    await eventually(
      () => this.requests.length,
      (count) => count >= times,
      { everyMs: 5, what: () => `The model was to be asked ${times} times.` },
    );
  }

  /** Answers that the test wrote and nobody has asked for. */
  get unasked(): number {
    return this.answers.length;
  }

  says(...text: string[]): this {
    return this.replies({ text });
  }

  /** Thinks first, then says the text. */
  reasons(reasoning: string | readonly string[], ...text: string[]): this {
    return this.replies({ reasoning: [reasoning].flat(), text });
  }

  /** One call; `callsAll` makes several in one answer. */
  calls(name: string, input: unknown, id?: string): this {
    return this.replies({ calls: [{ name, input, id }] });
  }

  callsAll(...calls: NonNullable<Reply['calls']>): this {
    return this.replies({ calls });
  }

  /** Says the text a chunk at a time, with a pause before each. */
  slow(pauseMs: number, ...text: string[]): this {
    return this.replies({ text, pauseMs });
  }

  replies(reply: Reply): this {
    return this.next((response, body) => send(response, body, reply));
  }

  /** What the reply makes of the next request. */
  answersWith(reply: (body: any) => Reply): this {
    return this.next((response, body) => send(response, body, reply(body)));
  }

  /** From now on, whatever no answer was written for is answered by this. */
  always(reply: (body: any) => Reply): this {
    this.otherwise = reply;
    return this;
  }

  /** What the next request for embeddings gets, word for word. */
  embeds(answer: unknown): this {
    this.embeddings.push(answer);
    return this;
  }

  fails(status: number, body?: unknown, headers: Record<string, string> = {}): this {
    return this.next((response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (body === undefined || typeof body === 'string') response.writeHead(status).end(body);
      else json(response, status, body);
    });
  }

  /** Begins an answer and never ends it. Resolves once our side has hung up. */
  hangs(...text: string[]): Promise<void> {
    return new Promise((resolve) => {
      this.next((response) => {
        response.once('close', resolve);
        begin(response);
        for (const content of text.length > 0 ? text : ['thinking']) response.write(chunk({ delta: { content } }));
      });
    });
  }

  /** Takes the request and never answers, not even with headers. Resolves once our side has hung up. */
  ignores(): Promise<void> {
    return new Promise((resolve) => this.next((response) => void response.once('close', resolve)));
  }

  /** Takes its time before it answers at all, headers included; then says the text. */
  late(ms: number, ...text: string[]): this {
    return this.next(async (response, body) => {
      await wait(ms);
      if (!response.destroyed) await send(response, body, { text });
    });
  }

  /** Says the text and why it ends, and then neither the end mark nor goodbye. Resolves once our side has hung up. */
  lingers(...text: string[]): Promise<void> {
    return new Promise((resolve) => {
      this.next((response) => {
        begin(response);
        for (const content of text) response.write(chunk({ delta: { content } }));
        response.write(chunk({ delta: {}, finish_reason: 'stop' }));
        const alive = setInterval(() => response.write(': still here\n\n'), 100);
        response.once('close', () => {
          clearInterval(alive);
          resolve();
        });
      });
    });
  }

  /** Says something for as long as the other side reads. Resolves to the characters said, once that has hung up. */
  floods(text: string): Promise<number> {
    return new Promise((resolve) => {
      this.next(async (response) => {
        const closed = once(response, 'close');
        let said = 0;
        begin(response);
        while (!response.destroyed) {
          said += text.length;
          if (response.write(chunk({ delta: { content: text } }))) continue;
          await Promise.race([once(response, 'drain'), closed]);
        }
        resolve(said);
      });
    });
  }

  /** Says the text, then drops the connection without ending the answer. */
  cuts(...text: string[]): this {
    return this.next(async (response) => {
      begin(response);
      for (const content of text) response.write(chunk({ delta: { content } }));
      await flushed(response);
      response.destroy();
    });
  }

  /** Drops the connection when half of the arguments of a call are out. */
  cutsInToolCall(name = 'search'): this {
    return this.next(async (response) => {
      begin(response);
      const call = { index: 0, id: 'call_cut', type: 'function', function: { name, arguments: '{"query": "wh' } };
      response.write(chunk({ delta: { tool_calls: [call] } }));
      await flushed(response);
      response.destroy();
    });
  }

  /** These bytes, each piece in a network write of its own, and the end; with `breaks`, the connection is dropped. */
  sends(
    pieces: string | Buffer | readonly (string | Buffer)[],
    contentType = 'text/event-stream',
    { breaks = false, headers = {} }: { breaks?: boolean; headers?: Record<string, string> } = {},
  ): this {
    return this.next(async (response) => {
      response.writeHead(200, contentType ? { 'content-type': contentType, ...headers } : headers);
      response.socket?.setNoDelay(true);
      // Otherwise they would leave with the first piece, and not at all where there is none.
      response.flushHeaders();
      for (const piece of [pieces].flat()) {
        response.write(piece);
        await flushed(response);
      }
      if (breaks) response.destroy();
      else response.end();
    });
  }

  /** From now on it is there. */
  arrives(): void {
    this.isThere = true;
  }

  /** Answers that nobody has asked for are not given any more. */
  forget(): void {
    this.answers.length = 0;
  }

  stop(): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    return stopped;
  }

  private next(answer: Answer): this {
    this.answers.push(answer);
    return this;
  }

  private async complete(response: ServerResponse, body: any) {
    this.requests.push(body);
    const answer = this.answers.shift();
    if (answer) await answer(response, body);
    else if (this.otherwise) await send(response, body, this.otherwise(body));
    else json(response, 400, { error: { message: 'the test wrote no answer for this request' } });
  }

  private tokenize(path: string | undefined, response: ServerResponse, text: string): boolean {
    const { as, lateMs = 0 } = this.tokenizes!;
    const body = path === '/tokenize' || path === '/apply-template' ? JSON.parse(text) : undefined;
    const rendered = (messages: any[]) => messages.map(({ content }) => `<s> user ${content} </s>`).join(' ');
    const tokens = (words: string) => words.split(/\s+/).map((_, at) => at);
    let answer: object;
    if (as === 'llama.cpp' && path === '/apply-template') answer = { prompt: rendered(body.messages) };
    else if (path === '/tokenize') {
      this.tokenizeRequests.push(body);
      const counted = tokens(as === 'vllm' ? rendered(body.messages) : body.content);
      answer = as === 'vllm' ? { count: counted.length, max_model_len: 4096, tokens: counted } : { tokens: counted };
    } else return false;
    setTimeout(() => json(response, 200, answer), lateMs).unref();
    return true;
  }

  private list(response: ServerResponse) {
    if (this.failing) return json(response, this.failing, { error: { message: 'failing as the test asked' } });
    const data = this.models.map((model) => (typeof model === 'string' ? { id: model, object: 'model' } : model));
    json(response, 200, { object: 'list', data });
  }

  private embed(response: ServerResponse, body: any) {
    this.embeddingRequests.push(body);
    if (this.failing) return json(response, this.failing, { error: { message: 'failing as the test asked' } });
    if (this.embeddings.length > 0) return json(response, 200, this.embeddings.shift());
    const data = [body.input].flat().map((text: string, index: number) => {
      const vector = fakeVector(text, this.options.dimensions);
      const base64 = Buffer.from(Float32Array.from(vector).buffer).toString('base64');
      return { object: 'embedding', index, embedding: body.encoding_format === 'base64' ? base64 : vector };
    });
    // Nothing in the protocol promises the order.
    json(response, 200, { object: 'list', model: body.model, data: data.reverse(), usage: { prompt_tokens: 1 } });
  }
}

/** The vector that the fake gives a text: one slot a word, so that texts which share words are near. Not normalised. */
export function fakeVector(text: string, dimensions = 16): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 0;
    for (const character of word) hash = (hash * 31 + character.codePointAt(0)!) >>> 0;
    vector[hash % dimensions]! += 1;
  }
  return vector.some(Boolean) ? vector : vector.fill(1);
}

/** One `data` event of a stream, as vLLM writes them. */
export const chunk = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'test-model',
    choices: [{ index: 0, finish_reason: null, ...choice }],
    ...more,
  })}\n\n`;

function begin(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

async function send(response: ServerResponse, body: any, reply: Reply) {
  const calls = (reply.calls ?? []).map(({ name, input, id }, index) => ({
    index,
    id: id ?? `call_${crypto.randomUUID().replaceAll('-', '')}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const finish_reason = reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const said = (reply.text?.length ?? 0) + (reply.reasoning?.length ?? 0) + calls.length;
  const usage = reply.usage ?? { prompt_tokens: 9, completion_tokens: Math.max(1, said) };
  if (body.stream !== true) return whole(response, reply, { calls, finish_reason, usage });
  begin(response);
  const deltas = [
    ...(reply.reasoning ?? []).map((reasoning_content) => ({ reasoning_content })),
    ...(reply.text ?? []).map((content) => ({ content })),
    ...calls.flatMap(pieces),
  ];
  for (const delta of deltas) {
    if (reply.pauseMs) await wait(reply.pauseMs);
    if (reply.until && delta === deltas.at(-1)) await reply.until;
    if (response.destroyed) return;
    response.write(chunk({ delta }));
  }
  response.write(chunk({ delta: {}, finish_reason }));
  response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
}

function whole(
  response: ServerResponse,
  reply: Reply,
  answer: { calls: object[]; finish_reason: string; usage: object },
) {
  const message = {
    role: 'assistant',
    content: reply.text?.join('') ?? null,
    ...(reply.reasoning && { reasoning_content: reply.reasoning.join('') }),
    ...(answer.calls.length > 0 && { tool_calls: answer.calls }),
  };
  const { finish_reason, usage } = answer;
  json(response, 200, { object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage });
}

/** The head of a call, then its arguments in two pieces. */
function pieces(call: { index: number; function: { name: string; arguments: string } }) {
  const { index } = call;
  const { name, arguments: json } = call.function;
  const middle = Math.ceil(json.length / 2);
  return [
    { tool_calls: [{ ...call, function: { name, arguments: '' } }] },
    { tool_calls: [{ index, function: { arguments: json.slice(0, middle) } }] },
    { tool_calls: [{ index, function: { arguments: json.slice(middle) } }] },
  ];
}

function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Until what was written has left for the other side. */
const flushed = (response: ServerResponse) =>
  new Promise<void>((resolve) => response.write('', () => setImmediate(resolve)));
