import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { noticeAbsentCallers } from './absent-callers';

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
/** More than the sockets on the way take while nobody reads. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x');

let server: Server;
let socket: Socket;
let responses: ServerResponse[];

async function serve(stalledReaderMs: number, answer: (response: ServerResponse, number: number) => void) {
  responses = [];
  server = createServer((_, response) => answer(response, responses.push(response)));
  noticeAbsentCallers(server, stalledReaderMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
}

afterEach(() => {
  socket.destroy();
  server.close();
});

describe('a caller that has sent requests ahead and leaves', () => {
  it('is gone for all of them, and once for each', async () => {
    const closes: number[] = [];
    const three = new Promise<void>((resolve) => {
      void serve(60_000, (response, number) => {
        response.on('close', () => closes.push(number) === 3 && resolve());
        if (number === 1) response.end('one');
        if (number === 3) socket.destroy();
      }).then(() => socket.write(REQUEST + REQUEST + REQUEST));
    });
    await three;
    await wait(50);
    expect(closes.sort()).toEqual([1, 2, 3]);
    expect(responses.map(({ writableFinished }) => writableFinished)).toEqual([true, false, false]);
  });
});

describe('a caller that does not read an answer that is complete', () => {
  it('is cut off', async () => {
    await serve(300, (response) => response.end(LARGE));
    socket.pause().write(REQUEST);
    await once(server, 'request');
    await once(responses[0]!, 'close');
    socket.resume();
    await once(socket, 'close');
    expect(socket.bytesRead).toBeLessThan(LARGE.length);
  });

  it('is waited for again as long as it takes, once it has read it', async () => {
    await serve(1000, (response, number) => {
      if (number === 1) response.end(LARGE);
      else setTimeout(() => response.end('late'), 2500);
    });
    let last = '';
    socket.on('data', (bytes) => (last = bytes.toString('latin1').slice(-4)));
    socket.write(REQUEST + REQUEST);
    while (last !== 'late' && !socket.closed) await wait(20);
    expect(last).toBe('late');
  });
});
