/** A web server on one address that counts who connects: a page for the test, or a canary that nobody should reach. */
import { createServer as createTcp, type Socket } from 'node:net';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestWeb {
  readonly port: number;
  /** Without a slash at its end. */
  readonly url: string;
  /** Connections that were ever made. */
  readonly connections: number;
  /** In order. */
  readonly requests: readonly IncomingMessage[];
  /** How many sockets are open. */
  readonly open: number;
  stop(): Promise<void>;
}

export async function startWeb(
  listener: RequestListener = (_, response) => void response.end('a canary'),
  { host = '127.0.0.1', port = 0 } = {},
): Promise<TestWeb> {
  const requests: IncomingMessage[] = [];
  const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    requests.push(request);
    listener(request, response);
  });
  return counting(server, requests, host, port);
}

/** The same without HTTP: what it says is up to the test. */
export async function startRawWeb(talk: (socket: Socket) => void, host = '127.0.0.1'): Promise<TestWeb> {
  // What is never read never ends.
  const server = createTcp((socket) => talk(socket.resume()));
  return counting(server as unknown as Server, [], host, 0);
}

async function counting(server: Server, requests: IncomingMessage[], host: string, port: number): Promise<TestWeb> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const taken = (server.address() as AddressInfo).port;
  return {
    port: taken,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    requests,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Path → what is served there. */
export type Site = Record<
  string,
  { type?: string; body: string | Buffer; status?: number; headers?: Record<string, string> }
>;

export const serving =
  (site: Site): RequestListener =>
  ({ url = '/' }, response) => {
    const page = site[url];
    if (!page) return void response.writeHead(404, { 'content-type': 'text/html' }).end('<p>not here</p>');
    const { type = 'text/html; charset=utf-8', body, status = 200, headers } = page;
    response.writeHead(status, { ...(type && { 'content-type': type }), ...headers }).end(body);
  };
