/** A table of the schema card as questions speak of it: which words name it, its columns and its values. */
import type { SqlColumn, SqlTable } from '../../sql-task';
import { fold } from '../words';
import type { Quantity } from './lexicon';
import { formsOf, samePlainWord, sameValueWord, sameWord, wordsOf, type Word } from './forms';

export type Kind = 'number' | 'text' | 'date' | 'boolean' | 'other';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly spec: SqlColumn;
  /** The words of its names, without those that only join them. */
  readonly names: readonly (readonly string[])[];
  /** A number that names something. */
  readonly isIdentifier: boolean;
  /** Each row has its own value. */
  readonly isUnique: boolean;
  /** A quantity whose sum means something without being asked for: units, an amount of money; not a price. */
  readonly isAdditive: boolean;
  /** Money taken in: what "sales" and "how much did we sell" mean. */
  readonly isRevenue: boolean;
}

export interface Value {
  readonly column: Column;
  /** As the data has it; several where they differ in case or accents only. */
  readonly texts: readonly string[];
  readonly words: readonly string[];
}

export interface DescribedTable {
  readonly name: string;
  readonly spec: SqlTable;
  readonly columns: readonly Column[];
  readonly values: readonly Value[];
  /** Words that stand for its rows: `orders`, `ventas`. */
  readonly nouns: readonly string[];
}

export const LINKS = new Set('de del la el los las of the a en in por for y and'.split(' '));
const REVENUE = new Set('amount revenue sale total turnover facturacion facturado'.split(' '));
const ADDITIVE = new Set([...REVENUE, ...'unit quantity hour gross visit click order expense gasto'.split(' ')]);
const NOT_ADDITIVE = new Set(
  `price cost rate average mean per media medio promedio unitario number no num nr code line year numero codigo linea
   ano`.split(/\s+/),
);
/** Things that rows stand for. "Orders" are so many of them; "Order" is the number of one. */
const COUNTED = new Set('order visit click sale expense gasto'.split(' '));

export function describe(table: SqlTable): DescribedTable {
  const nouns = nounsOf(table);
  const columns = table.columns.map((spec) => columnOf(spec, table.rowCount, nouns));
  return {
    name: table.name,
    spec: table,
    columns,
    values: columns.flatMap(valuesOf),
    nouns,
  };
}

function columnOf(spec: SqlColumn, rowCount: number | undefined, nouns: readonly string[]): Column {
  const kind = kindOf(spec.type);
  const names = uniqueNames([spec.original.replace(/[([].*?[)\]]/g, ' '), spec.original, spec.name].map(nameWords));
  const words = new Set(names.flat().flatMap((word) => [...formsOf(word)]));
  const says = (list: ReadonlySet<string>) => [...words].some((word) => list.has(word));
  const isUnique = rowCount !== undefined && rowCount > 0 && spec.distinct === rowCount;
  const isThing = names.some(([name, more]) => more === undefined && isOneThing(name!, nouns));
  const isIdentifier =
    spec.identifier === true || (kind === 'number' && (/(?:^|_)id$/.test(spec.name) || (isThing && isUnique)));
  const isQuantity = kind === 'number' && !isIdentifier && spec.unit !== '%';
  return {
    name: spec.name,
    kind,
    spec,
    names,
    isIdentifier,
    isUnique,
    isAdditive: isQuantity && !isThing && says(ADDITIVE) && !says(NOT_ADDITIVE),
    isRevenue: isQuantity && !isThing && says(REVENUE) && !says(NOT_ADDITIVE),
  };
}

/** Whether a name is that of one row, or of one thing: the "Order" of `orders`, the "Factura" of `facturas`. */
function isOneThing(name: string, nouns: readonly string[]): boolean {
  if (name.endsWith('s')) return false;
  return nouns.some((noun) => samePlainWord(noun, name)) || [...formsOf(name)].some((form) => COUNTED.has(form));
}

function kindOf(type: string): Kind {
  if (/^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL|DOUBLE|FLOAT|REAL|NUMERIC)/i.test(type)) return 'number';
  if (/^(?:DATE|TIMESTAMP)/i.test(type)) return 'date';
  if (/^BOOL/i.test(type)) return 'boolean';
  return /^(?:VARCHAR|TEXT|CHAR|ENUM)/i.test(type) ? 'text' : 'other';
}

const nameWords = (name: string): string[] =>
  wordsOf(name.replaceAll('_', ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
    .filter(({ kind }) => kind === 'word' || kind === 'number')
    .map(({ text }) => text)
    .filter((word) => !LINKS.has(word));

function uniqueNames(names: readonly string[][]): string[][] {
  const seen = new Map(names.filter((words) => words.length > 0).map((words) => [words.join(' '), words]));
  return [...seen.values()];
}

function valuesOf(column: Column): Value[] {
  if (column.kind !== 'text') return [];
  const byWords = new Map<string, { texts: string[]; words: string[] }>();
  for (const { value } of column.spec.values ?? []) {
    const words = wordsOf(value).map(({ text }) => fold(text));
    if (words.length === 0 || words.length > 12) continue;
    const key = words.join(' ');
    const known = byWords.get(key);
    if (known) known.texts.push(value);
    else byWords.set(key, { texts: [value], words });
  }
  return [...byWords.values()].map(({ texts, words }) => ({ column, texts, words }));
}

/** The words of the table's own name and of its file's; a number or a year among them names no rows. */
function nounsOf({ name, origin }: SqlTable): string[] {
  const file = /^[^,]*/.exec(origin)?.[0].replace(/\.[^.]{1,8}$/, '') ?? '';
  const words = [...nameWords(name), ...nameWords(file)].filter((word) => !/\d/.test(word) && word.length > 2);
  return [...new Set(words)];
}

export interface Naming {
  /** How many words it takes. */
  readonly length: number;
  /** The noun of a longer name only. */
  readonly isPart: boolean;
  /** By a word of the other language, or another of the same meaning. */
  readonly isSynonym: boolean;
}

/** How the words from `at` on name the column, if they do. */
export function namesColumn({ names }: Column, words: readonly Word[], at: number): Naming | undefined {
  let best: Naming | undefined;
  for (const name of names) {
    const named = namesPhrase(name, words, at);
    if (named && (!best || named.length > best.length || (named.length === best.length && best.isSynonym)))
      best = named;
  }
  if (best) return best;
  const { text } = words[at]!;
  if (![...formsOf(text)].some((form) => HEADS.has(form))) return undefined;
  const parts = names.filter((name) => name.length > 1).flat();
  if (!parts.some((part) => sameWord(part, text))) return undefined;
  return { length: 1, isPart: true, isSynonym: !parts.some((part) => samePlainWord(part, text)) };
}

/** The one column of a quantity that a word speaks of without naming it. */
export function quantityColumn(quantity: Quantity, { columns }: DescribedTable): Column | undefined {
  const fitting = columns.filter(
    ({ kind, names }) => kind === 'number' && names.some((name) => name.some((word) => formsOf(word).has(quantity))),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Nouns that stand for a longer name where no other column has them. */
const HEADS = new Set(
  `price cost amount revenue sale salary quantity customer product category city country department employee age
   salesperson weight height supplier store discount genre brand status region temperature precipitation wind rating
   budget stock gross runtime balance displacement horsepower acceleration`.split(/\s+/),
);

function namesPhrase(name: readonly string[], words: readonly Word[], at: number): Naming | undefined {
  let position = at;
  let isSynonym = false;
  for (const [i, part] of name.entries()) {
    while (i > 0 && words[position] && LINKS.has(words[position]!.text)) position++;
    const word = words[position];
    if (!word || word.kind === 'quoted' || !sameWord(word.text, part)) return undefined;
    isSynonym ||= !samePlainWord(word.text, part);
    position++;
  }
  return { length: position - at, isPart: false, isSynonym };
}

/** How many words from `at` on are this value. */
export function saysValue({ words: parts }: Value, words: readonly Word[], at: number): number {
  const isSaid = parts.every((part, i) => {
    const word = words[at + i];
    if (!word || word.kind === 'quoted') return false;
    return parts.length === 1 ? sameValueWord(word.text, part) : word.text === part;
  });
  return isSaid ? parts.length : 0;
}
