/** Dates and times of day out of text: ISO, day first, and with the month in words, English and Spanish. */

export interface Found {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The day that the conversation calls today, for "tomorrow" and dates without a year. */
export interface Today {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MONTHS = [
  ...'january february march april may june july august september october november december'.split(' '),
  ...'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
];
const MONTH = `${MONTHS.join('|')}|setiembre|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|ene|abr|ago|dic)\\.?`;
const ISO = /(?<![\d-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])/g;
const DAY_FIRST = /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-])/g;
const DAY_MONTH = new RegExp(
  `(?<![\\d\\p{L}])(\\d{1,2})(?:st|nd|rd|th|º)?\\s(?:of\\s|de\\s)?(${MONTH})(?:,?\\s(?:of\\s|de\\s|del\\s)?(\\d{4}))?(?![\\d\\p{L}])`,
  'giu',
);
const MONTH_DAY = new RegExp(
  `(?<!\\p{L})(${MONTH})\\s(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s(\\d{4}))?(?![\\d\\p{L}:])`,
  'giu',
);
const RELATIVE =
  /(?<!\p{L})(?:(day after tomorrow|pasado mañana)|(tomorrow|mañana)|(today|tonight|hoy|esta noche)|(yesterday|ayer))(?!\p{L})/giu;

/** Dates as `YYYY-MM-DD`, in order. Those that need to know today are left out without it. */
export function findDates(text: string, today?: Today): Found[] {
  const found: Found[] = [];
  const add = (match: RegExpMatchArray, value: string | undefined) => {
    const start = match.index ?? 0;
    if (value !== undefined && found.every((other) => start >= other.end || start + match[0].length <= other.start)) {
      found.push({ value, start, end: start + match[0].length });
    }
  };
  for (const match of text.matchAll(ISO)) add(match, asDate(+match[1], +match[2], +match[3]));
  for (const match of text.matchAll(DAY_FIRST)) {
    const year = match[4].length === 2 ? 2000 + +match[4] : +match[4];
    // Day first, unless only the other order is a date.
    add(match, asDate(year, +match[3], +match[1]) ?? asDate(year, +match[1], +match[3]));
  }
  for (const match of text.matchAll(DAY_MONTH))
    add(match, asDate(yearOf(match[3], today), monthOf(match[2]), +match[1]));
  for (const match of text.matchAll(MONTH_DAY))
    add(match, asDate(yearOf(match[3], today), monthOf(match[1]), +match[2]));
  if (today) {
    for (const match of text.matchAll(RELATIVE))
      add(match, shift(today, match[1] ? 2 : match[2] ? 1 : match[3] ? 0 : -1));
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Times of day as `HH:MM`, in order. */
export function findTimes(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(
    /(?<![\d.,:])(\d{1,2})(?:[:.h](\d{2}))?\s?(a\.?m\.?|p\.?m\.?|h(?:oras|rs)?\b)?(?![\d\p{L}])/giu,
  )) {
    const [whole, hours, minutes, suffix] = match;
    const lead = text.slice(Math.max(0, match.index - 8), match.index).toLowerCase();
    const isClock =
      whole.includes(':') || (suffix !== undefined && /^[ap]/i.test(suffix)) || / a las? $/.test(` ${lead}`);
    if (!isClock) continue;
    const noon = /^p/i.test(suffix ?? '') && +hours < 12 ? 12 : /^a/i.test(suffix ?? '') && +hours === 12 ? -12 : 0;
    const hour = +hours + noon;
    if (hour > 23 || +(minutes ?? 0) > 59) continue;
    found.push({
      value: `${two(hour)}:${minutes ?? '00'}`,
      start: match.index,
      end: match.index + whole.trimEnd().length,
    });
  }
  return found;
}

/** Today as the system prompt states it near its beginning; undefined when it does not. */
export function todayIn(system: string): Today | undefined {
  const [first] = findDates(system.slice(0, 1000));
  if (!first) return undefined;
  const [year, month, day] = first.value.split('-').map(Number);
  return { year, month, day };
}

function monthOf(name: string): number {
  const start = name.toLowerCase().slice(0, 3);
  const known = MONTHS.findIndex((month) => month.startsWith(start));
  return start === 'set' ? 9 : (known % 12) + 1;
}

const yearOf = (written: string | undefined, today: Today | undefined): number =>
  written !== undefined ? +written : (today?.year ?? NaN);

const two = (value: number): string => String(value).padStart(2, '0');

function asDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}` : undefined;
}

const shift = ({ year, month, day }: Today, days: number): string =>
  new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10);
