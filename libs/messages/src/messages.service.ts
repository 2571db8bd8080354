import type { Caller } from '@app/access';
import { foldSystem, InvalidRequestError, type MessagesRequest, type StreamEvent, type ToolSpec } from '@app/contract';
import { estimateTokens, type ModelCatalog } from '@app/models';
import type { Toolkit } from '@app/tools';
import { CitationBook } from './citation-book';
import { citedEvents } from './citations';
import { systemPrompt } from './history/system-prompt';
import { toConversation } from './history/to-conversation';
import { modelSettings } from './model-settings';
import { runTurn } from './turn';
import { tokensOf } from './usage-count';
import { visibleEvents, type Dialect } from './visible-events';

export interface AnswerOptions {
  readonly dialect: Dialect;
  /** Aborting it stops the model, the tools and whatever they wait for. */
  readonly signal: AbortSignal;
}

export class MessagesService {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly toolkit: Toolkit,
  ) {}

  /**
   * Answers a conversation as one lazy stream of events (architecture §3).
   *
   * The first event comes when the model server has taken the request; whatever is wrong before that is thrown by the
   * first `next()`, so that it can be an HTTP status in a stream as well (architecture §6, decision 2).
   */
  async *answer(
    caller: Caller,
    request: MessagesRequest,
    { dialect, signal }: AnswerOptions,
  ): AsyncGenerator<StreamEvent> {
    refuseWhatIsNotServed(request);
    const model = this.catalog.resolve(request.model);
    const system = foldSystem(request.system);
    const toolBox = await this.toolkit.open(caller, request, signal);
    const { system: early, messages } = toConversation(request.messages, model.info);
    const prompt = systemPrompt(system, {
      early,
      instructions: instructionsOf(request.tools),
      today: () => new Date(),
    });
    const promptTokens = estimateTokens(prompt) + tokensOf(messages) + declarationTokens(toolBox.declarations);
    const settings = modelSettings(request, model.info, promptTokens);
    const book = system.citations ? new CitationBook(system.knownCitations) : undefined;

    let events = runTurn({
      model,
      settings: { ...settings, system: prompt, citations: system.citations },
      history: messages,
      toolBox,
      thinking: settings.effort !== undefined,
      promptTokens,
      cite: book && ((chunk) => book.cite(chunk)),
      signal,
    });
    if (book)
      events = citedEvents(events, book, { listed: dialect === 'native', correlationId: request.correlation_id });
    if (toolBox.declarations.length) {
      events = visibleEvents(events, {
        dialect,
        extended: system.zylon && dialect === 'native',
        isCallers: (name) => toolBox.isCallers(name),
      });
    }
    yield* events;
  }
}

function refuseWhatIsNotServed({ thread, mcp_servers }: MessagesRequest): void {
  if (thread != null) {
    throw new InvalidRequestError('Message threads are not supported: send the whole conversation.', {
      errorCode: 'thread_unsupported_request',
    });
  }
  if (mcp_servers?.length) {
    throw new InvalidRequestError('mcp_servers are not enabled on this server: leave the field out.', {
      code: 'INVALID_REQUEST_INVALID_MCP_ERROR',
    });
  }
}

/** A caller's own tool may bring a paragraph for the prompt; a built-in's is dropped (messages-api §5.1). */
const instructionsOf = (tools: MessagesRequest['tools']): string[] =>
  (tools ?? []).flatMap((tool: ToolSpec | string) =>
    typeof tool !== 'string' && !tool.type && tool.instructions ? [tool.instructions] : [],
  );

const declarationTokens = (declarations: readonly object[]): number =>
  declarations.length ? estimateTokens(JSON.stringify(declarations)) : 0;
