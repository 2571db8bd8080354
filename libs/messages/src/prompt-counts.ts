/**
 * How many tokens a prompt is (messages-api §12.1): by the model's own tokenizer, else by ours, else by a rule of thumb.
 *
 * Only who asks for a count waits for one. An answer begins with the rule of thumb, or with what somebody has asked
 * for before: clients that count a prompt send it next.
 */
import type { Caller } from '@app/access';
import type { CountTokensResponse } from '@app/contract';
import { estimateTokens, type ChatModel, type PromptRequest, type Tokenizer } from '@app/models';
import { mediaTokensOf, textsOf, tokensOf } from './usage-count';

/** Prompts whose count is remembered. */
const REMEMBERED = 500;
/** Characters at the end of a prompt by which it is known again. */
const TAIL = 100;

export class PromptCounts {
  private readonly counted = new Map<string, number>();

  constructor(private readonly tokenizer: Tokenizer) {}

  async count(
    caller: Caller,
    model: ChatModel,
    prompt: PromptRequest,
    signal: AbortSignal,
  ): Promise<CountTokensResponse> {
    const own = await model.countTokens(prompt, signal);
    if (own !== undefined) return this.remember(caller, model, prompt, { input_tokens: own, counted_by: 'model' });
    const tokens = await this.tokenizer.count([...wordsAround(prompt), ...textsOf(prompt.messages)], signal);
    if (tokens === undefined) return { input_tokens: Math.max(1, estimate(prompt)), counted_by: 'estimate' };
    const input_tokens = tokens + mediaTokensOf(prompt.messages);
    return this.remember(caller, model, prompt, { input_tokens, counted_by: 'tokenizer' });
  }

  /** At once: what was counted of this prompt, or about as much. */
  soFar(caller: Caller, model: ChatModel, prompt: PromptRequest): number {
    const rough = estimate(prompt);
    if (this.counted.size === 0) return rough;
    return this.counted.get(keyOf(caller, model, prompt, rough)) ?? rough;
  }

  private remember(caller: Caller, model: ChatModel, prompt: PromptRequest, count: CountTokensResponse) {
    const key = keyOf(caller, model, prompt, estimate(prompt));
    this.counted.delete(key);
    this.counted.set(key, count.input_tokens);
    if (this.counted.size > REMEMBERED) this.counted.delete(this.counted.keys().next().value!);
    return count;
  }
}

/** Prompts of one size and one end are one prompt, or at least as large: hashing the whole would cost more than that is worth. */
function keyOf({ organisationId }: Caller, { info }: ChatModel, { messages }: PromptRequest, rough: number): string {
  const last = messages.at(-1);
  const tail = last ? (textsOf([last]).at(-1) ?? '').slice(-TAIL) : '';
  return JSON.stringify([organisationId, info.id, rough, messages.length, tail]);
}

const estimate = (prompt: PromptRequest): number =>
  wordsAround(prompt).reduce((sum, text) => sum + estimateTokens(text), 0) + tokensOf(prompt.messages);

const wordsAround = ({ system, tools }: PromptRequest): string[] =>
  [system, tools.length > 0 ? JSON.stringify(tools) : ''].filter(Boolean);
