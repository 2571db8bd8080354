/** One connection to a PostgreSQL server, over a socket that somebody else opened: made for one use, then closed. */
import { Deadline, raced } from '@app/platform';
import { Client, type QueryArrayResult, type Submittable } from 'pg';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { ConnectionError } from '../connection-error';
import type { DatabaseTarget } from '../target';
import { secured } from './secure-socket';
import { WireGate } from './wire-gate';

/** Opens a socket to where a target is, if it may be reached. @throws ConnectionError; the signal's reason. */
export type Dial = (target: DatabaseTarget, signal: AbortSignal) => Promise<Socket>;

export interface ConnectOptions {
  readonly dial: Dial;
  readonly trust: () => SecureContext;
  /** For all until the server says that it is ready, and for its first answer. */
  readonly connectMs: number;
  readonly rows: number;
  /** Of one row, and of all that the server says. */
  readonly rowBytes: number;
  readonly totalBytes: number;
}

const CANCEL_CODE = 80877102;
/** A server that does not take a request to cancel is left alone after so long. */
const CANCEL_MS = 800;
/** What a caller waits for a statement to end that is of no use any more. */
const ABANDON_MS = 1200;
const CLOSE_MS = 500;
/** Between requests to cancel, until the server has closed its side. */
const CANCEL_AGAIN_MS = [50, 100, 200, 300, 400];
/** `ROLLBACK` as a simple query, and the end of the connection, in one. */
const FAREWELL = Buffer.from('Q\0\0\0\x0dROLLBACK\0X\0\0\0\x04', 'latin1');
const GOODBYE = Buffer.from('X\0\0\0\x04', 'latin1');
/** Values as the server writes them; we read them ourselves (`values.ts`). */
const AS_TEXT = { getTypeParser: () => (text: string) => text } as never;

export class PostgresConnection {
  /** Why it broke, once it has. */
  private broken: Error | undefined;

  private constructor(
    private readonly client: Client,
    private readonly gate: WireGate,
    private readonly target: DatabaseTarget,
    private readonly options: ConnectOptions,
  ) {
    client.on('error', (error) => (this.broken ??= error));
  }

  /** @throws ConnectionError; the signal's reason. */
  static async open(target: DatabaseTarget, options: ConnectOptions, signal: AbortSignal): Promise<PostgresConnection> {
    signal.throwIfAborted();
    const deadline = new Deadline(options.connectMs, signal);
    let socket: Socket | undefined;
    const cut = () => socket?.destroy(new Error('it took too long to connect'));
    deadline.signal.addEventListener('abort', cut, { once: true });
    try {
      socket = await options.dial(target, deadline.signal);
      // Until the gate has it, a broken socket is said by what waits for it.
      socket.on('error', () => undefined);
      deadline.signal.throwIfAborted();
      if (target.tls) socket = await secured(socket, target.host, options.trust());
      return await PostgresConnection.start(socket, target, options);
    } catch (error) {
      socket?.destroy();
      signal.throwIfAborted();
      if (error instanceof ConnectionError) throw error;
      throw ConnectionError.failed(detailOf(error));
    } finally {
      deadline.end();
    }
  }

  private static async start(
    socket: Socket,
    target: DatabaseTarget,
    options: ConnectOptions,
  ): Promise<PostgresConnection> {
    const { rows, rowBytes: row, totalBytes: total } = options;
    const gate = new WireGate(socket, { encrypted: target.tls, rows, row, total });
    // Everything is said here: what is not, the driver takes from the environment.
    const client = new Client({
      host: target.host,
      port: target.port,
      user: target.user,
      password: target.password.reveal(),
      database: target.database,
      ssl: false,
      options: '',
      application_name: 'toolwright',
      stream: () => gate as never,
    });
    const connection = new PostgresConnection(client, gate, target, options);
    // The driver does not tell apart a socket that ends while it connects from one that never answers.
    await Promise.race([
      client.connect(),
      new Promise<never>((_, reject) => {
        gate.once('error', reject);
        gate.once('close', () => reject(new Error('closed while connecting')));
      }),
    ]);
    return connection;
  }

  /** One statement of ours, by the extended protocol. */
  async ask(text: string, values: readonly unknown[] = []): Promise<(string | null)[][]> {
    const result: QueryArrayResult<(string | null)[]> = await this.client.query({
      text,
      values: [...values],
      rowMode: 'array',
      types: AS_TEXT,
      queryMode: 'extended',
    } as never);
    return result.rows;
  }

  /** What a server that has let us in says first: whether it answers at all is a matter of connecting. */
  async first<T>(answer: Promise<T>): Promise<T> {
    const { connectMs } = this.options;
    const late = `it let us in, and said nothing for ${connectMs / 1000} seconds (DATABASE_CONNECT_SECONDS)`;
    const deadline = new Deadline(connectMs, undefined, () => new Error(late));
    try {
      return await raced(answer, deadline.signal);
    } finally {
      deadline.end();
    }
  }

  submit(conversation: Submittable): void {
    this.client.query(conversation);
  }

  /** Why the connection broke, if it did. */
  get failure(): Error | undefined {
    return this.gate.errored ?? this.broken ?? (this.gate.destroyed ? new Error('closed by the server') : undefined);
  }

  /** Asks the server, over another connection, to end what this one runs. Never rejects. */
  private async cancel(): Promise<void> {
    const { processID, secretKey } = this.client as unknown as { processID: number | null; secretKey: number | null };
    if (processID === null || secretKey === null) return;
    const request = Buffer.alloc(16);
    request.writeInt32BE(16, 0);
    request.writeInt32BE(CANCEL_CODE, 4);
    request.writeInt32BE(processID, 8);
    request.writeInt32BE(secretKey, 12);
    const deadline = new Deadline(CANCEL_MS);
    let socket: Socket | undefined;
    try {
      socket = await this.options.dial(this.target, deadline.signal);
      socket.on('error', () => undefined);
      if (this.target.tls)
        socket = await raced(secured(socket, this.target.host, this.options.trust()), deadline.signal);
      const closed = new Promise<void>((resolve) => socket!.once('close', () => resolve()));
      socket.resume().end(request);
      await raced(closed, deadline.signal);
    } catch {
      // The server ends it by its own limit of time then.
    } finally {
      deadline.end();
      socket?.destroy();
    }
  }

  /**
   * Leaves a statement that may run. Whoever waits for it to end does so for a moment: it is asked to for longer than
   * that, and some functions end when they are done.
   */
  async abandon(): Promise<void> {
    const deadline = new Deadline(ABANDON_MS);
    await raced(this.end(), deadline.signal).catch(() => undefined);
    deadline.end();
  }

  /**
   * Nothing more is said but goodbye, which is heard when the statement has ended; a request to cancel that comes
   * before the server has read the statement goes unheard, and is made again. Never rejects.
   */
  private async end(): Promise<void> {
    const closed = new Promise<true>((resolve) => this.gate.once('close', () => resolve(true)));
    if (this.gate.destroyed) await this.cancel();
    else {
      this.gate.leave(GOODBYE);
      for (const ms of CANCEL_AGAIN_MS) {
        await this.cancel();
        const deadline = new Deadline(ms);
        const isClosed = await raced(closed, deadline.signal).catch(() => false);
        deadline.end();
        if (isClosed) break;
      }
    }
    this.destroy();
  }

  /** Takes back whatever was done, says goodbye, and waits until the server has closed its side. */
  async close(): Promise<void> {
    if (this.failure) return this.destroy();
    const deadline = new Deadline(CLOSE_MS);
    const closed = new Promise<void>((resolve) => this.gate.once('close', () => resolve()));
    this.gate.write(FAREWELL);
    await raced(closed, deadline.signal).catch(() => undefined);
    deadline.end();
    this.destroy();
  }

  destroy(): void {
    this.gate.destroy();
  }
}

/** For the operator's log: what the driver says, which holds no password. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? ` (${String(error.code)})` : '';
  return `${error.message}${code}`.slice(0, 500);
}
