/** A chat model behind an OpenAI-compatible server. */
import type { EndpointStream, StopSignal } from '@app/platform';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  ChatModel,
  type ChatModelInfo,
  type ChatPart,
  type ChatRequest,
  type PromptRequest,
  type TakeAtOnce,
} from '../chat-model';
import { estimateTokens } from '../../tokens/estimate-tokens';
import { AnswerReader } from './answer-reader';
import { Arrivals } from './arrivals';
import { chatRequestBody } from './chat-request-body';
import type { ModelServer } from './model-server';
import { ServerTokenizer, type PostJson, type TokenizeDialect } from './server-tokenizer';
import { garbage, reportedError, type FailedRequest } from './model-server-errors';
import { WaitingParts } from './waiting-parts';

/** Characters. */
const LARGE_BODY = 1024 ** 2;

export class OpenAiChatModel extends ChatModel {
  private readonly tokenizer: ServerTokenizer | undefined;

  /** @param tokenize how the server counts tokens, where it does. */
  constructor(
    private readonly server: ModelServer,
    readonly info: ChatModelInfo,
    tokenize?: TokenizeDialect,
  ) {
    super();
    const post: PostJson = (path, body, signal) => server.postToRoot(path, body, signal);
    this.tokenizer = tokenize && new ServerTokenizer(tokenize, info.id, post);
  }

  override async countTokens(request: PromptRequest, signal?: AbortSignal): Promise<number | undefined> {
    return this.tokenizer?.count(request, signal);
  }

  stream(request: ChatRequest, signal: StopSignal, takeAtOnce?: TakeAtOnce): AsyncIterableIterator<ChatPart> {
    return new AnswerParts((parts) => this.open(request, signal, parts), new WaitingParts(takeAtOnce));
  }

  private async open(request: ChatRequest, signal: StopSignal, parts: WaitingParts): Promise<Arrivals> {
    const wireBody = chatRequestBody(request, this.info.id);
    // Writing it and sending it are long enough each to keep others waiting.
    if (wireBody.length > LARGE_BODY) await breathe();
    const describe = (): FailedRequest => ({
      model: this.info.id,
      contextTokens: this.info.contextTokens,
      promptTokens: estimateTokens(wireBody),
    });
    signal.throwIfAborted();
    const stream = await this.server.openChat(wireBody, describe, signal);
    const other = otherThanAnswer(stream.headers);
    if (other) {
      stream.destroy();
      throw garbage(other);
    }
    parts.push({ type: 'started' });
    const answer = new AnswerReader((part) => parts.push(part), {
      tools: request.tools.map(({ name }) => name),
      usedIds: callIds(request),
      beginsThinking: this.info.beginsThinking,
      maxCharacters: this.info.maxAnswerCharacters,
      reportedError: (reported) => reportedError(reported, describe()),
    });
    return new Arrivals(stream, answer, parts, signal);
  }
}

/**
 * Hands out the parts that have piled up, then waits for more.
 *
 * Written out rather than as a generator: this is the hot path, where a generator costs each part three turns of the
 * microtask queue. A reader that is slow stops the socket, not the other way round.
 */
class AnswerParts implements AsyncIterableIterator<ChatPart> {
  private arrivals: Arrivals | undefined;
  private over = false;

  /** @param open asks the model, on the first `next()`, and from then on adds to the parts. */
  constructor(
    private readonly open: (parts: WaitingParts) => Promise<Arrivals>,
    private readonly parts: WaitingParts,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ChatPart, undefined>> {
    try {
      if (!this.over) this.arrivals ??= await this.open(this.parts);
      while (!this.over && this.parts.length === 0) {
        const coming = this.arrivals!.next();
        if (coming) await coming;
        else this.close();
      }
    } catch (error) {
      this.close();
      throw error;
    }
    return this.over ? { done: true, value: undefined } : { done: false, value: this.parts.take() };
  }

  async return(): Promise<IteratorResult<ChatPart, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  private close(): void {
    this.over = true;
    this.arrivals?.close();
  }
}

/** What the headers say that it is, where that cannot be a chat completion. */
function otherThanAnswer({ 'content-type': type, 'content-encoding': coding }: EndpointStream['headers']) {
  if (/html/i.test(String(type))) return 'a web page';
  return coding !== undefined && coding !== 'identity' ? 'a compressed body' : undefined;
}

function* callIds({ messages }: ChatRequest): Iterable<string> {
  for (const { content } of messages) for (const block of content) if (block.type === 'tool_use') yield block.id;
}
