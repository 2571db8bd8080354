/**
 * A chat model behind an OpenAI-compatible server.
 *
 * The way from the socket to the parts is synchronous, and one generator hands out what has piled up: this is the hot
 * path. A reader that is slow stops the socket, not the other way round.
 */
import { ChatModel, type ChatModelInfo, type ChatPart, type ChatRequest } from '../chat-model';
import { estimateTokens } from '../estimate-tokens';
import { AnswerReader } from './answer-reader';
import { Arrivals } from './arrivals';
import { chatRequestBody } from './chat-request-body';
import type { ModelServer } from './model-server';
import { garbage, reportedError, type FailedRequest } from './model-server-errors';

export class OpenAiChatModel extends ChatModel {
  constructor(
    private readonly server: ModelServer,
    readonly info: ChatModelInfo,
  ) {
    super();
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
      stopSequences: request.stopSequences,
      usedIds: callIds(request),
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
        for (let next = 0; next < parts.length; next++) yield parts[next]!;
        parts.length = 0;
      }
    } finally {
      arrivals.close();
    }
  }
}

function* callIds({ messages }: ChatRequest): Iterable<string> {
  for (const { content } of messages) for (const block of content) if (block.type === 'tool_use') yield block.id;
}
