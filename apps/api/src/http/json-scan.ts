/**
 * Looks at the bytes of a JSON body before `JSON.parse` sees them (SEC-90).
 *
 * One pass without allocation that counts depth and tokens, so that 50,000 nested lists cost a few microseconds
 * instead of a stack. It does not decide whether the text is JSON; the parser does, right after it.
 */
import { InvalidRequestError } from '@app/contract';

export const MAX_JSON_DEPTH = 64;
export const MAX_JSON_TOKENS = 200_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * @returns how many object members the text writes down, for the search for duplicate keys.
 * @throws InvalidRequestError when the text nests too deep or has too many tokens.
 */
export function scanJson(bytes: Buffer): number {
  let depth = 0;
  let tokens = 0;
  let members = 0;
  for (let position = 0; position < bytes.length; position += 1) {
    switch (bytes[position]) {
      case QUOTE:
        position = endOfString(bytes, position);
        continue;
      case 0x7b: // {
      case 0x5b: // [
        if (++depth > MAX_JSON_DEPTH) {
          throw new InvalidRequestError(`limit_exceeded: the body nests deeper than ${MAX_JSON_DEPTH} levels.`);
        }
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        continue;
      case 0x3a: // :
        members += 1;
        break;
      case 0x2c: // ,
        break;
      default:
        continue;
    }
    if (++tokens > MAX_JSON_TOKENS) {
      throw new InvalidRequestError(`limit_exceeded: the body has more than ${MAX_JSON_TOKENS} JSON tokens.`);
    }
  }
  return members;
}

/** Position of the quote that ends the string begun at `start`, or the end of the text. */
function endOfString(bytes: Buffer, start: number): number {
  // The native search beats a loop over the bytes even for strings of a few letters.
  let position = start + 1;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, position);
    if (quote < 0) return bytes.length;
    let before = quote;
    while (before > position && bytes[before - 1] === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote;
    position = quote + 1;
  }
}
