/**
 * The chunks of one chat completion, as parts of our own.
 *
 * It takes the data of each event of the stream, or the one document of a server that does not stream, and makes the
 * dialects of model servers one. It decides by what was said, not by the finish reason, whether there were calls.
 */
import type { PlatformError } from '@app/contract';
import type { ChatPart, ChatUsage } from '../chat-model';
import { cutInTheMiddle, garbage } from './model-server-errors';
import { RepeatedShape } from './repeated-shape';
import { ToolCallDeltas, type ToolCallDelta } from './tool-call-deltas';
import { ThinkTags } from './think-tags';
import { WholeCharacters } from './whole-characters';

type FinishReason = Extract<ChatPart, { type: 'finish' }>['reason'];

export interface WireDelta {
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly refusal?: unknown;
  readonly tool_calls?: unknown;
  /** The one call of servers from before `tool_calls`. */
  readonly function_call?: ToolCallDelta['function'];
}

export interface WireChoice {
  readonly index?: unknown;
  readonly delta?: WireDelta | null;
  readonly message?: WireDelta | null;
  readonly finish_reason?: unknown;
}

interface WireChunk {
  readonly choices?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

export interface AnswerReaderOptions {
  /** Names of the tools of the request. */
  readonly tools: readonly string[];
  /** Ids of calls earlier in the conversation; no new call gets one of them. */
  readonly usedIds: Iterable<string>;
  /** Whether the answer begins inside of the model's thinking. */
  readonly beginsThinking?: boolean;
  /** Words and thoughts of the answer; there it is cut, as by its limit of tokens. */
  readonly maxCharacters?: number;
  /** What an `error` object in the answer becomes. */
  readonly reportedError: (body: unknown) => PlatformError;
}

export class AnswerReader {
  private readonly calls: ToolCallDeltas;
  private finishReason: string | undefined;
  private usage: ChatUsage | undefined;
  private done = false;
  /** Anything that a chat completion would have, so that an empty answer can be told from garbage. */
  private recognised = false;
  private readonly repeated = new RepeatedShape();
  private readonly text = new WholeCharacters();
  private readonly thinking = new WholeCharacters();
  /** While the text may begin with thinking; a server that tells it apart itself has none there. */
  private tags: ThinkTags | undefined;
  private room: number;
  private isFull = false;
  private lastSaid: 'text' | 'thinking' | undefined;
  /** Text and thinking that came while a call was open; it follows the call. */
  private readonly waiting: ChatPart[] = [];

  /** @param emit gets each part, in order; all but `started`, which is not the answer's to tell. */
  constructor(
    private readonly emit: (part: ChatPart) => void,
    private readonly options: AnswerReaderOptions,
  ) {
    this.room = options.maxCharacters ?? Infinity;
    this.calls = new ToolCallDeltas(emit, new Set(options.tools), new Set(options.usedIds));
    this.tags = new ThinkTags({
      say: (text) => this.say({ type: 'text', text }),
      think: (thinking) => this.say({ type: 'thinking', thinking }),
      isOpen: options.beginsThinking,
    });
  }

  /** Whether the answer has said that it is over; what follows is of no interest. */
  get isDone(): boolean {
    return this.done;
  }

  /** Whether it has given its reason for ending: what may still come are the counts of its tokens. */
  get hasEnding(): boolean {
    return this.finishReason !== undefined;
  }

  /**
   * The data of one event, or a whole document.
   *
   * @throws PlatformError when it is not JSON, reports an error, or goes beyond a limit.
   */
  read(data: string): void {
    if (this.done || data === '') return;
    if (data === '[DONE]') {
      if (!this.recognised) throw garbage('nothing');
      return this.finish();
    }
    const words = this.repeated.wordsOf(data);
    if (words !== undefined) this.speak(this.text.take(words));
    else this.readDocument(data);
  }

  /** The whole answer, of a server that does not stream. Its end is the end of the document. */
  readWhole(document: string): void {
    this.readDocument(document);
    if (!this.recognised) throw garbage('other JSON');
    this.finish();
  }

  /**
   * The connection has ended.
   *
   * @throws PlatformError when the answer has not.
   */
  end(): void {
    if (this.done) return;
    if (this.finishReason === undefined) throw this.recognised ? cutInTheMiddle() : garbage('nothing');
    this.finish();
  }

  private readDocument(json: string): void {
    let chunk: unknown;
    try {
      chunk = JSON.parse(json);
    } catch {
      // Not the parser's own error, which quotes what it could not read.
      throw garbage('something that is not JSON', new SyntaxError('An event is not JSON'));
    }
    if (isObject(chunk)) this.readChunk(chunk, json);
  }

  private readChunk(chunk: WireChunk, json: string): void {
    if (chunk.error !== undefined && chunk.error !== null) throw this.options.reportedError(chunk);
    if (isObject(chunk.usage)) this.usage = usageOf(chunk.usage) ?? this.usage;
    if (!Array.isArray(chunk.choices)) return;
    this.recognised = true;
    const choice = (chunk.choices as (WireChoice | null)[]).find((each) => each && !(Number(each.index) > 0));
    if (!choice) return;
    this.readChoice(choice);
    if (!isObject(chunk.usage)) this.repeated.learn(json, choice);
  }

  private readChoice(choice: WireChoice): void {
    const delta = choice.delta ?? choice.message;
    if (delta) {
      this.think(
        this.thinking.take(textOf(delta.reasoning_content) || textOf(delta.reasoning) || thoughtIn(delta.content)),
      );
      this.speak(this.text.take(textOf(delta.content) || textOf(delta.refusal)));
      if (this.done) return;
      const calls = callsIn(delta.tool_calls);
      if ((calls.length > 0 || isObject(delta.function_call)) && !this.calls.pending) {
        this.endCharacters();
        this.tags = undefined;
      }
      for (const call of calls) if (isObject(call)) this.calls.add(call);
      if (isObject(delta.function_call)) this.calls.add({ index: 0, function: delta.function_call });
    }
    const { finish_reason: reason } = choice;
    if (typeof reason === 'string' && reason !== '') {
      if (reason === 'error' || reason === 'abort') throw cutInTheMiddle(new Error(`finish_reason: ${reason}`));
      this.finishReason = reason;
      this.closeCalls();
    }
  }

  private think(thought: string): void {
    const thinking = this.within(thought);
    if (thinking === '') return this.endIfFull();
    if (this.tags) this.tags.settle();
    this.tags = undefined;
    this.lastSaid = 'thinking';
    this.say({ type: 'thinking', thinking });
    this.endIfFull();
  }

  private speak(words: string): void {
    const text = this.within(words);
    if (text === '') return this.endIfFull();
    this.lastSaid = 'text';
    if (!this.tags) this.say({ type: 'text', text });
    else {
      this.tags.take(text);
      if (this.tags.isOver) this.tags = undefined;
    }
    this.endIfFull();
  }

  /** A model that has lost its way would fill the memory: everything above keeps what it says until the end. */
  private within(said: string): string {
    if (this.isFull) return '';
    this.room -= said.length;
    if (this.room >= 0) return said;
    this.isFull = true;
    return said.slice(0, this.room).replace(/[\ud800-\udbff]$/, '');
  }

  private endIfFull(): void {
    if (!this.isFull || this.done) return;
    this.finishReason = 'length';
    this.finish();
  }

  /** Half a character that stays alone is told where it stands, and not after what has followed since. */
  private endCharacters(): void {
    const [thinking, text] = [this.thinking.end(), this.text.end()];
    if (this.lastSaid !== 'text') this.think(thinking);
    if (this.lastSaid !== 'thinking') this.speak(text);
    this.tags?.settle();
  }

  private say(part: ChatPart): void {
    if (this.calls.pending) this.calls.closeWhole();
    if (this.calls.pending) this.waiting.push(part);
    else {
      if (this.waiting.length > 0) this.sayWhatWaited();
      this.emit(part);
    }
  }

  private closeCalls(): void {
    this.calls.end();
    this.sayWhatWaited();
  }

  private sayWhatWaited(): void {
    for (const part of this.waiting.splice(0)) this.emit(part);
  }

  private finish(): void {
    if (this.done) return;
    this.done = true;
    this.endCharacters();
    this.closeCalls();
    this.tags?.end(this.reason() === 'stop');
    const { usage } = this;
    this.emit({ type: 'finish', reason: this.reason(), ...(usage && { usage }) });
  }

  private reason(): FinishReason {
    if (this.finishReason === 'length' || this.finishReason === 'content_filter') return this.finishReason;
    return this.calls.any ? 'tool_calls' : 'stop';
  }
}

/** A string, or a list of strings and of blocks that have a text in them. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => textOf(isObject(block) && 'text' in block ? block.text : block)).join('');
}

const NONE: readonly unknown[] = [];

/** A list; with Text Generation Inference, the one call itself. */
const callsIn = (calls: unknown): readonly unknown[] =>
  Array.isArray(calls) ? (calls as unknown[]) : isObject(calls) ? [calls] : NONE;

/** Mistral thinks in blocks of the content: `{type: 'thinking', thinking: [{type: 'text', text}]}`. */
function thoughtIn(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.map((block) => (isObject(block) && 'thinking' in block ? textOf(block.thinking) : '')).join('');
}

function usageOf(usage: object): ChatUsage | undefined {
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = usage as Record<string, unknown>;
  if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return undefined;
  const { cached_tokens } = (prompt_tokens_details ?? {}) as { cached_tokens?: unknown };
  return {
    inputTokens: prompt_tokens,
    outputTokens: completion_tokens,
    ...(isCount(cached_tokens) && { cachedInputTokens: Math.min(cached_tokens, prompt_tokens) }),
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
