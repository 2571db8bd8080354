/** Scripts that put no spaces between words: each character counts as one. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** A longer run without spaces (an address, a hash) counts as several: an embedder reads it in pieces. */
export const LONGEST_WORD = 24;

/** Never fewer than what white space parts. */
export function countWords(text: string): number {
  let words = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      run = 0;
    } else if (code > 0x0e00 && isUnspaced(code)) {
      words++;
      run = 0;
    } else if (run++ % LONGEST_WORD === 0) {
      words++;
    }
  }
  return words;
}

export function isSpace(code: number): boolean {
  return (
    code === 0x20 ||
    (code >= 0x09 && code <= 0x0d) ||
    (code >= 0xa0 && (code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a) || RARE_SPACES.has(code)))
  );
}

const RARE_SPACES = new Set([0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);

/** By UTF-16 unit: ideographs beyond the basic plane count as two, which errs on the short side. */
export function isUnspaced(code: number): boolean {
  if (code < 0x0e00 || (code > 0x1800 && code < 0x2e80)) return false;
  if (code >= 0x4e00 && code <= 0x9fff) return true;
  if (code >= 0xac00 && code <= 0xd7a3) return false;
  if (code >= 0xd840 && code <= 0xd87f) return true;
  return UNSPACED.test(String.fromCharCode(code));
}
