/** What every request of the API meets before anything of the product: on a real server of the local profile. */
import { messageSchema, modelListSchema } from '@app/contract';
import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { rawRequest } from '../support/raw-request';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';

const MiB = 1024 ** 2;
const QUESTION = { messages: [{ role: 'user', content: 'Hello' }] };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { MAX_MESSAGE_BODY_MB: '2', MAX_INGEST_BODY_MB: '4', LOG_LEVEL: 'info' } });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

const api = () => supertest(server.url);

/** The error body of the contract, held against its rules whatever went wrong. */
async function refusal(response: Response) {
  const body = (await response.json()) as any;
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(body).toMatchObject({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } });
  expect(body.detail).toEqual(body.error.detail.explanation);
  expect(body.request_id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(response.headers.get('request-id')).toBe(body.request_id);
  return { status: response.status, type: body.error.type as string, message: body.error.message as string, body };
}

const sent = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  server.fetch('/v1/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });

const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;

describe('every answer', () => {
  it.each([
    ['GET', '/health', 200],
    ['GET', '/v1/models', 200],
    ['GET', '/nothing', 404],
    ['GET', '/v1/messages', 405],
    ['GET', '/v1/models/nope', 404],
    ['POST', '/v1/messages', 400],
    ['OPTIONS', '/v1/messages', 204],
  ])('has an id of its own: %s %s (§request-id §error-envelope §error-request-id)', async (method, path, status) => {
    const [one, other] = await Promise.all([server.fetch(path, { method }), server.fetch(path, { method })]);
    expect(one.status).toBe(status);
    expect(one.headers.get('request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(other.headers.get('request-id')).not.toBe(one.headers.get('request-id'));
    if (status >= 400) await refusal(one);
  });

  it.each(['/v1/models', '/health', '/openapi.json', '/docs'])(
    'is the same under /api/gpt: %s (§path-prefix)',
    async (path) => {
      const [plain, prefixed] = await Promise.all([server.fetch(path), server.fetch(`/api/gpt${path}`)]);
      expect(prefixed.status).toBe(200);
      expect(await prefixed.text()).toBe(await plain.text());
    },
  );

  it.each(['/v1/models/', '/v1/models/builtin/', '/api/gpt/v1/models/', '/health/', '/v1/models/?limit=1'])(
    'is the same with a slash at the end of the path: %s (§no-redirects)',
    async (path) => {
      const [plain, slashed] = await Promise.all([server.fetch(path.replace(/\/(?=$|\?)/, '')), server.fetch(path)]);
      expect(slashed.status).toBe(200);
      expect(await slashed.text()).toBe(await plain.text());
    },
  );

  it('is in the log on one line, with neither query nor body', async () => {
    const response = await server.post('/v1/messages?key=S3CR3T-query', { messages: 'S3CR3T-body' });
    const id = response.headers.get('request-id')!;
    await server.fetch('/v1/models');
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes(id));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      method: 'POST',
      path: '/v1/messages',
      status: 400,
      organisation: 'default',
    });
    expect(server.output()).not.toContain('S3CR3T');
  });

  it('answers probes at once, and tells them nothing (§probes)', async () => {
    for (const path of ['/', '/api/hello']) await api().head(path).expect(200);
    await api().get('/health').expect(200, { status: 'ok' });
    await api().get('/health/ready').expect(200, { status: 'ready' });
  });
});

describe('the main routes', () => {
  it('answer whole, by the contract (§query-ignored §json-type)', async () => {
    const { body } = await api()
      .post('/v1/messages?beta=true')
      .send(QUESTION)
      .expect(200)
      .expect('content-type', /json/);
    messageSchema.parse(body);
  });

  it('answer as a stream, by the contract, whatever the client says it accepts (§stream-by-body §stream-headers)', async () => {
    const headers = { accept: 'application/json' };
    const response = await server.post('/api/gpt/v1/messages', { ...QUESTION, stream: true }, { headers });
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect((await readStream(response)).content.length).toBeGreaterThan(0);
  });

  it('list the models page by page, and tell of one by its id (§models-list §models-cursors)', async () => {
    const list = modelListSchema.parse((await api().get('/v1/models').query({ limit: 1 }).expect(200)).body);
    expect(list.data).toHaveLength(1);
    await api()
      .get(`/v1/models/${encodeURIComponent(list.data[0]!.id)}`)
      .expect(200, list.data[0]);
    expect(await refusal(await server.fetch('/v1/models/a%2Fb%3A7b'))).toMatchObject({
      status: 404,
      type: 'not_found_error',
    });
    expect(await refusal(await server.fetch('/v1/models?limit=0'))).toMatchObject({ status: 400 });
    const both = await refusal(await server.fetch('/v1/models?after_id=a&before_id=b'));
    expect(both.body.detail[0].loc[0]).toBe('query');
  });

  it('refuse a model that does not exist with the status that the dialect has for it, also in a stream (§model-unknown)', async () => {
    for (const stream of [false, true]) {
      const request = { ...QUESTION, model: 'no/such:model', stream };
      expect(await refusal(await server.post('/v1/messages', request))).toMatchObject({
        status: 400,
        type: 'invalid_request_error',
        message: expect.stringContaining("Model 'no/such:model' not found"),
      });
      const headers = { 'anthropic-version': '2023-06-01' };
      expect(await refusal(await server.post('/v1/messages', request, { headers }))).toMatchObject({
        status: 404,
        type: 'not_found_error',
      });
    }
  });

  it('refuse a thread by its code, and ignore null (§thread)', async () => {
    const { status, body } = await refusal(
      await server.post('/v1/messages', { ...QUESTION, thread: { type: 'create' } }),
    );
    expect({ status, details: body.error.details }).toEqual({
      status: 400,
      details: { error_code: 'thread_unsupported_request' },
    });
    expect((await server.post('/v1/messages', { ...QUESTION, thread: null })).status).toBe(200);
  });

  it('ingest, list, find and delete a text', async () => {
    const collection = 'kitchen';
    const value = 'The oven must be cleaned every Friday with warm water and soda.';
    const input = { type: 'text', value };
    const ingested = await api()
      .post('/v1/artifacts/ingest')
      .send({ artifact: 'rules', collection, input })
      .expect(200);
    expect(ingested.body).toMatchObject({
      object: 'list',
      model: expect.any(String),
      data: [{ object: 'ingest.document', artifact: 'rules' }],
    });
    const list = async () => (await api().get('/v1/artifacts/list').query({ collection }).expect(200)).body.data;
    expect(await list()).toHaveLength(1);

    const context_filter = { collection };
    for (const search of [
      { text: 'When is the oven cleaned?', context_filter },
      { type: 'semantic_search', text: 'oven cleaning', context_filter, expand: true },
      { type: 'keywords_search', keywords: ['soda'], context_filter },
      { type: 'hybrid_search', text: 'oven', keywords: ['Friday'], context_filter },
    ]) {
      const found = await api().post('/v1/primitives/search').send(search).expect(200);
      expect(found.body.data.map((chunk: any) => chunk.text)).toEqual([expect.stringContaining('every Friday')]);
    }
    const nowhere = await api().post('/v1/primitives/search').send({ text: '', context_filter }).expect(200);
    expect(nowhere.body.data).toEqual([]);

    const tool = async (extra: object) => {
      const request = api()
        .post('/v1/tools/semantic-search')
        .send({ query: 'oven', context_filter, ...extra });
      return (await request.expect(200)).body;
    };
    const plain = await tool({});
    expect(plain).toMatchObject({ is_error: false, content: [{ type: 'source' }, { type: 'text' }] });
    expect(plain.content[1].text).not.toContain('Citation identifier');
    const cited = await tool({ format: 'citations' });
    expect(cited.content[1].text).toMatch(/Citation identifier \[[A-Z0-9]{4}\]/);
    expect(await tool({ context_filter: { collection: 'empty' } })).toEqual({
      is_error: false,
      content: [
        { type: 'source', sources: [] },
        { type: 'text', text: 'No results found for the query.' },
      ],
    });
    expect(await tool({ context_filter: { collection, artifacts: ['missing'] } })).toMatchObject({ is_error: true });

    await api()
      .post('/v1/artifacts/delete')
      .send({ collection, artifact: 'rules' })
      .expect(200, 'null')
      .expect('content-type', 'application/json; charset=utf-8');
    expect(await list()).toEqual([]);
    await expect(
      refusal(await server.post('/v1/artifacts/delete', { collection, artifact: 'rules' })),
    ).resolves.toMatchObject({ status: 400 });
  });

  it('embed each text at its position', async () => {
    const { body } = await api()
      .post('/v1/embeddings')
      .send({ input: ['same', 'other', 'same'] })
      .expect(200);
    const { data, object } = body;
    expect([object, data.map((one: any) => one.index)]).toEqual(['list', [0, 1, 2]]);
    expect(data[0].embedding).toEqual(data[2].embedding);
    expect(data[0].embedding).not.toEqual(data[1].embedding);
    for (const input of ['', [], ['fine', '']]) {
      expect(await refusal(await server.post('/v1/embeddings', { input }))).toMatchObject({ status: 400 });
    }
  });

  it('are described by /openapi.json and shown by /docs without any other machine', async () => {
    const document = (await (await server.fetch('/openapi.json')).json()) as any;
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/v1/messages');
    const page = await server.fetch('/docs');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => asset!);
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      expect(asset).not.toMatch(/^(https?:)?\/\//);
      expect((await server.fetch(`/${asset}`)).status).toBe(200);
    }
    expect(await refusal(await server.fetch('/docs/..%2f..%2fpackage.json'))).toMatchObject({ status: 404 });
  });
});

describe('a path that does not exist', () => {
  it.each([
    ['POST', '/v1/v1/messages', 404, 'root of the server'],
    ['POST', '/messages', 404, 'ends in /v1'],
    ['GET', '/v1/nothing', 404, '/openapi.json'],
    ['GET', '/v1/models//', 404, '/openapi.json'],
    ['DELETE', '/v1/messages', 405, 'use POST'],
    ['DELETE', '/v1/messages/', 405, 'use POST'],
    ['PUT', '/v1/artifacts/list', 405, 'use GET'],
    ['GET', '/v1/models/%zz', 400, 'not a valid URL'],
  ])('is refused with the way out: %s %s (§base-url-help §error-not-found)', async (method, path, status, words) => {
    const found = await refusal(await server.fetch(path, { method }));
    expect(found).toMatchObject({ status, message: expect.stringContaining(words) });
  });
});

describe('a bad body', () => {
  const nested = (depth: number) => `{"messages":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const json = JSON.stringify(QUESTION);

  it.each([
    ['not JSON', 'hello', 'not valid JSON'],
    ['cut off', json.slice(0, -2), 'not valid JSON'],
    ['empty', '', 'The body is empty'],
    ['a text', '"hello"', 'expected object'],
    ['null', 'null', 'expected object'],
    ['without messages', '{}', 'messages'],
    ['with empty messages', '{"messages":[]}', 'Messages cannot be empty'],
    ['with wrong types', '{"messages":"x"}', 'messages must be a list'],
    ['with an empty message', '{"messages":[{"role":"user","content":""}]}', 'content cannot be empty'],
    [
      'with a block of an unknown type',
      '{"messages":[{"role":"user","content":[{"type":"hologram"}]}]}',
      'messages.0.content.0: ',
    ],
    [
      'with an unknown tool type',
      '{"messages":[{"role":"user","content":"x"}],"tools":["no_such_tool_v1"]}',
      'no_such_tool_v1',
    ],
    [
      'with an image that is not base64',
      '{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"not base64!"}}]}]}',
      'messages.0.content.0.source.data: ',
    ],
    [
      'with a tool of too long a name',
      JSON.stringify({ ...QUESTION, tools: [{ name: 'x'.repeat(201), input_schema: {} }] }),
      'at most 200 characters',
    ],
    ['nested 50,000 deep', nested(50_000), 'nests deeper than 64'],
    ['of too many tokens', `[${'1,'.repeat(200_001)}1]`, 'JSON tokens'],
    ['with half a surrogate pair', '{"messages":[{"role":"user","content":"\\ud83d"}]}', 'surrogate'],
    ['with a NUL character', '{"messages":[{"role":"user","content":"a\\u0000b"}]}', 'NUL'],
    ['with a NUL byte', '{"messages":[{"role":"user","content":"a\0b"}]}', 'not valid JSON'],
    ['with the same key twice', '{"messages":[],"messages":[{"role":"user","content":"x"}]}', 'the same key twice'],
    ['with __proto__', '{"messages":[],"__proto__":{"polluted":1}}', 'not allowed'],
    ['with constructor.prototype', '{"constructor":{"prototype":{"polluted":1}}}', 'not allowed'],
  ])('%s is refused in words (§bombs §error-message §error-status-400)', async (_, body, words) => {
    expect(await refusal(await sent(body))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringContaining(words),
    });
  });

  it('that is not UTF-8 is refused', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"messages":[{"role":"user","content":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}]}'),
    ]);
    expect(await refusal(await sent(bytes))).toMatchObject({ status: 400, message: expect.stringContaining('UTF-8') });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'nonsense',
    '',
  ])('of another content type is refused: %j', async (type) =>
    expect(await refusal(await sent(json, { 'content-type': type }))).toMatchObject({ status: 415 }),
  );

  it('may name its content type in other ways', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await sent(json, { 'content-type': type })).status).toBe(200);
    }
  });

  it('that is compressed is refused', async () => {
    expect(await refusal(await sent(json, { 'content-encoding': 'gzip' }))).toMatchObject({ status: 415 });
  });

  it('changes nothing about the objects of the server', async () => {
    await sent('{"__proto__":{"polluted":"yes"}}');
    expect(await (await server.fetch('/v1/models')).text()).not.toContain('polluted');
  });
});

describe('a large body', () => {
  const bodyOf = (bytes: number) => {
    const frame = JSON.stringify({ messages: [{ role: 'user', content: '' }] });
    return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
  };

  it('may have as many bytes as the limit, and not one more (§body-size §error-too-large)', async () => {
    expect(await refusal(await sent(bodyOf(2 * MiB)))).toMatchObject({
      status: 400,
      message: expect.stringContaining('too long'),
    });
    expect(await refusal(await sent(bodyOf(2 * MiB + 1)))).toMatchObject({
      status: 413,
      type: 'request_too_large',
      message: expect.stringContaining('MAX_MESSAGE_BODY_MB'),
    });
  });

  it('may be larger where documents come in, up to the limit there', async () => {
    const body = (bytes: number) => ({ artifact: 'a', input: { type: 'file', value: '!'.repeat(bytes) } });
    expect((await refusal(await server.post('/v1/artifacts/ingest', body(3 * MiB)))).status).toBe(400);
    expect(await refusal(await server.post('/v1/artifacts/ingest', body(4 * MiB)))).toMatchObject({
      status: 413,
      message: expect.stringContaining('MAX_INGEST_BODY_MB'),
    });
    expect((await refusal(await server.post('/v1/primitives/search', body(MiB)))).status).toBe(413);
  });

  it.each(['Content-Length: 209715200', 'Transfer-Encoding: chunked'])(
    'of 200 MB is refused while it is sent, and leaves nothing in memory (%s)',
    async (length) => {
      await sent(json());
      const before = memory();
      const piece = Buffer.alloc(MiB, 'x');
      const chunk = length.startsWith('Transfer')
        ? Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')])
        : piece;
      const head = `POST /v1/messages HTTP/1.1\nHost: localhost\nContent-Type: application/json\n${length}`;
      const { status, body } = await rawRequest(server.url, { head, body: Array(200).fill(chunk) });
      expect(status).toBe(413);
      expect(body).toContain('request_too_large');
      expect(memory() - before).toBeLessThan(64);
    },
  );

  const json = () => JSON.stringify(QUESTION);
});

describe('a request to another host', () => {
  const get = (host: string, path = '/v1/models') =>
    rawRequest(server.url, { head: `GET ${path} HTTP/1.1\nHost: ${host}` });

  it.each(['evil.example', 'localhost.evil.example:8080', '10.1.2.3'])('is not answered: %s', async (host) => {
    for (const path of ['/v1/models', '/health', '/nothing']) {
      const { status, headers, body } = await get(host, path);
      expect({ status, id: headers['request-id'] }).toEqual({ status: 421, id: JSON.parse(body).request_id });
    }
  });

  it.each(['localhost', '127.0.0.1:99', '[::1]:8080'])('is one to this machine by another name: %s', async (host) => {
    expect((await get(host)).status).toBe(200);
  });
});

describe('a page of another origin', () => {
  it('is told nothing that would let a browser hand it an answer', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const method of ['GET', 'OPTIONS']) {
      const response = await server.fetch('/v1/models', { method, headers });
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('what is not HTTP', () => {
  it('still gets the body of the contract (§error-envelope)', async () => {
    const { status, body, headers } = await rawRequest(server.url, { head: 'NONSENSE' });
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ type: 'error', request_id: headers['request-id'] });
  });
});
