import { InvalidRequestError, type MessagesRequest } from '@app/contract';
import type { ChatModelInfo, ChatRequest } from '@app/models';
import { wantedSchema } from './structured-answer';

type Settings = Omit<ChatRequest, 'messages' | 'tools' | 'toolForcing' | 'parallelToolCalls' | 'system' | 'citations'>;

/** Estimates are within a fifth of the truth; a prompt that is surely too long is refused, the rest the model server decides. */
const SURELY = 1.2;

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
    maxTokens: request.max_tokens && Math.min(request.max_tokens, Math.max(1, model.contextTokens - promptTokens)),
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

/** Thinking is on if it is switched on or an effort is given; off wins over effort (messages-api §3.4). */
function effortOf({ thinking, output_config }: MessagesRequest, model: ChatModelInfo): Settings['effort'] {
  const effort = output_config?.effort ?? thinking?.effort ?? undefined;
  const insists = thinking?.enabled === true;
  const wishes = thinking?.type === 'enabled' || thinking?.type === 'adaptive' || effort !== undefined;
  if (thinking?.type === 'disabled' || !(insists || wishes)) return undefined;
  if (model.thinking) return effort ?? 'medium';
  // Anthropic clients send `adaptive` and an effort with every request, whatever the model.
  if (!insists) return undefined;
  throw new InvalidRequestError(`The model ${model.id} does not support thinking. Send the request without it.`, {
    code: 'INVALID_REQUEST_REASONING_SUPPORTED_ERROR',
  });
}
