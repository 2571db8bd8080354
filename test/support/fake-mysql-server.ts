import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Secret } from '@app/platform';

const CAPABILITIES = 0x81bff7ff;
const OFFERS_TLS = 0x800;

/** What a server is told: one packet of the client, and how to answer. */
export interface Turn {
  /** How many packets came before on this connection: 0 is the answer to the greeting. */
  readonly number: number;
  readonly packet: Buffer;
  /** What came with it, and is no packet where TLS begins. */
  readonly rest: Buffer;
  /** Answers with a packet, numbered as it should be unless said otherwise. */
  say(payload: Buffer | string, sequence?: number): void;
  readonly socket: Socket;
}

/**
 * A MySQL server that behaves as the test says, as far as the client hears it. It keeps all that it is sent.
 *
 * @see https://dev.mysql.com/doc/dev/mysql-server/latest/PAGE_PROTOCOL.html
 */
export class FakeMysqlServer {
  /** Of all connections. */
  received = Buffer.alloc(0);
  connections = 0;
  closed = 0;

  private constructor(private readonly server: Server) {}

  /** @param options the way to log in that the greeting names, and whether it offers TLS. */
  static async start(
    behave: (turn: Turn) => void,
    { plugin = 'mysql_native_password', tls = false }: { plugin?: string; tls?: boolean } = {},
  ): Promise<FakeMysqlServer> {
    const server = createServer((socket) => {
      fake.connections += 1;
      let waiting = Buffer.alloc(0);
      let number = 0;
      socket.on('error', () => undefined);
      socket.on('close', () => (fake.closed += 1));
      socket.on('data', (chunk) => {
        fake.received = Buffer.concat([fake.received, chunk]);
        waiting = Buffer.concat([waiting, chunk]);
        while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUIntLE(0, 3)) {
          const end = 4 + waiting.readUIntLE(0, 3);
          let sequence = waiting[3]! + 1;
          const say = (payload: Buffer | string, at = sequence) => {
            sequence = at + 1;
            socket.write(packetOf(payload, at));
          };
          behave({ number: number++, packet: waiting.subarray(4, end), rest: waiting.subarray(end), say, socket });
          waiting = waiting.subarray(end);
        }
      });
      socket.write(packetOf(hello(plugin, tls), 0));
    });
    const fake = new FakeMysqlServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  target(password: string) {
    const { port } = this.server.address() as AddressInfo;
    return { engine: 'mysql', host: '127.0.0.1', port, user: 'ana', password: new Secret(password), database: 'tienda', tls: false } as const; // prettier-ignore
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

export const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
export const END = Buffer.from([0xfe, 0, 0, 2, 0]);

export function packetOf(payload: Buffer | string, sequence: number): Buffer {
  const body = Buffer.from(payload as string, 'latin1');
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = sequence & 0xff;
  return Buffer.concat([head, body]);
}

/** Protocol 10, with a challenge of twenty letters. */
function hello(plugin: string, tls: boolean): Buffer {
  const head = Buffer.concat([Buffer.from([10]), Buffer.from('8.0.36\0'), Buffer.from([7, 0, 0, 0])]);
  const flags = Buffer.alloc(2 + 1 + 2 + 2 + 1 + 10);
  flags.writeUInt16LE((CAPABILITIES & 0xffff) | (tls ? OFFERS_TLS : 0), 0);
  flags[2] = 45;
  flags.writeUInt16LE(2, 3);
  flags.writeUInt16LE(CAPABILITIES >>> 16, 5);
  flags[7] = 21;
  return Buffer.concat([
    head,
    Buffer.from('abcdefgh\0'),
    flags,
    Buffer.from('ijklmnopqrst\0'),
    Buffer.from(`${plugin}\0`),
  ]);
}

/** A column of texts, as the protocol describes it. */
export function columnOf(name: string): Buffer {
  const text = (words: string) => Buffer.concat([Buffer.from([words.length]), Buffer.from(words)]);
  const fixed = Buffer.from([0x0c, 45, 0, 0, 1, 0, 0, 0xfd, 0, 0, 0, 0, 0]);
  return Buffer.concat([text('def'), text(''), text(''), text(''), text(name), text(name), fixed]);
}
