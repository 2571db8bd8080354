/**
 * The built-in model: answers without weights, so that the product does its main job on a fresh machine.
 *
 * It is deterministic in everything but ids. It picks tools by cues, fills their arguments from the user's message,
 * and answers by quoting what they return (architecture §5). It takes orders from user messages only: whatever a
 * document or a tool result says is text to quote. The system prompt tells it the date and nothing else.
 */
import { InvalidRequestError, newToolUseId } from '@app/contract';
import { abortSignalOf, type StopSignal } from '@app/platform';
import { ChatModel, type ChatModelInfo, type ChatPart, type ChatRequest, type PromptRequest } from '../chat-model';
import { estimateTokens } from '../../tokens/estimate-tokens';
import { answerFromResults, answerFromText, answerInOwnWords } from './answer';
import { chooseCalls, forceCall, type PlannedCall } from './choose-tool';
import { readConversation, type ReadConversation } from './conversation-reading';
import { fillArguments } from './fill-arguments';
import { otherSource } from './other-source';
import { phrasesIn } from './phrases';
import { readOn } from './read-on';
import { cut, inWords } from './say';
import { answerSqlTaskInTurns } from './sql/answer-sql-task';

type Reply = { readonly calls: readonly PlannedCall[] } | { readonly text: string };

export class BuiltInModel extends ChatModel {
  readonly info: ChatModelInfo = {
    id: 'builtin',
    displayName: 'built-in extractive model (no LLM)',
    contextTokens: 200_000,
    maxOutputTokens: 200_000,
    images: false,
    thinking: false,
    structuredOutput: true,
    asksForMissingArguments: true,
  };

  /** @throws InvalidRequestError before the first part for what it cannot do: a prefill, a JSON document it lacks words for. */
  async *stream(request: ChatRequest, signal: StopSignal): AsyncGenerator<ChatPart> {
    signal.throwIfAborted();
    if (request.messages.at(-1)?.role === 'assistant') {
      throw new InvalidRequestError(
        'The built-in model cannot go on with a message of the assistant. End the conversation with one of the user.',
      );
    }
    const reply = request.sqlTask ? { text: await sqlFor(request, abortSignalOf(signal)) } : replyTo(request);
    yield { type: 'started' };
    const inputTokens = promptTokens(request);
    if ('calls' in reply) {
      let outputTokens = 0;
      for (const { tool, input } of reply.calls) {
        signal.throwIfAborted();
        const id = newToolUseId();
        const text = JSON.stringify(input);
        outputTokens += estimateTokens(tool.name + text);
        yield { type: 'tool_call_start', id, name: tool.name };
        yield { type: 'tool_call', id, name: tool.name, arguments: text };
      }
      yield { type: 'finish', reason: 'tool_calls', usage: { inputTokens, outputTokens } };
      return;
    }
    const { text, reason } = cut(reply.text, request.maxTokens);
    for (const part of inWords(text)) {
      signal.throwIfAborted();
      yield part;
    }
    const usage = { inputTokens, outputTokens: estimateTokens(text) };
    yield { type: 'finish', reason, usage };
  }

  /** Its tokens are those of the rule of thumb. */
  override countTokens(request: PromptRequest): Promise<number> {
    return Promise.resolve(Math.max(1, promptTokens(request)));
  }
}

function replyTo(request: ChatRequest): Reply {
  let conversation = readConversation(request);
  if (request.jsonSchema) return { text: documentOf(request.jsonSchema, conversation) };
  const { tools, toolForcing } = request;
  if (toolForcing.type === 'any' || toolForcing.type === 'tool') {
    const forced = toolForcing.type === 'tool' ? tools.filter(({ name }) => name === toolForcing.name) : tools;
    const call = forceCall(conversation, forced);
    if (call) return callOrAsk([call], conversation);
  }
  const offered = toolForcing.type === 'none' ? [] : tools;
  if (conversation.results.length > 0) {
    const read = readOn(conversation, offered);
    if ('next' in read) return { calls: [read.next] };
    conversation = { ...conversation, results: read.results };
    const other = otherSource(conversation, offered);
    if (other) return { calls: [other] };
    const further = furtherCalls(conversation, request);
    return further.length > 0 ? { calls: further } : { text: answerFromResults(conversation, request) };
  }
  const fromText = answerFromText(conversation);
  if (fromText !== undefined) return { text: fromText };
  const calls = chooseCalls(conversation, offered, request.parallelToolCalls);
  return calls.length > 0 ? callOrAsk(calls, conversation) : { text: answerInOwnWords(conversation) };
}

/** Where calls go one by one: those that the question asked for beside the ones that are answered. */
function furtherCalls(
  conversation: ReadConversation,
  { tools, toolForcing, parallelToolCalls }: ChatRequest,
): PlannedCall[] {
  if (toolForcing.type === 'none' || parallelToolCalls) return [];
  const planned = chooseCalls(conversation, tools, true);
  const isAnswered = ({ tool, input }: PlannedCall) =>
    conversation.results.some(
      (result) => result.name === tool.name && JSON.stringify(result.input) === JSON.stringify(input),
    );
  const open = planned.filter((call) => !isAnswered(call) && call.missing.length === 0);
  return open.length < planned.length ? open.slice(0, 1) : [];
}

function callOrAsk(calls: readonly PlannedCall[], { language }: ReadConversation): Reply {
  const say = phrasesIn(language);
  const lacking = calls.find(({ missing }) => missing.length > 0);
  if (!lacking) return { calls };
  const { tool, missing } = lacking;
  if (tool.builtIn === 'web_fetch') return { text: say.askForUrl };
  if (tool.builtIn !== undefined && missing.includes('query')) return { text: say.askForQuestion };
  return { text: say.askFor(tool.name, missing.join(', ')) };
}

/** A question has one statement here: where that was refused, another would be a guess. */
async function sqlFor({ sqlTask, messages }: ChatRequest, signal: AbortSignal): Promise<string> {
  const isRepair = messages.length > 1;
  if (isRepair) return 'NO ANSWER: the built-in model has no other statement for it.';
  return answerSqlTaskInTurns(sqlTask!, signal);
}

function documentOf(schema: Record<string, unknown>, conversation: ReadConversation): string {
  const { asked, texts, language, today } = conversation;
  const message = [...texts.toReversed(), asked].join('\n\n');
  const { input, missing } = fillArguments(schema, message, { language, nulls: true, ...(today && { today }) });
  if (missing.length > 0) {
    throw new InvalidRequestError(
      `The built-in model cannot fill the required ${missing.join(', ')} of the JSON schema from the message. ` +
        'Say them in the message, let them be null, or connect a language model with OPENAI_BASE_URL.',
    );
  }
  return JSON.stringify(input);
}

function promptTokens({ system, messages, tools }: PromptRequest): number {
  const blocks = messages.flatMap(({ content }) => content);
  const said = blocks.reduce((sum, block) => {
    if (block.type === 'text' || block.type === 'document') return sum + estimateTokens(block.text);
    if (block.type === 'tool_result') return sum + estimateTokens(block.content);
    return block.type === 'tool_use' ? sum + estimateTokens(block.name + JSON.stringify(block.input)) : sum;
  }, 0);
  return estimateTokens(system) + said + (tools.length > 0 ? estimateTokens(JSON.stringify(tools)) : 0);
}
