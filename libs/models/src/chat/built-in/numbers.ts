/** Numbers as people write them, in digits and in words, English and Spanish. */
import type { Language } from './language';

const UNITS = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const UNIDADES = `cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis
  diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete
  veintiocho veintinueve`.split(/\s+/);
const DECENAS = 'treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' ');
const CENTENAS =
  'cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(' ');

const WORDS: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, i) => [word, 20 + 10 * i] as const),
  ...UNIDADES.map((word, value) => [word, value] as const),
  ...DECENAS.map((word, i) => [word, 30 + 10 * i] as const),
  ...CENTENAS.map((word, i) => [word, 100 * (i + 1)] as const),
  ['ciento', 100],
]);

/** What a word multiplies the number before it by. */
export const SCALES: ReadonlyMap<string, number> = new Map([
  ...(['hundred'] as const).map((word) => [word, 100] as const),
  ...['thousand', 'mil', 'k'].map((word) => [word, 1000] as const),
  ...['million', 'millions', 'millon', 'millones'].map((word) => [word, 1_000_000] as const),
]);

/** The value of digits with points and commas, by the custom of the language; undefined when they are no number. */
export function readDigits(digits: string, language: Language): number | undefined {
  const decimal = decimalMark(digits, language);
  const grouping = decimal === ',' ? '.' : ',';
  const plain = digits.replaceAll(grouping, '').replace(decimal, '.');
  const value = Number(plain);
  return plain !== '' && Number.isFinite(value) ? value : undefined;
}

function decimalMark(digits: string, language: Language): '.' | ',' {
  const point = digits.lastIndexOf('.');
  const comma = digits.lastIndexOf(',');
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ',';
  const usual = language === 'es' ? ',' : '.';
  const other = language === 'es' ? '.' : ',';
  const mark = point >= 0 ? '.' : ',';
  if (point < 0 && comma < 0) return usual;
  const groups = digits.split(mark).slice(1);
  // "1,500" in English and "1.500" in Spanish are one and a half thousand; "1,5" in English is a Spanish habit.
  const isGrouped = groups.every((group) => group.length === 3);
  if (groups.length > 1) return isGrouped ? (mark === '.' ? ',' : '.') : usual;
  return mark === other ? (isGrouped ? usual : other) : usual;
}

/**
 * The number that folded words say from `from` on, and how many of them it takes ("twenty five", "treinta y dos",
 * "two hundred"). A lone "one" or "uno" is too often a pronoun to count.
 */
export function readNumberWords(words: readonly string[], from: number): { value: number; length: number } | undefined {
  let total = 0;
  let part: number | undefined;
  let i = from;
  for (; i < words.length && i < from + 10; i++) {
    const word = words[i];
    const value = WORDS.get(word);
    const scale = SCALES.get(word);
    if (value !== undefined) {
      if (part !== undefined && !continues(part, value)) break;
      part = (part ?? 0) + value;
    } else if (scale !== undefined && word !== 'k' && (part !== undefined || word === 'mil')) {
      const scaled = (part ?? 1) * scale;
      if (scale === 100) part = scaled;
      else {
        total += scaled;
        part = 0;
      }
    } else if (!(joins(word) && part !== undefined && continuesAfter(words[i + 1], part))) break;
  }
  if (part === undefined && total === 0) return undefined;
  if (i === from + 1 && (words[from] === 'one' || words[from] === 'uno')) return undefined;
  return { value: total + (part ?? 0), length: i - from };
}

const joins = (word: string): boolean => word === 'and' || word === 'y';

const continues = (part: number, value: number): boolean =>
  value > 0 && ((part % 100 === 0 && value < 100) || (part % 100 >= 20 && part % 10 === 0 && value < 10));

function continuesAfter(word: string | undefined, part: number): boolean {
  const value = word === undefined ? undefined : WORDS.get(word);
  // "twenty and five" is two numbers in English as is "dos y tres"; "treinta y dos" and "hundred and five" are one.
  return value !== undefined && continues(part, value) && (part >= 100 || part >= 30);
}
