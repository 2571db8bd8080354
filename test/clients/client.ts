/**
 * What the scenarios ask of a client, and what they look at in its answers.
 *
 * A driver says the same in its client's own words: its own types, its own tool loop, its own error classes. Whatever a
 * client does with an answer before anybody sees it is done.
 */
export interface Ask {
  readonly conversation: readonly Turn[];
  /** Default: `default`. */
  readonly model?: string;
  readonly system?: string;
  readonly tools?: readonly Tool[];
  /** A name forces that tool. Default: what the client sends by itself. */
  readonly choice?: 'any' | 'none' | { readonly name: string };
  readonly thinking?: boolean;
  readonly maxTokens?: number;
  readonly stopAt?: string;
  /** Told of each piece of text as it comes, of a stream. */
  readonly onText?: (piece: string) => void;
  readonly signal?: AbortSignal;
}

export type Turn = UserTurn | { readonly assistant: Answer } | { readonly results: readonly Result[] };

export interface UserTurn {
  readonly user: string;
  /** A PNG beside the words, in base64. */
  readonly image?: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObjectSchema;
  /** What running it returns, with `{argument}` for the arguments; a driver's tool loop uses it. */
  readonly returns: string;
}

export interface JsonObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly title?: string;
}

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface Result extends Call {
  readonly content: string;
  readonly isError?: boolean;
}

export interface Answer {
  readonly text: string;
  readonly thinking: string;
  /** Calls that the client is to run. */
  readonly calls: readonly Call[];
  /** Calls that the server has run, as the client tells of them. */
  readonly served: readonly { readonly name: string; readonly input: unknown; readonly output: string }[];
  readonly ending: 'end' | 'tools' | 'length' | 'stop sequence' | 'other';
  readonly usage: { readonly input: number; readonly output: number };
  /** What the client's users put into the next request for this answer. */
  readonly replay: unknown;
}

/** What a client's users find in the error that it throws. */
export interface Failure {
  /** The client's own name for the kind of error. */
  readonly kind: string;
  readonly status?: number;
  readonly message: string;
}

export interface Client {
  create(ask: Ask): Promise<Answer>;
  stream(ask: Ask): Promise<Answer>;
  /** Asks, runs the tools, sends the results back, until there is an answer: by the client's own means, if it has any. */
  loop(ask: Ask, how: { readonly streamed: boolean }): Promise<{ readonly answer: Answer; readonly ran: Ran[] }>;
  /** An answer of that shape, by each way that the client has. */
  structured(ask: Ask, schema: JsonObjectSchema, way: string): Promise<unknown>;
  /** A question about the documents of the collection `docs`, for the server's own search to answer. */
  search(ask: Ask, how: { readonly streamed: boolean }): Promise<Answer>;
  countTokens?(ask: Ask): Promise<number>;
  /** All of them, page by page. */
  models?(): Promise<string[]>;
  model?(id: string): Promise<string>;
  close?(): Promise<void>;
}

export type Ran = Pick<Call, 'name' | 'input'>;

export type Refusal = 400 | 401 | 404 | 413 | 429 | 529;

export interface Driver {
  readonly name: string;
  readonly structuredWays: readonly string[];
  /** What it hides from its users that the others show. */
  readonly hides?: readonly ('server-run calls of a stream' | 'failed results')[];
  /** What it throws where a call was forced and the answer is in words; most hand the words on. */
  readonly insists?: string;
  /** Whether it counts tokens and lists models. */
  readonly lists: boolean;
  /** What the client calls an error of each status. */
  readonly failures: Readonly<Record<Refusal, string>>;
  failure(thrown: unknown): Failure;
  open(server: { readonly url: string; readonly key: string; readonly retries?: number }): Promise<Client> | Client;
}

/** What running a tool returns. */
export const run = ({ returns }: Tool, input: unknown): string =>
  returns.replace(/\{(\w+)\}/g, (_, name: string) => String((input as Record<string, unknown>)[name]));

/** The built-in search over the collection `docs`, as a request names it. */
export const SEARCH = {
  tools: [{ name: 'search', type: 'semantic_search_v1' }],
  tool_context: [{ type: 'ingested_artifact', context_filter: { collection: 'docs' } }],
};
