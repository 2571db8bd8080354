/**
 * A chat model behind an OpenAI-compatible server.
 *
 * The way from the socket to the parts is synchronous, and one generator hands out what has piled up: this is the hot
 * path. A reader that is slow stops the socket, not the other way round.
 */
import { ChatModel, type ChatModelInfo, type ChatPart, type ChatRequest, type PromptRequest } from '../chat-model';
import { estimateTokens } from '../../tokens/estimate-tokens';
import { AnswerReader } from './answer-reader';
import { Arrivals } from './arrivals';
import { chatRequestBody } from './chat-request-body';
import type { ModelServer } from './model-server';
import { ServerTokenizer, type PostJson, type TokenizeDialect } from './server-tokenizer';
import { garbage, reportedError, type FailedRequest } from './model-server-errors';

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

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatPart, void, undefined> {
    const wireBody = chatRequestBody(request, this.info.id);
    const describe = (): FailedRequest => ({
      model: this.info.id,
      contextTokens: this.info.contextTokens,
      promptTokens: estimateTokens(wireBody),
    });
    signal.throwIfAborted();
    const { headers, body } = await this.server.openChat(wireBody, describe, signal);
    const parts: ChatPart[] = [{ type: 'started' }];
    const answer = new AnswerReader((part) => parts.push(part), {
      tools: request.tools.map(({ name }) => name),
      usedIds: callIds(request),
      beginsThinking: this.info.beginsThinking,
      reportedError: (reported) => reportedError(reported, describe()),
    });
    if (/html/i.test(String(headers['content-type']))) {
      body.on('error', () => undefined).destroy();
      throw garbage('a web page');
    }
    const arrivals = new Arrivals(body, answer, parts, signal);
    try {
      for (let coming: Promise<void> | undefined = Promise.resolve(); coming; coming = arrivals.next()) {
        await coming;
        // While a part was worked on others may have come, and the answer may be over.
        while (parts.length > 0) for (const part of joined(parts.splice(0))) yield part;
      }
    } finally {
      arrivals.close();
    }
  }
}

/** Words that have arrived together leave together: every part costs the whole way to the caller. */
function* joined(parts: readonly ChatPart[]): Iterable<ChatPart> {
  let words: Extract<ChatPart, { type: 'text' }> | undefined;
  for (const part of parts) {
    if (part.type === 'text') words = words ? { type: 'text', text: words.text + part.text } : part;
    else {
      if (words) yield words;
      words = undefined;
      yield part;
    }
  }
  if (words) yield words;
}

function* callIds({ messages }: ChatRequest): Iterable<string> {
  for (const { content } of messages) for (const block of content) if (block.type === 'tool_use') yield block.id;
}
