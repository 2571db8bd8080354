/** What sites and requests ask of a fetch, on every hop of it: robots.txt, the domains of the request, the time. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { FakeDns } from '../support/fake-dns';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';
import { startWeb, type TestWeb } from '../support/web-server';

const PAGE = `<html><body><main><h1>Niveles</h1><p>${'La oficina del puerto mide el lago cada mañana. '.repeat(10)}</p></main></body></html>`;
const HOSTS = ['slow', 'large', 'lake', 'other', 'a', 'b', 'c', 'd'].map((name) => `${name}.example`);

/** Each with an extension of 60 KB, which is no part of the body. */
function chunksOfOneByte(socket: Socket): void {
  const chunk = `1;${'a'.repeat(60_000)}\r\nx\r\n`;
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n');
  more();
}

describe('the manners of a fetch', () => {
  let web: TestWeb;
  let dns: FakeDns;
  let model: FakeModelServer;
  let server: TestServer;
  const at = (host: string, path = '/') => `http://${host}.example:${web.port}${path}`;

  beforeAll(async () => {
    const robots: Record<string, string> = { large: `User-agent: *\nDisallow: /\n${'# no\n'.repeat(200_000)}` };
    const next: Record<string, string> = { a: 'b', b: 'c', c: 'd' };
    web = await startWeb(({ url = '/', headers }, response) => {
      const host = headers.host!.split('.')[0]!;
      const answer = () => {
        if (url === '/extensions') return chunksOfOneByte(response.socket!);
        if (url === '/robots.txt') return void response.end(robots[host] ?? '');
        const to = url === '/chain' ? next[host] : url === '/out' ? 'other' : undefined;
        if (to) return void response.writeHead(302, { location: at(to, url === '/chain' ? url : '/') }).end();
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
      };
      const isSlow = url === '/robots.txt' && (host === 'slow' || host in next || host === 'd');
      setTimeout(answer, isSlow ? 1500 : 0);
    });
    dns = await FakeDns.start(Object.fromEntries(HOSTS.map((host) => [host, ['127.0.0.1']])));
    model = await FakeModelServer.start();
    server = await startServer({
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        WEB_DNS: dns.server,
        WEB_ALLOW: `127.0.0.1:${web.port}`,
        WEB_SECONDS: '5',
      },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
    await web?.stop();
    dns?.stop();
  });

  const read = async (url: string, signal?: AbortSignal) => {
    const response = await server.post('/v1/tools/web-fetch', { url }, { signal });
    const { content } = (await response.json()) as { content: { text?: string }[] };
    return content.map(({ text = '' }) => text).join('');
  };
  const asked = (host: string, path: string) =>
    web.requests.filter(({ url, headers }) => url === path && headers.host!.startsWith(`${host}.`)).length;

  it('goes on for one caller when another, who had asked for the robots.txt first, has left', async () => {
    const leaves = new AbortController();
    const first = read(at('slow'), leaves.signal).catch(() => 'gone');
    await eventually(() => asked('slow', '/robots.txt') > 0);
    const second = read(at('slow'));
    await wait(300);
    leaves.abort();
    expect(await first).toBe('gone');
    expect(await second).toContain('mide el lago');
  });

  it('obeys the beginning of a robots.txt that is too large to be read whole', async () => {
    expect(await read(at('large'))).toMatch(/^egress_denied: .*robots\.txt/);
    expect(asked('large', '/')).toBe(0);
  });

  it('counts what it takes to ask for robots.txt, at every hop, as time of the fetch', async () => {
    expect(await read(at('a', '/chain'))).toMatch(/^tool_timeout: .*WEB_SECONDS/);
    expect(asked('d', '/chain')).toBe(0);
  });

  it('stops a server that sends far more around a body than in it, and keeps nothing of that', async () => {
    const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;
    const before = memory();
    expect(await read(at('lake', '/extensions'))).toMatch(/^egress_limit: .*far more/);
    expect(memory() - before).toBeLessThan(128);
  });

  it.each([
    ['allowed_domains', ['lake.example']],
    ['blocked_domains', ['other.example']],
  ])('does not follow a redirect out of %s', async (name, domains) => {
    const before = asked('other', '/');
    model.calls('web_fetch', { url: at('lake', '/out') }).says('No.');
    const response = await server.post(
      '/v1/messages',
      {
        model: 'default',
        max_tokens: 100,
        messages: [{ role: 'user', content: `Lee ${at('lake', '/out')}` }],
        tools: [{ type: 'web_fetch_20250910', name: 'web_fetch', [name]: domains }],
      },
      { headers: { 'anthropic-version': '2023-06-01' } },
    );
    const { content } = (await response.json()) as { content: { content?: { error_code?: string } }[] };
    expect(content.flatMap((block) => block.content?.error_code ?? [])).toEqual(['url_not_allowed']);
    expect(asked('other', '/')).toBe(before);
  });
});
