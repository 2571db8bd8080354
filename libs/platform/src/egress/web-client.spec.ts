/** The guard (SEC-10 to SEC-21): what is refused is never connected to, what is endless is stopped, the rest works. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { eventually } from '../../../../test/support/eventually';
import { startRawWeb, startWeb, type TestWeb } from '../../../../test/support/web-server';
import { FakeDns } from '../../../../test/support/fake-dns';
import { AllowList, parseAllowEntry } from './allow-list';
import { EgressPolicy } from './egress-policy';
import { OwnServices } from './own-services';
import { resolveByServers, type Resolve } from './resolver';
import { WebClient, type WebLimits, type WebRequest } from './web-client';

const MiB = 1024 * 1024;
const LIMITS: WebLimits = {
  maxWireBytes: 5 * MiB,
  maxDecodedBytes: 10 * MiB,
  totalMs: 15_000,
  settings: { size: 'MAX_WEB_MB', time: 'WEB_SECONDS' },
};
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});

const kept = <T extends { stop(): unknown }>(thing: T): T => {
  cleanUp.push(() => thing.stop());
  return thing;
};

interface Setup {
  readonly allow?: readonly string[];
  readonly own?: OwnServices;
  readonly resolve?: Resolve;
  readonly connectMs?: number;
  readonly idleMs?: number;
}

function client({ allow = [], own = new OwnServices(), resolve = () => Promise.resolve([]), ...times }: Setup = {}) {
  const entries = allow.map((entry) => parseAllowEntry(entry)!);
  const policy = new EgressPolicy({ allow: new AllowList(entries), own, resolve, setting: 'WEB_ALLOW' });
  const made = new WebClient({ policy, userAgent: 'Toolwright/test', ...times });
  cleanUp.push(() => made.close());
  return {
    get: (url: string, init: Partial<WebRequest> = {}) =>
      made.fetch({ url, organisationId: 'default', limits: LIMITS, signal: new AbortController().signal, ...init }),
  };
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: { token?: string }) => error.token ?? error,
  );

describe('what may not be reached', () => {
  // 203.0.113.9 is listed so that the port of the canary is none of the reasons.
  const portAlone = (port: number) => [`203.0.113.9:${port}`];

  it('is refused in every spelling of a loopback, private or link-local address, without a connection', async () => {
    const canary = kept(await startWeb());
    const six = kept(await startWeb(undefined, { host: '::1', port: canary.port }));
    const { get } = client({ allow: portAlone(canary.port) });
    const hosts = [
      '127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1', '127.0.0.1.',
      '127.000.000.001', '0', '0.0.0.0', '000000000000', '127.255.255.254', '１２７.０.０.１', '①②⑦.0.0.1', '127。0。0。1',
      '%31%32%37.0.0.1', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]',
      '[::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[::ffff:0:127.0.0.1]',
      '[fe80::1]', '[fec0::1]', '[fd00::1]', '[fc00::1]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '10.0.0.1', '172.16.0.1', '172.31.255.255',
      '192.168.0.1', '169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
      '0xa9fea9fe', '2852039166', '[fd00:ec2::254]', '[::ffff:169.254.169.254]', 'localhost', 'LOCALHOST', 'localhost.',
      'a.localhost', 'printer.local', 'metadata.google.internal', 'router', 'localhost.localdomain', 'nas.home.arpa', 'example.com.',
    ]; // prettier-ignore
    for (const host of hosts) {
      const token = await failure(get(`http://${host}:${canary.port}/`));
      expect([host, token]).toEqual([host, 'egress_denied']);
    }
    expect([canary.connections, six.connections]).toEqual([0, 0]);
  });

  it('is refused by its form before anything is looked up', async () => {
    const asked: string[] = [];
    const { get } = client({ resolve: (name) => (asked.push(name), Promise.resolve(['93.184.215.14'])) });
    for (const url of [
      'file:///etc/passwd', 'ftp://example.com/', 'gopher://example.com/', 'data:text/html,hello', 'javascript:1', 'ws://example.com/',
      'http://user@example.com/', 'http://user:password@example.com/', 'http://:pw@example.com/', 'http://example.com:22/',
      'http://example.com:6379/', 'http://example.com:3000/', 'https://example.com:25/', 'http://example.com./', 'http://localhost/',
      'http://a.b.internal/', 'http://intranet/', 'no address', '', '/etc/passwd', '//example.com', `http://example.com/${'a'.repeat(9000)}`,
    ]) {
      expect([url.slice(0, 60), await failure(get(url))]).toEqual([url.slice(0, 60), 'egress_denied']);
    } // prettier-ignore
    expect(asked).toEqual([]);
  });

  it('is refused behind a name, behind one bad address among good ones, and when the name changes its mind', async () => {
    const canary = kept(await startWeb());
    let turn = 0;
    const dns = kept(
      await FakeDns.start({
        'inside.example.com': ['127.0.0.1'],
        'mapped.example.com': ['::ffff:7f00:1'],
        'mixed.example.com': ['203.0.113.9', '127.0.0.1'],
        'six.example.com': ['2a00::1', '::1'],
        // The first answer is good; the address that is connected to would be the second.
        'rebinding.example.com': () => (turn++ % 2 === 0 ? ['203.0.113.9'] : ['127.0.0.1']),
      }),
    );
    const { get } = client({ allow: portAlone(canary.port), resolve: resolveByServers([dns.server]), connectMs: 300 });
    for (const name of ['inside', 'mapped', 'mixed', 'six', 'unknown']) {
      const token = await failure(get(`http://${name}.example.com:${canary.port}/`));
      expect([name, token]).toEqual([name, 'egress_denied']);
    }
    turn = 1;
    expect(await failure(get(`http://rebinding.example.com:${canary.port}/`))).toBe('egress_denied');
    const asked = dns.asked.filter((name) => name.startsWith('rebinding')).length;
    expect(asked).toBe(2);
    expect(canary.connections).toBe(0);
  });

  it('is told of in the same words whether something is there or not', async () => {
    const canary = kept(await startWeb());
    const { get } = client({ allow: portAlone(canary.port), resolve: () => Promise.resolve(['10.0.0.1']) });
    const words = async (host: string) =>
      get(`http://${host}:${canary.port}/`).then(String, (error: Error) => error.message.replaceAll(host, 'X'));
    const all = new Set([await words('127.0.0.1'), await words('127.0.0.9'), await words('inner.example.com')]);
    expect(all.size).toBe(1);
    expect([...all][0]).toContain('WEB_ALLOW');
    expect([...all][0]).not.toContain('10.0.0.1');
  });

  it('is refused at every hop of a redirect', async () => {
    const canary = kept(await startWeb());
    const places = [
      `http://127.0.0.1:${canary.port}/`, `http://127.1:${canary.port}/`, `//[::1]:${canary.port}/`, 'file:///etc/passwd', 'http://user:pw@example.com/',
      'http://metadata.google.internal/', `http://localhost:${canary.port}/`, 'http://[', 'ftp://example.com/', 'http://10.0.0.1/',
    ]; // prettier-ignore
    let hops = 0;
    const web = kept(
      await startWeb(({ url = '/' }, response) => {
        const [, hop, index] = url.split('/');
        hops++;
        const location = hop === '3' ? places[Number(index)]! : `/${Number(hop) + 1}/${index}`;
        response.writeHead(302, { location }).end();
      }),
    );
    const { get } = client({ allow: [`127.0.0.1:${web.port}`, ...portAlone(canary.port)] });
    for (const index of places.keys()) {
      for (const hop of [3, 1]) expect(await failure(get(`${web.url}/${hop}/${index}`))).toBe('egress_denied');
    }
    expect(hops).toBe(places.length * 4);
    expect(canary.connections).toBe(0);
  });

  it('holds for what the product itself is made of, unless that very address is listed', async () => {
    const service = kept(await startWeb());
    const own = new OwnServices();
    own.addUrl(`http://localhost:${service.port}/v1`);
    const url = `http://127.0.0.1:${service.port}/`;
    expect(await failure(client({ own, allow: [`127.0.0.0/8:${service.port}`] }).get(url))).toBe('egress_denied');
    const named = { resolve: () => Promise.resolve(['127.0.0.1']), allow: [`127.0.0.0/8:${service.port}`] };
    expect(await failure(client({ own, ...named }).get(`http://db.example.com:${service.port}/`))).toBe(
      'egress_denied',
    );
    expect(service.connections).toBe(0);
    expect((await client({ own, allow: [`127.0.0.1:${service.port}`] }).get(url)).status).toBe(200);
  });
});

describe('what goes on and on', () => {
  const tokenOf = async (web: TestWeb, limits: Partial<WebLimits> = {}, times: Setup = {}) =>
    failure(client({ allow: [`127.0.0.1:${web.port}`], ...times }).get(web.url, { limits: { ...LIMITS, ...limits } }));

  it.each([
    ['an endless page', (socket: any) => flood(socket, 'HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(65_536, 'a')), 'egress_limit'],
    ['an endless note beside a chunk', (socket: any) => flood(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', Buffer.alloc(0x4000, 'a')), 'egress_limit'],
    ['chunks of a byte with long notes', (socket: any) => flood(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', Buffer.from(`1;${'a'.repeat(0x2000)}\r\na\r\n`)), 'egress_limit'],
    ['a part that nobody asked for', (socket: any) => void socket.end('HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 0-0/9\r\ncontent-length: 1\r\n\r\na'), 'connection_failed'],
    ['an endless chunked page', (socket: any) => flood(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`)), 'egress_limit'],
    ['endless headers', (socket: any) => flood(socket, 'HTTP/1.1 200 OK\r\n', Buffer.from(`x: ${'a'.repeat(1000)}\r\n`)), 'egress_limit'],
    ['one header of 100 kB', (socket: any) => flood(socket, `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`), 'egress_limit'],
    ['a size that is announced', (socket: any) => flood(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n'), 'egress_limit'],
    ['more than was announced', (socket: any) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\nshort'), 'connection_failed'],
    ['no answer', () => undefined, 'tool_timeout'],
    ['a page that stops', (socket: any) => socket.write('HTTP/1.1 200 OK\r\n\r\n<html>'), 'tool_timeout'],
    ['no HTTP', (socket: any) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'connection_failed'],
    ['a hang-up', (socket: any) => socket.destroy(), 'connection_failed'],
  ])('%s is stopped', async (_, talk, token) => {
    const web = kept(await startRawWeb(talk));
    expect(await tokenOf(web, {}, { idleMs: 400 })).toBe(token);
    await eventually(() => web.open === 0);
  }); // prettier-ignore

  it('a page that trickles is stopped by the time of the whole', async () => {
    const web = kept(
      await startRawWeb((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const timer = setInterval(() => socket.write('a'), 50);
        socket.once('close', () => clearInterval(timer));
      }),
    );
    expect(await tokenOf(web, { totalMs: 600 })).toBe('tool_timeout');
    await eventually(() => web.open === 0);
  });

  it('a packed bomb is stopped when it has unpacked so much, whatever it is packed with', async () => {
    const zeros = Buffer.alloc(64 * MiB);
    const bodies: [string, Buffer][] = [
      ['gzip', gzipSync(zeros)],
      ['br', brotliCompressSync(zeros, { params: {} })],
      ['gzip, gzip', gzipSync(gzipSync(zeros))],
      ['deflate, gzip, br, gzip', gzipSync('a')],
      ['gzip', gzipSync(randomBytes(64 * 1024)).subarray(0, 2000)],
      ['gzip', Buffer.from('not packed at all')],
    ];
    const before = process.memoryUsage().rss;
    const tokens: unknown[] = [];
    for (const [encoding, body] of bodies) {
      const web = kept(
        await startWeb((_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(body)),
      );
      tokens.push(await tokenOf(web));
    }
    expect(tokens).toEqual([...Array<string>(4).fill('egress_limit'), 'connection_failed', 'connection_failed']);
    expect((process.memoryUsage().rss - before) / MiB).toBeLessThan(64);
  });

  it('redirects end after five', async () => {
    const web = kept(
      await startWeb(({ url = '/0' }, response) => {
        const hop = Number(url.slice(1));
        if (hop === 5) response.end('here');
        else response.writeHead(301, { location: `/${hop + 1}` }).end();
      }),
    );
    const { get } = client({ allow: [`127.0.0.1:${web.port}`] });
    expect((await get(`${web.url}/0`)).url.pathname).toBe('/5');
    expect(await failure(get(`${web.url}/-1`))).toBe('egress_limit');
  });

  it('ends at once when the caller goes away', async () => {
    const web = kept(await startRawWeb((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n')));
    const caller = new AbortController();
    const { get } = client({ allow: [`127.0.0.1:${web.port}`] });
    const fetched = get(web.url, { signal: caller.signal });
    await eventually(() => web.open === 1);
    caller.abort(new Error('gone'));
    await expect(fetched).rejects.toThrow('gone');
    await eventually(() => web.open === 0);
  });
});

describe('what is honest', () => {
  it('reaches listed networks, addresses and names, and is led from one to the other', async () => {
    const last = kept(await startWeb((_, response) => void response.end('found')));
    const first = kept(
      await startWeb(
        (_, response) => void response.writeHead(302, { location: `http://wiki.corp:${last.port}/end` }).end(),
      ),
    );
    const { get } = client({
      allow: [`127.0.0.0/8:${first.port}`, `wiki.corp:${last.port}`],
      resolve: (name) => Promise.resolve(name === 'wiki.corp' ? ['127.0.0.1'] : []),
    });
    const { url, body } = await get(first.url);
    expect([url.href, Buffer.from(body).toString()]).toEqual([`http://wiki.corp:${last.port}/end`, 'found']);
    expect(last.requests[0]!.headers).toMatchObject({
      host: `wiki.corp:${last.port}`,
      'user-agent': 'Toolwright/test',
    });
  });

  it('takes a large page, packed or not, and an answer of any status', async () => {
    const page = randomBytes(2 * MiB).toString('base64');
    const web = kept(
      await startWeb(({ url }, response) => {
        if (url === '/gone') return void response.writeHead(410).end('gone');
        const encoding = url === '/br' ? 'br' : 'gzip, gzip';
        const body = url === '/br' ? brotliCompressSync(page, { params: { 1: 4 } }) : gzipSync(gzipSync(page));
        response.writeHead(200, { 'content-encoding': encoding }).end(body);
      }),
    );
    const { get } = client({ allow: [`127.0.0.1:${web.port}`] });
    for (const path of ['/br', '/gzip']) {
      expect(Buffer.from((await get(web.url + path)).body).toString() === page).toBe(true);
    }
    expect((await get(`${web.url}/gone`)).status).toBe(410);
  });

  it('writes a large page where it is told to, packed or not, and keeps a small one in memory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spool-'));
    cleanUp.push(() => rm(folder, { recursive: true }));
    const large = randomBytes(MiB);
    const web = kept(
      await startWeb(({ url }, response) => {
        if (url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large));
        else response.end(url === '/small' ? 'a carp' : large);
      }),
    );
    const { get } = client({ allow: [`127.0.0.1:${web.port}`] });
    for (const path of ['large', 'packed', 'small']) {
      const spool = { file: join(folder, 'below', path), from: 100_000 };
      const { body, file } = await get(`http://127.0.0.1:${web.port}/${path}`, { spool });
      if (path === 'small') {
        expect([Buffer.from(body).toString(), file, existsSync(spool.file)]).toEqual(['a carp', undefined, false]);
      } else {
        expect([body.length, file]).toEqual([0, { path: spool.file, size: MiB }]);
        expect((await readFile(spool.file)).equals(large)).toBe(true);
      }
    }
    const limits = { ...LIMITS, maxWireBytes: MiB / 2, maxDecodedBytes: MiB / 2 };
    const spool = { file: join(folder, 'too-large'), from: 100_000 };
    expect(await failure(get(`http://127.0.0.1:${web.port}/packed`, { spool, limits }))).toBe('egress_limit');
  });

  it('tells a second origin nothing that was meant for the first, and drops the body where it should', async () => {
    const second = kept(await startWeb());
    const first = kept(
      await startWeb(({ url }, response) =>
        void response.writeHead(url === '/see' ? 303 : 307, { location: url === '/same' ? '/x' : `${second.url}/` }).end(),
      ),
    );
    const { get } = client({ allow: [`127.0.0.1:${first.port}`, `127.0.0.1:${second.port}`] });
    const init = { method: 'POST' as const, body: '{}', headers: { authorization: 'S3CR3T', cookie: 'a=b', 'x-key': 'S3CR3T', accept: '*/*' } };
    await get(`${first.url}/see`, init);
    await get(`${first.url}/keep`, init);
    const [seen, keeping] = second.requests;
    expect([seen!.method, keeping!.method]).toEqual(['GET', 'POST']);
    for (const { headers } of second.requests) {
      expect(JSON.stringify(headers)).not.toContain('S3CR3T');
      expect(headers).toMatchObject({ accept: '*/*' });
      expect(headers.cookie).toBeUndefined();
    }
  }); // prettier-ignore

  it('goes to a host one at a time, and to four for an organisation', async () => {
    let now = 0;
    let most = 0;
    const webs = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        kept(
          await startWeb(
            (_, response) => {
              most = Math.max(most, ++now);
              setTimeout(() => (now--, response.end('x')), 60);
            },
            { host: `127.0.0.${index + 2}` },
          ),
        ),
      ),
    );
    const { get } = client({ allow: webs.map(({ port }) => `127.0.0.0/8:${port}`) });
    await Promise.all([1, 2, 3].map(() => get(webs[0]!.url)));
    expect(most).toBe(1);
    await Promise.all(webs.map(({ url }) => get(url)));
    expect(most).toBe(4);
  });
});

function flood(socket: import('node:net').Socket, head: string, part?: Buffer) {
  socket.on('error', () => undefined).write(head);
  const more = () => {
    while (part && !socket.destroyed && socket.write(part));
  };
  socket.on('drain', more);
  more();
}
