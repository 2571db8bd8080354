/** Which values of the data the words of a question name. */
import { fold } from '../words';
import { countryAt, isCountry, sameCountry } from './bilingual';
import { namesColumn } from './columns';
import type { Column, PlainValue, Value } from './described-table';
import { formsOf, sameStateWord, sameValueWord, wordsOf, type Word } from './forms';
import { isOf, NotUnderstood, type Item } from './items';
import { isFiller, isJoiner } from './lexicon';
import type { Scope } from './scope';

export interface ValuesRead {
  readonly length: number;
  readonly values: readonly Value[];
  /** Written so that nothing else can be meant. */
  readonly isSure: boolean;
  /** Said in another language than the data. */
  readonly isTranslated: boolean;
}

export const NO_VALUES: ValuesRead = { length: 0, values: [], isSure: false, isTranslated: false };

/** The longest values that stand here. One that is a number or a letter has to stand beside its column. */
export function valuesAt(words: readonly Word[], at: number, scope: Scope, items: readonly Item[]): ValuesRead {
  const previous = items.at(-1);
  const { text, raw } = words[at]!;
  let length = 0;
  let values: Value[] = [];
  let isSure = false;
  for (const value of scope.values) {
    const said = saysValue(value, words, at);
    if (said === 0 || said < length) continue;
    const beside = previous?.t === 'column' && previous.column === value.column;
    if (said === 1 && isJoiner(text)) {
      if (!isJoinerValue(words, at, beside)) continue;
      isSure = true;
    } else if (said === 1 && isFiller(text)) {
      if (!isSaidForItself(words, at, value, items)) continue;
    } else if (said === 1 && isSlight(words[at]!) && !beside && !isBefore(words, at + 1, value.column)) continue;
    values = said > length ? [value] : [...values, value];
    length = said;
  }
  if (new Set(values.map(({ column }) => column)).size < values.length) throw new NotUnderstood('ambiguous', raw);
  if (values.some((value) => isNegationOfAnother(value, scope))) throw new NotUnderstood('ambiguous', raw);
  if (length === 0) {
    const translated = translatedAt(words, at, scope);
    if (translated) return { ...translated, isSure: false, isTranslated: true };
    // An "US" that is nowhere among the values, and surely no "us".
    if ((isFiller(text) || isJoiner(text)) && isAcronym(words, at)) throw new NotUnderstood('word', raw);
  }
  return { length, values, isSure: isSure && length === 1, isTranslated: false };
}

/** The values that a quotation is, whole. */
export function valuesQuoted({ text }: Word, { values }: Scope): Value[] {
  const inner = wordsOf(text.replaceAll('_', ' '));
  const said = values.filter((value) => inner.length > 0 && saysValue(value, inner, 0) === inner.length);
  return said.filter((value) => value.texts.includes(text)).length > 0
    ? said.filter((value) => value.texts.includes(text))
    : said;
}

/** Whether a value may stand anywhere among the words. */
export function mayBeSaid(value: PlainValue, words: readonly Word[]): boolean {
  const [first] = value.words;
  return words.some((word, at) => {
    if (word.kind === 'quoted') return fold(word.text).includes(first!);
    if (saysValue(value, words, at) > 0) return true;
    if (word.kind !== 'word' || word.text.length < 4) return false;
    return (value.words.length === 1 && sameStateWord(word.text, first!)) || isCountry(value.words);
  });
}

/** How many words from `at` on are this value. */
function saysValue({ words: parts }: PlainValue, words: readonly Word[], at: number): number {
  const isSaid = parts.every((part, i) => {
    const word = words[at + i];
    if (!word || word.kind === 'quoted') return false;
    return parts.length === 1 || part.length > 5 ? sameValueWord(word.text, part) : word.text === part;
  });
  return isSaid ? parts.length : 0;
}

/** "Not shipped" is a value, and also what is not `Shipped`. */
function isNegationOfAnother({ words: [first, ...rest], column }: Value, { values }: Scope): boolean {
  if (rest.length === 0 || !/^(?:not|no|non|sin)$/.test(first!)) return false;
  return values.some(
    (other) =>
      other.column === column &&
      other.words.length === rest.length &&
      other.words.every((word, i) => sameValueWord(word, rest[i]!)),
  );
}

/** A state or a country in the other language, or a country's code. */
function translatedAt(words: readonly Word[], at: number, { values }: Scope) {
  const { text, kind } = words[at]!;
  if (kind !== 'word' || text.length < 4) return undefined;
  const states = values.filter((value) => value.words.length === 1 && sameStateWord(text, value.words[0]!));
  const twice = new Set(states.map(({ column }) => column)).size < states.length;
  if (twice) throw new NotUnderstood('ambiguous', words[at]!.raw);
  if (states.length > 0) return { length: 1, values: states };
  const country = countryAt(
    words.map((word) => word.text),
    at,
  );
  if (!country) return undefined;
  const found = values.filter(
    ({ words: parts, column }) =>
      sameCountry(parts, [country.code]) && (parts.join('').length > 3 || saysCountry(column)),
  );
  // Of a name and a code beside it, the name.
  const named = found.filter(
    ({ words: parts, column }) =>
      !found.some(
        (other) => other.column.source === column.source && other.words.join('').length > parts.join('').length,
      ),
  );
  return named.length > 0 && new Set(named.map(({ column }) => column)).size === named.length
    ? { length: country.length, values: named }
    : undefined;
}

const saysCountry = ({ names }: Column): boolean =>
  names.some((name) => name.some((word) => formsOf(word).has('country') || word === 'nationality'));

/** "OR" is Oregon where it is written so in a question that is not all in capitals; "or" is not. */
function isJoinerValue(words: readonly Word[], at: number, beside: boolean): boolean {
  if (isAcronym(words, at)) return true;
  if (!beside) return false;
  const next = words[at + 1];
  if (next === undefined || next.kind === 'sign') return true;
  return false;
}

/**
 * Whether a common word is the value that it also spells: the "US" of "orders to the US", but not the "us" of "show us".
 *
 * @throws NotUnderstood where it may be either.
 */
function isSaidForItself(
  words: readonly Word[],
  at: number,
  { texts, column }: Value,
  items: readonly Item[],
): boolean {
  const { text, raw } = words[at]!;
  if (isAcronym(words, at) || (at > 0 && /^\p{Lu}$/u.test(raw) && texts.includes(raw))) return true;
  const next = words[at + 1];
  const previous = items.at(-1);
  const isLinked = isOf(previous, 'to', 'from', 'not', 'by', 'and', 'or');
  const isBeside = previous?.t === 'column' && previous.column === column && items.at(-2)?.t !== 'by';
  if (isBeside && at > 0 && /^\p{Lu}/u.test(raw) && texts.includes(raw)) return true;
  // "Realizadas" says nothing of its own but where the rows it stands behind have it for a state.
  if (text.length > 6 && (previous?.t === 'noun' || previous?.t === 'entity') && previous.source === column.source)
    return true;
  // Articles and prepositions are short, and have something after them.
  const isJoining = next !== undefined && next.kind !== 'sign' && !isLinked && !isBeside;
  if (isJoining && text.length <= 3 && words.some((word) => /\p{Ll}/u.test(word.raw))) return false;
  throw new NotUnderstood('ambiguous', raw);
}

/** In capitals, in a question that is not. */
const isAcronym = (words: readonly Word[], at: number): boolean =>
  /^\p{Lu}{2,}$/u.test(words[at]!.raw) && words.some(({ raw }) => /\p{Ll}/u.test(raw));

const isSlight = ({ text, kind }: Word): boolean => kind === 'number' || text.length < 2;

const isBefore = (words: readonly Word[], at: number, column: Column): boolean =>
  words[at] !== undefined && namesColumn(column, words, at) !== undefined;
