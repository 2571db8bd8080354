/**
 * Whether decoded text looks written rather than garbled: what a wrong charset makes of a word shows inside it.
 */
const WORDS_WITH_SPECIALS = /[\p{L}\p{M}]*[^\s\x00-\x7f]+[^\s\x00-\x40]*/gu;
const MAX_WORDS = 20_000;

/** The share of words beyond ASCII, 0 to 1, that no language writes so: two scripts, symbols inside, cAPITALS within. */
export function garbledShare(text: string): number {
  const words = text.match(WORDS_WITH_SPECIALS)?.slice(0, MAX_WORDS) ?? [];
  if (words.length === 0) return 0;
  return words.filter(isGarbled).length / words.length;
}

/** Whether the letters, taken together, are Latin ones. */
export function isMostlyLatin(text: string): boolean {
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return latin * 10 >= letters * 6;
}

export const hasIdeographs = (text: string) => /[\p{Script=Han}\p{Script=Hangul}]/u.test(text);

function isGarbled(word: string): boolean {
  // A character without meaning: not assigned, not decodable, or a control of the C1 block.
  if (/[\x80-\x9f\ufffd]|\p{Unassigned}|\p{Private_Use}/u.test(word)) return true;
  const latin = /\p{Script=Latin}/u.test(word);
  if (latin && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/u.test(word))
    return true;
  // A Han character squeezed between Latin letters: two accented letters taken for one double byte.
  if (/\p{Script=Latin}[\p{Script=Han}\p{Script=Hangul}\uff61-\uff9f]\p{Script=Latin}/u.test(word)) return true;
  if (/\p{L}[\u2500-\u259f¡-©«-´¶¸¹»-¿×÷]\p{L}/u.test(word)) return true;
  if (/[\u2500-\u259f]\p{L}|\p{L}[\u2500-\u259f]/u.test(word)) return true;
  // Half-width katakana beside kanji is Shift_JIS read where something else was meant.
  if (/[\uff61-\uff9f]\p{Script=Han}|\p{Script=Han}[\uff61-\uff9f]/u.test(word)) return true;
  return /^\p{Ll}\p{Lu}{2,}$/u.test(word) || /\p{Ll}\p{Lu}\p{Ll}\p{Lu}/u.test(word);
}
