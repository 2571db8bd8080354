/**
 * Port: a model that answers a conversation.
 *
 * An adapter translates to its model server and back, part by part, in the order in which the model speaks. It
 * does not run tools, number blocks, fold history or retry after the first part; the turn does, or nobody.
 */
import type { StopSignal } from '@app/platform';
import type { ConversationMessage } from './conversation';
import type { SqlTask } from './sql-task';

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; its root is an object. */
  readonly inputSchema: Record<string, unknown>;
  /** The canonical name of a tool that the server runs (`semantic_search`), whatever the caller named it. */
  readonly builtIn?: string;
}

/** Whether and which tool must be called in this model turn. */
export type ToolForcing = { readonly type: 'auto' | 'any' | 'none' } | { readonly type: 'tool'; readonly name: string };

/** What of a request becomes the prompt. */
export interface PromptRequest {
  /** The whole system prompt; empty for none. */
  readonly system: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ToolDeclaration[];
}

export interface ChatRequest extends PromptRequest {
  readonly toolForcing: ToolForcing;
  readonly parallelToolCalls: boolean;
  /** Whether the caller wants citation marks in the answer; the built-in model has no prompt to read it from. */
  readonly citations: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly repetitionPenalty?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  /** How hard to think, where the model can; absent: do not ask for it. */
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  /** The answer must be a JSON document of this schema. */
  readonly jsonSchema?: Record<string, unknown>;
  /** The answer must be SQL for this task. The prompt says the same in words; the built-in model reads it here. */
  readonly sqlTask?: SqlTask;
}

/** What a model says, in order. */
export type ChatPart =
  /** Once, first: the model server has taken the request. Failures before it are HTTP statuses to the caller. */
  | { readonly type: 'started' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
  /** A call begins; its arguments are still coming. */
  | { readonly type: 'tool_call_start'; readonly id: string; readonly name: string }
  /** The same call, closed: `arguments` is the JSON text that the model wrote, right or wrong. */
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly arguments: string }
  /** Once, last. `usage` is absent where the model server reports none. */
  | {
      readonly type: 'finish';
      readonly reason: 'stop' | 'length' | 'tool_calls' | 'content_filter';
      /** Which stop sequence of the caller it was. Said by who watches for them, never by a model. */
      readonly stopSequence?: string;
      readonly usage?: ChatUsage;
    };

/** Tokens of one model call. `inputTokens` counts the whole prompt, cached or not. */
export interface ChatUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** Takes a part outside of the iteration, at once; false leaves it to `next()`, and then nothing has happened. */
export type TakeAtOnce = (part: ChatPart) => boolean;

export interface ChatModelInfo {
  readonly id: string;
  readonly displayName: string;
  /** Tokens of prompt and answer together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Whether this limit is also that of a request without one: the operator has set it. */
  readonly limitsOutput?: boolean;
  /** Whether it calls tools at all. Absent: nobody says that it does not. */
  readonly tools?: boolean;
  readonly images: boolean;
  /** Whether images inside tool results may be handed on: its server says that it sees, rather than not saying. */
  readonly imagesInResults?: boolean;
  readonly audio?: boolean;
  /** Of one request; absent: as many as fit. */
  readonly maxImages?: number;
  readonly maxAudios?: number;
  readonly thinking: boolean;
  /** Whether its answers begin inside of its thinking: the chat template has opened the block. */
  readonly beginsThinking?: boolean;
  /** What it may write in one go; a longer answer is cut there. */
  readonly maxAnswerCharacters?: number;
  readonly structuredOutput: boolean;
  /** Whether it may ask in words for what a forced call lacks, instead of making the call (architecture §5). */
  readonly asksForMissingArguments?: boolean;
}

export abstract class ChatModel {
  abstract readonly info: ChatModelInfo;

  /**
   * One model call. Aborting `signal` closes the connection to the model server at once.
   *
   * @param takeAtOnce is offered what arrives while `next()` is waited for, which spares a part the promises on its way
   *   through an iteration. What it throws, the next `next()` throws. A model need not use it.
   * @throws OverloadedError when the server cannot be reached or is too busy, TimeoutError when it takes too long,
   *   InvalidRequestError when it refuses the request, PlatformError `api_error` when it answers garbage or stops in
   *   the middle.
   */
  abstract stream(request: ChatRequest, signal: StopSignal, takeAtOnce?: TakeAtOnce): AsyncIterable<ChatPart>;

  /** The tokens of a prompt by the model's own tokenizer; undefined where nobody can tell, or not in time. */
  countTokens(_request: PromptRequest, _signal?: AbortSignal): Promise<number | undefined> {
    return Promise.resolve(undefined);
  }
}
