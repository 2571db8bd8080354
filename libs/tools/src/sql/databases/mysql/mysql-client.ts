/**
 * One connection to a MySQL or MariaDB server over a socket that is already open, and what of the protocol we use
 * (SEC-49, SEC-54). The server at the other end may be anybody's: it gets no file, no password in clear text, no say in
 * what is checked of its certificate, and a bounded part of our time, memory and log.
 */
import { Deadline } from '@app/platform';
import type { Socket } from 'node:net';
import { connect as connectTls, checkServerIdentity, rootCertificates } from 'node:tls';
import { createConnection, type Connection, type FieldPacket, type PrepareStatementInfo, type Query } from 'mysql2';
import { ConnectionError } from '../connection-error';
import type { Dial } from '../databases';
import type { DatabaseTarget } from '../target';
import { PacketGate } from './packet-gate';

export interface ClientOptions {
  readonly dial: Dial;
  /** Of the operator, in PEM, besides the usual ones. */
  readonly ca?: string;
  /** Until the server has let us in. */
  readonly connectMs: number;
  /** From the server, over the whole connection. */
  readonly maxBytes: number;
}

/** What a server said to a statement; `message` may quote data, and goes nowhere (SEC-56). */
export class ServerError extends Error {
  constructor(
    readonly number: number,
    readonly state: string,
    message: string,
  ) {
    super(message);
  }
}

/** How the driver tells us of a column. */
export interface Field {
  readonly name: string;
  readonly columnType: number;
  readonly columnLength: number;
  readonly characterSet: number;
  readonly flags: number;
  readonly decimals: number;
  readonly extendedTypeName?: string;
  readonly extendedFormat?: string;
}

export interface Prepared {
  readonly columns: readonly string[];
  readonly parameters: number;
  readonly statement: PrepareStatementInfo;
}

/** Parts of the driver that its types leave out. Its version is fixed. */
interface Internals {
  handlePacket(packet: unknown): void;
  startTLS(done: (error?: Error) => void): void;
  stream: Socket;
  packetParser: { execute(chunk: Buffer): void };
  readonly _handshakePacket: { readonly serverVersion: string; readonly connectionId: number };
}

const WATCH_MS = 20;
const CLOSE_MS = 1000;
const MAX_ROWS = 10_000;

export class MysqlClient {
  private fail!: (error: Error) => void;
  private readonly gone: Promise<never>;
  private readonly watch: NodeJS.Timeout;
  private readonly gate = new PacketGate();
  private dead = false;

  private constructor(
    private readonly connection: Connection,
    private readonly socket: Socket,
    maxBytes: number,
  ) {
    this.gone = new Promise((_, reject) => {
      this.fail = (error) => {
        this.destroy();
        reject(error);
      };
    });
    this.gone.catch(() => undefined);
    connection.on('error', (error: Error) => this.fail(error));
    this.checkPackets();
    this.containPackets();
    this.watch = setInterval(() => {
      if (socket.bytesRead > maxBytes) this.fail(new TooMuch());
    }, WATCH_MS);
    socket.once('close', () => this.fail(new Error('closed')));
  }

  /** @throws ConnectionError; the signal's reason. */
  static async open(target: DatabaseTarget, options: ClientOptions, signal: AbortSignal): Promise<MysqlClient> {
    const socket = await options.dial(target, signal);
    const patience = new Deadline(options.connectMs, signal);
    socket.setNoDelay(true);
    let client: MysqlClient | undefined;
    try {
      client = new MysqlClient(createConnection(settings(target, socket)), socket, options.maxBytes);
      if (target.tls) client.secure(target.host, options.ca);
      await client.within(
        patience.signal,
        new Promise<void>((resolve) => client!.connection.once('connect', () => resolve())),
      );
      client.gate.loggedIn();
      return client;
    } catch (error) {
      client?.destroy();
      socket.destroy();
      signal.throwIfAborted();
      throw ConnectionError.failed(patience.signal.aborted ? 'ETIMEDOUT' : codeOf(error));
    } finally {
      patience.end();
    }
  }

  /** As the server gives it: `8.4.3`, `10.11.19-MariaDB-0+deb12u1`; those that call themselves 5.5.5 first are cut. */
  get version(): string {
    return this.internals._handshakePacket.serverVersion.replace(/^5\.5\.5-(?=\d+\.\d+\.\d+-MariaDB)/i, '');
  }

  get isMariaDb(): boolean {
    return /mariadb/i.test(this.version);
  }

  /** What KILL takes. */
  get thread(): number {
    return this.internals._handshakePacket.connectionId;
  }

  /** A statement of ours. Its rows are texts and numbers as the text protocol has them. */
  ask<Row extends readonly unknown[]>(
    sql: string,
    values: readonly unknown[] = [],
    maxRows = MAX_ROWS,
  ): Promise<Row[]> {
    const rows: Row[] = [];
    const command = this.connection.query({ sql, values: [...values], rowsAsArray: true });
    return this.finished(command, (row) => {
      if (rows.push(row as Row) > maxRows) this.fail(new TooMuch());
    }).then(() => rows);
  }

  /** Reads the statement without running it. */
  prepare(sql: string): Promise<Prepared> {
    const prepared = new Promise<Prepared>((resolve, reject) => {
      this.connection.prepare(sql, (error, statement) => {
        if (error) return reject(serverError(error));
        const { columns, parameters } = statement as unknown as { columns: Field[]; parameters: unknown[] };
        resolve({ columns: columns.map(({ name }) => name), parameters: parameters.length, statement });
      });
    });
    return Promise.race([prepared, this.gone]);
  }

  /**
   * Runs a prepared statement.
   *
   * @param read makes the reader of rows from their columns; it returns false to read no further, and ends the
   *   connection with that.
   */
  async execute(
    { statement }: Prepared,
    read: (fields: readonly Field[]) => (row: unknown[]) => boolean,
  ): Promise<void> {
    let take: ((row: unknown[]) => boolean) | undefined;
    const command = statement.execute([], undefined as never) as unknown as Query;
    await new Promise<void>((resolve, reject) => {
      this.finished(
        command,
        (row) => {
          if (this.dead || !take || !Array.isArray(row) || take(row)) return;
          this.destroy();
          resolve();
        },
        (fields) => (take ??= read(fields as unknown as Field[])),
      ).then(resolve, reject);
    });
  }

  within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return new Promise<Result>((resolve, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      Promise.race([work, this.gone])
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', abort));
    });
  }

  get isOpen(): boolean {
    return !this.dead;
  }

  /** Says goodbye, and waits a moment for it to be heard. */
  async close(): Promise<void> {
    if (this.dead) return;
    const closed = new Promise<void>((resolve) => this.socket.once('close', () => resolve()));
    this.connection.end();
    const timer = setTimeout(() => this.destroy(), CLOSE_MS);
    await closed;
    clearTimeout(timer);
    this.destroy();
  }

  destroy(): void {
    this.dead = true;
    clearInterval(this.watch);
    this.connection.destroy();
    this.internals.stream.destroy();
    this.socket.destroy();
  }

  private get internals(): Internals {
    return this.connection as unknown as Internals;
  }

  private finished(
    command: Query,
    row: (row: unknown) => void,
    fields?: (fields: FieldPacket[]) => void,
  ): Promise<void> {
    // Asked for a file, the driver sends an empty one; then there is nothing more to say to such a server (SEC-49).
    const asked = command as unknown as { _streamLocalInfile(...args: unknown[]): unknown };
    const sendNothing = asked._streamLocalInfile.bind(command);
    asked._streamLocalInfile = (...args) => {
      setImmediate(() => this.fail(new Error('the server asked for a file')));
      return sendNothing(...args);
    };
    const finished = new Promise<void>((resolve, reject) => {
      command.on('error', (error) => reject(serverError(error)));
      command.on('fields', (found: FieldPacket[] | undefined) => found && fields?.(found));
      command.on('result', row);
      command.on('end', () => resolve());
    });
    return Promise.race([finished, this.gone]);
  }

  /** Before the driver puts packets together. */
  private checkPackets(): void {
    const { internals, gate } = this;
    const parser = internals.packetParser;
    internals.packetParser = {
      execute: (chunk) => {
        if (this.dead) return;
        if (gate.passes(chunk)) parser.execute(chunk);
        else this.fail(new TooMuch());
      },
    };
  }

  /**
   * A packet that makes no sense ends the connection, and not the process; after that no other is looked at, although
   * the driver has them in hand. Packets out of order too: the driver would write a line to the log for each, as it
   * writes where it stands when a length is none.
   */
  private containPackets(): void {
    const { internals } = this;
    const handle = internals.handlePacket.bind(this.connection);
    internals.handlePacket = (packet) => {
      if (this.dead) return;
      const output = globalThis.console;
      const { trace } = output;
      output.trace = () => undefined;
      try {
        handle(packet);
      } catch (error) {
        this.fail(error instanceof Error ? error : new Error(String(error)));
      } finally {
        output.trace = trace;
      }
    };
    this.connection.on('warn', () => {
      throw new Error('packets out of order');
    });
  }

  /** In the place of the driver's own, which looks for the name of `localhost` where the host is an address. */
  private secure(host: string, ca: string | undefined): void {
    const { internals } = this;
    internals.startTLS = (done) => {
      const plain = internals.stream;
      plain.removeAllListeners('data');
      let secured = false;
      const stream = connectTls(
        {
          socket: plain,
          ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
          ca: ca === undefined ? [...rootCertificates] : [...rootCertificates, ca],
          rejectUnauthorized: true,
          checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
        },
        () => {
          secured = true;
          done();
        },
      );
      stream.on('error', (error) => (secured ? this.fail(error) : done(error)));
      stream.on('close', () => this.fail(new Error('closed')));
      stream.on('data', (chunk: Buffer) => internals.packetParser.execute(chunk));
      internals.stream = stream;
    };
  }
}

/** The server sent more than it may. */
export class TooMuch extends Error {}

const settings = (target: DatabaseTarget, socket: Socket) => ({
  stream: socket,
  host: target.host,
  port: target.port,
  user: target.user,
  password: target.password.reveal(),
  ...(target.database !== '' && { database: target.database }),
  // Only that it is wanted; how it is done is ours.
  ...(target.tls && { ssl: { rejectUnauthorized: true, verifyIdentity: true } }),
  flags: ['-LOCAL_FILES', '-MULTI_STATEMENTS', '-CONNECT_ATTRS', '-COMPRESS'],
  charset: 'utf8mb4',
  multipleStatements: false,
  enableCleartextPlugin: false,
  connectTimeout: 0,
  // No code is made from what the server sends.
  disableEval: true,
  rowsAsArray: true,
  dateStrings: true,
  supportBigNumbers: true,
  jsonStrings: true,
  typeCast: (field: { type: string; buffer(): Buffer | null }, next: () => unknown) =>
    field.type === 'GEOMETRY' ? field.buffer() : next(),
});

function serverError(error: unknown): Error {
  const { errno, sqlState, message } = error as { errno?: unknown; sqlState?: unknown; message?: unknown };
  if (typeof errno !== 'number' || typeof sqlState !== 'string') return error as Error;
  return new ServerError(errno, sqlState.slice(0, 5), String(message));
}

/** Never its message, which names the account. */
const codeOf = (error: unknown): string => {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return [code, errno].filter((part) => part !== undefined).join(' ') || 'the server broke the protocol';
};
