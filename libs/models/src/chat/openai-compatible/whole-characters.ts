/**
 * What a model wrote, as text that every reader can take: without U+0000, which databases refuse, and without halves of
 * surrogate pairs, which are no characters.
 */

/** Most text has none of it: only what does is looked at twice. Pairs are here too, they may be cut in two. */
const SUSPECT = /[\0\ud800-\udfff]/;
const ESCAPES = /\\u0000|\\ud[89ab]..\\ud[c-f]..|\\ud[89a-f]..|\\[^]/gi;
const REPLACEMENT = '\ufffd';

/** Text that comes in pieces, cut anywhere. */
export class WholeCharacters {
  /** The first half of a pair, until the second comes. */
  private half = '';

  /** The next piece, as far as its characters are whole. */
  take(piece: string): string {
    if (this.half === '' && !SUSPECT.test(piece)) return piece;
    const text = this.half + piece.replaceAll('\0', '');
    this.half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : '';
    return (this.half === '' ? text : text.slice(0, -1)).toWellFormed();
  }

  /** What is left when nothing follows. */
  end(): string {
    const { half } = this;
    this.half = '';
    return half && REPLACEMENT;
  }
}

export const withoutNul = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '') : text);

/** JSON text, whole or not, whose strings are clean when it is read: the escapes in it count as what they mean. */
export function cleanJson(json: string): string {
  const raw = withoutNul(json).toWellFormed();
  if (!raw.includes('\\u')) return raw;
  return raw.replace(ESCAPES, (escape) => {
    if (escape === '\\u0000') return '';
    return escape.length === 6 ? REPLACEMENT : escape;
  });
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code < 0xdc00;
