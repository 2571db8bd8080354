/** A text as a model's stream: small groups of words, cut where the request says so. */
import type { ChatPart, ChatRequest } from '../chat-model';
import { estimateTokens } from '../estimate-tokens';

const WORDS_AT_ONCE = 3;

export interface CutText {
  readonly text: string;
  readonly reason: 'stop' | 'length';
  readonly stopSequence?: string;
}

/** Before the first stop sequence, and at most `maxTokens` of `estimateTokens`. */
export function cut(
  text: string,
  { stopSequences, maxTokens }: Pick<ChatRequest, 'stopSequences' | 'maxTokens'>,
): CutText {
  let stop: { at: number; sequence: string } | undefined;
  for (const sequence of stopSequences) {
    const at = sequence === '' ? -1 : text.indexOf(sequence);
    if (at >= 0 && (stop === undefined || at < stop.at)) stop = { at, sequence };
  }
  const said = stop ? text.slice(0, stop.at) : text;
  if (maxTokens !== undefined && estimateTokens(said) > maxTokens) {
    return { text: beginning(said, maxTokens), reason: 'length' };
  }
  return { text: said, reason: 'stop', ...(stop && { stopSequence: stop.sequence }) };
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
