/** Numbers in a question: in digits, in words, as ordinals, and the units behind them. */
import type { Language } from '../language';
import { readDigits, readNumberWords } from '../numbers';
import { columnAt } from './columns';
import type { Column } from './described-table';
import type { Word } from './forms';
import { NotUnderstood, type Read } from './items';
import { nameWords } from './names';
import type { Scope, Source } from './scope';

/** "The second term", where terms are numbered. */
export function ordinalAt(words: readonly Word[], at: number, scope: Scope): Read | undefined {
  const value = ORDINALS.findIndex((line) => line.includes(words[at]!.text)) + 1;
  const next = value > 0 && words[at + 1] ? columnAt(words, at + 1, scope)?.columns : undefined;
  const isNumbered = next?.length === 1 && next[0]!.kind === 'number' && isWholeAndFew(next[0]!);
  return isNumbered ? { item: { t: 'number', value, percent: false, raw: '' }, length: 1 } : undefined;
}
const isWholeAndFew = ({ spec: { type, distinct } }: Column): boolean =>
  /INT/i.test(type) && distinct !== undefined && distinct <= 12;
const ORDINALS = [
  'first primer primero primera 1st',
  'second segundo segunda 2nd',
  'third tercer tercero tercera 3rd',
  'fourth cuarto cuarta 4th',
].map((line) => line.split(' '));

export function numberAt(words: readonly Word[], at: number, language: Language): Read | undefined {
  const word = words[at]!;
  const percentAt = (length: number) => words[at + length]?.text === '%' || words[at + length]?.text === 'percent';
  if (word.kind === 'number') {
    const value = readDigits(word.text, language);
    if (value === undefined) return undefined;
    // One and a half, or one and a half thousand.
    const isEither = /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(word.text);
    if (isEither && value !== Number(word.text.replace(/[.,]/, ''))) throw new NotUnderstood('ambiguous', word.raw);
    const percent = percentAt(1);
    return { item: { t: 'number', value, percent, raw: word.text }, length: percent ? 2 : 1 };
  }
  const said = readNumberWords(
    words.map(({ text }) => text),
    at,
  );
  return said && { item: { t: 'number', value: said.value, percent: false, raw: '' }, length: said.length };
}

/** The "minutes" of "30 minutes", where all durations of the rows are in minutes: `duration_min`. */
export const isUnitOfColumns = ({ text }: Word, { columns }: Source): boolean => {
  const said = UNIT_WORDS.find((line) => line.includes(text));
  if (!said) return false;
  const written = columns.flatMap(({ kind, spec }) =>
    kind === 'number' ? [nameWords(spec.original || spec.name).at(-1)!] : [],
  );
  const rivals = UNIT_WORDS.filter((line) => line[0] === said[0]);
  return (
    rivals.filter((line) => written.some((word) => line.slice(1).includes(word))).every((line) => line === said) &&
    written.some((word) => said.slice(1).includes(word))
  );
};
/** What is measured, and how one of its units is called. */
const UNIT_WORDS = [
  ['time', ...'minutes minute minutos minuto min mins'.split(' ')],
  ['time', ...'hours hour horas hora h hrs'.split(' ')],
  ['time', ...'seconds second segundos segundo s sec secs'.split(' ')],
  ['time', ...'days dias'.split(' ')],
  ['heat', ...'degrees grados celsius c'.split(' ')],
  ['heat', ...'fahrenheit f'.split(' ')],
  ['mass', ...'kg kilos kilograms kilogramos'.split(' ')],
  ['mass', ...'g gr grams gramos'.split(' ')],
  ['energy', ...'kwh'.split(' ')],
  ['length', ...'km kilometers kilometres kilometros'.split(' ')],
  ['length', ...'m meters metres metros'.split(' ')],
  ['length', ...'cm centimetros centimeters'.split(' ')],
];
