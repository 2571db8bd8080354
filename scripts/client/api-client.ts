/**
 * The public API over HTTP, as any program outside the server sees it.
 *
 * Node's own client rather than `fetch`, which gives up after five minutes without an answer: a long document takes
 * longer than that to embed.
 */
import type { StreamEvent } from '@app/contract';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { readEvents } from './sse';

const CONNECT_MS = 10_000;

/** A stream that says nothing for so long is dead: the server pings every 15 seconds. */
const SILENT_STREAM_MS = 60_000;

export interface Connection {
  /** Where the server is, such as `http://127.0.0.1:8080`; may have a path. */
  readonly url: URL;
  readonly key?: string;
  readonly organisation?: string;
}

/** The server answered, and said no. The message is the server's explanation. */
export class ApiError extends Error {
  /** What the server asked for by `retry-after`. */
  readonly retryAfterMs?: number;

  constructor(
    readonly status: number,
    message: string,
    options?: ErrorOptions & { readonly retryAfterMs?: number },
  ) {
    super(message, options);
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** No answer: nobody listens, or the connection was cut before the answer was whole. */
export class ConnectionError extends Error {}

export class ApiClient {
  private readonly agent: HttpAgent;

  constructor(private readonly connection: Connection) {
    this.agent = new (connection.url.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true });
  }

  /** @throws ApiError, ConnectionError, or the signal's reason. */
  async get<Body>(path: string, signal?: AbortSignal): Promise<Body> {
    return (await this.json(await this.send('GET', path, undefined, signal), signal)) as Body;
  }

  /** @throws ApiError, ConnectionError, or the signal's reason. */
  async post<Body>(path: string, body: object, signal?: AbortSignal): Promise<Body> {
    return (await this.json(await this.send('POST', path, body, signal), signal)) as Body;
  }

  /**
   * Posts a body that asks for a stream. An `error` event is thrown like an error status.
   *
   * @throws ApiError, ConnectionError, or the signal's reason.
   */
  async *stream(path: string, body: object, signal?: AbortSignal): AsyncGenerator<StreamEvent> {
    const response = await this.send('POST', path, body, signal);
    response.setTimeout(SILENT_STREAM_MS, () => response.destroy(new Error('the server went silent')));
    try {
      for await (const event of readEvents(response)) {
        if (event.type === 'error') throw new ApiError(200, explanationOf(event));
        yield event;
      }
    } catch (error) {
      throw this.outward(error, signal);
    }
    if (!response.complete) throw this.outward(new Error('the answer was cut off'), signal);
  }

  private async send(method: string, path: string, body: object | undefined, signal?: AbortSignal) {
    const response = await this.exchange(method, path, body, signal).catch((error: unknown) => {
      throw this.outward(error, signal);
    });
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    const seconds = Number(response.headers['retry-after']);
    throw new ApiError(status, explanationFrom(status, await this.text(response, signal)), {
      ...(seconds > 0 && { retryAfterMs: seconds * 1000 }),
    });
  }

  private exchange(method: string, path: string, body: object | undefined, signal?: AbortSignal) {
    const { url, key, organisation } = this.connection;
    const payload = body && Buffer.from(JSON.stringify(body));
    return new Promise<IncomingMessage>((resolve, reject) => {
      const target = new URL(url.pathname.replace(/\/$/, '') + path, url);
      const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
        method,
        agent: this.agent,
        signal,
        headers: {
          accept: 'application/json, text/event-stream',
          ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
          ...(key && { authorization: `Bearer ${key}` }),
          ...(organisation && { 'x-org': organisation }),
        },
      });
      const connecting = setTimeout(() => request.destroy(new Error('no connection within 10 seconds')), CONNECT_MS);
      const connected = () => clearTimeout(connecting);
      request.once('socket', (socket) => (socket.connecting ? socket.once('connect', connected) : connected()));
      request.once('close', connected);
      request.once('response', resolve);
      // Stays on: a server that refuses a body early may cut the connection while the rest is being sent.
      request.on('error', reject);
      request.end(payload);
    });
  }

  private async json(response: IncomingMessage, signal?: AbortSignal): Promise<unknown> {
    const body = await this.text(response, signal);
    try {
      return JSON.parse(body) as unknown;
    } catch (error) {
      throw new ApiError(response.statusCode ?? 0, `${this.connection.url.origin} does not answer in JSON`, {
        cause: error,
      });
    }
  }

  private async text(response: IncomingMessage, signal?: AbortSignal): Promise<string> {
    const parts: Buffer[] = [];
    try {
      for await (const part of response) parts.push(part as Buffer);
    } catch (error) {
      throw this.outward(error, signal);
    }
    return Buffer.concat(parts).toString();
  }

  private outward(error: unknown, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof ApiError || error instanceof ConnectionError) return error;
    return new ConnectionError(`${this.connection.url.origin}: ${wordsOf(error)}`, { cause: error });
  }
}

/** The reason in words: Node leaves the message empty where it tried several addresses of one host. */
function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && REASONS[code]) || message || code || 'the connection failed';
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nobody listens there (is the server running? `npm start`)',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'there is no host of that name',
};

function explanationFrom(status: number, body: string): string {
  try {
    return explanationOf(JSON.parse(body) as object);
  } catch {
    return `HTTP ${status}`;
  }
}

/** The cause that an error body carries: a sentence, or one entry for each field that is wrong. */
function explanationOf(body: object): string {
  const { detail, error } = body as { detail?: unknown; error?: { message?: string } };
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) {
    return detail
      .map(({ loc, msg }: { loc?: unknown[]; msg?: string }) => `${(loc ?? []).slice(1).join('.')}: ${msg}`)
      .join('; ');
  }
  return error?.message ?? JSON.stringify(body);
}
