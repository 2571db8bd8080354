import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface RawRequest {
  /** Request line and headers, without `Content-Length`. `Connection: close` is added. */
  readonly head: string;
  /** Sent chunk by chunk, each when the last one has left; stops when the server has answered or closed. */
  readonly body?: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Whether the headers never end. */
  readonly unfinished?: boolean;
}

/** A request byte by byte as given, for what no well-behaved client sends. */
export async function rawRequest(
  url: string,
  { head, body = [], unfinished = false }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  let over = false;
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      over = true;
      resolve();
    };
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (isComplete(received)) end();
    });
    socket.on('end', end);
    socket.on('close', end).on('error', end);
  });
  socket.write(`${head.trim().replaceAll(/\r?\n/g, '\r\n')}\r\nConnection: close\r\n${unfinished ? '' : '\r\n'}`);
  for await (const chunk of body) {
    if (over || received) break;
    if (!socket.write(chunk)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  await closed;
  socket.destroy();
  return parse(received);
}

/** By its length, which the answers to such requests have. */
function isComplete(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, Math.max(0, end)))?.[1];
  return length !== undefined && Buffer.byteLength(received.slice(end + 4)) >= Number(length);
}

function parse(received: string): RawResponse {
  const end = received.indexOf('\r\n\r\n');
  const [status = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return { status: Number(status.split(' ')[1]), headers: Object.fromEntries(headers), body: received.slice(end + 4) };
}
