/**
 * One OpenAI-compatible server: its address, its key, its connections.
 *
 * It opens answers and leaves reading them to `OpenAiChatModel`. It tries again only while nothing of an answer has
 * come, and only where another try may help.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { PlatformError } from '@app/contract';
import {
  abortSignalOf,
  Deadline,
  endpointPool,
  type EndpointPool,
  type EndpointStream,
  type Secret,
  type StopSignal,
} from '@app/platform';
import { listedModels, type ListedModel } from './listed-models';
import { errorCode, isUnaskedInformation, refusal, unreachable, type FailedRequest } from './model-server-errors';

export interface ModelServerOptions {
  /** With or without `/v1` at its end; a bare host and port gets it. */
  readonly baseUrl: string;
  readonly apiKey?: Secret;
  /** Milliseconds that a connection may take to come about. */
  readonly connectMs: number;
  /** Milliseconds without a byte, before the headers and between two chunks. */
  readonly idleMs: number;
  readonly maxConnections: number;
}

/** Waits before the second and the third try. */
const BACK_OFF_MS = [200, 600];
const LONGEST_WAIT_MS = 5000;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 8 * 1024 * 1024;
/** A list of a million tokens. */
const MAX_COUNT_BYTES = 16 * 1024 * 1024;
/** A server, or a proxy before it, may compress where a request does not say that it takes none of it. */
const UNCOMPRESSED = { 'accept-encoding': 'identity' };
const ROOT_CONNECTIONS = 8;
const LIST_MS = 10_000;

const RETRIED_STATUSES = new Set([429, 502, 503, 529]);
/** The request cannot have been served: there was no connection, or an idle one had just been closed. */
const RETRIED_FAILURES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

export class ModelServer {
  private readonly pool: EndpointPool;
  private readonly root: EndpointPool;
  /** Headers of every request. */
  private readonly everyTime: () => Record<string, string>;

  constructor({ baseUrl, apiKey, ...limits }: ModelServerOptions) {
    this.pool = endpointPool(apiRoot(baseUrl), limits);
    this.root = endpointPool(apiRoot(baseUrl).replace(/\/v1\/?$/, ''), { ...limits, maxConnections: ROOT_CONNECTIONS });
    this.everyTime = (): Record<string, string> =>
      apiKey ? { ...UNCOMPRESSED, authorization: `Bearer ${apiKey.reveal()}` } : UNCOMPRESSED;
  }

  /**
   * Posts a chat completion; the answer's status is 200 and its body is not touched.
   *
   * @param describe tells what the request was, if it fails.
   * @throws PlatformError as `ChatModel.stream` says, or the signal's reason.
   */
  async openChat(body: string, describe: () => FailedRequest, signal: StopSignal): Promise<EndpointStream> {
    for (let failures = 0; ; failures++) {
      const outcome = await this.tryChat(body, describe, signal);
      if (outcome.response) return outcome.response;
      const pause = Math.max(BACK_OFF_MS[failures] ?? Infinity, outcome.retryAfterMs);
      if (!outcome.retry || pause > LONGEST_WAIT_MS) throw outcome.error;
      await wait(pause, undefined, { signal: abortSignalOf(signal) }).catch(() => signal.throwIfAborted());
    }
  }

  /**
   * The models that the server lists; empty where it answers without a list.
   *
   * @throws OverloadedError when it cannot be reached or is too busy, PlatformError when it refuses.
   */
  async listModels(signal?: AbortSignal): Promise<ListedModel[]> {
    const deadline = new Deadline(LIST_MS, signal);
    try {
      const answer = await this.pool.open({
        method: 'GET',
        path: '/models',
        headers: { accept: 'application/json', ...this.everyTime() },
        signal: deadline.signal,
      });
      const { statusCode } = answer;
      const text = await readText(answer, statusCode === 200 ? MAX_LIST_BYTES : MAX_ERROR_BYTES);
      if (statusCode === 404 || statusCode === 405) return [];
      if (statusCode !== 200) throw refusal(statusCode, parsed(text), { model: '', promptTokens: 0, contextTokens: 0 });
      return listedModels(parsed(text));
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof PlatformError ? error : unreachable(error);
    } finally {
      deadline.end();
    }
  }

  /**
   * Posts JSON outside of the OpenAI-compatible part, at the root of the server.
   *
   * @returns the JSON of the answer, or undefined for any status but 200.
   */
  async postToRoot(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    const answer = await this.root.open({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...this.everyTime() },
      body: JSON.stringify(body),
      signal,
    });
    const { statusCode } = answer;
    const text = await readText(answer, statusCode === 200 ? MAX_COUNT_BYTES : MAX_ERROR_BYTES);
    return statusCode === 200 ? parsed(text) : undefined;
  }

  /** Cuts every answer that is still coming. */
  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.root.close()]);
  }

  private async tryChat(body: string, describe: () => FailedRequest, signal: StopSignal) {
    let response: EndpointStream;
    try {
      response = await this.pool.open({
        method: 'POST',
        path: '/chat/completions',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...this.everyTime() },
        body,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      const retry = RETRIED_FAILURES.has(errorCode(error) ?? '') && !isUnaskedInformation(error);
      return { error: unreachable(error), retry, retryAfterMs: 0 };
    }
    const { statusCode, headers } = response;
    if (statusCode === 200) return { response };
    const text = await readText(response, MAX_ERROR_BYTES).catch(() => '');
    signal.throwIfAborted();
    const retryAfterMs = retryAfter(headers['retry-after']);
    const seconds = retryAfterMs > 0 ? Math.ceil(retryAfterMs / 1000) : undefined;
    return {
      error: refusal(statusCode, parsed(text), describe(), seconds),
      retry: RETRIED_STATUSES.has(statusCode),
      retryAfterMs,
    };
  }
}

/** `http://host:port` alone is what people write; the API is below `/v1` there. */
function apiRoot(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.pathname === '/') url.pathname = '/v1';
  return url.href;
}

/** The beginning of a body, as text; what is beyond `maxBytes` closes the connection. */
function readText(stream: EndpointStream, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const end = () => resolve(Buffer.concat(parts).toString('utf8'));
    const data = (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes <= maxBytes) return;
      stream.destroy();
      end();
    };
    stream.read({ data, end, failed: reject });
  });
}

/** The JSON, or the text itself where it is none. A page for people has no words for a caller. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trimStart().startsWith('<') ? undefined : text;
  }
}

/** Milliseconds, from seconds or a date; 0 where the header says nothing. */
function retryAfter(header: string | string[] | undefined): number {
  const value = Array.isArray(header) ? header[0] : header;
  if (!value) return 0;
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}
