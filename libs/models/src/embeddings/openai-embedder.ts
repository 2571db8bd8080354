/**
 * An embedder behind an OpenAI-compatible server.
 *
 * It believes nothing: vectors are put in order by their index, made unit vectors, and refused when their number or
 * their length is not what it has to be.
 */
import { InvalidRequestError, OverloadedError, PlatformError, TimeoutError } from '@app/contract';
import { endpointPool, type EndpointPool, type Secret } from '@app/platform';
import type { OpenAI } from 'openai' with { 'resolution-mode': 'import' };
import { Embedder } from './embedder';
import { unitVector } from './unit-vector';

export interface OpenAiEmbedderOptions {
  readonly baseUrl: string;
  readonly apiKey?: Secret;
  readonly model: string;
  readonly connectMs: number;
  /** Milliseconds that the server may take for one batch. */
  readonly idleMs: number;
}

const MAX_BATCH_TEXTS = 256;
const MAX_BATCH_CHARACTERS = 400_000;
/** Of one text, where words are no measure: languages without spaces, long runs of anything. */
const MAX_CHARACTERS = 4000;
const MAX_CONNECTIONS = 16;
const RETRIES = 2;

export class OpenAiEmbedder extends Embedder {
  override readonly id: string;
  override readonly maxWords = 300;
  override readonly languages = [];

  private readonly pool: EndpointPool;
  private client: Promise<OpenAI> | undefined;
  private known: number | undefined;

  constructor(private readonly options: OpenAiEmbedderOptions) {
    super();
    const { baseUrl, model, connectMs, idleMs } = options;
    // Without its length of vectors, which only the server knows: collections record that beside the id.
    this.id = `openai/${model}`;
    this.pool = endpointPool(baseUrl, { connectMs, idleMs, maxConnections: MAX_CONNECTIONS });
  }

  override async dimensions(signal?: AbortSignal): Promise<number> {
    if (this.known === undefined) await this.embed(['dimensions'], signal);
    return this.known!;
  }

  /**
   * @throws InvalidRequestError for an empty text, OverloadedError when the server cannot be reached or is too busy,
   *   PlatformError `api_error` when it refuses or answers with anything but a vector for each text.
   */
  override async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    if (texts.some((text) => text.trim() === '')) throw new InvalidRequestError('A text to embed is empty.');
    const vectors: Float32Array[] = [];
    for (const batch of batchesOf(texts.map((text) => beginning(text, this.maxWords)))) {
      signal?.throwIfAborted();
      vectors.push(...this.checked(await this.ask(batch, signal), batch.length));
    }
    return vectors;
  }

  /** Cuts what is open. */
  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async ask(input: string[], signal?: AbortSignal): Promise<unknown> {
    // The client never takes its listeners off a signal, and a long text is many requests: each has one of its own.
    const request = new AbortController();
    const abort = () => request.abort(signal!.reason);
    signal?.addEventListener('abort', abort);
    try {
      const body = { model: this.options.model, input, encoding_format: 'float' } as const;
      this.client ??= this.connect();
      return (await (await this.client).embeddings.create(body, { signal: request.signal })).data;
    } catch (error) {
      signal?.throwIfAborted();
      throw explained(error);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Loads the package only now: it takes a sixth of a second, and most starts do without it. */
  private async connect(): Promise<OpenAI> {
    const { OpenAI: Client } = await import('openai');
    const { baseUrl, apiKey, idleMs } = this.options;
    return new Client({
      baseURL: baseUrl.replace(/\/+$/, ''),
      apiKey: apiKey?.reveal() ?? 'none',
      ...(!apiKey && { defaultHeaders: { authorization: null } }),
      // The client would read these from the environment, and log to the console.
      organization: null,
      project: null,
      logLevel: 'off',
      fetch: this.pool.fetch,
      maxRetries: RETRIES,
      timeout: idleMs,
    });
  }

  private checked(data: unknown, count: number): Float32Array[] {
    const entries = Array.isArray(data) ? (data as ({ index?: unknown; embedding?: unknown } | null)[]) : [];
    const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
    entries.forEach((entry, place) => {
      const at = typeof entry?.index === 'number' ? entry.index : place;
      if (at in vectors && Array.isArray(entry?.embedding)) vectors[at] = unitVector(entry.embedding as number[]);
    });
    const given = vectors.filter((vector) => vector !== undefined);
    if (given.length < count) throw nonsense(`${given.length} usable vectors for ${count} texts`);
    const length = this.known ?? given[0]!.length;
    const other = given.find((vector) => vector.length !== length);
    if (other) throw nonsense(`a vector of ${other.length} numbers after others of ${length}`);
    this.known = length;
    return given;
  }
}

const nonsense = (what: string) => new PlatformError('api_error', `The embeddings server answered with ${what}.`);

/** Without a word of the server's, for callers and for the log: it may quote the texts, or what is the operator's. */
function explained(error: unknown): PlatformError {
  const { status, name } = error as { status?: unknown; name?: unknown };
  if (name === 'SyntaxError') return nonsense('something that is not JSON');
  if (typeof status !== 'number') {
    return new OverloadedError(
      'The embeddings server cannot be reached, or does not answer: the operator has to check EMBEDDINGS_BASE_URL.',
      { cause: error, retryAfter: 5 },
    );
  }
  const cause = new Error(`The embeddings server answered with status ${status}`);
  if (status === 401 || status === 403) {
    return new PlatformError(
      'api_error',
      'The embeddings server refused our credentials: the operator has to check EMBEDDINGS_API_KEY.',
      { cause },
    );
  }
  if (status === 404) {
    return new PlatformError(
      'api_error',
      'The embeddings server does not know the model or the path: the operator has to check EMBEDDINGS_MODEL and EMBEDDINGS_BASE_URL.',
      { cause },
    );
  }
  if (status === 408 || status === 504) {
    return new TimeoutError('The embeddings server ran out of time.', { cause });
  }
  if (status === 429 || status === 503 || status === 529) {
    return new OverloadedError('The embeddings server is too busy; try again in a moment.', { cause, retryAfter: 5 });
  }
  return new PlatformError('api_error', `The embeddings server failed with status ${status}.`);
}

function* batchesOf(texts: readonly string[]): Iterable<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length === MAX_BATCH_TEXTS || characters + text.length > MAX_BATCH_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}

/** The first `words` words, with what is between them. */
function beginning(text: string, words: number): string {
  const short = text.slice(0, MAX_CHARACTERS);
  let left = words;
  for (const { index } of short.matchAll(/\s\S/g)) if (--left === 0) return short.slice(0, index);
  return short;
}
