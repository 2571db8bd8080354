/** Free strings: places, people, titles, questions and the like, by the small words that introduce them. */
import { isCue, type Argument, type Role } from './argument-roles';
import { languageCode } from './choices';
import { nearness, type Filling } from './filling';
import { withoutCourtesy } from './courtesy';
import type { Reading } from './readings';
import { fold, STOP_WORDS } from './words';

const INTRODUCED_BY: Partial<Record<Role, RegExp>> = {
  place: /^(in|at|for|near|to|en|para|a|de|cerca|around|of)$/,
  origin: /^(from|desde|de)$/,
  destination: /^(to|a|hasta|hacia|para|for|into)$/,
  person:
    /^(for|to|with|named|called|customer|client|user|para|a|con|llamad[oa]|cliente|usuari[oa]|of|de|is|es|am|soy|llamo)$/,
  language: /^(to|into|in|a|al|en)$/,
};
const NOT_A_PLACE =
  /^(today|tomorrow|tonight|now|right|week|weekend|next|hoy|manana|ahora|semana|proxima|celsius|fahrenheit|degrees|grados|moment|morning|evening|general|advance|english|spanish|espanol|ingles)$/;

/** Gives a string argument its value, where the message has one. */
export function readString(argument: Argument, filling: Filling, all: readonly Argument[]): void {
  if (argument.leaf.schema.enum !== undefined) return;
  const found = ofRole(argument, filling) ?? announced(argument, filling) ?? leftOver(argument, filling, all);
  if (found === undefined) return;
  const { minLength, maxLength } = argument.leaf.schema;
  const tooShort = typeof minLength === 'number' && found.value.length < minLength;
  const tooLong = typeof maxLength === 'number' && found.value.length > maxLength;
  if (!tooShort && !tooLong) filling.give(argument, found.value, found);
}

interface FoundString {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const asFound = ({ text, start, end }: Reading): FoundString => ({ value: text, start, end });

function ofRole(argument: Argument, filling: Filling): FoundString | undefined {
  switch (argument.role) {
    case 'query':
      return quoted(argument, filling) ?? wholeQuestion(filling);
    case 'content':
      return quoted(argument, filling) ?? afterSaying(filling);
    case 'title':
      return quoted(argument, filling) ?? afterCalling(filling);
    case 'expression':
      return quoted(argument, filling) ?? calculation(filling);
    case 'currency':
      return currency(filling);
    case 'language':
      return languageName(argument, filling) ?? introduced(argument, filling);
    case 'place':
    case 'origin':
    case 'destination':
      return introduced(argument, filling) ?? lowerCasePlace(argument, filling);
    case 'person':
      return introduced(argument, filling);
    default:
      return undefined;
  }
}

const freeOf = (filling: Filling, kinds: readonly Reading['kind'][]): Reading[] =>
  filling.message.readings.filter((reading) => kinds.includes(reading.kind) && filling.isFree(reading));

/** The quotation nearest to the argument's name; else the first. */
function quoted(argument: Argument, filling: Filling): FoundString | undefined {
  const [best] = freeOf(filling, ['quoted'])
    .map((reading) => ({ reading, score: nearness(argument, reading, filling.message) }))
    .sort((a, b) => b.score - a.score);
  return best && asFound(best.reading);
}

function wholeQuestion({ message: { text } }: Filling): FoundString | undefined {
  const cleaned = withoutCourtesy(text);
  const asked =
    /^(?:search(?: the web| online)?(?: for)?|look up|look for|find(?: out)?|google|busca(?:r|me)?(?: en (?:la web|internet))?|buscar?)\s+(.{3,})$/is.exec(
      cleaned,
    )?.[1] ?? cleaned;
  return asked === '' ? undefined : { value: asked.slice(0, 2000).trim(), start: 0, end: 0 };
}

function afterSaying({ message: { text } }: Filling): FoundString | undefined {
  const match =
    /(?:\b(?:saying|says?|that says|telling (?:him|her|them)(?: that)?|diciendo(?: que)?|que diga|que dice)\b[:,]?|:)\s+(?=\S)/i.exec(
      text,
    );
  return match ? restOf(text, match.index + match[0].length, 4000) : undefined;
}

function afterCalling({ message: { text } }: Filling): FoundString | undefined {
  const found = CALLED.exec(text) ?? REMINDED.exec(text);
  return found ? restOf(text, found.index + found[0].length, 200) : undefined;
}

const CALLED =
  /\b(?:called|titled|named|entitled|llamad[oa]|titulad[oa]|con (?:el )?(?:título|asunto))\s+(?=\S)|:\s+(?=\S)/i;
const REMINDED =
  /\b(?:remind me to|task to|reminder to|recu[eé]rdame(?: que)?|tarea (?:de|para)|recordatorio (?:de|para))\s+(?=\S)/i;

/** From `start` to the end of the sentence. */
function restOf(text: string, start: number, most: number): FoundString | undefined {
  const rest = text.slice(start, start + most);
  const stop = /[.!?](?=\s*$)|[.!?](?=\s)|\n/.exec(rest)?.index ?? rest.length;
  const value = rest.slice(0, stop).trim();
  return value === '' ? undefined : { value, start, end: start + stop };
}

function calculation({ message: { text } }: Filling): FoundString | undefined {
  for (const { 0: found, index } of text.matchAll(/[-(]?\d[\d\s.,+\-*/^()×÷%x]{1,300}/g)) {
    const value = found.replace(/[\s.,+\-*/^×÷x]+$/, '');
    if (/\d\s?[+\-*/^×÷x%]\s?[(\d-]/.test(value)) return { value, start: index, end: index + value.length };
  }
  return undefined;
}

const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/€|\beuros?\b/i, 'EUR'],
  [/\$|\b(?:dollars?|d[oó]lar(?:es)?)\b/i, 'USD'],
  [/£|\b(?:pounds?|libras?)\b/i, 'GBP'],
];
const knownCurrencies = new Set(Intl.supportedValuesOf('currency'));

function currency({ message: { text } }: Filling): FoundString | undefined {
  for (const { 0: code, index } of text.matchAll(/\b[A-Z]{3}\b/g)) {
    if (knownCurrencies.has(code)) return { value: code, start: index, end: index + 3 };
  }
  const named = CURRENCIES.find(([sign]) => sign.test(text));
  return named && { value: named[1], start: 0, end: 0 };
}

function languageName(argument: Argument, { message: { tokens } }: Filling): FoundString | undefined {
  const isSource = /^(source|from|origin|origen)$/.test(argument.label[0] ?? '');
  const named = tokens.filter(
    ({ word }, i) => languageCode(word) !== undefined && /^(from|del?)$/.test(tokens[i - 1]?.word ?? '') === isSource,
  );
  const token = named.at(-1);
  return token && { value: token.raw, start: token.start, end: token.end };
}

/** A name behind one of the role's small words, or behind a word of the argument's own name. */
function introduced(argument: Argument, filling: Filling): FoundString | undefined {
  const before = (reading: Reading) =>
    filling.message.tokens.filter(({ end }) => end <= reading.start).at(-1)?.word ?? '';
  const names = freeOf(filling, ['name']).filter(({ text }) => !NOT_A_PLACE.test(fold(text)));
  const near = [...names.filter(({ isWeak }) => !isWeak), ...names].find(
    (reading) => nearness(argument, reading, filling.message) >= 1.5,
  );
  const pattern = INTRODUCED_BY[argument.role];
  const found = near ?? names.find((reading) => !reading.isWeak && pattern?.test(before(reading)));
  return found && asFound(found);
}

/** "weather in paris tomorrow": up to three words behind the small word, until one that cannot belong to a name. */
function lowerCasePlace(argument: Argument, filling: Filling): FoundString | undefined {
  const { tokens, text, readings } = filling.message;
  const pattern = argument.role === 'place' ? /^(in|at|near|en|for)$/ : INTRODUCED_BY[argument.role];
  for (let i = 0; i < tokens.length - 1; i++) {
    if (!pattern?.test(tokens[i].word)) continue;
    let end = i;
    while (end < i + 3 && end + 1 < tokens.length) {
      const next = tokens[end + 1];
      const gap = text.slice(tokens[end].end, next.start);
      const taken = readings.some(
        ({ kind, start, end: stop }) => kind !== 'name' && next.start < stop && next.end > start,
      );
      const isPart = !STOP_WORDS.has(next.word) && !NOT_A_PLACE.test(next.word) && !/\d/.test(next.word);
      if (/[,;.!?\n]/.test(gap) || taken || !isPart) break;
      end++;
    }
    if (end === i) continue;
    const found = { start: tokens[i + 1].start, end: tokens[end].end };
    if (filling.isFree(found)) return { value: text.slice(found.start, found.end), ...found };
  }
  return undefined;
}

/** A quotation, name, code or single word right behind a word of the argument's name ("customer ACME", "color rojo"). */
function announced(argument: Argument, filling: Filling): FoundString | undefined {
  if (['email', 'url', 'phone', 'date', 'dateTime', 'time', 'query', 'content', 'expression'].includes(argument.role)) {
    return undefined;
  }
  const { tokens, text, language } = filling.message;
  const named = argument.cues.slice(0, argument.label.length);
  const at = tokens.findIndex(({ word }) => named.some((cue) => isCue(cue, word, language)));
  const next = at < 0 ? undefined : tokens.slice(at + 1, at + 3).find(({ word }) => !STOP_WORDS.has(word));
  const near = freeOf(filling, ['quoted', 'name', 'identifier', 'number'])
    .filter(({ isWeak }) => !isWeak)
    .map((reading) => ({ reading, score: nearness(argument, reading, filling.message) }))
    .filter(({ score }) => score >= 2)
    .sort((a, b) => b.score - a.score)[0];
  if (near) return asFound(near.reading);
  const canBeWord = argument.leaf.required && argument.role === 'free' && next !== undefined;
  if (!canBeWord || /[,;.!?\n]/.test(text.slice(tokens[at].end, next.start))) return undefined;
  return filling.isFree(next) ? { value: next.raw, start: next.start, end: next.end } : undefined;
}

/** The one thing that nothing else claims goes to the one argument that still needs something. */
function leftOver(argument: Argument, filling: Filling, all: readonly Argument[]): FoundString | undefined {
  const needing = all.filter((other) => other.leaf.required && other.leaf.type === 'string' && !filling.has(other));
  if (
    !argument.leaf.required ||
    ['email', 'url', 'phone', 'date', 'dateTime', 'time', 'expression', 'currency'].includes(argument.role)
  ) {
    return undefined;
  }
  const quotes = freeOf(filling, ['quoted']);
  if (quotes.length >= needing.length && quotes.length > 0) return asFound(quotes[0]);
  const names = freeOf(filling, ['name', 'identifier']).filter(({ isWeak }) => !isWeak);
  const takesNames = !['content', 'title', 'query', 'identifier', 'language'].includes(argument.role);
  return takesNames && names.length === 1 && needing.length === 1 ? asFound(names[0]) : undefined;
}
