/** The server profile: nothing without a key. On a real server process, which is then stopped in the middle of work. */
import { failToStart, startServer, type TestServer } from '../support/start-server';

const QUESTION = { messages: [{ role: 'user', content: 'Hello' }] };
const ORIGIN = 'https://app.example';

let server: TestServer;
let key: string;
beforeAll(async () => {
  const env = { PROFILE: 'server', SERVER_HOSTS: 'api.example', CORS_ORIGINS: ORIGIN, MAX_STREAMS_PER_KEY: '2' };
  server = await startServer({ env });
  key = /shown only once: (\S+)/.exec(server.output())![1]!;
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

describe('without a key', () => {
  const routes = async () => {
    const response = await server.fetch('/openapi.json', { headers: { 'x-api-key': key } });
    const { paths } = (await response.json()) as { paths: Record<string, object> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
  };

  it('every route but health is closed, before it looks at anything else (§unauthenticated)', async () => {
    const all = [
      ...(await routes()),
      ['GET', '/openapi.json'],
      ...['', '/', '/index.html', '/swagger-ui-init.js', '/swagger-ui.css', '/LICENSE', '/nothing'].map(
        (page) => ['GET', `/docs${page}`] as const,
      ),
    ] as const;
    expect(all.length).toBeGreaterThan(8);
    for (const [method, path] of all) {
      for (const prefix of ['', '/api/gpt']) {
        const body = method === 'POST' ? 'not json' : undefined;
        const response = await server.fetch(`${prefix}${path.replace('{model_id}', 'x')}`, { method, body });
        expect({ path, status: response.status, ask: response.headers.get('www-authenticate') }).toEqual({
          path,
          status: 401,
          ask: 'Bearer',
        });
        expect(await response.json()).toMatchObject({
          error: { type: 'authentication_error' },
          request_id: response.headers.get('request-id'),
        });
      }
    }
  });

  it('health answers', async () => {
    for (const path of ['/health', '/health/ready', '/api/gpt/health'])
      expect((await server.fetch(path)).status).toBe(200);
  });
});

describe('with the bootstrap key', () => {
  it.each([
    ['Authorization: Bearer', () => ({ authorization: `Bearer ${key}` })],
    ['Authorization alone', () => ({ authorization: key })],
    ['x-api-key', () => ({ 'x-api-key': key })],
    ['x-api-key beside a stale token', () => ({ 'x-api-key': key, authorization: 'Bearer stale' })],
    ['a good token beside a stale x-api-key', () => ({ 'x-api-key': 'stale', authorization: `Bearer ${key}` })],
  ])('the server is open: %s (§credentials §either-credential)', async (_, headers) => {
    expect((await server.fetch('/v1/models', { headers: headers() })).status).toBe(200);
    expect((await server.post('/v1/messages', QUESTION, { headers: headers() })).status).toBe(200);
  });

  it('another organisation stays closed (§forbidden)', async () => {
    const headers = { 'x-api-key': key, 'x-org': 'somebody-else' };
    const response = await server.fetch('/v1/models', { headers });
    expect(response.status).toBe(403);
    expect(((await response.json()) as any).error.type).toBe('permission_error');
  });

  it('the key is nowhere in the log', async () => {
    const [banner, ...rest] = server.output().split('shown only once: ');
    expect(banner).not.toContain(key);
    expect(rest.join('').replace(key, '')).not.toContain(key);
  });
});

describe('a browser', () => {
  const preflight = (origin: string) =>
    server.fetch('/v1/messages', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-api-key,x-stainless-lang,x-evil',
      },
    });

  it('on a page of a configured origin may ask, without a key for the preflight (§cors)', async () => {
    const response = await preflight(ORIGIN);
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-allow-headers')).toMatch(/content-type.*x-api-key.*x-stainless-lang$/);
    const answer = await server.fetch('/v1/models', { headers: { origin: ORIGIN, 'x-api-key': key } });
    expect(answer.headers.get('access-control-expose-headers')).toContain('request-id');
    const stream = await server.post(
      '/v1/messages',
      { ...QUESTION, stream: true },
      { headers: { origin: ORIGIN, 'x-api-key': key } },
    );
    expect(stream.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    await stream.text();
  });

  it.each(['https://evil.example', 'https://app.example.evil.example', 'null', 'http://app.example'])(
    'on any other page may not: %s',
    async (origin) => expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull(),
  );
});

/** On the server of this run, with a password, which nothing may repeat. */
function noSuchDatabase(): string {
  const url = new URL(process.env.TEST_DATABASE_URL!);
  url.pathname = '/no_such_database';
  url.password = 'S3CR3T';
  return url.href;
}

describe('a start that cannot be', () => {
  it.each([
    ['a bad value', { PORT: 'eighty' }, 'PORT'],
    ['the local profile on all addresses', { HOST: '0.0.0.0', PROFILE: 'local' }, 'PROFILE'],
    ['a database that is not there', { DATABASE_URL: 'missing' }, 'DATABASE_URL'],
  ])('ends with code 1 and one message that names the setting: %s', async (_, env, setting) => {
    const { code, said } = await failToStart('DATABASE_URL' in env ? { DATABASE_URL: noSuchDatabase() } : env);
    expect(code).toBe(1);
    expect(said).toContain(setting);
    expect(said).not.toContain('S3CR3T');
    expect(said).not.toMatch(/\n\s+at /);
  });
});
