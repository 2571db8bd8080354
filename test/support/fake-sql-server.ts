/**
 * A server that speaks TDS over a real socket, as far as a client of ours goes: handshake with and without TLS, login,
 * batches, `sp_executesql`, attention. It runs no SQL: what it answers is said by the test.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import {
  columnsToken,
  done,
  error,
  loginAnswer,
  nvarchar,
  PACKET,
  PacketReader,
  packets,
  preloginAnswer,
  readBatch,
  readCall,
  readLogin,
  routing,
  rowToken,
  stopped,
  transactionBegun,
  type Column,
  type Login,
  type Packet,
} from './tds-wire';

export interface Asked {
  readonly kind: 'batch' | 'call';
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

export type Answer =
  | { readonly columns: readonly Column[]; readonly rows: Iterable<readonly unknown[]> }
  | { readonly error: number; readonly message: string }
  /** Nothing, until it is asked to stop; or not even then. */
  | 'silence'
  | 'deaf'
  | 'hang up'
  | 'endless'
  | 'done';

export interface FakeSqlServerOptions {
  readonly password?: string;
  /** With a certificate: TLS is offered. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** What the session begins with: the schema of the user, the time zone, synonyms, rights to write. */
  readonly facts?: readonly [defaultSchema: string, timeZone: string, synonyms: string | null, writes: string];
  readonly answer?: (asked: Asked) => Answer | undefined;
  /** Instead of an answer to the first packet or to the login. */
  readonly garble?: (message: Buffer) => Buffer;
  readonly misbehaviour?: 'mute' | 'noise' | 'endless login' | 'elsewhere';
}

const FACTS = ['schema', 'zone', 'synonyms', 'writes'].map((name) => nvarchar(name));

export class FakeSqlServer {
  readonly logins: Login[] = [];
  readonly asked: Asked[] = [];
  attentions = 0;
  connections = 0;
  /** All that came in, as it was on the wire. */
  received: Buffer = Buffer.alloc(0);
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly options: FakeSqlServerOptions,
  ) {
    server.on('connection', (socket) => new Conversation(this, socket, this.options));
    server.on('connection', (socket) => {
      this.connections++;
      this.sockets.add(socket.on('error', () => undefined));
      socket.on(
        'data',
        (chunk: Buffer) => (this.received = Buffer.concat([this.received, chunk]).subarray(-1_000_000)),
      );
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  static async start(options: FakeSqlServerOptions = {}): Promise<FakeSqlServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FakeSqlServer(server, options);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections that are open. */
  get open(): number {
    return this.sockets.size;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

class Conversation {
  private readonly reader = new PacketReader();
  private secure?: SecureChannel;
  private isSilent = false;
  private isDeaf = false;

  constructor(
    private readonly server: FakeSqlServer,
    private readonly socket: Socket,
    private readonly options: FakeSqlServerOptions,
  ) {
    socket.on('data', (chunk: Buffer) => {
      if (this.secure?.isOpen) this.secure.received(chunk);
      else this.read(chunk);
    });
  }

  private read(chunk: Buffer): void {
    for (const packet of this.reader.read(chunk)) this.take(packet);
  }

  private take({ type, data }: Packet): void {
    if (type === PACKET.prelogin) this.greet(data);
    else if (type === PACKET.login) this.login(data);
    else if (type === PACKET.attention) this.stop();
    else if (type === PACKET.batch) this.answer({ kind: 'batch', sql: readBatch(data), values: [] });
    else if (type === PACKET.rpc) {
      const [statement, , ...more] = readCall(data).parameters.map(({ value }) => value);
      this.answer({ kind: 'call', sql: String(statement), values: more });
    }
  }

  private greet(data: Buffer): void {
    const { misbehaviour, tls } = this.options;
    if (misbehaviour === 'mute') return;
    if (misbehaviour === 'noise') {
      this.socket.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(50)));
      return;
    }
    if (this.secure) {
      this.secure.received(data);
      return;
    }
    this.socket.write(packets(PACKET.result, preloginAnswer(tls ? 1 : 2)));
    if (tls) this.secure = new SecureChannel(this.socket, tls, (chunk) => this.read(chunk));
  }

  private login(data: Buffer): void {
    const login = readLogin(data);
    this.server.logins.push(login);
    const { misbehaviour, password } = this.options;
    if (misbehaviour === 'endless login') this.pour(transactionBegun());
    else if (misbehaviour === 'elsewhere') this.send(routing('127.0.0.1', this.server.port));
    else if (password !== undefined && login.password !== password)
      this.send(error(18456, `Login failed for user '${login.user}'.`, 14));
    else this.send(loginAnswer());
  }

  private stop(): void {
    this.server.attentions++;
    if (this.isDeaf || !this.isSilent) return;
    this.isSilent = false;
    // The response as far as it came, and then the acknowledgement in a message of its own.
    this.send(done(0x02));
    this.send(stopped());
  }

  private answer(asked: Asked): void {
    this.server.asked.push(asked);
    if (asked.sql.startsWith('set ansi_nulls')) this.send(done());
    else if (asked.sql.includes('BEGIN TRANSACTION')) {
      const facts = this.options.facts ?? ['dbo', '+01:00', null, ''];
      this.send(Buffer.concat([transactionBegun(), columnsToken(FACTS), rowToken(FACTS, facts), done()]));
    } else this.give(this.options.answer?.(asked) ?? 'done');
  }

  private give(answer: Answer): void {
    if (answer === 'done') this.send(done());
    else if (answer === 'silence' || answer === 'deaf') {
      this.isSilent = true;
      this.isDeaf = answer === 'deaf';
    } else if (answer === 'hang up') this.socket.destroy();
    else if (answer === 'endless')
      this.pour(rowToken([nvarchar('x')], ['x'.repeat(1000)]), columnsToken([nvarchar('x')]));
    else if ('error' in answer) this.send(error(answer.error, answer.message));
    else this.sendRows(answer.columns, answer.rows);
  }

  /** Row by row, and none any more once it is asked to stop. */
  private sendRows(columns: readonly Column[], rows: Iterable<readonly unknown[]>): void {
    this.isSilent = true;
    const iterator = rows[Symbol.iterator]();
    let head = columnsToken(columns);
    const next = () => {
      if (!this.isSilent || this.socket.destroyed) return;
      const parts = [head];
      head = Buffer.alloc(0);
      for (let count = 0; count < 200; count++) {
        const { done: isDone, value } = iterator.next();
        if (isDone) {
          this.isSilent = false;
          this.send(Buffer.concat([...parts, done()]));
          return;
        }
        parts.push(rowToken(columns, value));
      }
      this.write(unfinished(Buffer.concat(parts)));
      setImmediate(next);
    };
    next();
  }

  /** The same bytes for ever. */
  private pour(bytes: Buffer, head: Buffer = Buffer.alloc(0)): void {
    const block = unfinished(Buffer.concat(Array.from({ length: 500 }, () => bytes)));
    if (head.length > 0) this.write(unfinished(head));
    const next = () => {
      if (this.socket.destroyed) return;
      if (this.write(block)) setImmediate(next);
      else this.socket.once('drain', next);
    };
    next();
  }

  private send(data: Buffer): void {
    this.write(packets(PACKET.result, data));
  }

  private write(message: Buffer): boolean {
    const bytes = this.options.garble?.(message) ?? message;
    return this.secure ? this.secure.write(bytes) : this.socket.write(bytes);
  }
}

/** Packets of a message that goes on. */
function unfinished(data: Buffer): Buffer {
  const message = packets(PACKET.result, data);
  for (let at = 0; at < message.length; at += message.readUInt16BE(at + 2)) message[at + 1] = 0;
  return message;
}

/** TLS whose handshake travels in packets of the protocol, and what comes after it does not. */
class SecureChannel {
  isOpen = false;
  private readonly tls: TLSSocket;
  private readonly wire: Duplex;

  constructor(socket: Socket, { key, cert }: { key: string; cert: string }, onData: (chunk: Buffer) => void) {
    let flight: Buffer[] = [];
    this.wire = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _, callback) => {
        if (this.isOpen) socket.write(chunk);
        else {
          if (flight.length === 0) {
            setImmediate(() => {
              socket.write(packets(PACKET.prelogin, Buffer.concat(flight)));
              flight = [];
            });
          }
          flight.push(chunk);
        }
        callback();
      },
    });
    this.tls = new TLSSocket(this.wire, { isServer: true, key, cert, maxVersion: 'TLSv1.2' } as never);
    this.tls.on('data', onData).on('error', () => socket.destroy());
    this.tls.once('secure', () => setImmediate(() => setImmediate(() => (this.isOpen = true))));
  }

  received(chunk: Buffer): void {
    this.wire.push(chunk);
  }

  write(bytes: Buffer): boolean {
    return this.tls.write(bytes);
  }
}
