/**
 * What a server may send, looked at before the driver reads it: it may be no PostgreSQL, or one that means harm.
 *
 * The driver keeps a message until it is whole, however long it says it is, and takes notices without end. This stands
 * between it and the socket, and closes it over messages that are too long, too many, or have no place in what we do.
 */
import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

export interface GateLimits {
  /** Whether the socket is encrypted: a password goes out as it is in no other (SEC-54). */
  readonly encrypted: boolean;
  /** Of one row, in bytes. */
  readonly row: number;
  readonly rows: number;
  /** Of all that the server says, in bytes. */
  readonly total: number;
}

/** The server broke a rule of ours. `reason` is for the operator. */
export class GateError extends Error {
  constructor(
    readonly reason: string,
    /** A row or a result that is larger than we take. */
    readonly tooLarge = false,
  ) {
    super(`The server was hung up on: ${reason}`);
  }
}

const KNOWN: ReadonlySet<string> = new Set('RKSZ123tTDCsnNEAI');
/** Descriptions, errors and the rest; rows have a limit of their own. */
const MAX_MESSAGE = 2 * 1024 * 1024;
/** Notices and notifications: we ask for none. */
const MAX_ASIDES = 200;
/** All that are no rows. */
const MAX_MESSAGES = 10_000;
const ASIDES: ReadonlySet<string> = new Set('NA');
const HEADER = 5;
const PASSWORD_IN_CLEAR = 3;

export class WireGate extends Duplex {
  /** The header of the message that begins, and of an authentication request its kind. */
  private readonly head = Buffer.alloc(HEADER + 4);
  private filled = 0;
  private wanted = HEADER;
  /** Bytes of the message that are yet to come. */
  private rest = 0;
  private total = 0;
  private asides = 0;
  private rows = 0;
  private messages = 0;
  private left = false;

  constructor(
    private readonly socket: Socket,
    private readonly limits: GateLimits,
  ) {
    super({ allowHalfOpen: true });
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => (this.left ? this.destroy() : this.push(null)));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.pause();
  }

  /** What the driver calls on a fresh socket; ours is connected. */
  connect(): void {
    process.nextTick(() => this.emit('connect'));
  }

  setNoDelay(on?: boolean): void {
    this.socket.setNoDelay(on);
  }

  setKeepAlive(): void {}

  ref(): void {
    this.socket.ref();
  }

  unref(): void {
    this.socket.unref();
  }

  /** What the driver cannot read, it throws from wherever the bytes came: that must not be the end of us. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event !== 'data') return super.emit(event as 'data', ...(values as [unknown]));
    try {
      return super.emit('data', values[0]);
    } catch (error) {
      this.destroy(new GateError(`it cannot be understood: ${(error as Error).message}`));
      return true;
    }
  }

  override _read(): void {
    this.socket.resume();
  }

  /** The last that is said. What the driver still has to say is dropped, and what comes is not read. */
  leave(words: Buffer): void {
    this.left = true;
    this.socket.write(words);
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.left) done();
    else this.socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private receive(chunk: Buffer): void {
    const broken = this.check(chunk);
    if (broken) this.destroy(broken);
    else if (this.left) return;
    else if (!this.push(chunk)) this.socket.pause();
  }

  private check(chunk: Buffer): GateError | undefined {
    this.total += chunk.length;
    if (this.total > this.limits.total) return new GateError('it sends more than is taken', true);
    for (let at = 0; at < chunk.length;) {
      if (this.filled === this.wanted) {
        const skipped = Math.min(this.rest, chunk.length - at);
        this.rest -= skipped;
        at += skipped;
        if (this.rest === 0) this.filled = 0;
        if (this.filled !== 0) break;
        this.wanted = HEADER;
        if (at === chunk.length) break;
      }
      const copied = Math.min(this.wanted - this.filled, chunk.length - at);
      chunk.copy(this.head, this.filled, at, at + copied);
      this.filled += copied;
      at += copied;
      if (this.filled < this.wanted) break;
      const broken = this.wanted === HEADER ? this.begin() : this.authenticate();
      if (broken) return broken;
    }
    return undefined;
  }

  /** A header is whole. */
  private begin(): GateError | undefined {
    const type = String.fromCharCode(this.head[0]!);
    const length = this.head.readUInt32BE(1) - 4;
    if (!KNOWN.has(type)) return new GateError(`a message of type ${JSON.stringify(type)} has no place here`);
    if (length < 0) return new GateError('a message shorter than itself');
    if (type === 'D' && length > this.limits.row) return new GateError('a row is longer than is taken', true);
    if (type !== 'D' && length > MAX_MESSAGE) return new GateError('a message is longer than is taken');
    if (type === 'D' && ++this.rows > this.limits.rows) return new GateError('it sends more rows than are taken', true);
    if (type !== 'D' && ++this.messages > MAX_MESSAGES) return new GateError('it does not stop talking');
    if (ASIDES.has(type) && ++this.asides > MAX_ASIDES) return new GateError('it does not stop talking aside');
    if (type === 'R') {
      if (length < 4) return new GateError('a request to authenticate without its kind');
      this.wanted = HEADER + 4;
      this.rest = length - 4;
      return undefined;
    }
    this.rest = length;
    if (length === 0) this.filled = 0;
    return undefined;
  }

  private authenticate(): GateError | undefined {
    if (this.head.readUInt32BE(HEADER) === PASSWORD_IN_CLEAR && !this.limits.encrypted) {
      return new GateError('it asks for the password in clear over a connection that is not encrypted');
    }
    if (this.rest === 0) this.startOver();
    return undefined;
  }

  private startOver(): void {
    this.filled = 0;
    this.wanted = HEADER;
  }
}
