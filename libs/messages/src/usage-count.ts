import type { Usage } from '@app/contract';
import { estimateTokens, type ChatUsage, type ConversationBlock, type ConversationMessage } from '@app/models';
import type { Finish } from './speech';

/**
 * Tokens over all model calls of a turn: what the model server reports, else the estimate.
 *
 * A prompt is `input_tokens` plus what came from the server's cache; clients add the two (anthropic-compat §7).
 */
export class UsageCount {
  private input = 0;
  private output = 0;
  private cached = 0;

  constructor(private readonly promptTokens: number) {}

  /** For `message_start`: the prompt is counted before the model speaks, and is never zero. */
  atStart(): Usage {
    return { input_tokens: Math.max(1, this.promptTokens), output_tokens: 0, ...fromCache(0) };
  }

  add({ usage }: Finish, prompt: readonly ConversationMessage[], said: readonly ConversationBlock[]): void {
    const cached = usage?.cachedInputTokens ?? 0;
    this.input += (usage?.inputTokens ?? Math.max(this.promptTokens, tokensOf(prompt))) - cached;
    this.output += usage?.outputTokens ?? tokensOf([{ role: 'assistant', content: said }]);
    this.cached += cached;
  }

  /** A model call of a tool, as far as the model server reports. */
  addTools(usages: readonly ChatUsage[]): void {
    for (const { inputTokens, outputTokens, cachedInputTokens = 0 } of usages) {
      this.input += inputTokens - cachedInputTokens;
      this.output += outputTokens;
      this.cached += cachedInputTokens;
    }
  }

  total(): Usage {
    return { input_tokens: Math.max(1, this.input), output_tokens: this.output, ...fromCache(this.cached) };
  }
}

/** Model servers tell what they have read from their cache, and nothing of what they wrote to it. */
const fromCache = (read: number) => ({ cache_creation_input_tokens: 0, cache_read_input_tokens: read });

/** An image, or a sound, costs about as much as this many tokens with the models that take them. */
const MEDIA_TOKENS = 1000;

/** About as many as the messages have. */
export function tokensOf(messages: readonly ConversationMessage[]): number {
  let tokens = mediaTokensOf(messages);
  for (const text of textsOf(messages)) tokens += estimateTokens(text);
  return tokens;
}

export function mediaTokensOf(messages: readonly ConversationMessage[]): number {
  let tokens = 0;
  for (const { content } of messages) {
    for (const { type } of content) if (type === 'image' || type === 'audio') tokens += MEDIA_TOKENS;
  }
  return tokens;
}

/** All that is text in the messages, in order. */
export function textsOf(messages: readonly ConversationMessage[]): string[] {
  const texts: string[] = [];
  for (const { content } of messages) for (const block of content) pushTexts(texts, block);
  return texts;
}

function pushTexts(texts: string[], block: ConversationBlock): void {
  switch (block.type) {
    case 'text':
      texts.push(block.text);
      break;
    case 'thinking':
      texts.push(block.thinking);
      break;
    case 'tool_use':
      texts.push(block.name, JSON.stringify(block.input));
      break;
    case 'tool_result':
      texts.push(block.content);
      break;
    case 'document':
      for (const text of [block.title, block.context, block.text]) if (text) texts.push(text);
  }
}
