/** A DNS server on loopback whose answers the test writes. Names that it was not told of do not exist. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

type Answer = readonly string[] | (() => readonly string[]);

export class FakeDns {
  /** Names that were asked for, once for each question. */
  readonly asked: string[] = [];
  private readonly socket = createSocket('udp4');

  private constructor(private readonly names: Record<string, Answer>) {
    this.socket.on('message', (query, { port, address }) => this.socket.send(this.answer(query), port, address));
  }

  static async start(names: Record<string, Answer>): Promise<FakeDns> {
    const dns = new FakeDns(names);
    dns.socket.bind(0, '127.0.0.1');
    await once(dns.socket, 'listening');
    return dns;
  }

  /** As `WEB_DNS` takes it. */
  get server(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): void {
    this.socket.close();
  }

  private answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    this.asked.push(name);
    const known = this.names[name];
    const addresses = typeof known === 'function' ? (type === 1 ? known() : []) : (known ?? []);
    const records = addresses
      .filter((address) => address.includes(':') === (type === 28))
      .map((address) => {
        const data = address.includes(':') ? six(address) : Buffer.from(address.split('.').map(Number));
        const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
        return Buffer.concat([head, data]);
      });
    const header = Buffer.from(query.subarray(0, 12));
    header[2] = 0x81;
    header[3] = known === undefined ? 0x83 : 0x80;
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(12, at + 5), ...records]);
  }
}

function six(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const [first, last] = [groups(head), groups(tail ?? '')];
  const middle = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0');
  const bytes = Buffer.alloc(16);
  [...first, ...middle, ...last].forEach((group, index) => bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2));
  return bytes;
}
