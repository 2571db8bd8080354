/** Words that stand for true and false, and for a value that is not there. */

/** Pairs of one language; the first means true. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['true', 'false'],
  ['verdadero', 'falso'],
  ['vrai', 'faux'],
  ['wahr', 'falsch'],
  ['vero', 'falso'],
  ['verdadeiro', 'falso'],
  ['waar', 'onwaar'],
  ['yes', 'no'],
  ['sí', 'no'],
  ['si', 'no'],
  ['sì', 'no'],
  ['oui', 'non'],
  ['ja', 'nein'],
  ['ja', 'nee'],
  ['sim', 'não'],
  ['sim', 'nao'],
  ['y', 'n'],
  ['t', 'f'],
  ['s', 'n'],
  ['j', 'n'],
  ['o', 'n'],
  ['v', 'f'],
];

/** These say by themselves what they are; of the others both have to be there. */
const CLEAR = new Set('true false verdadero vrai wahr vero verdadeiro waar'.split(' '));

/** @param words the different words of a column, in lower case. */
export function booleanPair(words: ReadonlySet<string>): readonly [string, string] | undefined {
  if (words.size === 0 || words.size > 2) return undefined;
  return PAIRS.find(
    ([yes, no]) =>
      [...words].every((word) => word === yes || word === no) &&
      (words.size === 2 || [...words].every((word) => CLEAR.has(word))),
  );
}

/** Whether a word is half of such a pair. */
export const isAnswer = (word: string): boolean => PAIRS.flat().includes(word);

/** In lower case. */
export const MISSING_SIGNS: readonly string[] = (
  'na|n/a|n.a.|#n/a|#na|nan|null|(null)|#null!|none|nil|\\n|-|--|---|–|—|?|.|..|...|nd|n.d.|n/d|s/d|s.d.|sin dato|' +
  'sin datos|no disponible|no data|missing|k.a.|k. a.'
).split('|');
const MISSING = new Set(MISSING_SIGNS);
/** With the white space around it. */
export const MAX_MISSING_LENGTH = 13;

/**
 * Whether a text can stand for a value that is not there. In a column of numbers or dates it does; in one of texts
 * `NA` may be Namibia, and `-` an answer.
 */
export const meansMissing = (text: string): boolean =>
  text.length <= MAX_MISSING_LENGTH && MISSING.has(text.trim().toLowerCase());
