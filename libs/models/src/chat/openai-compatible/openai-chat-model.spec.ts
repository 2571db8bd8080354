import { InvalidRequestError, NotFoundError, OverloadedError, PlatformError, TOOL_USE_ID } from '@app/contract';
import { createLogger, Secret } from '@app/platform';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chunk, FakeModelServer } from '../../../../../test/support/fake-model-server';
import { eventually } from '../../../../../test/support/eventually';
import type { ChatPart, ChatRequest } from '../chat-model';
import { ModelServer } from './model-server';
import { OpenAiChatModel } from './openai-chat-model';

const search = { name: 'search', description: 'Finds.', inputSchema: { type: 'object' } };
const request = (more: Partial<ChatRequest> = {}): ChatRequest => ({
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What shipped?' }] }],
  tools: [],
  toolForcing: { type: 'auto' },
  parallelToolCalls: true,
  citations: false,
  ...more,
});
const info = {
  id: 'test-model',
  displayName: 'Test',
  contextTokens: 4096,
  maxOutputTokens: 512,
  images: true,
  thinking: true,
  structuredOutput: true,
};

const withoutMadeUpIds = (parts: ChatPart[]) => JSON.stringify(parts).replaceAll(/toolu_[0-9a-f]{32}/g, 'toolu_');

/** What was said, wherever the network cut it. */
function joined(parts: readonly ChatPart[]): ChatPart[] {
  return parts.reduce<ChatPart[]>((said, part) => {
    const last = said.at(-1);
    if (part.type === 'text' && last?.type === 'text')
      said[said.length - 1] = { type: 'text', text: last.text + part.text };
    else said.push(part);
    return said;
  }, []);
}

describe('OpenAiChatModel', () => {
  let fake: FakeModelServer;
  let server: ModelServer;
  let model: OpenAiChatModel;
  const open = (more: object = {}) => {
    server = new ModelServer({
      baseUrl: fake.baseUrl,
      connectMs: 1000,
      idleMs: 30_000,
      maxConnections: 10,
      ...more,
    });
    model = new OpenAiChatModel(server, info);
  };
  beforeEach(async () => {
    fake = await FakeModelServer.start();
    open();
  });
  afterEach(async () => {
    await server.close();
    await fake.stop();
  });

  async function ask(more?: Partial<ChatRequest>, signal = new AbortController().signal): Promise<ChatPart[]> {
    const parts: ChatPart[] = [];
    for await (const part of model.stream(request(more), signal)) parts.push(part);
    return parts;
  }
  const failure = (more?: Partial<ChatRequest>): Promise<PlatformError> =>
    ask(more).then(
      (parts) => Promise.reject(new Error(`no failure, but ${JSON.stringify(parts)}`)),
      (error: PlatformError) => error,
    );
  const text = (parts: ChatPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

  it('streams what the model says, then why it stopped and what it used', async () => {
    fake.says('The billing', ' dashboard.');
    expect(joined(await ask())).toEqual([
      { type: 'started' },
      { type: 'text', text: 'The billing dashboard.' },
      { type: 'finish', reason: 'stop', usage: { inputTokens: 9, outputTokens: 2 } },
    ]);
  });

  it('hands out each part when it comes, not at the end', async () => {
    fake.slow(100, 'one', 'two');
    const stream = model.stream(request(), new AbortController().signal);
    expect(await stream.next()).toEqual({ done: false, value: { type: 'started' } });
    const asked = Date.now();
    expect(await stream.next()).toEqual({ done: false, value: { type: 'text', text: 'one' } });
    const first = Date.now() - asked;
    while (!(await stream.next()).done);
    expect(Date.now() - asked).toBeGreaterThan(first + 80);
  });

  it('tells thinking and calls apart from text', async () => {
    fake.replies({
      reasoning: ['Hmm'],
      text: ['Let me look.'],
      calls: [{ name: 'search', input: { q: 'a' }, id: 'c1' }],
    });
    expect(await ask({ tools: [search] })).toMatchObject([
      { type: 'started' },
      { type: 'thinking', thinking: 'Hmm' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_call_start', id: 'c1', name: 'search' },
      { type: 'tool_call', id: 'c1', name: 'search', arguments: '{"q":"a"}' },
      { type: 'finish', reason: 'tool_calls' },
    ]);
  });

  it('gives a call whose id is already in the conversation another one', async () => {
    fake.calls('search', {}, 'call_0');
    const [, start] = await ask({
      tools: [search],
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'search', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', toolUseId: 'call_0', content: 'x', isError: false }] },
      ],
    });
    expect(start).toMatchObject({ type: 'tool_call_start', id: expect.stringMatching(TOOL_USE_ID) });
    expect(start).not.toMatchObject({ id: 'call_0' });
  });

  it('uses a connection again after an answer', async () => {
    for (let answer = 0; answer < 5; answer++) {
      fake.says('ok');
      await ask();
    }
    // The next request may find the last byte of the answer before it still on its way, once.
    expect(fake.connections).toBeLessThanOrEqual(2);
  });

  it('sends the key, and nothing in place of one that is not configured', async () => {
    fake.says('ok').says('ok');
    await ask();
    expect(fake.headers.authorization).toBeUndefined();
    await server.close();
    open({ apiKey: new Secret('sk-1') });
    await ask();
    expect(fake.headers.authorization).toBe('Bearer sk-1');
  });

  it('asks for an answer that is not compressed, and names one that is', async () => {
    const headers = { 'content-encoding': 'gzip' };
    fake.sends(gzipSync('data: {"choices":[]}\n\ndata: [DONE]\n\n'), 'text/event-stream', { headers });
    expect(await failure()).toMatchObject({
      type: 'api_error',
      message: 'The model server answered with a compressed body instead of a chat completion.',
    });
    expect(fake.headers['accept-encoding']).toBe('identity');
  });

  it('finds the API below /v1 when the address is only a host and a port', async () => {
    await server.close();
    open({ baseUrl: `http://127.0.0.1:${fake.port}` });
    fake.says('found');
    expect(text(await ask())).toBe('found');
  });

  it('does not read on while nobody listens, and loses nothing by it', async () => {
    const words = Array.from({ length: 5000 }, (_, index) => `${index} ${'x'.repeat(4000)}\n`);
    fake.says(...words);
    let heard = '';
    for await (const part of model.stream(request(), new AbortController().signal)) {
      if (part.type === 'started') await new Promise((resolve) => setTimeout(resolve, 2000));
      if (part.type === 'text' && heard === '') expect(fake.answered).toBe(0);
      if (part.type === 'text') heard += part.text;
    }
    expect(heard === words.join('')).toBe(true);
    expect(fake.answered).toBe(1);
  });

  it('hands out the end that had piled up while it was paused', async () => {
    const calls = [{ index: 0, id: 'a', function: { name: 'search', arguments: '{"never": "whole"' } }];
    // Held back until the call is over, then all at once; the rest is in the socket by then.
    const words = Array.from({ length: 300 }, () => chunk({ delta: { content: 'and ' } }));
    const end = chunk({ delta: {}, finish_reason: 'tool_calls' });
    fake.sends([chunk({ delta: { tool_calls: calls } }), words.join(''), end, 'data: [DONE]\n\n']);
    const stream = model.stream(request({ tools: [search] }), new AbortController().signal);
    const parts: ChatPart[] = [];
    for await (const part of stream) {
      parts.push(part);
      if (part.type === 'text') await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(parts.map(({ type }) => type)).toEqual(['started', 'tool_call_start', 'tool_call', 'text', 'finish']);
  });

  it('hands out what came, the end too, while the reader was busy with a part', async () => {
    fake.slow(20, 'one', 'two');
    const heard: ChatPart[] = [];
    for await (const part of model.stream(request(), new AbortController().signal)) {
      if (part.type === 'text') await new Promise((resolve) => setTimeout(resolve, 200));
      heard.push(part);
    }
    expect([text(heard), heard.at(-1)]).toMatchObject(['onetwo', { type: 'finish' }]);
  });

  describe('to a reader who takes words at once', () => {
    const words = ['one ', 'two ', 'three ', 'four '];
    const isText = (part: ChatPart) => part.type === 'text';

    it('gives out what arrives while the next part is waited for, and only the rest by the iteration', async () => {
      fake.slow(20, ...words);
      const atOnce: ChatPart[] = [];
      const heard: ChatPart[] = [];
      const take = (part: ChatPart) => isText(part) && (atOnce.push(part), heard.push(part), true);
      for await (const part of model.stream(request(), new AbortController().signal, take)) heard.push(part);
      expect(atOnce).toContainEqual({ type: 'text', text: 'four ' });
      expect(joined(heard)).toMatchObject([
        { type: 'started' },
        { type: 'text', text: words.join('') },
        { type: 'finish' },
      ]);
    });

    it('keeps the order where some of it is refused', async () => {
      fake.slow(20, ...words);
      const refused: ChatPart[] = [];
      const heard: ChatPart[] = [];
      let offered = 0;
      const take = (part: ChatPart) => {
        const taken = isText(part) && ++offered % 2 === 0;
        (taken ? heard : refused).push(part);
        return taken;
      };
      for await (const part of model.stream(request(), new AbortController().signal, take)) heard.push(part);
      expect(refused.filter(isText)).not.toEqual([]);
      expect(text(heard)).toBe(words.join(''));
    });

    it('offers nothing while the reader is busy', async () => {
      fake.slow(5, ...words);
      let isBusy = false;
      const take = (part: ChatPart) => {
        expect(isBusy).toBe(false);
        return isText(part);
      };
      for await (const part of model.stream(request(), new AbortController().signal, take)) {
        isBusy = true;
        await new Promise((resolve) => setTimeout(resolve, part.type === 'started' ? 50 : 0));
        isBusy = false;
      }
    });

    it('fails with what the reader throws', async () => {
      fake.slow(20, ...words);
      const take = () => {
        throw new Error('no place');
      };
      const heard: ChatPart[] = [];
      const all = (async () => {
        for await (const part of model.stream(request(), new AbortController().signal, take)) heard.push(part);
      })();
      await expect(all).rejects.toThrow('no place');
      expect(text(heard)).not.toContain('four');
    });
  });

  describe('hanging up', () => {
    const soon = (promise: Promise<void>) =>
      Promise.race([
        promise,
        new Promise((_, reject) => setTimeout(() => reject(new Error('still open')), 1000).unref()),
      ]);

    it('closes the connection at once when the caller goes away in the middle', async () => {
      const hungUp = fake.hangs('on and on');
      const caller = new AbortController();
      const stream = model.stream(request(), caller.signal);
      await stream.next();
      await stream.next();
      const waiting = stream.next();
      caller.abort(new Error('gone'));
      await expect(waiting).rejects.toThrow('gone');
      await soon(hungUp);
    });

    it('closes it at once before the headers, too', async () => {
      const hungUp = fake.ignores();
      const caller = new AbortController();
      const waiting = model.stream(request(), caller.signal).next();
      while (fake.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      caller.abort(new Error('gone'));
      await expect(waiting).rejects.toThrow('gone');
      await soon(hungUp);
    });

    it('closes it when the reader just stops asking', async () => {
      const hungUp = fake.hangs('a', 'b');
      for await (const part of model.stream(request(), new AbortController().signal)) {
        if (part.type === 'text') break;
      }
      await soon(hungUp);
    });

    it('asks nothing for a caller who is already gone', async () => {
      await expect(ask({}, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
      expect(fake.requests).toHaveLength(0);
    });
  });

  describe('failures before the answer', () => {
    it('says which setting to check when the server is down, and not where it was', async () => {
      await fake.stop();
      const error = await failure();
      expect(error).toBeInstanceOf(OverloadedError);
      expect(error.message).toContain('OPENAI_BASE_URL');
      expect(error.message).not.toContain('127.0.0.1');
      expect(error.retryAfter).toBeGreaterThan(0);
      fake = await FakeModelServer.start();
    });

    it.each(['100 Continue', '101 Switching Protocols'])(
      'says that the server sends %s without being asked, and does not have it answer again',
      async (status) => {
        let served = 0;
        const odd = createServer((socket) =>
          socket
            .on('error', () => undefined)
            .once('data', () => {
              served++;
              socket.write(`HTTP/1.1 ${status}\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nHTTP/1.1 200 OK\r\n\r\n`);
            }),
        );
        await once(odd.listen(0, '127.0.0.1'), 'listening');
        await server.close();
        open({ baseUrl: `http://127.0.0.1:${(odd.address() as AddressInfo).port}/v1` });
        const error = await failure();
        odd.close();
        expect({ type: error.type, served }).toEqual({ type: 'api_error', served: 1 });
        expect(error.message).toContain(status);
      },
    );

    it('finds a server that comes back within the back-off', async () => {
      await server.close();
      await fake.stop();
      fake = await FakeModelServer.start({ absent: true });
      open();
      const answer = ask();
      await eventually(() => fake.connections > 0, Boolean, { everyMs: 1 });
      fake.says('back').arrives();
      expect(text(await answer)).toBe('back');
    });

    it.each([429, 502, 503, 529])('tries twice more after %d, and then succeeds', async (status) => {
      fake.fails(status).fails(status).says('at last');
      expect(text(await ask())).toBe('at last');
      expect(fake.requests).toHaveLength(3);
    });

    it('gives up after two more tries, and passes on how long to wait', async () => {
      fake.fails(429).fails(429).fails(429, '', { 'retry-after': '7' });
      const error = await failure();
      expect(error).toBeInstanceOf(OverloadedError);
      expect(error.retryAfter).toBe(7);
      expect(fake.requests).toHaveLength(3);
    });

    it('waits as long as the server asks, and not at all where that is too long', async () => {
      fake.fails(503, '', { 'retry-after': '1' }).says('ok');
      const asked = Date.now();
      await ask();
      expect(Date.now() - asked).toBeGreaterThanOrEqual(990);

      fake.fails(503, '', { 'retry-after': '60' });
      expect((await failure()).retryAfter).toBe(60);
      expect(fake.requests).toHaveLength(3);
    });

    it.each([400, 401, 404, 500])('does not repeat a request that got %d', async (status) => {
      fake.fails(status);
      await failure();
      expect(fake.requests).toHaveLength(1);
    });

    it('names the key when the server refuses it', async () => {
      fake.fails(401, { error: { message: 'Incorrect API key provided: sk-1' } });
      const error = await failure();
      expect([error.type, error.message]).toEqual(['api_error', expect.stringContaining('OPENAI_API_KEY')]);
      expect(error.message).not.toContain('sk-1');
    });

    it('says that the model is gone, or that the address is wrong', async () => {
      fake
        .fails(404, { error: { message: 'The model `test-model` does not exist.' } })
        .fails(404, '<html>nginx</html>');
      expect(await failure()).toBeInstanceOf(NotFoundError);
      expect((await failure()).message).toContain('OPENAI_BASE_URL');
    });

    it('passes on why a request was refused, cut to 300 characters', async () => {
      fake.fails(400, { error: { message: `temperature is odd ${'x'.repeat(5000)}` } });
      const error = await failure();
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error.message).toContain('temperature is odd');
      expect(error.message.length).toBeLessThan(360);
    });

    it('passes on a list of fields without the request that is in it', async () => {
      const msg = 'Input should be greater than 0';
      fake.fails(422, { detail: [{ type: 'greater_than', loc: ['body', 'top_k'], msg, input: { prompt: 'S3CR3T' } }] });
      const error = await failure();
      expect(error.message).toBe(`The model server refused the request: body.top_k: ${msg}`);
    });

    it.each([400, 401, 404, 422, 429, 500, 503])(
      'logs and says nothing of the secrets that a server tells with status %d',
      async (status) => {
        const told = { error: { message: 'no model at /S3CR3T/m.gguf, key sk-S3CR3T, http://S3CR3T:8000, CANARY' } };
        fake.fails(status, told).fails(status, told).fails(status, told);
        const error = await failure();
        expect(error.message).not.toContain('S3CR3T');
        let log = '';
        const logger = createLogger({ logging: { level: 'info' } }, { write: (line: string) => (log += line) });
        logger.warn({ err: error }, 'failed');
        logger.error(error);
        expect(log).toContain(String(status));
        expect(log).not.toMatch(/S3CR3T|CANARY/);
      },
    );

    it('turns a prompt that does not fit into the sentence that clients know', async () => {
      fake.fails(400, {
        error: {
          message:
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens. Please reduce the length of the messages.",
        },
      });
      const error = await failure();
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error.message).toBe('prompt is too long: 5000 tokens > 4096 maximum');
    });

    it('tells a server that fails from one that refuses, without its words', async () => {
      fake.fails(500, { error: { message: 'CUDA out of memory at /srv/models' } });
      const error = await failure();
      expect(error.type).toBe('api_error');
      expect(error.message).not.toContain('/srv');
    });

    it('gives up on a server that takes the request and stays silent', async () => {
      await server.close();
      open({ idleMs: 1000 });
      void fake.ignores();
      const error = await failure();
      expect(error.type).toBe('timeout_error');
      expect(error.message).toContain('MODEL_IDLE_SECONDS');
      expect(fake.requests).toHaveLength(1);
    });
  });

  describe('failures in the answer', () => {
    it.each<[string, (server: FakeModelServer) => unknown]>([
      ['in the text', (server) => server.cuts('half of')],
      ['in a call', (server) => server.cutsInToolCall()],
      ['before the first event', (server) => server.cuts()],
      ['politely, without a finish reason', (server) => server.sends(chunk({ delta: { content: 'half of' } }))],
      [
        'politely, in the middle of an event',
        (server) => server.sends(chunk({ delta: { content: 'a' } }) + 'data: {"ch'),
      ],
    ])('says that the server stopped in the middle: %s', async (_, write) => {
      write(fake);
      const error = await failure({ tools: [search] });
      expect([error.type, error.message]).toEqual([
        'api_error',
        expect.stringContaining('The model server stopped in the middle of its answer'),
      ]);
      expect(fake.requests).toHaveLength(1);
    });

    it('gives what came before the cut, first', async () => {
      fake.cuts('half', ' of');
      const parts: ChatPart[] = [];
      await expect(async () => {
        for await (const part of model.stream(request(), new AbortController().signal)) parts.push(part);
      }).rejects.toThrow(PlatformError);
      expect(text(parts)).toBe('half of');
    });

    it('gives nothing of what follows garbage, however late it is read', async () => {
      fake.sends([chunk({ delta: { content: 'one' } }), 'data: hello\n\n', chunk({ delta: { content: 'two' } })]);
      const stream = model.stream(request(), new AbortController().signal);
      await stream.next();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect((await stream.next()).value).toEqual({ type: 'text', text: 'one' });
      await expect(stream.next()).rejects.toThrow('something that is not JSON');
    });

    it('takes an answer for whole whose connection drops after the finish reason', async () => {
      fake.sends([chunk({ delta: { content: 'whole' }, finish_reason: 'length' }), ': bye']);
      expect((await ask()).at(-1)).toEqual({ type: 'finish', reason: 'length' });
    });

    it('does not wait for a server that has given its reason and goes on with comments', async () => {
      const hungUp = fake.lingers('All of it.');
      expect((await ask()).slice(-2)).toMatchObject([{ text: 'All of it.' }, { type: 'finish', reason: 'stop' }]);
      await hungUp;
    });

    it('says that the server fell silent', async () => {
      await server.close();
      open({ idleMs: 1000 });
      void fake.hangs('half');
      const error = await failure();
      expect([error.type, error.message]).toEqual(['timeout_error', expect.stringContaining('MODEL_IDLE_SECONDS')]);
    });

    it.each([
      { what: 'an empty body', body: '' },
      { what: 'only the end mark', body: 'data: [DONE]\n\n' },
      { what: 'a web page', body: '<!doctype html><title>Sign in</title>', type: 'text/html' },
      { what: 'a web page that calls itself a stream', body: '\n <html>' },
      { what: 'something that is not JSON', body: 'data: hello\n\n' },
      { what: 'other JSON', body: '{"ok":true}', type: 'application/json' },
      { what: 'half of a document', body: '{"choices":[', type: 'application/json' },
      { what: 'prose', body: 'It works!', type: 'text/plain' },
    ])('calls garbage what it is: $what', async ({ body, type }) => {
      fake.sends(body, type);
      expect(await failure()).toMatchObject({
        type: 'api_error',
        message: expect.stringMatching(/^The model server answered with .* instead of a chat completion\.$/),
      });
    });

    it('says that the server reported an error in its stream, in words of ours', async () => {
      const canary = 'engine died at /S3CR3T of the prompt S3CR3T';
      fake.sends([
        chunk({ delta: { content: 'a' } }),
        `data: {"error":{"message":"${canary}","type":"server_error"}}\n\n`,
      ]);
      expect(await failure()).toMatchObject({
        type: 'api_error',
        message: 'The model server reported an error in its answer.',
      });
      for (const code of [400, 422, 500]) {
        fake.sends(`data: {"error":{"message":"${canary}","code":${code}}}\n\n`);
        const error = await failure();
        expect(error.message).toContain(`status ${code}`);
        expect(inspect(error)).not.toContain('S3CR3T');
      }
      for (const code of ['', ',"code":400', ',"code":500']) {
        fake.sends(`data: {"error":{"message":"too many tokens: 9 tokens > 4 maximum"${code}}}\n\n`);
        expect(await failure()).toMatchObject({ message: 'prompt is too long: 9 tokens > 4 maximum' });
      }
      fake.sends('{"error":{"message":"busy","code":"429"}}', 'application/json');
      expect(await failure()).toBeInstanceOf(OverloadedError);
    });

    it('does not quote an event that is no JSON, not even in the log', async () => {
      fake.sends('data: S3CR3T\n\n');
      expect(inspect(await failure())).not.toContain('S3CR3T');
    });
  });

  it.each(['application/json', 'text/plain', ''])('reads a server that does not stream (%s)', async (type) => {
    const message = { role: 'assistant', content: 'Hi', reasoning: 'Hm', tool_calls: null };
    const usage = { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
    fake.sends(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }), type);
    expect(await ask()).toEqual([
      { type: 'started' },
      { type: 'thinking', thinking: 'Hm' },
      { type: 'text', text: 'Hi' },
      { type: 'finish', reason: 'stop', usage: { inputTokens: 5, outputTokens: 2, cachedInputTokens: 4 } },
    ]);
  });

  it('reads a stream of a wrong content type', async () => {
    fake.sends(chunk({ delta: { content: 'ok' }, finish_reason: 'stop' }), 'application/octet-stream');
    expect(text(await ask())).toBe('ok');
  });

  const fixtures = join(__dirname, '../../../../../test/fixtures');
  it.each(readdirSync(fixtures).filter((name) => /^(?!.*-error).*\.sse$/.test(name)))(
    'reads %s over the network, in any pieces',
    async (name) => {
      const bytes = readFileSync(join(fixtures, name));
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
        bytes.subarray(index * 7, index * 7 + 7),
      );
      fake.sends(bytes).sends(pieces);
      const whole = await ask({ tools: [search] });
      expect(whole.at(-1)).toMatchObject({ type: 'finish' });
      expect(withoutMadeUpIds(joined(await ask({ tools: [search] })))).toBe(withoutMadeUpIds(joined(whole)));
    },
  );
});
