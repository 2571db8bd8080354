/** Arguments with a closed set of values: enumerations and switches. */
import { isCue, type Argument } from './argument-roles';
import { ideasOf } from './concepts';
import { nearness, type Filling } from './filling';
import { fold, stem, tokensOf } from './words';

interface Choice {
  readonly argument: Argument;
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

const MAX_VALUES = 500;
const LANGUAGE_CODES = 'en es fr de it pt nl pl ru uk zh ja ko ar hi tr sv da fi nb el he cs hu ro ca eu gl'.split(' ');
const languageNames = new Map(
  ['en', 'es'].flatMap((shown) => {
    const names = new Intl.DisplayNames([shown], { type: 'language' });
    return LANGUAGE_CODES.map((code) => [fold(names.of(code) ?? code), code] as const);
  }),
);

/** The code of a language by its English or Spanish name, folded. */
export const languageCode = (name: string): string | undefined => languageNames.get(name);

/** Finds enumerated values in the message and gives each to the argument whose words are nearest. */
export function readChoices(open: readonly Argument[], filling: Filling): void {
  const choices = open.flatMap((argument) => choicesOf(argument, filling));
  choices.sort((a, b) => b.score - a.score || a.start - b.start);
  const lists = new Map<Argument, Choice[]>();
  for (const choice of choices) {
    const { argument, value } = choice;
    if (argument.leaf.type === 'array') {
      const chosen = lists.get(argument) ?? [];
      const isNew = chosen.every(
        (other) => other.value !== value && (choice.start >= other.end || choice.end <= other.start),
      );
      if (isNew) lists.set(argument, [...chosen, choice]);
    } else if (!filling.has(argument) && filling.isFree(choice)) filling.give(argument, value, choice);
  }
  for (const [argument, chosen] of lists) {
    filling.give(
      argument,
      chosen.sort((a, b) => a.start - b.start).map(({ value }) => value),
    );
  }
}

function choicesOf(argument: Argument, { message }: Filling): Choice[] {
  const { schema } = argument.leaf;
  const values = schema.enum ?? (schema.items as { enum?: unknown } | undefined)?.enum;
  if (!Array.isArray(values)) return [];
  return values.slice(0, MAX_VALUES).flatMap((value): Choice[] => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    return placesOf(value, argument, message).map(({ start, end, exact }) => {
      const near = nearness(argument, { kind: 'name', value, text: String(value), start, end }, message);
      return { argument, value, start, end, score: near + (exact ? 1 : 0) + (end - start) / 50 };
    });
  });
}

function placesOf(value: string | number, { role }: Argument, message: Filling['message']) {
  const places: { start: number; end: number; exact: boolean }[] = [];
  const { tokens, language, readings, text } = message;
  if (typeof value === 'number') {
    return readings.filter((reading) => reading.value === value).map(({ start, end }) => ({ start, end, exact: true }));
  }
  const words = tokensOf(value.replaceAll(/[_-]/g, ' '), 12).map(({ word }) => word);
  if (words.length === 0) return places;
  const isShort = value.length <= 2;
  for (let i = 0; i + words.length <= tokens.length && places.length < 20; i++) {
    const said = tokens.slice(i, i + words.length);
    const { start } = said[0];
    const { end } = said[said.length - 1];
    const exact = isShort ? text.slice(start, end) === value : said.every(({ word }, k) => word === words[k]);
    const isName = words.length === 1 && role === 'language' && languageCode(said[0].word) === value;
    const alike = !isShort && said.every(({ word }, k) => meansTheSame(word, words[k], language));
    if (exact || isName || alike) places.push({ start, end, exact });
  }
  return places;
}

function meansTheSame(said: string, value: string, language: 'en' | 'es'): boolean {
  const ideas = ideasOf(stem(value, 'en'), 'en').concat(ideasOf(stem(value, 'es'), 'es'));
  const stemmed = stem(said, language);
  return stemmed === stem(value, language) || ideasOf(stemmed, language).some((idea) => ideas.includes(idea));
}

const GENERIC = new Set(
  'is has include includes included enable enabled should allow with want es con incluye incluir'.split(' '),
);
const NEGATION =
  /^(no|not|without|dont|doesnt|never|sin|ni|nunca|disable|disabled|exclude|excluding|desactiva|desactivar|excluye)$/;

/** True or false where the message mentions what the switch is about; untouched where it does not. */
export function readSwitch(argument: Argument, filling: Filling): void {
  const { tokens, language, text } = filling.message;
  const named = argument.cues.slice(0, argument.label.length).filter((_, i) => !GENERIC.has(argument.label[i]));
  if (named.length === 0) return;
  const at = tokens.findIndex((_, i) =>
    named.every((cue, k) => tokens[i + k] !== undefined && isCue(cue, tokens[i + k].word, language)),
  );
  if (at < 0) return;
  const clause =
    text
      .slice(0, tokens[at].start)
      .split(/[,;.!?\n]|\b(?:and|but|y|pero)\b/)
      .at(-1) ?? '';
  const before = tokensOf(clause, 400).slice(-4);
  filling.give(argument, !before.some(({ word }) => NEGATION.test(word)));
}
