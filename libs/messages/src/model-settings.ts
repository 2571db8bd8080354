import { InvalidRequestError, type MessagesRequest } from '@app/contract';
import type { ChatModelInfo, ChatRequest } from '@app/models';
import { wantedSchema } from './structured-answer';

type Settings = Omit<ChatRequest, 'messages' | 'tools' | 'toolForcing' | 'parallelToolCalls' | 'system' | 'citations'>;

/** Estimates are within a fifth of the truth; a prompt that is surely too long is refused, the rest the model server decides. */
const SURELY = 1.2;
/** What a chat template may put around a short conversation. */
const TEMPLATE = 256;

/**
 * What a request asks of the model, in the words of the port.
 *
 * @throws InvalidRequestError where the model cannot do what was asked for: thinking, a prompt as long.
 */
export function modelSettings(request: MessagesRequest, model: ChatModelInfo, promptTokens: number): Settings {
  if (promptTokens > model.contextTokens * SURELY) {
    throw new InvalidRequestError(`prompt is too long: ${promptTokens} tokens > ${model.contextTokens} maximum`);
  }
  return {
    maxTokens: roomFor(request.max_tokens, model, promptTokens),
    temperature: request.temperature,
    topP: request.top_p,
    topK: request.top_k,
    minP: request.min_p,
    repetitionPenalty: request.repetition_penalty,
    presencePenalty: request.presence_penalty,
    frequencyPenalty: request.frequency_penalty,
    seed: request.seed,
    effort: effortOf(request, model),
    jsonSchema: model.structuredOutput ? wantedSchema(request) : undefined,
  };
}

/**
 * The tokens of an answer that a prompt leaves room for, at most as many as were asked for and as the model may write
 * (anthropic-compat §3).
 *
 * A prompt may be longer than its estimate, and a model server refuses a request that asks for one token too many: what
 * is cut, is cut with room to spare.
 */
export function roomFor(asked: number | undefined, model: ChatModelInfo, promptTokens: number): number | undefined {
  const { contextTokens, maxOutputTokens, limitsOutput } = model;
  if (asked === undefined && !limitsOutput) return undefined;
  const most = asked === undefined || asked > maxOutputTokens ? maxOutputTokens : asked;
  if (most + promptTokens * SURELY + TEMPLATE <= contextTokens) return most;
  return Math.min(most, Math.max(1, Math.floor(contextTokens - promptTokens * SURELY) - TEMPLATE));
}

/** How hard the caller wants it to think; off wins over every effort (messages-api §3.4). */
export function wantedEffort({ thinking, output_config }: MessagesRequest): Settings['effort'] {
  const effort = output_config?.effort ?? thinking?.effort ?? undefined;
  const isOn = thinking?.enabled === true || thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  if (thinking?.type === 'disabled') return undefined;
  return effort ?? (isOn ? 'medium' : undefined);
}

function effortOf(request: MessagesRequest, model: ChatModelInfo): Settings['effort'] {
  const effort = wantedEffort(request);
  // Anthropic clients send `adaptive` and an effort with every request, whatever the model.
  if (model.thinking || request.thinking?.enabled !== true) return model.thinking ? effort : undefined;
  throw new InvalidRequestError(`The model ${model.id} does not support thinking. Send the request without it.`, {
    code: 'INVALID_REQUEST_REASONING_SUPPORTED_ERROR',
  });
}
