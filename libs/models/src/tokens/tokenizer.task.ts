/** The child's side of the tokenizer. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** The time for one word grows with the square of its length; a text is cut where it has no end of a word for so long. */
const MAX_PIECE = 2000;
/** A chat template puts about this many tokens around a message. */
const AROUND = 4;
/** What is written like a control token counts as the text that it is. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

export function handle(texts: readonly string[]): number {
  let tokens = 0;
  for (const text of texts) {
    tokens += AROUND;
    for (const piece of piecesOf(text)) tokens += countTokens(piece, AS_TEXT);
  }
  return tokens;
}

function* piecesOf(text: string): Iterable<string> {
  for (let from = 0; from < text.length;) {
    let end = Math.min(text.length, from + MAX_PIECE);
    if (end < text.length) {
      const space = text.lastIndexOf(' ', end);
      if (space > from) end = space;
      else if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    }
    yield text.slice(from, end);
    from = end;
  }
}
