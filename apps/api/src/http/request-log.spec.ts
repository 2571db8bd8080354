import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createLogger } from '@app/platform';
import Fastify, { type FastifyInstance } from 'fastify';
import { noticeAbsentCallers } from './absent-callers';
import { RequestLog } from './request-log';

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
/** More than the sockets on the way take while nobody reads. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');

let server: FastifyInstance;
let socket: Socket;
let lines: Promise<Record<string, unknown>[]>;

/** A server that logs what it says to one request. */
async function serve(stalledReaderMs: number, answer: Buffer) {
  server = Fastify();
  const written: Record<string, unknown>[] = [];
  let done: (all: typeof written) => void;
  lines = new Promise((resolve) => (done = resolve));
  const info = (line: Record<string, unknown>) => done((written.push(line), written));
  const log = new RequestLog({
    ...createLogger({ logging: { level: 'silent' } }),
    info,
    isLevelEnabled: () => true,
  } as never);
  noticeAbsentCallers(server.server, stalledReaderMs);
  server.addHook('onRequest', (request, reply, next) => {
    log.follow(request, reply);
    next();
  });
  server.get('/', (_, reply) => reply.send(answer));
  await server.listen({ port: 0, host: '127.0.0.1' });
  socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
}

afterEach(async () => {
  socket.destroy();
  await server.close();
});

describe('the line of an answer that was complete', () => {
  it('has its status where it was read', async () => {
    await serve(60_000, LARGE);
    socket.resume().write(REQUEST);
    const [line] = await lines;
    expect(line).toMatchObject({ status: 200 });
    expect(line!.reason).toBeUndefined();
  });

  it('says 499 and why where the caller did not read it', async () => {
    await serve(300, LARGE);
    socket.pause().write(REQUEST);
    expect(await lines).toMatchObject([{ status: 499, reason: 'the caller did not read the answer' }]);
  });

  it('says 499 where the caller left before it had it', async () => {
    await serve(60_000, LARGE);
    socket.write(REQUEST);
    await once(socket, 'data');
    socket.destroy();
    const [line] = await lines;
    expect(line).toMatchObject({ status: 499 });
    expect(line!.reason).toBeUndefined();
  });
});
