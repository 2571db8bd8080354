/** Stretches of time as questions name them: a day, a month, a quarter, a year. */
import { findDates } from '../dates';
import { fold } from '../words';

export interface TimeSpan {
  /** The first day, and the first day after it; as `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  /** Only a month, of whichever year. */
  readonly month?: number;
  /** A bare year, which may as well be a number. */
  readonly year?: number;
  readonly start: number;
  readonly end: number;
}

const MONTHS = [
  ['january', 'enero', 'jan', 'ene'],
  ['february', 'febrero', 'feb'],
  ['march', 'marzo', 'mar'],
  ['april', 'abril', 'apr', 'abr'],
  ['may', 'mayo'],
  ['june', 'junio', 'jun'],
  ['july', 'julio', 'jul'],
  ['august', 'agosto', 'aug', 'ago'],
  ['september', 'septiembre', 'setiembre', 'sep', 'sept'],
  ['october', 'octubre', 'oct'],
  ['november', 'noviembre', 'nov'],
  ['december', 'diciembre', 'dec', 'dic'],
];
const ALL = MONTHS.flat().join('|');
const LONG = MONTHS.flatMap((names) => names.filter((name) => name.length > 3)).join('|');
const DAY = '\\d{1,2}(?:st|nd|rd|th)?';
const YEAR = '((?:19|20)\\d{2})';
const ORDINALS = [
  'first|primer|1st|1er|1º',
  'second|segundo|2nd|2º',
  'third|tercer|3rd|3er|3º',
  'fourth|cuarto|last|ultimo|4th|4º',
];

const MONTH_OF_YEAR = new RegExp(
  `(?<![a-z])(${ALL})\\.?(?:\\s+(?:of|de|del)|,)?(?:\\s+(?:the year|ano))?\\s+${YEAR}(?![\\d.,-]*\\d)`,
  'g',
);
/** "Between March and June 2024": the year holds for both. */
const MONTHS_OF_YEAR = new RegExp(
  `(?<![a-z])(?:(?:between|entre)\\s+(${ALL})\\s+(?:and|y)|(?:from|de|desde)\\s+(${ALL})\\s+(?:to|through|until|a|hasta)|(${ALL})\\s+(?:to|through))` +
    `\\s+(${ALL})(?:\\s+(?:of|de|del)|,)?(?:\\s+(?:the year|ano))?\\s+${YEAR}(?![\\d.,-]*\\d)`,
  'g',
);
/** "Between the 10th and the 20th of March 2024": month and year hold for both days. */
const DAYS_OF_MONTH = new RegExp(
  `(?<![a-z])(?:between|from|entre|del|desde)\\s+(?:(?:the|el)\\s+)?(${DAY})\\s+(?:and|to|until|y|al|a|hasta)\\s+(?:(?:the|el)\\s+)?(${DAY})` +
    `\\s+(?:(?:of|de)\\s+)?(${ALL})\\.?(?:\\s+(?:of|de|del)|,)?\\s+${YEAR}(?!\\d)`,
  'g',
);
/** "Between March 10 and 20, 2024" */
const MONTH_DAYS = new RegExp(
  `(?<![a-z])(?:between|from)\\s+(${ALL})\\.?\\s+(${DAY})\\s+(?:and|to|until)\\s+(${DAY}),?\\s+${YEAR}(?!\\d)`,
  'g',
);
/** "The last month of 2023" */
const END_MONTH = new RegExp(
  `(?<![a-z])(?:(first|primer)|(last|final|ultimo)) (?:month|mes)\\s+(?:(?:of|in|de|del)\\s+)?(?:(?:the year|ano)\\s+)?${YEAR}(?!\\d)`,
  'g',
);
const YEAR_MONTH = /(?<![\d-])((?:19|20)\d{2})-(0[1-9]|1[0-2])(?![\d-])/g;
const QUARTER = new RegExp(
  `(?<![a-z0-9])(?:q([1-4])|([1-4])[tq]|(${ORDINALS.join('|')}) (?:quarter|trimestre))(?:\\s+(?:of|de|del))?\\s+${YEAR}(?!\\d)`,
  'g',
);
const HALF = new RegExp(
  `(?<![a-z0-9])(?:(first|primer)|(second|segundo|last|ultimo)) (?:half|semestre)(?:\\s+(?:of|de|del))?\\s+${YEAR}(?!\\d)`,
  'g',
);
const MONTH_ALONE = new RegExp(`(?<![a-z])(?:in|en|during|durante|of|de|mes de)\\s+(${LONG})(?![a-z])`, 'g');
const YEAR_ALONE = new RegExp(
  `(?<![\\d.,/-])${YEAR}(?![.,]?\\d|[/-]\\d|\\s*(?:%|€|\\$|euros?|dollars?|units?|unidades|kg|km))`,
  'g',
);

/** "03/04/2024" in English, where half of the writers put the month first. */
export function eitherDateIn(question: string): string | undefined {
  for (const [written, first, second] of question.matchAll(
    /(?<![\d/.-])(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?![\d/-])/g,
  )) {
    if (Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)) return written;
  }
  return undefined;
}

/** In order; longer readings win over shorter ones. */
export function timeSpansIn(question: string): TimeSpan[] {
  const found: TimeSpan[] = [];
  const add = (span: TimeSpan) => {
    if (found.every(({ start, end }) => span.start >= end || span.end <= start)) found.push(span);
  };
  // Folding keeps the length of what is looked at here, or the places would not fit.
  const folded = fold(question);
  const isFolded = folded.length === question.length;
  if (isFolded) for (const span of dayRangesIn(folded)) add(span);
  for (const { value, start, end } of findDates(question)) add({ from: value, to: dayAfter(value), start, end });
  if (!isFolded) return found.sort((a, b) => a.start - b.start);
  for (const match of folded.matchAll(MONTHS_OF_YEAR)) {
    const [first, last] = [monthNumber((match[1] ?? match[2] ?? match[3])!), monthNumber(match[4]!)];
    // From November to February is over two years: which?
    if (first >= last) continue;
    const year = Number(match[5]);
    add({ from: monthSpan(year, first).from, to: monthSpan(year, last).to, ...placeOf(match) });
  }
  for (const match of folded.matchAll(MONTH_OF_YEAR)) {
    add({ ...monthSpan(Number(match[2]), monthNumber(match[1]!)), ...placeOf(match) });
  }
  for (const match of folded.matchAll(YEAR_MONTH)) {
    add({ ...monthSpan(Number(match[1]), Number(match[2])), ...placeOf(match) });
  }
  for (const match of folded.matchAll(QUARTER)) {
    const ordinal = ORDINALS.findIndex((words) => match[3] !== undefined && words.split('|').includes(match[3])) + 1;
    const quarter = Number(match[1] ?? match[2] ?? ordinal);
    const year = Number(match[4]);
    const from = monthSpan(year, quarter * 3 - 2).from;
    add({ from, to: monthSpan(year, quarter * 3).to, ...placeOf(match) });
  }
  for (const match of folded.matchAll(HALF)) {
    const year = Number(match[3]);
    const isFirst = match[1] !== undefined;
    add({ from: monthSpan(year, isFirst ? 1 : 7).from, to: monthSpan(year, isFirst ? 6 : 12).to, ...placeOf(match) });
  }
  for (const match of folded.matchAll(END_MONTH)) {
    add({ ...monthSpan(Number(match[3]), match[1] === undefined ? 12 : 1), ...placeOf(match) });
  }
  for (const match of folded.matchAll(MONTH_ALONE)) {
    const end = match.index + match[0].length;
    add({ from: '', to: '', month: monthNumber(match[1]!), start: end - match[1]!.length, end });
  }
  for (const match of folded.matchAll(YEAR_ALONE)) {
    const year = Number(match[1]);
    add({ from: `${year}-01-01`, to: `${year + 1}-01-01`, year, ...placeOf(match) });
  }
  return found.sort((a, b) => a.start - b.start);
}

function dayRangesIn(folded: string): TimeSpan[] {
  const said = [
    ...[...folded.matchAll(DAYS_OF_MONTH)].map((match) => ({ match, days: [match[1]!, match[2]!], month: match[3]! })),
    ...[...folded.matchAll(MONTH_DAYS)].map((match) => ({ match, days: [match[2]!, match[3]!], month: match[1]! })),
  ];
  return said.flatMap(({ match, days, month }) => {
    const [first, last] = days.map((day) => dayOf(Number(match[4]), monthNumber(month), parseInt(day, 10)));
    // What is no day, and what ends before it begins, is not guessed at.
    return first && last && first <= last ? [{ from: first, to: dayAfter(last), ...placeOf(match) }] : [];
  });
}

/** Undefined where there is no such day. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const { from, to } = monthSpan(year, month);
  const date = `${from.slice(0, 8)}${String(day).padStart(2, '0')}`;
  return day >= 1 && date >= from && date < to && dayAfter(date) <= to ? date : undefined;
}

const placeOf = (match: RegExpMatchArray) => ({ start: match.index!, end: match.index! + match[0].length });

/** Whether a folded word is the whole name of a month. */
export const isMonthName = (word: string): boolean =>
  MONTHS.some(([english, spanish]) => word === english || word === spanish);

const monthNumber = (name: string): number => MONTHS.findIndex((names) => names.includes(name)) + 1;

function monthSpan(year: number, month: number): { from: string; to: string } {
  const day = (y: number, m: number) => `${y}-${String(m).padStart(2, '0')}-01`;
  return { from: day(year, month), to: month === 12 ? day(year + 1, 1) : day(year, month + 1) };
}

function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
