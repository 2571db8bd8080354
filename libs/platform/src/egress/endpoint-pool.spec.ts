import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { endpointPool, type EndpointPool } from './endpoint-pool';

describe('endpointPool', () => {
  let server: Server;
  let pool: EndpointPool;
  let seen: IncomingMessage[];

  async function serve(listener: RequestListener, options: { idleMs?: number; maxConnections?: number } = {}) {
    seen = [];
    server = createServer((request, response) => {
      seen.push(request);
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix/v1/`;
    pool = endpointPool(base, { connectMs: 1000, idleMs: 1000, maxConnections: 4, ...options });
    return base;
  }

  afterEach(async () => {
    await pool.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('sends requests below the base URL, and gives answers of any status as they are', async () => {
    await serve((request, response) => {
      response.writeHead(418, { 'x-seen': request.headers['x-own'] });
      request.pipe(response);
    });
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: '/chat/completions?a=b',
      headers: { 'x-own': 'yes' },
      body: 'hello',
    });
    expect([statusCode, headers['x-seen'], await body.text()]).toEqual([418, 'yes', 'hello']);
    expect([seen[0]!.method, seen[0]!.url]).toEqual(['POST', '/prefix/v1/chat/completions?a=b']);
  });

  it('gives up on a server that falls silent, before its headers or in the middle', async () => {
    await serve(
      (request, response) => {
        if (request.url?.endsWith('/half')) response.write('half');
      },
      { idleMs: 500 },
    );
    await expect(pool.request({ method: 'GET', path: '/silent' })).rejects.toMatchObject({
      code: 'UND_ERR_HEADERS_TIMEOUT',
    });
    const { body } = await pool.request({ method: 'GET', path: '/half' });
    await expect(body.text()).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
  }, 15_000);

  it('hangs up when its caller goes away', async () => {
    const hungUp = new Promise<void>((resolve, reject) => {
      serve((_request, response) => {
        response.once('close', resolve);
        response.write('on and on');
      }).then(async () => {
        const caller = new AbortController();
        const { body } = await pool.request({ method: 'GET', path: '/', signal: caller.signal });
        body.on('error', () => undefined);
        caller.abort();
      }, reject);
    });
    await hungUp;
  });

  it('opens no more connections than it may', async () => {
    let open = 0;
    let most = 0;
    await serve(
      (_request, response) => {
        most = Math.max(most, ++open);
        setTimeout(() => {
          open--;
          response.end('ok');
        }, 30);
      },
      { maxConnections: 2 },
    );
    const answers = Array.from({ length: 8 }, async () =>
      (await pool.request({ method: 'GET', path: '/' })).body.text(),
    );
    expect(await Promise.all(answers)).toEqual(Array(8).fill('ok'));
    expect(most).toBe(2);
  });

  it('is the fetch of the openai package', async () => {
    const baseURL = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ embedding: [1, 2], index: 0 }] }));
    });
    const client = new OpenAI({ apiKey: 'k', baseURL, fetch: pool.fetch, maxRetries: 0 });
    const answer = await client.embeddings.create({ model: 'm', input: 'text', encoding_format: 'float' });
    expect(answer.data[0]!.embedding).toEqual([1, 2]);
    expect(seen[0]!.headers.authorization).toBe('Bearer k');
  });

  it('goes nowhere else: no other origin, and no redirect', async () => {
    const base = await serve((_request, response) => response.writeHead(302, { location: '/elsewhere' }).end());
    await expect(pool.fetch('http://127.0.0.1:1/')).rejects.toThrow('Not an address of');
    await expect(pool.fetch(base)).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });
});
