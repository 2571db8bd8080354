/**
 * A question over one table, word by word: what each asks for, which column, value or time it names.
 *
 * Every word has to be understood. One that is not, or that may mean two things, ends the reading: the built-in model
 * rather declines than answers another question.
 */
import { readDigits, readNumberWords } from '../numbers';
import type { Language } from '../language';
import { stem } from '../words';
import {
  namesColumn,
  quantityColumn,
  saysValue,
  type Column,
  type DescribedTable,
  type Naming,
  type Value,
} from './described-table';
import { samePlainWord, sameWord, wordsOf, type Word } from './forms';
import { isFiller, phraseAt, type Meaning, type Quantity } from './lexicon';
import { eitherDateIn, timeSpansIn, type TimeSpan } from './time-spans';

export type Item =
  | Exclude<Meaning, { t: 'nothing' | 'implied' }>
  | {
      readonly t: 'column';
      readonly column: Column;
      readonly isPart: boolean;
      readonly isSynonym: boolean;
      /** Named later in so many words, it is dropped. */
      readonly isImplied?: boolean;
      /** A verb that says which date is meant, and asks for nothing. */
      readonly isVerb?: boolean;
    }
  | { readonly t: 'value'; readonly values: readonly Value[] }
  | { readonly t: 'noun'; readonly isSynonym: boolean }
  | { readonly t: 'number'; readonly value: number; readonly percent: boolean }
  | { readonly t: 'time'; readonly span: TimeSpan }
  | { readonly t: 'quoted'; readonly text: string };

/** Why a question is not answered. */
export class NotUnderstood extends Error {
  constructor(
    readonly kind: 'word' | 'ambiguous' | 'pattern',
    readonly word: string,
  ) {
    super(word);
  }
}

/**
 * @param items gets what is read, also of a question that is not understood to its end.
 * @throws NotUnderstood
 */
export function readItems(question: string, table: DescribedTable, language: Language, items: Item[]): void {
  const words = wordsOf(question.slice(0, 600));
  const spans = timeSpansIn(question.slice(0, 600));
  const either = language === 'en' ? eitherDateIn(question) : undefined;
  if (either !== undefined) throw new NotUnderstood('ambiguous', either);
  for (let at = 0; at < words.length;) {
    const read = readAt(words, at, { table, spans, items, language });
    if (read.item) push(items, read.item);
    at += read.length;
  }
}

/** A column that was only implied gives way to its name. */
function push(items: Item[], item: Item): void {
  // "2 mil" is no two numbers.
  if (item.t === 'number' && items.at(-1)?.t === 'number') throw new NotUnderstood('pattern', '');
  const implied = items.findIndex(
    (one) => item.t === 'column' && one.t === 'column' && one.isImplied === true && one.column === item.column,
  );
  if (implied >= 0) items.splice(implied, 1);
  items.push(item);
}

interface Reading {
  readonly table: DescribedTable;
  readonly spans: readonly TimeSpan[];
  readonly items: readonly Item[];
  readonly language: Language;
}

interface Read {
  readonly item?: Item;
  readonly length: number;
}

function readAt(words: readonly Word[], at: number, { table, spans, items, language }: Reading): Read {
  const word = words[at]!;
  if (word.kind === 'quoted') return readQuoted(word, table);
  const previous = items.at(-1);
  const values = valuesAt(words, at, table, items);
  const span = spans.find(({ start }) => start === word.start);
  const column = columnAt(words, at, table);
  const phrase = phraseAt(words, at);
  const nouns = table.nouns.filter((one) => sameWord(word.text, one));
  const noun = nouns.find((one) => samePlainWord(word.text, one)) ?? nouns[0];
  const spanLength = span ? words.slice(at).findIndex(({ start }) => start >= span.end) : 0;
  const timeLength = span ? (spanLength === -1 ? words.length - at : spanLength) : 0;
  const longest = Math.max(values.length, column?.length ?? 0, phrase?.length ?? 0, timeLength, noun ? 1 : 0);

  const ownsValue = previous?.t === 'column' && values.values.some((value) => value.column === previous.column);
  if (values.length > 0 && values.length === longest) {
    const rivals = [
      column,
      phrase?.meaning.t === 'nothing' ? undefined : phrase,
      timeLength > 0 ? { length: timeLength } : undefined,
    ];
    const isContested = rivals.some((rival) => rival?.length === longest) && !ownsValue;
    if (isContested) throw new NotUnderstood('ambiguous', word.raw);
    return { item: { t: 'value', values: values.values }, length: values.length };
  }
  if (timeLength > 0 && timeLength === longest) return { item: { t: 'time', span: span! }, length: timeLength };
  const isNoun = noun !== undefined && longest === 1;
  if (column && column.length >= longest && !(isNoun && column.isPart)) {
    const isTotal = phrase && phrase.length === longest && phrase.meaning.t === 'aggregate';
    if (isTotal) return { item: phrase.meaning as Item, length: longest };
    if (column.columns.length > 1) throw new NotUnderstood('ambiguous', word.raw);
    const { isPart, isSynonym, length } = column;
    return { item: { t: 'column', column: column.columns[0]!, isPart, isSynonym }, length };
  }
  if (isNoun) return { item: { t: 'noun', isSynonym: !samePlainWord(word.text, noun) }, length: 1 };
  if (phrase) {
    if (phrase.meaning.t === 'nothing') return { length: phrase.length };
    if (phrase.meaning.t === 'implied') return readImplied(phrase.meaning.quantity, phrase.length, word, table, items);
    return { item: phrase.meaning, length: phrase.length };
  }
  const number = numberAt(words, at, language);
  if (number) return number;
  const named = dateNamedBy(word, table);
  if (named) return { item: { t: 'column', column: named, isPart: false, isSynonym: false, isVerb: true }, length: 1 };
  if (word.kind === 'sign' && word.text === ';') return { length: 1 };
  if (/^(?:€|\$|eur|euros?|usd|dollars?|dolares)$/.test(word.text) && previous?.t === 'number') return { length: 1 };
  throw new NotUnderstood('word', word.raw);
}

/** "Earn" is the salary, unless that is named beside it. */
function readImplied(
  quantity: Quantity,
  length: number,
  word: Word,
  table: DescribedTable,
  items: readonly Item[],
): Read {
  const column = quantityColumn(quantity, table);
  if (!column) throw new NotUnderstood('word', word.raw);
  const isNamed = items.some((item) => item.t === 'column' && item.column === column);
  return isNamed
    ? { length }
    : { item: { t: 'column', column, isPart: false, isSynonym: false, isImplied: true }, length };
}

function readQuoted(word: Word, table: DescribedTable): Read {
  const inner = wordsOf(word.text);
  const values = table.values.filter((value) => inner.length > 0 && saysValue(value, inner, 0) === inner.length);
  return values.length > 0
    ? { item: { t: 'value', values }, length: 1 }
    : { item: { t: 'quoted', text: word.text }, length: 1 };
}

/** The longest values that stand here. One that is a number or a letter has to stand beside its column. */
function valuesAt(words: readonly Word[], at: number, table: DescribedTable, items: readonly Item[]) {
  const previous = items.at(-1);
  let length = 0;
  let values: Value[] = [];
  for (const value of table.values) {
    const said = saysValue(value, words, at);
    if (said === 0 || said < length) continue;
    const beside = previous?.t === 'column' && previous.column === value.column;
    if (said === 1 && isFiller(words[at]!.text)) {
      if (!isSaidForItself(words, at, value, items)) continue;
    } else if (said === 1 && isSlight(words[at]!) && !beside && !isBefore(words, at + 1, value.column)) continue;
    values = said > length ? [value] : [...values, value];
    length = said;
  }
  const isTwice = new Set(values.map(({ column }) => column)).size < values.length;
  if (isTwice) throw new NotUnderstood('ambiguous', words[at]!.raw);
  // An "US" that is nowhere among the values, and surely no "us".
  if (length === 0 && isFiller(words[at]!.text) && isAcronym(words, at))
    throw new NotUnderstood('word', words[at]!.raw);
  return { length, values };
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
  const isLinked = previous !== undefined && ['to', 'from', 'not', 'by', 'and', 'or'].includes(previous.t);
  const isBeside = previous?.t === 'column' && previous.column === column && items.at(-2)?.t !== 'by';
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

/** The columns that are named here by the most words; a whole name wins over the noun of a longer one. */
function columnAt(words: readonly Word[], at: number, { columns }: DescribedTable) {
  const named = columns.flatMap((column) => {
    const naming = namesColumn(column, words, at);
    return naming ? [{ column, ...naming }] : [];
  });
  const rank = ({ length, isPart, isSynonym }: Naming) => 4 * length - (isPart ? 2 : 0) - (isSynonym ? 1 : 0);
  const most = Math.max(...named.map(rank));
  const best = named.filter((naming) => rank(naming) === most);
  return best[0] && { ...best[0], columns: best.map(({ column }) => column) };
}

function numberAt(words: readonly Word[], at: number, language: Language): Read | undefined {
  const word = words[at]!;
  const percentAt = (length: number) => words[at + length]?.text === '%' || words[at + length]?.text === 'percent';
  if (word.kind === 'number') {
    const value = readDigits(word.text, language);
    if (value === undefined) return undefined;
    // One and a half, or one and a half thousand.
    const isEither = /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(word.text);
    if (isEither && value !== Number(word.text.replace(/[.,]/, ''))) throw new NotUnderstood('ambiguous', word.raw);
    const percent = percentAt(1);
    return { item: { t: 'number', value, percent }, length: percent ? 2 : 1 };
  }
  const said = readNumberWords(
    words.map(({ text }) => text),
    at,
  );
  return said && { item: { t: 'number', value: said.value, percent: false }, length: said.length };
}

/** The "hired" of `hire_date`: a verb that says which date is meant. */
function dateNamedBy({ text }: Word, { columns }: DescribedTable): Column | undefined {
  if (text.length < 4) return undefined;
  const dates = columns.filter(({ kind }) => kind === 'date');
  const named = dates.filter(({ names }) =>
    names
      .flat()
      .some(
        (part) =>
          part.length > 3 && (['en', 'es'] as const).some((spoken) => stem(part, spoken) === stem(text, spoken)),
      ),
  );
  return named.length === 1 ? named[0] : undefined;
}
