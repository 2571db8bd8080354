/** What a row is shown and grouped by where a question speaks of the thing it is. */
import type { Column } from './described-table';
import { formsOf } from './forms';
import type { Source } from './scope';

const TITLES = ['name', 'title', 'label', 'company', 'description', 'code', 'email'];

/** The column that names one of its rows to people. */
export function labelOf({ columns, table }: Source): Column | undefined {
  const nouns = new Set(table.names.flatMap(({ words }) => words).flatMap((word) => [...formsOf(word)]));
  const texts = columns.filter(({ kind, json, isLink }) => kind === 'text' && !json && !isLink);
  for (const title of TITLES) {
    const fits = (isShort: boolean) =>
      texts.filter(({ spec }) => {
        const words = ownWords(spec.original || spec.name);
        const rest = words.filter(
          (word) => !(isShort && nouns.has(word)) && !(isShort && /^(?:full|display|completo)$/.test(word)),
        );
        return rest.length === 1 && rest[0] === title;
      });
    const endsSo = texts.filter(
      ({ spec }) => ownWords(spec.original || spec.name).at(-1) === title && title === 'name',
    );
    const found = [fits(false), fits(true), endsSo].find((some) => some.length > 0) ?? [];
    if (found.length === 1) return found[0];
    if (found.length > 1) return undefined;
  }
  return undefined;
}

const ownWords = (name: string): string[] =>
  name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .flatMap((word) => {
      const [form] = formsOf(fold(word));
      return form === undefined ? [] : [form];
    });

import { fold } from '../words';

/** First and last names, where people are stored so. */
function namesOf({ columns }: Source): Column[] {
  const of = (pattern: RegExp) =>
    columns.filter(({ kind, spec }) => kind === 'text' && pattern.test(fold(spec.original || spec.name)));
  const first = of(/^(?:first_?name|given_?name|nombre)$/);
  const last = of(/^(?:last_?name|family_?name|surname|apellidos?)$/);
  return first.length === 1 && last.length === 1 ? [first[0]!, last[0]!] : [];
}

/** The columns that a row is called by. */
export const shownBy = (source: Source): Column[] => {
  const label = labelOf(source);
  return label ? [label] : namesOf(source);
};

/** What its rows are told apart by, and shown with: the key and the name, or the name alone where it is unique. */
export function identityOf(source: Source): Column[] {
  const label = labelOf(source);
  const shown = shownBy(source);
  const key = source.table.primaryKey.map((name) =>
    source.columns.find((column) => column.name === name && !column.json)!,
  );
  if (key.length === 0 && source.joined) key.push(...source.joined.on.map(([, own]) => own));
  if (key.length > 0 && key.every(Boolean)) return [...key, ...shown.filter((column) => !key.includes(column))];
  return label?.isUnique ? [label] : [];
}
