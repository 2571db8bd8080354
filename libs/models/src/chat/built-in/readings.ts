/** Everything in a message that could be the value of an argument, and where it stands. */
import { findDates, findTimes, type Today } from './dates';
import type { Language } from './language';
import { readDigits, readNumberWords, SCALES } from './numbers';
import { STOP_WORDS, tokensOf, type Token } from './words';

export type ReadingKind = 'url' | 'email' | 'quoted' | 'date' | 'time' | 'phone' | 'identifier' | 'number' | 'name';

export interface Reading {
  readonly kind: ReadingKind;
  readonly value: string | number;
  /** As written; what an argument of type string gets. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Begins the message or a sentence, so that its capital may mean nothing. */
  readonly isWeak?: boolean;
}

/** A message read once, for all the arguments that it may fill. */
export interface ReadMessage {
  readonly text: string;
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly readings: readonly Reading[];
}

const MAX_MESSAGE = 20_000;
const MAX_READINGS = 400;

const URL_PATTERN = /https?:\/\/[^\s<>"'“”»)\]]{1,2000}/g;
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;
const QUOTED =
  /"([^"\n]{1,2000})"|“([^”\n]{1,2000})”|«([^»\n]{1,2000})»|(?<![\p{L}\p{N}])'([^'\n]{1,500})'(?![\p{L}\p{N}])/gu;
const PHONE = /(?<![\w.,-])\+?\d{2,3}(?:[ -]\d{2,4}){2,4}(?![\w.,-]\d)/g;
const IDENTIFIER =
  /(?<![\w@.#-])(?:#\d{1,20}|[A-Za-z]{1,10}[-_/]?\d[\w-]{0,40}|\d{1,10}[A-Za-z-]{1,3}\d[\w-]{0,40})(?![\w@])/g;
const NUMBER = /(?<![\p{L}\p{N}_.,])[-−]?\d{1,18}(?:[.,]\d{1,18}){0,6}/gu;
const NAME =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}&'’.-]{0,40}(?: (?:(?:de|del|la|las|los|of|the|van|von|&) ){0,2}\p{Lu}[\p{L}\p{N}&'’.-]{0,40}){0,5}/gu;

/** URLs written in a text, without the punctuation that follows them. */
export const urlsIn = (text: string): string[] =>
  [...text.slice(0, MAX_MESSAGE).matchAll(URL_PATTERN)].map(([url]) => url.replace(/[.,;:!?]+$/, ''));

/** Reads at most the first 20,000 characters. */
export function readMessage(message: string, language: Language, today?: Today): ReadMessage {
  const text = message.slice(0, MAX_MESSAGE);
  const tokens = tokensOf(text, 4000);
  const readings: Reading[] = [];
  const taken: { start: number; end: number }[] = [];
  const add = (reading: Reading, claims = true) => {
    if (readings.length >= MAX_READINGS) return;
    if (taken.some(({ start, end }) => reading.start < end && reading.end > start)) return;
    readings.push(reading);
    if (claims) taken.push(reading);
  };
  const all = (pattern: RegExp, kind: ReadingKind, clean = (found: string) => found) => {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const value = clean(found);
      add({ kind, value, text: value, start: index, end: index + found.length });
    }
  };

  for (const match of text.matchAll(QUOTED)) {
    const inner = (match[1] ?? match[2] ?? match[3] ?? match[4]).trim();
    add({ kind: 'quoted', value: inner, text: inner, start: match.index, end: match.index + match[0].length }, false);
  }
  all(URL_PATTERN, 'url', (url) => url.replace(/[.,;:!?]+$/, ''));
  all(EMAIL, 'email', (email) => email.replace(/[.-]+$/, ''));
  for (const found of findDates(text, today)) add({ kind: 'date', text: found.value, ...found });
  for (const found of findTimes(text)) add({ kind: 'time', text: found.value, ...found });
  for (const { 0: found, index } of text.matchAll(PHONE)) {
    const enough = found.startsWith('+') || found.replace(/\D/g, '').length >= 9;
    if (enough) add({ kind: 'phone', value: found, text: found, start: index, end: index + found.length });
  }
  for (const { 0: found, index } of text.matchAll(IDENTIFIER)) {
    const value = found.replace(/[-_]+$/, '');
    if (!/^\d+(st|nd|rd|th)$/i.test(value)) {
      add({ kind: 'identifier', value, text: value.replace(/^#/, ''), start: index, end: index + found.length });
    }
  }
  for (const reading of numbersIn(text, tokens, language)) add(reading);
  for (const reading of namesIn(text)) add(reading);
  return { text, language, tokens, readings: readings.sort((a, b) => a.start - b.start) };
}

function numbersIn(text: string, tokens: readonly Token[], language: Language): Reading[] {
  const readings: Reading[] = [];
  for (const { 0: found, index } of text.matchAll(NUMBER)) {
    const digits = found.replace('−', '-');
    const value = readDigits(digits.replace(/^-/, ''), language);
    if (value === undefined) continue;
    // A hyphen between two numbers is a range, not a sign.
    const sign = digits.startsWith('-') && !/\d\s?$/.test(text.slice(0, index).slice(-2)) ? -1 : 1;
    const end = index + found.length;
    const scale = /^\s?(k|mil|thousand|million|millones|millón|millon)\b/i.exec(text.slice(end, end + 10));
    const factor = scale ? (SCALES.get(scale[1].toLowerCase().replace('ó', 'o')) ?? 1) : 1;
    const number = Number((sign * value * factor).toPrecision(15));
    readings.push({ kind: 'number', value: number, text: digits, start: index, end: end + (scale?.[0].length ?? 0) });
  }
  const words = tokens.map(({ word }) => word);
  for (let i = 0; i < words.length;) {
    const number = readNumberWords(words, i);
    if (!number) {
      i++;
      continue;
    }
    const { start } = tokens[i];
    const { end } = tokens[i + number.length - 1];
    readings.push({ kind: 'number', value: number.value, text: text.slice(start, end), start, end });
    i += number.length;
  }
  return readings;
}

function namesIn(text: string): Reading[] {
  const readings: Reading[] = [];
  for (const match of text.matchAll(NAME)) {
    let found = match[0].replace(/[.'’-]+$/, '');
    let start = match.index;
    const begins = /(?:^|[.!?:¿¡\n]\s*)$/.test(text.slice(Math.max(0, start - 3), start));
    const first = found.split(' ')[0];
    if (begins && (STOP_WORDS.has(first.toLowerCase()) || found.includes(' ')) && found.includes(' ')) {
      // "Book Hotel Sol": the first word has its capital from the sentence.
      const rest = found.slice(first.length).replace(/^(?: (?:de|del|la|las|los|of|the|van|von|&)(?= ))* /, '');
      start += found.length - rest.length;
      found = rest;
    }
    const isWeak = begins && start === match.index;
    const end = start + found.length;
    if (found !== '' && !STOP_WORDS.has(found.toLowerCase())) {
      readings.push({ kind: 'name', value: found, text: found, start, end, ...(isWeak && { isWeak }) });
    }
  }
  return readings;
}
