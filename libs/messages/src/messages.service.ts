import type { Caller } from '@app/access';
import {
  foldSystem,
  InvalidRequestError,
  type CountTokensResponse,
  type MessagesRequest,
  type StreamEvent,
  type System,
  type ToolChoice,
  type ToolSpec,
} from '@app/contract';
import type { DocumentTexts } from '@app/knowledge';
import type { ChatModel, ChatModelInfo, ModelCatalog, Tokenizer } from '@app/models';
import type { StopSignal } from '@app/platform';
import { AUTO, SchemaGuard, type SchemaCheck, type ToolBox, type Toolkit } from '@app/tools';
import { CheckedEvents } from './checked-events';
import { CitationBook } from './citation-book';
import { CitedEvents } from './citations';
import { FetchedRoom, fetchLinked, type LinkedFiles, type LinkSource } from './history/linked-files';
import { readDocuments, type SentDocuments } from './history/sent-documents';
import { systemPrompt } from './history/system-prompt';
import { toConversation } from './history/to-conversation';
import { KeptResults } from './kept-results';
import { modelSettings, wantedEffort } from './model-settings';
import { refuseWhatIsNotServed } from './not-served';
import { PromptCounts } from './prompt-counts';
import type { ShownThinking } from './speech';
import { inSchema, StructuredAnswer, wantedSchema } from './structured-answer';
import { runTurn, type TurnInput } from './turn';
import { visibleEvents, withoutNulls, type Dialect } from './visible-events';

export interface AnswerOptions {
  readonly dialect: Dialect;
  /** Aborting it stops the model, the tools and whatever they wait for. */
  readonly signal: StopSignal;
}

/** How files are had that a request names by their address. */
export interface LinkOptions {
  readonly web: LinkSource;
  /** Of one request, and of all that are being answered. */
  readonly maxBytes: number;
  readonly maxHeldBytes: number;
  /** For all that one request names. */
  readonly ms: number;
}

/** What a request asks for, checked and ready to be answered. */
interface Prepared {
  readonly toolBox: ToolBox;
  readonly system: System;
  /** Must be called once the answer is over. */
  release(): void;
  readonly turn: Omit<TurnInput, 'cite' | 'tell' | 'signal'>;
}

export class MessagesService {
  private readonly counts: PromptCounts;
  private readonly room: FetchedRoom;

  constructor(
    private readonly catalog: ModelCatalog,
    private readonly toolkit: Toolkit,
    private readonly schemas: SchemaCheck,
    private readonly documents: DocumentTexts,
    private readonly links: LinkOptions,
    tokenizer: Tokenizer,
  ) {
    this.counts = new PromptCounts(tokenizer);
    this.room = new FetchedRoom(links.maxHeldBytes);
  }

  /**
   * Answers a conversation as one lazy stream of events (architecture §3).
   *
   * The first event comes when the model server has taken the request; whatever is wrong before that is thrown by the
   * first `next()`, so that it can be an HTTP status in a stream as well (architecture §6, decision 2).
   */
  answer(caller: Caller, request: MessagesRequest, { dialect, signal }: AnswerOptions): CheckedEvents {
    let over = () => undefined as void;
    const answer = new CheckedEvents(
      async () => {
        const { toolBox, system, turn, release } = await this.prepare(caller, request, signal);
        over = release;
        const book = system.citations ? new CitationBook(system.knownCitations) : undefined;

        const cited =
          book && new CitedEvents(book, { listed: dialect === 'native', correlationId: request.correlation_id });

        const tell = cited ? tellCited(answer, cited) : answer.tell;
        let events = runTurn({ cite: book && ((chunk) => book.cite(chunk)), tell, signal, ...turn });
        if (cited) events = cited.of(events);
        if (toolBox.declarations.length) {
          events = visibleEvents(events, {
            dialect,
            extended: system.zylon && dialect === 'native',
            isCallers: (name) => toolBox.isCallers(name),
            isDated: (name) => toolBox.isDated(name),
          });
        }
        return events;
      },
      { written: dialect === 'native' ? withoutNulls : undefined, onOver: () => over() },
    );
    return answer;
  }

  /**
   * Whether a request would be taken: every check of `answer`, in `eager` mode, without asking the model
   * (messages-api §12.2).
   *
   * @throws the PlatformError with which it would be refused.
   */
  async validate(caller: Caller, request: MessagesRequest, signal: AbortSignal): Promise<void> {
    const tool_choice: ToolChoice = { ...(request.tool_choice ?? AUTO), validation_mode: 'eager' };
    (await this.prepare(caller, { ...request, tool_choice }, signal)).release();
  }

  /** How many tokens the prompt of a request is, and who says so; `message_start` of it will say the same (§12.1). */
  async countTokens(caller: Caller, request: MessagesRequest, signal: AbortSignal): Promise<CountTokensResponse> {
    const model = this.catalog.resolve(request.model);
    const kept = new KeptResults(this.toolkit.declarations(request), model.info.contextTokens);
    const files = await this.files(caller, request, model.info, signal);
    try {
      const { messages, prompt } = promptOf(request, model.info, kept, files);
      return await this.counts.count(caller, model, { system: prompt, messages, tools: kept.tools }, signal);
    } finally {
      files.release();
    }
  }

  /** What the messages hold besides words: fetched where they only name it, and read. */
  private async files(caller: Caller, { messages }: MessagesRequest, model: ChatModelInfo, signal: StopSignal) {
    const { web, maxBytes, ms } = this.links;
    const linked = await fetchLinked(caller, messages, model, web, { maxBytes, room: this.room, ms }, signal);
    try {
      const documents = await readDocuments(caller, messages, this.documents, linked.documents, signal);
      return { images: linked.images, documents, release: linked.release };
    } catch (error) {
      linked.release();
      throw error;
    }
  }

  private async prepare(caller: Caller, request: MessagesRequest, signal: StopSignal): Promise<Prepared> {
    refuseWhatIsNotServed(request);
    const model = this.catalog.resolve(request.model);
    const toolBox = await this.toolkit.open(caller, request, model, signal);
    if (toolBox.declarations.length > 0) checkCallsTools(model.info);
    const schema = wantedSchema(request);
    if (schema) new SchemaGuard().check(schema, 'the schema of the wanted answer');
    const kept = new KeptResults(toolBox.declarations, model.info.contextTokens);
    const files = await this.files(caller, request, model.info, signal);
    try {
      const { system, turn } = this.turnOf(caller, request, model, { toolBox, kept, schema, files, signal });
      return { toolBox, system, turn, release: files.release };
    } catch (error) {
      files.release();
      throw error;
    }
  }

  private turnOf(
    caller: Caller,
    request: MessagesRequest,
    model: ChatModel,
    { toolBox, kept, schema, files, signal }: TurnParts,
  ): Pick<Prepared, 'system' | 'turn'> {
    const { messages, prompt, system } = promptOf(request, model.info, kept, files);
    const tokens = this.counts.soFar(caller, model, { system: prompt, messages, tools: kept.tools });
    const settings = modelSettings(request, model.info, tokens);
    return {
      system,
      turn: {
        model,
        settings: { system: prompt, citations: system.citations, ...settings },
        history: messages,
        toolBox,
        kept,
        stopSequences: request.stop_sequences,
        structured:
          schema && new StructuredAnswer(schema, this.schemas, { signal, hasTools: toolBox.declarations.length > 0 }),
        thinking: shownThinking(request, settings.effort !== undefined),
        promptTokens: tokens,
      },
    };
  }
}

/** Deltas past the iteration, with their citations: one event at most comes of each. */
const tellCited = (answer: CheckedEvents, cited: CitedEvents) => (delta: StreamEvent) => {
  if (!answer.listens) return false;
  for (const event of cited.hear(delta)) answer.tell(event);
  return true;
};

interface Files extends Pick<LinkedFiles, 'images' | 'release'> {
  readonly documents: SentDocuments;
}

interface TurnParts {
  readonly toolBox: ToolBox;
  readonly kept: KeptResults;
  readonly schema: ReturnType<typeof wantedSchema>;
  readonly files: Files;
  readonly signal: StopSignal;
}

function promptOf(request: MessagesRequest, model: ChatModelInfo, kept: KeptResults, { documents, images }: Files) {
  const system = foldSystem(request.system);
  const { system: early, messages } = toConversation(request.messages, model, {
    ours: (id, content) => kept.forModel(id, content),
    documents,
    linked: images,
  });
  const instructions = instructionsOf(request.tools);
  const schema = wantedSchema(request);
  if (schema && !model.structuredOutput) instructions.push(inSchema(schema));
  return {
    system,
    messages,
    prompt: systemPrompt(system, {
      early,
      instructions,
      hasTools: kept.tools.length > 0,
      thinks: model.thinking && wantedEffort(request) !== undefined,
      today: () => new Date(),
    }),
  };
}

/** @throws InvalidRequestError by its code for a model whose server says that it calls none (messages-api §9). */
function checkCallsTools({ id, tools }: ChatModelInfo): void {
  if (tools !== false) return;
  throw new InvalidRequestError(
    `The model ${id} does not support tools. Choose a model that does, leave them out, or set tool_choice to none.`,
    { code: 'INVALID_REQUEST_TOOL_SUPPORTED_ERROR' },
  );
}

const shownThinking = ({ thinking }: MessagesRequest, thinks: boolean): ShownThinking =>
  !thinks ? 'none' : thinking?.display === 'omitted' ? 'omitted' : 'whole';

/** A caller's own tool may bring a paragraph for the prompt; a built-in's is dropped (messages-api §5.1). */
const instructionsOf = (tools: MessagesRequest['tools']): string[] =>
  (tools ?? []).flatMap((tool: ToolSpec | string) =>
    typeof tool !== 'string' && !tool.type && tool.instructions ? [tool.instructions] : [],
  );
