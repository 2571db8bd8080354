/**
 * One connection to a SQL Server, over a socket that was dialed for it, and the requests on it.
 *
 * The driver never dials itself: a server that sends it elsewhere is not followed (SEC-42).
 */
import type { Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Connection, Request, TYPES, type ConnectionConfiguration } from 'tedious';
import type { JsonValue, Row } from '../../exact-value';
import { ConnectionError } from '../connection-error';
import type { DatabaseTarget } from '../target';
import { exactJson, readValuesExactly } from './exact-values';
import { SocketGuard } from './socket-guard';

export interface SessionOptions {
  readonly dial: (target: DatabaseTarget, signal: AbortSignal) => Promise<Socket>;
  /** Certificate authorities in PEM, besides the system's. */
  readonly ca?: string;
  /** For the handshake and the login. */
  readonly connectMs: number;
  /** Of one text or binary value, in bytes: the server cuts what is longer. */
  readonly textBytes: number;
}

/** Of a column, as the driver has it. */
export type ColumnType = Parameters<typeof exactJson>[1] & { readonly colName: string };

export interface RequestOptions {
  readonly values?: readonly (string | number)[];
  readonly ms: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onColumns?: (columns: readonly ColumnType[]) => void;
  /** False: no more rows are wanted. */
  readonly onRow: (row: Row) => boolean;
}

/** How a request ended. */
export type Ended =
  | { readonly kind: 'done' | 'enough' | 'time' | 'too_much' | 'lost' }
  | { readonly kind: 'error'; readonly number: number; readonly message: string };

const HANDSHAKE_BYTES = 1024 * 1024;
/** What a server may take to say that it has stopped. */
const CANCEL_MS = 1000;

export class Session {
  private constructor(
    private readonly connection: Connection,
    private readonly guard: SocketGuard,
  ) {}

  /** @throws ConnectionError; the signal's reason. */
  static async open(target: DatabaseTarget, options: SessionOptions, signal: AbortSignal): Promise<Session> {
    readValuesExactly();
    const socket = await options.dial(target, signal);
    const guard = new SocketGuard(socket, target.tls);
    const abort = () => guard.close();
    signal.addEventListener('abort', abort, { once: true });
    try {
      guard.allow(HANDSHAKE_BYTES);
      const connection = await connect(configuration(target, options, socket), socket, guard, options.connectMs);
      signal.throwIfAborted();
      return new Session(connection, guard);
    } catch (error) {
      guard.close();
      signal.throwIfAborted();
      throw error instanceof ConnectionError ? error : ConnectionError.failed(detailOf(error, guard));
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Runs a batch of ours. */
  batch(sql: string, options: RequestOptions): Promise<Ended> {
    return this.perform(sql, options, (request) => this.connection.execSqlBatch(request));
  }

  /** Runs one statement as the value of a parameter (`sp_executesql`): it is not part of any text of ours (SEC-44). */
  execute(sql: string, options: RequestOptions): Promise<Ended> {
    return this.perform(sql, options, (request) => {
      options.values?.forEach((value, i) => {
        request.addParameter(`p${i}`, typeof value === 'number' ? TYPES.Int : TYPES.NVarChar, value);
      });
      this.connection.execSql(request);
    });
  }

  /** The server takes back what is not committed. */
  close(): void {
    this.connection.close();
    this.guard.close();
  }

  private perform(
    sql: string,
    { ms, maxBytes, signal, onColumns, onRow }: RequestOptions,
    start: (request: Request) => void,
  ): Promise<Ended> {
    return new Promise((resolve, reject) => {
      let stoppedBy: 'enough' | 'time' | 'abort' | undefined;
      let results = 0;
      let lost: NodeJS.Timeout | undefined;
      const stop = (by: typeof stoppedBy) => {
        if (stoppedBy) return;
        stoppedBy = by;
        this.connection.cancel();
        lost = setTimeout(() => this.guard.close(), CANCEL_MS);
      };
      const timer = setTimeout(() => stop('time'), ms);
      const abort = () => stop('abort');
      signal.addEventListener('abort', abort, { once: true });
      this.guard.allow(maxBytes);

      const request = new Request(sql, (error) => {
        clearTimeout(timer);
        clearTimeout(lost);
        signal.removeEventListener('abort', abort);
        if (signal.aborted) reject(signal.reason as Error);
        else if (stoppedBy === 'time' || stoppedBy === 'enough') resolve({ kind: stoppedBy });
        else resolve(error ? this.endOf(error) : { kind: 'done' });
      });
      request.on('columnMetadata', (columns: unknown) => {
        if (++results === 1) onColumns?.(columns as ColumnType[]);
      });
      request.on('row', (columns: readonly { readonly value: unknown; readonly metadata: ColumnType }[]) => {
        // A second result is none of what was asked for.
        if (stoppedBy || results > 1) return;
        const row = columns.map(({ value, metadata }): JsonValue => exactJson(value, metadata));
        if (!onRow(row)) stop('enough');
      });
      start(request);
      if (signal.aborted) abort();
    });
  }

  private endOf(error: Error): Ended {
    if (this.guard.reason === 'too_much') return { kind: 'too_much' };
    const { number } = error as { number?: unknown };
    return typeof number === 'number' ? { kind: 'error', number, message: error.message } : { kind: 'lost' };
  }
}

function configuration(
  { host, port, user, password, database, tls }: DatabaseTarget,
  { ca, connectMs, textBytes }: SessionOptions,
  socket: Socket,
): ConnectionConfiguration {
  let isTaken = false;
  return {
    server: host,
    authentication: { type: 'default', options: { userName: user, password: password.reveal() } },
    options: {
      port,
      connector: () => {
        if (isTaken) return Promise.reject(new Error('the server sends its clients elsewhere'));
        isTaken = true;
        return Promise.resolve(socket);
      },
      database,
      appName: 'toolwright',
      // The driver would tell the name of this machine.
      workstationId: 'toolwright',
      // Without "ssl" the channel is encrypted all the same where the server can, by whatever certificate it has.
      encrypt: true,
      trustServerCertificate: !tls,
      ...(ca !== undefined && { cryptoCredentialsDetails: { ca: [...rootCertificates, ca] } }),
      connectTimeout: connectMs,
      // Ours are the limits of time: the driver's would be told apart by their text alone.
      requestTimeout: 0,
      cancelTimeout: 0,
      maxRetriesOnTransientErrors: 0,
      // "Read only" is no guard there: it has the client sent to another server, where we would not follow.
      readOnlyIntent: false,
      textsize: textBytes,
      abortTransactionOnError: true,
      rowCollectionOnRequestCompletion: false,
    },
  };
}

/** The driver's own limit of time ends with the first byte of the answer to a login. */
function connect(config: ConnectionConfiguration, socket: Socket, guard: SocketGuard, ms: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const connection = new Connection(config);
    const settle = (how: () => void) => {
      clearTimeout(timer);
      socket.off('close', closed);
      how();
    };
    const fail = (error: Error) => settle(() => reject(error));
    const closed = () => fail(new Error('closed'));
    const timer = setTimeout(() => fail(Object.assign(new Error('too late'), { code: 'ETIMEOUT' })), ms);
    socket.once('close', closed);
    parseWithoutThrowing(connection, guard);
    // Losing the connection later is told by the request that runs.
    connection.on('error', () => undefined);
    connection.on('secure', () => guard.secured());
    connection.connect((error) => (error ? fail(error) : settle(() => resolve(connection))));
  });
}

interface TokenParser {
  readonly parser: { on(event: 'error', listener: () => void): unknown };
}

/**
 * The driver throws where nobody catches when a server says what it should not: this process would end. Such a
 * connection is closed instead.
 */
function parseWithoutThrowing(connection: Connection, guard: SocketGuard): void {
  const inner = connection as unknown as { createTokenStreamParser(message: unknown, handler: object): TokenParser };
  const create = inner.createTokenStreamParser.bind(connection);
  inner.createTokenStreamParser = (message, handler) => {
    const made = create(
      message,
      safely(handler, () => guard.close('garbled')),
    );
    made.parser.on('error', () => guard.close('garbled'));
    return made;
  };
}

/** The same object, whose methods do not throw. */
const safely = (handler: object, failed: () => void): object =>
  new Proxy(handler, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        try {
          return Reflect.apply(value, of, args) as unknown;
        } catch {
          return failed();
        }
      };
    },
  });

/** Codes only: messages of the driver and the server name users and databases. */
function detailOf(error: unknown, guard: SocketGuard): string {
  if (guard.reason === 'insecure') return 'the server does not encrypt, which "ssl" asks for';
  if (guard.reason === 'too_much') return 'the server sent too much before the login';
  if (guard.reason === 'garbled') return 'the server does not keep to the protocol';
  const codes = [error, (error as { cause?: unknown } | undefined)?.cause].map(
    (each) => (each as { code?: unknown })?.code,
  );
  return `the login did not succeed (${codes.filter((code) => typeof code === 'string').join(', ') || 'unknown'})`;
}
