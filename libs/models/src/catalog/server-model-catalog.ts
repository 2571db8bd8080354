/**
 * The models of the configured model server, and the built-in one.
 *
 * What the server lists is asked for again and again in the background, and kept while the server is down: a request
 * never waits for the list, and a server that is down does not stop the start.
 */
import { OverloadedError, PlatformError, type ModelInfo, type ModelList } from '@app/contract';
import { connectionTrouble, type Logger } from '@app/platform';
import type { ChatModel } from '../chat/chat-model';
import type { ListedModel } from '../chat/openai-compatible/listed-models';
import type { ModelServer } from '../chat/openai-compatible/model-server';
import { OpenAiChatModel } from '../chat/openai-compatible/openai-chat-model';
import { tokenizeDialect } from '../chat/openai-compatible/server-tokenizer';
import { ModelCatalog } from './model-catalog';
import { modelInfo, modelPage } from './model-info';
import { ModelNotFoundError } from './model-not-found.error';

export interface ServerModelCatalogOptions {
  /** Absent: the built-in model is all there is. Closed with the catalog. */
  readonly server?: ModelServer;
  readonly builtIn: ChatModel;
  /** The model that answers as `default`, listed or not. Absent: the first that the server lists. */
  readonly defaultModel?: string;
  /** For models of which the server does not tell it. */
  readonly contextTokens: number;
  /** Of one answer, whichever model it is. Absent: as many as its server tells, or as its window leaves. */
  readonly maxOutputTokens?: number;
  /** Of one request. */
  readonly maxImages?: number;
  readonly maxAudios?: number;
  /** Whether answers begin inside of the model's thinking. */
  readonly maxAnswerCharacters?: number;
  readonly beginsThinking?: boolean;
  readonly logger: Logger;
}

interface Entry {
  readonly model: ChatModel;
  readonly listed?: ListedModel;
}

/** What is told when the built-in model answers although a server was named. */
export const NO_MODEL_LISTED =
  'The server at OPENAI_BASE_URL lists no models, so the built-in one answers. Load one there, set MODEL, or correct ' +
  'OPENAI_BASE_URL, which usually ends in /v1.';

const REFRESH_MS = 60_000;
/** While the server cannot be reached. */
const RETRY_MS = 5000;
/** The start does not wait longer than this for a list. */
const START_MS = 2000;
/** Between two tries, however many requests ask while there is no list. */
const SOONEST_RETRY_MS = 1000;
/** Ids of models that a server lists beside chat models, and that cannot hold a conversation. */
const NO_CHAT_MODEL = /embed|rerank|^bge-|whisper|[-_]tts|moderation|dall-e/i;

export class ServerModelCatalog extends ModelCatalog {
  /** By id, in the order of the list. */
  private entries = new Map<string, Entry>();
  /** The one of them that answers as `default`. */
  private byDefault!: Entry;
  private hasList = false;
  private failure: PlatformError | undefined;
  private refreshing: Promise<void> | undefined;
  private triedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: ServerModelCatalogOptions) {
    super();
    this.take([]);
  }

  /** Asks for the list, waits for it a little, and goes on asking: every minute, more often while there is none. */
  async start(): Promise<void> {
    if (!this.options.server) return;
    let waited: NodeJS.Timeout | undefined;
    const longEnough = new Promise<void>((resolve) => (waited = setTimeout(resolve, START_MS)));
    await Promise.race([this.refresh(), longEnough]);
    clearTimeout(waited);
    this.goOnAsking();
  }

  /** Asks the server what it lists now. Never throws: what fails is logged, and the list of before stays. */
  refresh(): Promise<void> {
    this.refreshing ??= this.askForList().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  override resolve(model?: string): ChatModel {
    return this.entry(model).model;
  }

  override list(page: { limit: number; after_id?: string; before_id?: string }): ModelList {
    return modelPage(
      [...this.entries.values()].map(({ model, listed }) => modelInfo(model.info, listed)),
      page,
    );
  }

  override get(id: string): ModelInfo {
    const { model, listed } = this.entry(id);
    return modelInfo(model.info, listed);
  }

  /** Nest calls it when the last turn has ended. */
  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.options.server?.close();
  }

  private entry(name?: string): Entry {
    const named = name === undefined ? undefined : this.entries.get(name);
    if (named) return named;
    const meansDefault = name === undefined || name === 'default' || name.startsWith('claude-');
    // Without a list, only the models that need none are certain.
    const unsure = this.options.server !== undefined && !this.hasList;
    if (unsure) this.refreshSoon();
    if (unsure && !(meansDefault && this.options.defaultModel !== undefined)) throw this.failure ?? notAskedYet();
    if (!meansDefault) throw new ModelNotFoundError(name, [...this.entries.keys()]);
    return this.byDefault;
  }

  private defaultEntry(entries: ReadonlyMap<string, Entry>): Entry {
    const { defaultModel, builtIn } = this.options;
    const ids = [...entries.keys()].filter((id) => id !== builtIn.info.id);
    const id = defaultModel ?? ids.find((id) => !NO_CHAT_MODEL.test(id)) ?? ids[0];
    return (id !== undefined && entries.get(id)) || { model: builtIn };
  }

  private goOnAsking(): void {
    const again = () => this.refresh().then(() => this.goOnAsking());
    if (!this.closed) this.timer = setTimeout(again, this.hasList && !this.failure ? REFRESH_MS : RETRY_MS).unref();
  }

  private refreshSoon(): void {
    if (performance.now() - this.triedAt > SOONEST_RETRY_MS) void this.refresh();
  }

  private async askForList(): Promise<void> {
    const { server, logger, defaultModel } = this.options;
    if (!server) return;
    this.triedAt = performance.now();
    try {
      const listed = await server.listModels();
      if (this.failure) logger.info({ models: listed.length }, 'the model server is back');
      const isNew = this.failure !== undefined || !this.hasList || this.entries.size > 1;
      if (isNew && listed.length === 0 && defaultModel === undefined) logger.warn(NO_MODEL_LISTED);
      this.failure = undefined;
      this.hasList = true;
      this.take(listed);
    } catch (error) {
      if (!this.failure) logger.warn(toldOf(error), 'the model server does not list its models');
      this.failure = error instanceof PlatformError ? error : new PlatformError('api_error', 'Internal error');
    }
  }

  /** The default first, then in the order of the server, the built-in one last. */
  private take(listed: readonly ListedModel[]): void {
    const { defaultModel, builtIn, server } = this.options;
    const first = listed.find(({ id }) => id === defaultModel) ?? (defaultModel && server ? { id: defaultModel } : []);
    const entries = new Map<string, Entry>();
    for (const model of [first, listed].flat()) entries.set(model.id, entries.get(model.id) ?? this.serverEntry(model));
    entries.delete(builtIn.info.id);
    this.entries = entries.set(builtIn.info.id, { model: builtIn });
    this.byDefault = this.defaultEntry(entries);
  }

  private serverEntry(listed: ListedModel): Entry {
    const { maxOutputTokens } = this.options;
    const contextTokens = listed.contextTokens ?? this.options.contextTokens;
    const info = {
      id: listed.id,
      displayName: listed.id,
      contextTokens,
      maxOutputTokens: Math.min(
        maxOutputTokens ?? contextTokens,
        listed.maxOutputTokens ?? contextTokens,
        contextTokens,
      ),
      limitsOutput: maxOutputTokens !== undefined,
      tools: listed.tools,
      // What a server does not tell, it is asked for: it refuses in its own words what it cannot do.
      images: listed.images ?? true,
      imagesInResults: listed.images ?? false,
      audio: listed.audio ?? false,
      maxImages: this.options.maxImages,
      maxAudios: this.options.maxAudios,
      thinking: true,
      maxAnswerCharacters: this.options.maxAnswerCharacters,
      beginsThinking: this.options.beginsThinking,
      structuredOutput: true,
    };
    const model = new OpenAiChatModel(this.options.server!, info, tokenizeDialect(listed.ownedBy));
    return { model, listed };
  }
}

/** What an operator has to mend needs words, not a stack trace. */
const toldOf = (error: unknown) =>
  error instanceof PlatformError
    ? { reason: error.message, why: connectionTrouble(error.cause) ?? (error.cause as Error | undefined)?.message }
    : { err: error };

const notAskedYet = () => new OverloadedError('The model server (OPENAI_BASE_URL) has not told its models yet.');
