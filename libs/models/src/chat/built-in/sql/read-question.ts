/**
 * A question over one scope, word by word: what each asks for, which column, value or time it names.
 *
 * Every word has to be understood. One that is not, or that may mean two things, ends the reading: the built-in model
 * rather declines than answers another question.
 */
import type { Language } from '../language';
import { columnAt, hasQuantity, quantityColumn } from './columns';
import type { Column, Value } from './described-table';
import { formsOf, sameWord, wordsOf, type Word } from './forms';
import { isOf, NotUnderstood, type Item, type Read } from './items';
import { phraseAt, type Meaning, type Quantity } from './lexicon';
import { bestNaming, isVerbOf, rankOf, type Naming } from './names';
import { isUnitOfColumns, numberAt, ordinalAt } from './read-numbers';
import type { Scope, Source } from './scope';
import { dateNamedBy, isRoleVerb, openAt, oppositeAt, truthNamedBy } from './telling-words';
import { eitherDateIn, isMonthName, timeSpansIn, type TimeSpan } from './time-spans';
import { NO_VALUES, valuesAt, valuesQuoted, type ValuesRead } from './values';

/** A question, or a part of it. */
export interface Wording {
  readonly words: readonly Word[];
  readonly spans: readonly TimeSpan[];
  readonly language: Language;
}

const MAX_LENGTH = 600;

/** @throws NotUnderstood where a date in it may be two days. */
export function wordingOf(question: string, language: Language): Wording {
  const text = question.slice(0, MAX_LENGTH);
  const either = language === 'en' ? eitherDateIn(text) : undefined;
  if (either !== undefined) throw new NotUnderstood('ambiguous', either);
  return { words: wordsOf(text), spans: timeSpansIn(text), language };
}

/**
 * @param items gets what is read, also of a question that is not understood to its end.
 * @throws NotUnderstood
 */
export function readItems(wording: Wording, scope: Scope, items: Item[]): void {
  for (let at = 0; at < wording.words.length;) {
    const last = items.at(-1);
    // "Without a stock figure"; the value of a stock is another thing.
    if (VALUE.test(wording.words[at]!.text) && last?.t === 'column' && items.at(-2)?.t === 'without') {
      items[items.length - 1] = { ...last, isValue: true };
      at++;
      continue;
    }
    const read = readAt(wording, at, scope, items);
    if (read.item)
      push(items, isOf(read.item, 'column', 'entity') ? { ...read.item, ...hadAt(wording.words, at) } : read.item);
    at += read.length;
  }
  // Who still works is not everybody who ever did.
  const still = wording.words.find(({ text }) => /^(?:still|todavia|aun|employed)$/.test(text));
  const isState = (item: Item) => isOf(item, 'value', 'not', 'without', 'compare') || saysState(item);
  if (still && !items.some(isState)) throw new NotUnderstood('word', still.raw);
}

const saysState = (item: Item): boolean =>
  item.t === 'column' && (item.column.kind === 'boolean' || item.isNegated === true || !item.isVerb);

const ARTICLE = /^(?:a|an|any|some|un|una|algun|alguna)$/;

function hadAt(words: readonly Word[], at: number): { isHad?: 'have' | 'with' } {
  const isArticle = ARTICLE.test(words[at - 1]?.text ?? '');
  const lead = words[at - (isArticle ? 2 : 1)]?.text ?? '';
  if (/^(?:have|has|had|having|tienen?|tengan?|tenian?)$/.test(lead)) return { isHad: 'have' };
  return /^(?:with|con)$/.test(lead) ? { isHad: 'with' } : {};
}

const VALUE = /^(?:values?|figures?|data|valor|valores|datos?|cifras?)$/;

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

function readAt({ words, spans, language }: Wording, at: number, scope: Scope, items: readonly Item[]): Read {
  const word = words[at]!;
  if (word.kind === 'quoted') return readQuoted(word, scope);
  const previous = items.at(-1);
  const span = spans.find(({ start }) => start === word.start);
  const named = columnAt(words, at, scope);
  // Who is enrolled in a course has an enrollment: their date of enrolling is another thing.
  const isDone = named && isEvent(named) && named.columns.every(({ source }) => source !== scope.root);
  const column = isDone && isDoing(word, scope) ? undefined : named;
  // "Placed in March" is the date, also where a state is called so.
  const isDate = column !== undefined && isDated(column, words, at + column.length, spans);
  const values = isDate ? NO_VALUES : valuesAt(words, at, scope, items);
  const phrase = phraseAt(words, at);
  const noun = nounAt(words, at, scope);
  const timeLength = span ? lengthOf(span, words, at) : 0;
  const longest = Math.max(values.length, column?.length ?? 0, phrase?.length ?? 0, timeLength, noun?.length ?? 0);

  // "How many tickets did Orbit open" speaks of what was done.
  const isAct = words.slice(0, at).some(({ text }) => /^(?:did|do|does)$/.test(text));
  const open = values.length === 0 && !isAct ? openAt(word, scope.root) : undefined;
  if (open) return open;
  const ownsValue = previous?.t === 'column' && values.values.some((value) => value.column === previous.column);
  // "By team" and "the Billing team" mean the column, where a plan is called Team.
  const isColumn =
    column !== undefined &&
    column.length === longest &&
    (previous?.t === 'by' ||
      (previous?.t === 'value' && previous.values.some((value) => column.columns.includes(value.column))));
  // "Have a manager" is somebody, where a job is called so.
  const isOneHad = noun?.length === longest && hadAt(words, at).isHad === 'have' && ARTICLE.test(words[at - 1]!.text);
  if (
    values.length > 0 &&
    values.length === longest &&
    !isColumn &&
    !isOneHad &&
    !(column?.length === longest && isDated(column, words, at + longest, spans))
  ) {
    const rivals = [
      column && !isEvent(column) ? column : undefined,
      phrase?.meaning.t === 'nothing' || isLoosely(phrase?.meaning.t, word) || isFarFetched(phrase?.meaning, scope)
        ? undefined
        : phrase,
      timeLength > 0 ? { length: timeLength } : undefined,
      isMonthName(word.text) && scope.root.columns.some(({ kind }) => kind === 'date') ? { length: 1 } : undefined,
      noun,
    ];
    const isContested =
      rivals.some((rival) => rival?.length === longest) &&
      !ownsValue &&
      !values.isSure &&
      !(rivals.filter(Boolean).every((rival) => rival === phrase) && isListed(values, words, at, scope, items));
    if (isContested || (!ownsValue && isHalfName(words, at, values.length, scope)))
      throw new NotUnderstood('ambiguous', word.raw);
    // "Rented" is the state, or that `rented_on` has a date.
    const isEither = column?.length === longest && isEvent(column) && !ownsValue;
    const said = values.isTranslated || isEither ? { said: rawOf(words, at, values.length) } : {};
    return { item: { t: 'value', values: values.values, ...said }, length: values.length };
  }
  if (timeLength > 0 && timeLength === longest) return { item: { t: 'time', span: span! }, length: timeLength };
  const isNoun = noun !== undefined && noun.length === longest;
  if (column && column.length >= longest && !(isNoun && isRather(noun, column))) {
    const isTotal = phrase && phrase.length === longest && phrase.meaning.t === 'aggregate';
    // "The minimum stock" is the lowest `stock`, or the `min_stock`.
    const bound =
      phrase?.meaning.t === 'aggregate' && isBound(column.columns) ? columnAt(words, at + 1, scope) : undefined;
    if (bound && !isOf(previous, 'compare', 'aggregate'))
      throw new NotUnderstood('ambiguous', rawOf(words, at, longest));
    const isOfThem = /^(?:of the|of all|de las|de los|de todas|de todos)/.test(
      rawOf(words, at + longest, 2).toLowerCase(),
    );
    // "Average order total", "the total of the orders", where that is the name of a column.
    const isMeant = isOfThem || isOf(previous, 'noun', 'entity') || items.some(({ t }) => t === 'aggregate');
    if (isTotal && !(isMeant && !column.isPart && column.columns.length === 1))
      return { item: phrase.meaning as Item, length: longest };
    if (column.columns.length > 1) throw new NotUnderstood('ambiguous', rawOf(words, at, column.length));
    const { isPart, isSynonym, length } = column;
    const saysTotal = words.slice(at, at + length).some(({ text }) => text === 'total' || text === 'totales');
    return { item: { t: 'column', column: column.columns[0]!, isPart, isSynonym, isTotal: saysTotal }, length };
  }
  if (isNoun) return readNoun(noun, words, at, scope);
  // "This month" is some month, and no grouping by months.
  const isThis = /^(?:this|these|current|este|esta|estos|estas|ese|esa)$/.test(word.text);
  if (isThis && words[at + 1] && phraseAt(words, at + 1)?.meaning.t === 'unit')
    throw new NotUnderstood('word', word.raw);
  if (phrase?.meaning.t === 'act' && !isBuying(scope)) throw new NotUnderstood('word', word.raw);
  if (phrase?.meaning.t === 'sell' && !isSelling(scope)) throw new NotUnderstood('word', word.raw);
  // Only a question that begins so wants something made.
  if (at > 0 && phrase?.meaning.t === 'chart' && /^(?:make|create|crea|haz)$/.test(word.text))
    return { length: phrase.length };
  // "Entradas" are those of `fecha_entrada`, where there is one.
  const happened = phrase && isLoosely(phrase.meaning.t, word) ? dateNamedBy(word, scope.root) : undefined;
  if (happened)
    return { item: { t: 'column', column: happened, isPart: false, isSynonym: false, isVerb: true }, length: 1 };
  if (phrase) {
    if (phrase.meaning.t === 'nothing') return { length: phrase.length };
    if (phrase.meaning.t === 'implied') return readImplied(phrase.meaning.quantity, phrase.length, word, scope, items);
    return { item: phrase.meaning, length: phrase.length };
  }
  const number = numberAt(words, at, language) ?? ordinalAt(words, at, scope);
  if (number) return number;
  if (isRoleVerb(word, scope)) return { length: 1 };
  const opposite = oppositeAt(word, scope);
  if (opposite && previous?.t !== 'not') return opposite;
  const verb =
    (at > 0 ? dateNamedBy(word, scope.root) : undefined) ??
    (previous?.t === 'without' ? truthNamedBy(word, scope.root) : undefined);
  if (verb) return { item: { t: 'column', column: verb, isPart: false, isSynonym: false, isVerb: true }, length: 1 };
  if (isDoing(word, scope)) return { item: { t: 'act' }, length: 1 };
  if (word.kind === 'sign' && word.text === ';') return { length: 1 };
  if (/^(?:€|\$|eur|euros?|usd|dollars?|dolares)$/.test(word.text) && previous?.t === 'number') return { length: 1 };
  if (previous?.t === 'number' && isUnitOfColumns(word, scope.root)) return { length: 1 };
  // What is in a JSON column is not listed: the word behind the key is its value.
  if (previous?.t === 'column' && previous.column.json && word.kind === 'word' && /^\p{L}{3,}$/u.test(word.raw))
    return { item: { t: 'quoted', text: word.raw }, length: 1 };
  throw new NotUnderstood('word', word.raw);
}

/** The "home" of "home and away goals", where there are `home_goals` and `away_goals`, and results called Home. */
function isHalfName(words: readonly Word[], at: number, length: number, scope: Scope): boolean {
  const joins = words[at + length] && phraseAt(words, at + length)?.meaning.t;
  const next = at + length + 1;
  if ((joins !== 'and' && joins !== 'or') || next >= words.length) return false;
  const heads = columnAt(words, next, scope)?.columns.flatMap(({ names }) => names.map((name) => name.at(-1)!)) ?? [];
  return scope.columns.some(({ names }) =>
    names.some((name) => name.length > 1 && sameWord(words[at]!.text, name[0]!) && heads.includes(name.at(-1)!)),
  );
}

/** "Sales or Support", where both are departments. */
function isListed(
  { values, length }: ValuesRead,
  words: readonly Word[],
  at: number,
  scope: Scope,
  items: readonly Item[],
): boolean {
  const isOfSame = (others: readonly Value[]) =>
    others.some(({ column }) => values.some((value) => value.column === column));
  // "But not in Sales"
  if (isOf(items.at(-1), 'not') && phraseAt(words, at)?.meaning.t === 'sell') return true;
  const before = items.at(-2);
  if (isOf(items.at(-1), 'or', 'and') && before?.t === 'value' && isOfSame(before.values)) return true;
  const joins = words[at + length] && phraseAt(words, at + length)?.meaning.t;
  const next = at + length + 1;
  return (
    (joins === 'or' || joins === 'and') && next < words.length && isOfSame(valuesAt(words, next, scope, items).values)
  );
}

/** "Entradas" are rows only where nothing is called so. */
const isLoosely = (meaning: string | undefined, { text }: Word): boolean =>
  meaning === 'rows' && /^(?:entries|lines|lineas|entradas)$/.test(text);

/** "Paid" speaks of what somebody earns only where there is a salary. */
const isFarFetched = (meaning: Meaning | undefined, { root }: Scope): boolean =>
  meaning?.t === 'implied' && !hasQuantity(meaning.quantity, root);

const rawOf = (words: readonly Word[], at: number, length: number): string =>
  words
    .slice(at, at + length)
    .map(({ raw }) => raw)
    .join(' ');

function lengthOf({ end }: TimeSpan, words: readonly Word[], at: number): number {
  const length = words.slice(at).findIndex(({ start }) => start >= end);
  return length === -1 ? words.length - at : length;
}

/* ---- what rows are called ---- */

interface Noun extends Naming {
  readonly sources: readonly Source[];
}

function nounAt(words: readonly Word[], at: number, { sources }: Scope): Noun | undefined {
  if (words[at]!.kind === 'quoted') return undefined;
  const named = sources.flatMap((source) => {
    const naming = bestNaming(source.names, words, at);
    return naming ? [{ source, naming }] : [];
  });
  if (named.length === 0) return undefined;
  const most = Math.max(...named.map(({ naming }) => rankOf(naming)));
  const best = named.filter(({ naming }) => rankOf(naming) === most);
  return { ...best[0]!.naming, sources: best.map(({ source }) => source) };
}

/** Whether the words mean rows rather than a column: those that a key points at, and not the key. */
const isRather = (noun: Noun, column: Naming & { readonly columns: readonly Column[] }): boolean =>
  column.isPart ||
  (!noun.isPart && column.columns.every((one) => one.isLink)) ||
  // "Pedidos" are orders, where "ordered" says the same of their date.
  (!noun.isPart && column.isSynonym && column.columns.every(({ kind }) => kind === 'date')) ||
  (column.isSynonym && !noun.isSynonym && !noun.isPart);

function readNoun(
  { sources, isPart, isSynonym, length, name }: Noun,
  words: readonly Word[],
  at: number,
  { root }: Scope,
): Read {
  const [source] = sources;
  if (sources.length > 1) throw new NotUnderstood('ambiguous', rawOf(words, at, length));
  const last = words[at + length - 1]!.text;
  const isOne = source!.names.some((name) => name.words.at(-1) === last && !last.endsWith('s')) || !last.endsWith('s');
  return {
    item: { t: source === root ? 'noun' : 'entity', source: source!, name, length, isPart, isSynonym, isOne },
    length,
  };
}

/** Whether somebody's buying makes rows of the table. */
const isBuying = ({ root }: Scope): boolean =>
  root.table.names.some(({ words }) =>
    words.some((word) => [...formsOf(word)].some((form) => /^(?:order|purchase|sale)$/.test(form))),
  );

const isSelling = (scope: Scope): boolean =>
  isBuying(scope) ||
  (scope.dialect.name === 'DuckDB' && scope.root.columns.some(({ isAdditive }) => isAdditive)) ||
  scope.root.table.names.some(({ words }) =>
    words.some((word) => [...formsOf(word)].some((form) => /^(?:invoice|transaction|line|item)$/.test(form))),
  );

const isBound = (columns: readonly Column[]): boolean =>
  columns.some(({ names }) => names.some(([first, ...rest]) => rest.length > 0 && /^(?:min|max)/.test(first!)));

type Named = Naming & { readonly columns: readonly Column[] };

/** A date that something happened at: `shipped_at`. The value `shipped` says the same. */
const isEvent = ({ columns }: Named): boolean => columns.every(({ kind }) => kind === 'date');

/** The "shipped" of "shipped in March 2024" is the date. */
function isDated({ columns }: Named, words: readonly Word[], end: number, spans: readonly TimeSpan[]): boolean {
  if (!columns.every(({ kind }) => kind === 'date')) return false;
  for (let at = end; at < Math.min(words.length, end + 3); at++) {
    if (spans.some(({ start }) => start === words[at]!.start)) return true;
    const meaning = phraseAt(words, at)?.meaning.t;
    if (meaning === 'nothing' && !/^(?:in|on|at|during|the|en|el|la|durante|a)$/.test(words[at]!.text)) return false;
    if (meaning !== 'nothing' && meaning !== 'compare' && meaning !== 'from' && meaning !== 'between') return false;
  }
  return false;
}

/** The verb of what its rows are called: "reviewed" of `reviews`. */
const isDoing = ({ text }: Word, { root }: Scope): boolean =>
  root.table.names.some(({ words, isPart }) => !isPart && words.length === 1 && isVerbOf(text, words[0]!));

/* ---- the rest ---- */

/** "Earn" is the salary, unless that is named beside it. */
function readImplied(quantity: Quantity, length: number, word: Word, { root }: Scope, items: readonly Item[]): Read {
  const column = quantityColumn(quantity, root);
  if (!column) throw new NotUnderstood('word', word.raw);
  const isNamed = items.some((item) => item.t === 'column' && item.column === column);
  return isNamed
    ? { length }
    : { item: { t: 'column', column, isPart: false, isSynonym: false, isImplied: true }, length };
}

function readQuoted(word: Word, scope: Scope): Read {
  const values = valuesQuoted(word, scope);
  return values.length > 0
    ? { item: { t: 'value', values }, length: 1 }
    : { item: { t: 'quoted', text: word.text }, length: 1 };
}
