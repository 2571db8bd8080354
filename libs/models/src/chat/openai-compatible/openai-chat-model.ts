/**
 * A chat model behind an OpenAI-compatible server.
 *
 * The way from the socket to the parts is synchronous: each network read is decoded, parsed and queued when it comes,
 * and the generator hands out what has piled up. A reader that is slow stops the socket, not the other way round.
 */
import { ChatModel, type ChatModelInfo, type ChatPart, type ChatRequest } from '../chat-model';
import { estimateTokens } from '../estimate-tokens';
import { AnswerBody } from './answer-body';
import { AnswerReader } from './answer-reader';
import { chatRequestBody } from './chat-request-body';
import type { ModelServer } from './model-server';
import { broken, garbage, reportedError, type FailedRequest } from './model-server-errors';

/** Parts that may wait for a slow reader before the socket is paused. */
const MAX_WAITING_PARTS = 256;
/** How long the end of a body may lag behind the end of the answer, for its connection to be used again. */
const TAIL_MS = 1000;

type Body = Awaited<ReturnType<ModelServer['openChat']>>['body'];

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
    yield* spoken(body, answer, parts, signal);
  }
}

/** Hands out `parts` while `answer` fills them from the body. Whoever leaves early closes the connection. */
async function* spoken(body: Body, answer: AnswerReader, parts: ChatPart[], signal: AbortSignal) {
  const source = new AnswerBody(answer);
  let failure: unknown;
  let wake: (() => void) | undefined;
  const attempt = (step: () => void, explain = (error: unknown) => error) => {
    try {
      step();
    } catch (error) {
      failure ??= explain(error);
    }
    wake?.();
  };
  body.on('data', (bytes: Buffer) => {
    attempt(() => source.read(bytes));
    if (parts.length > MAX_WAITING_PARTS) body.pause();
  });
  body.on('end', () => attempt(() => source.end()));
  // An answer that has given its reason for ending is whole, however its connection ends.
  body.on('error', (error) =>
    attempt(
      () => answer.end(),
      () => (signal.aborted ? signal.reason : broken(error)),
    ),
  );

  try {
    for (;;) {
      for (let next = 0; next < parts.length; next++) yield parts[next]!;
      parts.length = 0;
      if (failure !== undefined) throw failure;
      if (answer.isDone) return;
      if (body.isPaused()) body.resume();
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    if (answer.isDone && failure === undefined) readTail(body);
    else body.destroy();
  }
}

/** Reads on to the end of the body, so that its connection can be used again; not for long. */
function readTail(body: Body): void {
  if (body.closed) return;
  body.resume();
  const timer = setTimeout(() => body.destroy(), TAIL_MS);
  body.once('close', () => clearTimeout(timer));
}

function* callIds({ messages }: ChatRequest): Iterable<string> {
  for (const { content } of messages) for (const block of content) if (block.type === 'tool_use') yield block.id;
}
