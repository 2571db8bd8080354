/**
 * Connections to one server that the operator named in the configuration: a model server, an embeddings server.
 *
 * Only for those. Addresses that a caller, a model or a document names need the address guard, which is another door
 * of this folder.
 */
import { fetch as undiciFetch, Pool, type Dispatcher, type RequestInit as UndiciRequestInit } from 'undici';
import { abortSignalOf, type StopSignal } from '../stop-signal';
import { openStream, type EndpointStream } from './endpoint-stream';

export interface EndpointPoolOptions {
  /** How long a connection may take to come about, in milliseconds. */
  readonly connectMs: number;
  /** How long the server may say nothing, before its headers and between two parts of its body, in milliseconds. */
  readonly idleMs: number;
  /** Connections at most. Further requests wait for one. */
  readonly maxConnections: number;
}

export interface EndpointRequest {
  readonly method: Dispatcher.HttpMethod;
  /** Below the base URL: `/chat/completions`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: StopSignal;
}

export type EndpointResponse = Dispatcher.ResponseData;

export interface EndpointPool {
  /** The answer as undici gives it, its body not touched. The body must be read or destroyed. Any status resolves. */
  request(request: EndpointRequest): Promise<EndpointResponse>;
  /** The same for an answer that comes in many parts, at a fraction of the cost. */
  open(request: EndpointRequest): Promise<EndpointStream>;
  /** For client packages that want a `fetch`. Refuses any other origin, and redirects. */
  readonly fetch: typeof globalThis.fetch;
  /** Cuts what is open. */
  close(): Promise<void>;
}

export function endpointPool(baseUrl: string, options: EndpointPoolOptions): EndpointPool {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    connections: options.maxConnections,
    pipelining: 1,
    connect: { timeout: options.connectMs },
    headersTimeout: options.idleMs,
    bodyTimeout: options.idleMs,
  });

  return {
    request: ({ method, path, headers, body, signal }) =>
      pool.request({
        method,
        path: prefix + path,
        headers: headers as Record<string, string>,
        body,
        signal: signal && abortSignalOf(signal),
      }),

    // Written out: what is copied with `...` and then added to costs undici more than the request itself.
    open: ({ method, path, headers, body, signal }) =>
      openStream(
        (handler) =>
          pool.dispatch({ method, path: prefix + path, headers: headers as Record<string, string>, body }, handler),
        signal,
      ),

    fetch: (async (input: string | URL, init?: UndiciRequestInit) => {
      const url = new URL(input);
      // A pool sends everything to its own origin, whatever the URL says.
      if (url.origin !== origin) throw new TypeError(`Not an address of ${origin}`);
      return undiciFetch(url, { ...init, dispatcher: pool, redirect: 'error' });
    }) as unknown as typeof globalThis.fetch,

    close: () => pool.destroy(),
  };
}
