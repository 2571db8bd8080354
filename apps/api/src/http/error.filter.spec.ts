import { InvalidRequestError } from '@app/contract';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import fastify, { type FastifyInstance } from 'fastify';
import { createServer, type AddressInfo } from 'node:net';
import { DataSource, QueryFailedError } from 'typeorm';
import { ErrorFilter } from './error.filter';
import { Routes } from './routes';

const failed = (code: string) =>
  new QueryFailedError('SELECT key FROM secrets', [], Object.assign(new Error('at 10.0.0.9'), { code }));

/** An address at which nothing listens any more. */
async function deadPort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}

describe('a failure becomes an answer', () => {
  let server: FastifyInstance;
  let url: string;
  let logged: string[];
  let fail: () => Promise<unknown>;

  beforeAll(async () => {
    const log = (level: string) => (_: object, message: string) => logged.push(`${level}: ${message}`);
    server = fastify({ genReqId: () => 'req_1' });
    const filter = new ErrorFilter({ error: log('error'), warn: log('warn') } as any, new Routes(server));
    server.setErrorHandler((error, request, reply) => filter.catch(error, new ExecutionContextHost([request, reply])));
    server.get('/', () => fail());
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  beforeEach(() => (logged = []));
  afterAll(() => server.close());

  const ask = async () => {
    const response = await fetch(url);
    const { status, headers } = response;
    const [retryAfter, mayRetry] = [headers.get('retry-after'), headers.get('x-should-retry')];
    return { status, retryAfter, mayRetry, payload: await response.text() };
  };

  it('that says to ask again, when the database cannot be reached', async () => {
    const port = await deadPort();
    const unreachable = () => new DataSource({ type: 'postgres', host: '127.0.0.1', port }).initialize();
    const failures = [
      unreachable,
      () => Promise.reject(failed('57P01')),
      () => Promise.reject(failed('57P03')),
      () => Promise.reject(new Error('Connection terminated unexpectedly')),
    ];
    for (fail of failures) {
      const { status, retryAfter, mayRetry, payload } = await ask();
      expect({ status, retryAfter, mayRetry }).toEqual({ status: 529, retryAfter: '1', mayRetry: null });
      expect(JSON.parse(payload)).toMatchObject({
        error: {
          type: 'overloaded_error',
          message: 'The database cannot be reached at the moment. Try again shortly.',
        },
        request_id: 'req_1',
      });
    }
    expect(logged).toEqual(
      failures.map(() => 'warn: The database cannot be reached at the moment. Try again shortly.'),
    );
  });

  it('that names the folder to make room in, when nothing more can be written', async () => {
    const failures = [
      () => Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })),
      () => Promise.reject(failed('53100')),
      () => Promise.reject(new Error('lance error: LanceError(IO): No space left on device (os error 28), /srv/x.rs')),
    ];
    for (fail of failures) {
      const { status, payload } = await ask();
      expect(status).toBe(529);
      expect(JSON.parse(payload)).toMatchObject({ error: { message: expect.stringMatching(/room .* DATA_DIR/) } });
      expect(payload).not.toMatch(/secrets|srv/);
    }
    expect(logged).toHaveLength(failures.length);
  });

  it('that says not to, and no more, when it is our fault (§error-no-retry)', async () => {
    fail = () => Promise.reject(failed('23505'));
    const { status, retryAfter, mayRetry, payload } = await ask();
    expect({ status, retryAfter, mayRetry }).toEqual({ status: 500, retryAfter: null, mayRetry: 'false' });
    expect(payload).not.toMatch(/secrets|10\.0\.0\.9/);
    expect(logged).toEqual(['error: A request failed']);
  });

  it('in the words of whoever foresaw it', async () => {
    fail = () => Promise.reject(new InvalidRequestError('There is no such thing.'));
    const { status, payload } = await ask();
    expect(status).toBe(400);
    expect(JSON.parse(payload)).toMatchObject({ error: { message: 'There is no such thing.' } });
    expect(logged).toEqual([]);
  });
});
