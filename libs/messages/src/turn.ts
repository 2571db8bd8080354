/**
 * One turn: ask the model, answer the tool calls that are ours, ask again, until it is done.
 *
 * A turn is an async generator of wire events, and the only code that decides their order. A stream writes them out,
 * a whole answer folds them (`collect-message.ts`). Neither knows the other, and the turn knows neither.
 */
import { newMessageId, type Chunk, type StopReason, type StreamEvent, type Usage } from '@app/contract';
import type { ChatModel, ChatRequest, ConversationMessage, TakeAtOnce } from '@app/models';
import type { StopSignal } from '@app/platform';
import type { ToolBox, ToolResult } from '@app/tools';
import { addTurn, askAgain } from './ask-again';
import { BlockEvents } from './block-events';
import { CallRepair } from './call-repair';
import { callMaker } from './call-maker';
import { ForcedCall } from './forced-call';
import type { KeptResults } from './kept-results';
import { LoopGuard } from './loop-guard';
import { roomFor } from './model-settings';
import { Speech, type Finish, type ShownThinking } from './speech';
import { StopWatch } from './stop-sequences';
import type { StructuredAnswer } from './structured-answer';
import { MAX_CALLS, ToolRuns } from './tool-runs';
import { tokensOf, UsageCount } from './usage-count';

/** A model that still wants tools after this many calls is not going to stop by itself (messages-api §5.5). */
export const MAX_MODEL_CALLS = 40;

export interface TurnInput {
  readonly model: ChatModel;
  /** Everything of a model call but the messages and the tools, which grow and change over the turn. */
  readonly settings: Omit<ChatRequest, 'messages' | 'tools' | 'toolForcing' | 'parallelToolCalls'>;
  readonly history: readonly ConversationMessage[];
  readonly toolBox: ToolBox;
  /** Watched for here: most model servers cut the text and do not say which it was (decision 6). */
  readonly stopSequences: readonly string[];
  /** Holds what is too large for the prompt, of the history as well. */
  readonly kept: KeptResults;
  /** Where the answer is to be a JSON document. */
  readonly structured?: StructuredAnswer;
  readonly thinking: ShownThinking;
  /** What the prompt is estimated to hold, until the model server reports. */
  readonly promptTokens: number;
  readonly cite?: (chunk: Chunk) => string;
  /**
   * Takes an event past the iteration, while its next is waited for; false leaves it to the iteration. For those who
   * pass deltas on as they are.
   */
  readonly tell?: (event: StreamEvent) => boolean;
  readonly signal: StopSignal;
}

/** @throws what the model throws; before the first event it is known that the model server has not accepted. */
export async function* runTurn(input: TurnInput): AsyncGenerator<StreamEvent> {
  const { model, settings, toolBox, kept, stopSequences, structured, thinking, promptTokens, cite, tell, signal } =
    input;
  const blocks = new BlockEvents();
  const usage = new UsageCount(promptTokens);
  const guard = new LoopGuard();
  const forced = new ForcedCall(toolBox, model.info);
  const messages = [...input.history];
  const toCall = callMaker(toolBox, messages);
  const repair = new CallRepair();
  let callsLeft = MAX_CALLS;
  let handedOver = false;
  let stop: Ending = { reason: 'max_tokens' };

  for (let asked = 0; asked < MAX_MODEL_CALLS && guard.mayGoOn(); asked++) {
    const request: ChatRequest = {
      messages,
      tools: kept.tools,
      toolForcing: forced.forcing,
      parallelToolCalls: toolBox.parallel,
      ...settings,
      maxTokens: roomFor(settings.maxTokens, model.info, promptTokens + tokensOf(messages.slice(input.history.length))),
    };
    const runs = new ToolRuns(toolBox, { signal, parallel: toolBox.parallel, cite });
    const speech = new Speech(blocks, {
      thinking,
      toCall: toCall.next(repair.isOpen, signal),
      withholds: repair.isOpen,
      onCall: (call) => {
        if (toolBox.isCallers(call.name)) handedOver = true;
        else if (callsLeft-- <= 0) {
          runs.refuse(call, `limit_exceeded: at most ${MAX_CALLS} tool calls are run for one request.`);
        } else if (kept.isReader(call.name)) runs.answer(kept.read(call));
        else runs.start(call);
      },
    });

    const stopWatch = new StopWatch(stopSequences, thinking !== 'none');
    const speakAtOnce: TakeAtOnce | undefined = tell && ((part) => speech.hearAtOnce(part, tell));
    // Not where words are held back until a call, or a document, is whole.
    const hearAtOnce: TakeAtOnce | undefined =
      speakAtOnce && ((part) => parts === spoken && stopWatch.hearAtOnce(part, speakAtOnce));
    const spoken = stopWatch.watch(model.stream(request, signal, hearAtOnce));
    const called = forced.watch(spoken);
    const parts = structured?.watch(called) ?? called;
    if (asked === 0) {
      // The model server has taken the request; until here a refusal can be an HTTP status.
      await parts[Symbol.asyncIterator]().next();
      yield messageStart(model.info.id, usage.atStart());
    }

    for await (const part of parts) {
      const events = speech.hear(part);
      // Deltas, which are nearly all there is, wait for nothing.
      for (const event of events instanceof Promise ? await events : events) yield event;
    }
    for (const event of speech.close()) yield event;
    const said = speech.said();
    usage.add(said.finish, messages, said.content);

    const results: ToolResult[] = [];
    if (said.calls.length > 0) {
      for await (const result of runs.results()) {
        results.push(result);
        for (const event of blocks.whole(result)) yield event;
      }
    }
    usage.addTools(toolBox.takeUsage());

    const reminder = forced.reminder() ?? structured?.reminder();
    if (reminder && said.calls.length === 0) {
      askAgain(messages, reminder.instead, reminder.sentence);
      continue;
    }
    const callers = said.calls.filter(({ name }) => toolBox.isCallers(name));
    // Arguments that the limit has cut off would be cut again.
    const again = said.finish.reason === 'length' ? undefined : repair.begin(callers);
    if (again) forced.again();
    else if (callers.length > 0 || said.calls.length === 0) {
      stop = endingOf(said.finish);
      break;
    }
    guard.saw(said.calls, results);
    const answers = [...results.map((result) => forTheModel(result, kept)), ...(again ?? [])];
    addTurn(messages, { role: 'assistant', content: said.content });
    messages.push({ role: 'user', content: answers });
  }

  const { reason: stop_reason, sequence }: Ending = handedOver ? { reason: 'tool_use' } : stop;
  const delta = { stop_reason, stop_sequence: sequence ?? null };
  yield { type: 'message_delta', delta, usage: usage.total() };
  yield { type: 'message_stop' };
}

interface Ending {
  readonly reason: StopReason;
  readonly sequence?: string;
}

const messageStart = (model: string, usage: Usage): StreamEvent => ({
  type: 'message_start',
  message: {
    id: newMessageId(),
    type: 'message',
    role: 'assistant',
    content: [],
    model,
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
});

function endingOf({ reason, stopSequence }: Finish): Ending {
  if (stopSequence !== undefined) return { reason: 'stop_sequence', sequence: stopSequence };
  if (reason === 'length') return { reason: 'max_tokens' };
  return { reason: reason === 'content_filter' ? 'refusal' : 'end_turn' };
}

const forTheModel = ({ tool_use_id, content, is_error }: ToolResult, kept: KeptResults) => ({
  type: 'tool_result' as const,
  toolUseId: tool_use_id,
  content: kept.forModel(
    tool_use_id,
    content.flatMap((block) => (block.type === 'text' && block.text ? [block.text] : [])).join('\n'),
  ),
  isError: is_error,
});
