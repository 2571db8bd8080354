/** What the tables and columns of a card are called, in words: by their names, their files, their comments. */
import type { SqlColumn, SqlTable } from '../../sql-task';
import { stem } from '../words';
import type { Kind } from './described-table';
import { samePlainWord, sameWord, wordsOf, type Word } from './forms';

/** Something that rows are called. */
export interface Name {
  readonly words: readonly string[];
  /** A part of a longer name: the `orders` of `orders_archive`. */
  readonly isPart: boolean;
}

export interface Naming {
  /** How many words it takes. */
  readonly length: number;
  /** The noun of a longer name only. */
  readonly isPart: boolean;
  /** By a word of the other language, or another of the same meaning. */
  readonly isSynonym: boolean;
  /** Which of the names it is, where there are several. */
  readonly name?: readonly string[];
}

export const LINKS = new Set('de del la el los las of the a en in por for y and'.split(' '));
/** Words of names that say nothing of what is in it. */
const EMPTY = new Set('is has es esta tiene flag fk pk tbl dim fact fct vw view'.split(' '));
const CENTS = new Set('cents cent centimos centavos'.split(' '));
const UNITS = new Set([...'m2 m3 kg g km cm mm m kwh eur euro euros usd pct min mins days dias'.split(' '), ...CENTS]);
const BOUNDS = new Map([
  ['min', ['minimum', 'minimo', 'minima']],
  ['max', ['maximum', 'maximo', 'maxima']],
]);
const MAX_COMMENT_WORDS = 4;

export const nameWords = (name: string): string[] =>
  wordsOf(
    name
      .replaceAll('_', ' ')
      .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
      .replace(/(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' '),
  )
    .filter(({ kind }) => kind === 'word' || kind === 'number')
    .map(({ text }) => text)
    .filter((word) => !LINKS.has(word));

export function namesOfColumn({ original, name, comment }: SqlColumn, kind: Kind): string[][] {
  const bare = original || name;
  const names = [bare.replace(/[([].*?[)\]]/g, ' '), bare, original === '' ? '' : name].map(nameWords);
  const said = commentWords(comment);
  if (said) names.push(said);
  for (const words of [...names]) {
    // "Capacidad m2", `weight_kg`
    if (words.length > 1 && UNITS.has(words.at(-1)!)) names.push(words.slice(0, -1));
    // `min_stock` is the minimum stock; what is `duration_min` is in minutes.
    const bound = BOUNDS.get(words[0]!);
    if (bound && words.length > 1) names.push(...bound.map((word) => [word, ...words.slice(1)]));
    if (words.at(-1) === 'email') names.push([...words.slice(0, -1), 'correo', 'electronico']);
    if (/^(?:signed up|sign up|signup|joined)/.test(words.join(' '))) names.push(['registered']);
    if (kind === 'boolean' || words.length > 1) names.push(words.filter((word) => !EMPTY.has(word)));
    // `shipped_at`, `order_dt`
    if (kind === 'date' && /^(?:at|on|ts|dt)$/.test(words.at(-1) ?? '')) names.push(words.slice(0, -1));
  }
  // The `total` of an invoice is its total amount.
  if (kind === 'number' && names.some((words) => words.length === 1 && words[0] === 'total'))
    names.push(['total', 'amount']);
  return uniqueNames(names);
}

/** `total_cents`: a hundred times the amount that people speak of. */
export function isInCents({ original, name }: SqlColumn): boolean {
  const words = nameWords(original || name);
  return words.length > 1 && CENTS.has(words.at(-1)!);
}

/** The thing that a comment on a column speaks of first: the `VAT` of "VAT in euros". */
export function headOfComment(comment: string | undefined): string[] | undefined {
  const match = /^\s*((?:\p{L}+\s){1,2}?)(?:de|del|que|en|con|sin|in|of|for|with|without)\s/iu.exec(comment ?? '');
  const words = match ? nameWords(match[1]!) : [];
  return words.length > 0 && words.every((word) => word.length > 2) ? words : undefined;
}

/** A table is called by its name, its file's name and the first words of its comment; also by a part of a name. */
export function namesOfTable({ name, original, origin, comment }: SqlTable, isFile: boolean): Name[] {
  const bare = nameWords(original ?? name).filter((word) => !EMPTY.has(word));
  const full = [
    bare,
    ...(original !== undefined && name !== original ? [nameWords(name.replace(/["`[\].]/g, ' '))] : []),
  ];
  const said = commentWords(comment);
  if (said) full.push(said);
  const names: Name[] = [];
  if (isFile) {
    // The words of the table's own name and of its file's; a number or a year among them names no rows.
    const file = /^[^,]*/.exec(origin)?.[0].replace(/\.[^.]{1,8}$/, '') ?? '';
    const words = [...nameWords(name), ...nameWords(file)].filter((word) => !/\d/.test(word) && word.length > 2);
    return [...new Set(words)].map((word) => ({
      words: [word],
      isPart: !(bare.length === 1 && bare[0] === word) && nameWords(file).length !== 1,
    }));
  }
  for (const words of uniqueNames(full)) names.push({ words, isPart: false });
  // The head of "order lines" is the last word, that of "líneas de pedido" the first.
  for (const words of full) {
    if (words.length < 2) continue;
    // `archive.order` has archived orders.
    if (words !== bare && words !== said && words[0]!.endsWith('e'))
      names.push({ words: [`${words[0]!}d`, ...words.slice(1)], isPart: false });
    const head = words === said && isHeadFirst(comment!) ? words[0]! : words.at(-1)!;
    if (head.length > 2 && !/\d/.test(head)) names.push({ words: [head], isPart: true });
  }
  return names;
}

const isHeadFirst = (comment: string): boolean => /\b(?:de|del|of)\b/i.test(comment);

/** The beginning of a comment, where it is short enough to be a name. */
function commentWords(comment: string | undefined): string[] | undefined {
  if (comment === undefined) return undefined;
  const words = nameWords(/^[^,.;:(—–]*/.exec(comment.trim())![0]);
  return words.length > 0 && words.length <= MAX_COMMENT_WORDS ? words : undefined;
}

function uniqueNames(names: readonly string[][]): string[][] {
  const seen = new Map(names.filter((words) => words.length > 0).map((words) => [words.join(' '), words]));
  return [...seen.values()];
}

/** How the words from `at` on say a name; two words of it also the other way round: `order_date`, "fecha del pedido". */
export function namesPhrase(name: readonly string[], words: readonly Word[], at: number): Naming | undefined {
  const straight = namesInOrder(name, words, at);
  if (straight || name.length !== 2) return straight;
  const turned = namesInOrder([name[1]!, name[0]!], words, at);
  return turned && { ...turned, isSynonym: true };
}

function namesInOrder(name: readonly string[], words: readonly Word[], at: number): Naming | undefined {
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

/** "Reviewed" is the verb of `reviews`. */
export const isVerbOf = (word: string, name: string): boolean =>
  word.length > 4 && (['en', 'es'] as const).some((spoken) => stem(name, spoken) === stem(word, spoken));

/** The better of several ways to name something: whole names before parts, plain words before synonyms. */
export const rankOf = ({ length, isPart, isSynonym }: Naming): number =>
  4 * length - (isPart ? 2 : 0) - (isSynonym ? 1 : 0);

export function bestNaming(names: readonly Name[], words: readonly Word[], at: number): Naming | undefined {
  let best: Naming | undefined;
  for (const { words: name, isPart } of names) {
    const naming = namesPhrase(name, words, at);
    if (!naming) continue;
    const found = { ...naming, isPart, name };
    if (!best || rankOf(found) > rankOf(best)) best = found;
  }
  return best;
}
