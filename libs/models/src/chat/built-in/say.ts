/** A text as a model's stream: small groups of words, cut where the request says so. */
import type { ChatPart } from '../chat-model';
import { estimateTokens } from '../../tokens/estimate-tokens';

const WORDS_AT_ONCE = 3;

export interface CutText {
  readonly text: string;
  readonly reason: 'stop' | 'length';
}

/** At most `maxTokens` of `estimateTokens`. */
export function cut(text: string, maxTokens?: number): CutText {
  return maxTokens !== undefined && estimateTokens(text) > maxTokens
    ? { text: beginning(text, maxTokens), reason: 'length' }
    : { text, reason: 'stop' };
}

function beginning(text: string, maxTokens: number): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? low - 1 : low);
}

export function* inWords(text: string): Generator<ChatPart> {
  let group = '';
  let words = 0;
  for (const [word] of text.matchAll(/\s*\S+\s*/g)) {
    group += word;
    if (++words < WORDS_AT_ONCE) continue;
    yield { type: 'text', text: group };
    group = '';
    words = 0;
  }
  if (group !== '') yield { type: 'text', text: group };
}
