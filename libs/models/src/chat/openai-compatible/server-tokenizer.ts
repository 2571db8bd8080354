/**
 * The tokens of a prompt by the tokenizer of the model server itself, chat template and all.
 *
 * vLLM and llama.cpp offer it, outside of the OpenAI-compatible part and each in its own way. It is for those who ask
 * for a count: an answer never waits for it.
 */
import { Deadline } from '@app/platform';
import type { PromptRequest } from '../chat-model';
import { wirePrompt } from './chat-request-body';

export type TokenizeDialect = 'vllm' | 'llama.cpp';

/** Posts to the root of the server; undefined for any status but 200. */
export type PostJson = (path: string, body: object, signal: AbortSignal) => Promise<unknown>;

/** By the name that the server gives itself as the owner of its models. */
export function tokenizeDialect(ownedBy: string | undefined): TokenizeDialect | undefined {
  if (ownedBy === 'vllm') return 'vllm';
  return ownedBy === 'llamacpp' ? 'llama.cpp' : undefined;
}

/** All of it together may take so long. */
const COUNT_MS = 3000;
/** After it could not, it is not asked again for so long. */
const REST_MS = 60_000;

export class ServerTokenizer {
  private restsUntil = -Infinity;

  constructor(
    private readonly dialect: TokenizeDialect,
    private readonly model: string,
    private readonly post: PostJson,
  ) {}

  /** Undefined when the server cannot tell, or not in time. */
  async count(request: PromptRequest, signal?: AbortSignal): Promise<number | undefined> {
    if (performance.now() < this.restsUntil) return undefined;
    const deadline = new Deadline(COUNT_MS, signal);
    try {
      const until = deadline.signal;
      const tokens = await (this.dialect === 'vllm' ? this.byVllm(request, until) : this.byLlama(request, until));
      if (tokens !== undefined) return tokens;
    } catch {
      signal?.throwIfAborted();
    } finally {
      deadline.end();
    }
    this.restsUntil = performance.now() + REST_MS;
    return undefined;
  }

  private async byVllm(request: PromptRequest, signal: AbortSignal): Promise<number | undefined> {
    const body = { model: this.model, ...wirePrompt(request), add_generation_prompt: true };
    const { count } = asObject(await this.post('/tokenize', body, signal));
    return isCount(count) ? count : undefined;
  }

  private async byLlama(request: PromptRequest, signal: AbortSignal): Promise<number | undefined> {
    const { prompt } = asObject(await this.post('/apply-template', wirePrompt(request), signal));
    if (typeof prompt !== 'string') return undefined;
    const body = { content: prompt, add_special: true, parse_special: true };
    const { tokens } = asObject(await this.post('/tokenize', body, signal));
    return Array.isArray(tokens) && tokens.length > 0 ? tokens.length : undefined;
  }
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
