import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { StreamedBody } from './streamed-body';

describe('a streamed body', () => {
  let server: Server;
  afterEach(() => server.close());

  /** What is on the wire after the requests, in Latin-1, until the server ends the connection. */
  async function wireOf(requests: string, pieces: readonly string[], last = ''): Promise<string> {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const body = new StreamedBody(response);
      for (const piece of pieces) body.write(piece);
      body.end(last);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let wire = '';
    socket.setEncoding('latin1').on('data', (text: string) => (wire += text));
    socket.write(requests);
    await once(socket, 'close');
    return wire;
  }

  const bytesOf = (text: string) => Buffer.from(text).toString('latin1');
  const closing = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

  it('frames each piece by its length in bytes, not in characters', async () => {
    const wire = await wireOf(closing, ['only ASCII', 'naïve 🦊', 'x'.repeat(300)]);
    const [head, body] = cut(wire);
    expect(head).toMatch(/transfer-encoding: chunked/i);
    const framed = `a\r\nonly ASCII\r\nb\r\nnaïve 🦊\r\n12c\r\n${'x'.repeat(300)}\r\n0\r\n\r\n`;
    expect(body).toBe(bytesOf(framed));
  });

  it('sends what is left with the end', async () => {
    expect(cut(await wireOf(closing, ['a'], 'é'))[1]).toBe(bytesOf('1\r\na\r\n2\r\né\r\n0\r\n\r\n'));
    expect(cut(await wireOf(closing, [], ''))[1]).toBe('0\r\n\r\n');
  });

  it('leaves the connection for the next request, as one that Node has framed', async () => {
    const staying = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
    const wire = await wireOf(staying + staying + closing, ['one', 'ü'], 'end');
    const answers = wire.split('HTTP/1.1 200 OK').slice(1);
    expect(answers.map((answer) => cut(answer)[1])).toEqual(
      Array<string>(3).fill(bytesOf('3\r\none\r\n2\r\nü\r\n3\r\nend\r\n0\r\n\r\n')),
    );
  });

  it('has no frame for a client of HTTP/1.0, which knows none', async () => {
    const [head, body] = cut(await wireOf('GET / HTTP/1.0\r\n\r\n', ['a', 'ü'], 'z'));
    expect(head).not.toMatch(/transfer-encoding/i);
    expect(body).toBe(bytesOf('aüz'));
  });

  it('is empty in the answer to a HEAD request', async () => {
    expect(cut(await wireOf('HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', ['a'], 'b'))[1]).toBe('');
  });
});

function cut(wire: string): [head: string, body: string] {
  const end = wire.indexOf('\r\n\r\n');
  return [wire.slice(0, end), wire.slice(end + 4)];
}
