/**
 * Requests to addresses that a caller, a model or a document names: the one way out of this server besides the
 * operator's own endpoints and the database drivers (SEC-03, SEC-10 to SEC-21).
 *
 * Redirects are followed here, by hand, so that every hop is looked at like the first. Sizes are counted after
 * decoding, times from the first look-up to the last byte. What goes wrong is an EgressError with its token.
 */
import { Agent, errors, type Dispatcher } from 'undici';
import { discard, readBody } from './body';
import { EgressError } from './egress-error';
import type { EgressPolicy, Target } from './egress-policy';
import { guardedConnector } from './guarded-connector';
import type { Spool, SpooledFile } from './spool';
import { EgressTurns } from './turns';
import { WireCount } from './wire-count';

export interface WebLimits {
  readonly maxWireBytes: number;
  readonly maxDecodedBytes: number;
  /** The whole call, redirects included, from the moment it is its turn. */
  readonly totalMs: number;
  /** The settings that an error names. */
  readonly settings: { readonly size: string; readonly time: string };
  /** Of a body that unpacks to more, the beginning is good enough. */
  readonly cut?: boolean;
}

export interface WebClientOptions {
  readonly policy: EgressPolicy;
  readonly userAgent: string;
  readonly connectMs?: number;
  /** Until the headers are there, and between two parts of a body. */
  readonly idleMs?: number;
}

export interface WebRequest {
  readonly url: string | URL;
  /** Whose fetch it is: it counts against that organisation. */
  readonly organisationId: string;
  readonly limits: WebLimits;
  readonly signal: AbortSignal;
  /** Dropped when a redirect leads to another origin, but for those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly body?: string | Uint8Array;
  /** Where a large answer is written, instead of into memory. */
  readonly spool?: Spool;
  /** Asked when the headers of a good answer are there, before any of its body is read. @throws to refuse it. */
  readonly onHeaders?: (head: WebHead) => void;
  /**
   * Asked before each hop, the first one included. @throws to refuse it.
   *
   * @param inside fetches something else for it, in the turn and in the time that this request has already.
   */
  readonly onHop?: (url: URL, inside: WebClient['fetch']) => void | Promise<void>;
}

export interface WebHead {
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface WebResponse extends WebHead {
  readonly body: Uint8Array;
  /** The body, where it was written to the spool. */
  readonly file?: SpooledFile;
}

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 32 * 1024;
const CONNECTIONS_PER_ORIGIN = 4;
const KEPT_ALIVE_MS = 4000;
const MAX_ERROR_PAGE = 512 * 1024;
const TURNS = { atOncePerOrganisation: 4, waitingPerOrganisation: 100, atHostMs: 120_000 };
const PARTIAL = 206;
const REDIRECTS = [301, 302, 303, 307, 308];
/** What a new origin may be told. */
const HARMLESS = ['accept', 'accept-language', 'accept-encoding', 'user-agent', 'if-none-match', 'if-modified-since'];

export class WebClient {
  private readonly agent: Agent;
  private readonly turns = new EgressTurns(TURNS);
  private readonly wire = new WireCount();

  constructor(private readonly options: WebClientOptions) {
    const { policy, connectMs = 3000, idleMs = 5000 } = options;
    this.agent = new Agent({
      connect: guardedConnector(policy, connectMs, this.wire),
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      keepAliveTimeout: KEPT_ALIVE_MS,
      keepAliveMaxTimeout: KEPT_ALIVE_MS,
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
  }

  /** The URL as it would be fetched. @throws EgressError for one that is refused before anything is looked up. */
  check(url: string): URL {
    return this.options.policy.target(url).url;
  }

  /**
   * Fetches, when it is the organisation's and the host's turn. Any status that is no redirect resolves.
   *
   * @throws EgressError; the signal's reason when the caller is gone.
   */
  async fetch(request: WebRequest): Promise<WebResponse> {
    const first = this.options.policy.target(request.url);
    const { organisationId, signal } = request;
    return this.turns.forOrganisation(organisationId, signal, () => this.follow(first, request));
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private async follow(first: Target, request: WebRequest, within?: Budget): Promise<WebResponse> {
    let { method = 'GET', body } = request;
    let headers: Record<string, string> = { 'accept-encoding': 'gzip, br', ...request.headers };
    headers['user-agent'] = this.options.userAgent;
    let target = first;
    const budget = new Budget(request.limits, within);
    const inside = (other: WebRequest) => this.follow(this.options.policy.target(other.url), other, budget);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      await request.onHop?.(target.url, inside);
      const answer = await this.turns.atHost(target.host, request.organisationId, request.signal, () =>
        budget.spend(request.signal, (within) =>
          this.wire.watch(target.host, request.limits.maxWireBytes, within, (signal) =>
            this.hop(target, { ...request, method, headers, body, signal }),
          ),
        ),
      );
      if (!('location' in answer)) return answer;
      const next = this.next(target, answer.location);
      if (answer.status === 303 || (answer.status < 303 && method === 'POST')) {
        if (method !== 'HEAD') method = 'GET';
        body = undefined;
        headers = without(headers, (name) => name.startsWith('content-'));
      }
      if (next.url.origin !== target.url.origin) headers = without(headers, (name) => !HARMLESS.includes(name));
      target = next;
    }
    throw new EgressError('egress_limit', `the address leads on more than ${MAX_REDIRECTS} times.`);
  }

  /** @throws EgressError where a redirect leads to what would not have been fetched in the first place. */
  private next({ url }: Target, location: string): Target {
    if (!URL.canParse(location, url.href))
      throw new EgressError('egress_denied', 'the server leads on to no web address.');
    const next = this.options.policy.target(new URL(location, url));
    if (url.protocol === 'https:' && next.url.protocol === 'http:') {
      throw new EgressError('egress_denied', 'the server leads from https:// on to http://.');
    }
    return next;
  }

  private async hop(target: Target, request: WebRequest): Promise<WebResponse | Redirect> {
    const { method = 'GET', headers, body, signal } = request;
    const { origin, pathname, search } = target.url;
    const path = pathname + search;
    const response = await this.agent.request({ method, headers, body, signal, origin, path });
    const location = inUtf8(single(response.headers.location));
    if (!REDIRECTS.includes(response.statusCode) || location === undefined) {
      return this.read(target, response, request);
    }
    discard(response.body);
    return { status: response.statusCode, location };
  }

  private async read(
    { url }: Target,
    { statusCode: status, headers: given, body }: Dispatcher.ResponseData,
    { limits, onHeaders, signal, spool, headers: asked }: WebRequest,
  ): Promise<WebResponse> {
    const headers: Record<string, string | undefined> = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, single(value)]),
    );
    // Not all of them: a validator goes back to its server as it came.
    headers['content-disposition'] = inUtf8(headers['content-disposition']);
    const isGood = status >= 200 && status < 300;
    if (status === PARTIAL && !asksForPart(asked)) {
      discard(body);
      throw new EgressError('connection_failed', 'the server sent a part (status 206), and was asked for the whole.');
    }
    try {
      if (isGood) onHeaders?.({ url, status, headers });
    } catch (error) {
      discard(body);
      throw error;
    }
    const { 'content-encoding': encoding, 'content-length': length } = headers;
    const { maxWireBytes, maxDecodedBytes, settings, cut } = limits;
    const most = isGood ? Infinity : MAX_ERROR_PAGE;
    const read = readBody(
      body,
      { encoding, length },
      {
        maxWireBytes: Math.min(maxWireBytes, most),
        maxDecodedBytes: Math.min(maxDecodedBytes, most),
        setting: settings.size,
        cut,
      },
      isGood ? spool : undefined,
    );
    const { bytes, file } = isGood
      ? await read
      : await read.catch(() => ({ bytes: new Uint8Array(), file: undefined }));
    signal.throwIfAborted();
    return { url, status, headers, body: bytes, ...(file && { file }) };
  }
}

interface Redirect {
  readonly status: number;
  readonly location: string;
}

/** The time of one call, which runs while it is at a server and not while it waits for its turn. */
class Budget {
  private left: number;

  /** @param within of the call that this one is a part of: what is spent here is spent there, too (SEC-17). */
  constructor(
    private readonly limits: WebLimits,
    private readonly within?: Budget,
  ) {
    this.left = limits.totalMs;
  }

  async spend<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const startedAt = performance.now();
    const { left, limits } = this.within && this.within.left < this.left ? this.within : this;
    const timer = setTimeout(() => late.abort(), Math.max(0, left));
    try {
      return await work(AbortSignal.any([signal, late.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!late.signal.aborted) throw inOurWords(error);
      const { totalMs, settings } = limits;
      const words = `the answer took longer than ${totalMs / 1000} s (setting ${settings.time}).`;
      throw new EgressError('tool_timeout', words);
    } finally {
      clearTimeout(timer);
      this.take(performance.now() - startedAt);
    }
  }

  private take(ms: number): void {
    this.left -= ms;
    this.within?.take(ms);
  }
}

const asksForPart = (headers: WebRequest['headers'] = {}): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'range');

const single = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Many servers write UTF-8 into headers (`Location: /año`), which arrives byte by byte. */
function inUtf8(value: string | undefined): string | undefined {
  if (value === undefined || !/[\u0080-\u00ff]/.test(value) || /[^\u0000-\u00ff]/.test(value)) return value;
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? value : text;
}

const without = (headers: Record<string, string>, drops: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !drops(name.toLowerCase())));

const TIMEOUTS = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];

/** The token for what a connection died of. Whatever a driver says stays in the log (SEC-21). */
function inOurWords(error: unknown): unknown {
  if (error instanceof EgressError) return error;
  if (TIMEOUTS.some((known) => error instanceof known)) {
    return new EgressError('tool_timeout', 'the server did not answer in time.', { cause: error });
  }
  if (error instanceof errors.HeadersOverflowError) {
    return new EgressError(
      'egress_limit',
      `the headers of the answer are larger than ${MAX_HEADER_BYTES / 1024} KiB.`,
      {
        cause: error,
      },
    );
  }
  if (typeof error === 'object' && error !== null && 'code' in error) {
    return new EgressError('connection_failed', 'the server could not be reached, or broke off its answer.', {
      cause: error,
    });
  }
  return error;
}
