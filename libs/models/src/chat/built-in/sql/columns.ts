/** Which column the words of a question name. */
import type { Column } from './described-table';
import { formsOf, samePlainWord, sameWord, type Word } from './forms';
import type { Quantity } from './lexicon';
import { namesPhrase, rankOf, type Naming } from './names';
import type { Scope, Source } from './scope';

/** Nouns that stand for a longer name where no other column has them. */
const HEADS = new Set(
  `price cost amount revenue sale salary quantity customer product category city country department employee age
   salesperson weight height supplier store discount genre brand status region temperature precipitation wind rating
   capacity budget stock gross runtime balance displacement horsepower acceleration`.split(/\s+/),
);

/** How the words from `at` on name the column, if they do. */
export function namesColumn(column: Column, words: readonly Word[], at: number): Naming | undefined {
  const { names, qualified, source, isLink } = column;
  let best: Naming | undefined;
  // "Customers registered" are customers, where "customer registered" could be a name.
  const isPlural = /[^s]s$/.test(words[at]!.text);
  for (const name of qualified) {
    const named = namesPhrase(name, words, at);
    const isStraight = sameWord(words[at]!.text, name[0]!);
    if (named && !(isStraight && isPlural) && (!best || rankOf(named) > rankOf(best))) best = named;
  }
  for (const name of names) {
    const named = namesPhrase(name, words, at);
    if (named && (!best || rankOf(named) > rankOf(best))) best = named;
  }
  if (best || source.joined || isLink) return best;
  const ofComment = column.head && namesPhrase(column.head, words, at);
  if (ofComment) return { ...ofComment, isPart: true };
  const { text } = words[at]!;
  if (formsOf(text).has('unit') || ![...formsOf(text)].some((form) => HEADS.has(form))) return undefined;
  const parts = names.filter((name) => name.length > 1).flat();
  if (!parts.some((part) => sameWord(part, text))) return undefined;
  return { length: 1, isPart: true, isSynonym: !parts.some((part) => samePlainWord(part, text)) };
}

/**
 * The columns that are named here by the most words; a whole name wins over the noun of a longer one, and a column of
 * the rows themselves over one of what belongs to them.
 */
export function columnAt(words: readonly Word[], at: number, { columns, root }: Scope) {
  const named = columns.flatMap((column) => {
    const naming = namesColumn(column, words, at);
    return naming && !saysAnother(column, naming, words, at, columns) ? [{ column, ...naming }] : [];
  });
  if (named.length === 0) return undefined;
  const most = Math.max(...named.map(rankOf));
  const best = named.filter((naming) => rankOf(naming) === most);
  const own = best.filter(({ column }) => column.source === root);
  return { ...best[0]!, columns: (own.length > 0 ? own : best).map(({ column }) => column) };
}

/** "Branch and home" is no `home_branch` where there is a `branch` too: "by branch and home branch". */
function saysAnother(
  column: Column,
  { length }: Naming,
  words: readonly Word[],
  at: number,
  columns: readonly Column[],
): boolean {
  const and = words.slice(at, at + length).findIndex(({ text }) => text === 'and' || text === 'y');
  if (and < 0) return false;
  const others = columns.filter((other) => other !== column);
  return others.some(
    (other) => namesColumn(other, words, at)?.length === and || namesColumn(other, words, at + and + 1) !== undefined,
  );
}

/** The one column of a quantity that a word speaks of without naming it. */
export function quantityColumn(quantity: Quantity, source: Source): Column | undefined {
  const fitting = columnsOf(quantity, source);
  return fitting.length === 1 ? fitting[0] : undefined;
}

export const hasQuantity = (quantity: Quantity, source: Source): boolean => columnsOf(quantity, source).length > 0;

function columnsOf(quantity: Quantity, { columns }: Source): Column[] {
  const called = (said: string) =>
    columns.filter(
      ({ kind, names }) => kind === 'number' && names.some((name) => name.some((word) => formsOf(word).has(said))),
    );
  const found = called(quantity);
  // What is dear has a high cost, where no price is told.
  return found.length === 0 && quantity === 'price' ? called('cost') : found;
}
