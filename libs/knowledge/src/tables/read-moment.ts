/**
 * Dates, times and durations as people write them. Where a date could be day-first or month-first, the reading says
 * so, and the column decides.
 */

export type MomentKind = 'date' | 'timestamp' | 'time' | 'duration';

export interface MomentReading {
  readonly kind: MomentKind;
  /** In a numeric date without the year in front: which of the two is the day is for the column to say. */
  readonly first?: number;
  readonly second?: number;
  readonly year?: number;
  readonly shortYear?: boolean;
  /** For every other date: `2024-01-31`. */
  readonly date?: string;
  /** `13:05:00.25` */
  readonly time?: string;
  /** Minutes east of Greenwich; undefined where the value does not say. */
  readonly offset?: number;
  readonly separator?: string;
}

const MONTHS: readonly string[] = [
  'january jan enero ene januar jan janvier janv gennaio gen janeiro jan',
  'february feb febrero feb februar feb février fevrier févr febbraio feb fevereiro fev',
  'march mar marzo mar märz maerz mrz mars marzo mar março marco mar',
  'april apr abril abr april apr avril avr aprile apr abril abr',
  'may may mayo may mai mai maggio mag maio mai',
  'june jun junio jun juni jun juin giugno giu junho jun',
  'july jul julio jul juli jul juillet juil luglio lug julho jul',
  'august aug agosto ago august aug août aout agosto ago agosto ago',
  'september sep sept septiembre sep setiembre set september sep septembre sept settembre set setembro set',
  'october oct octubre oct oktober okt octobre oct ottobre ott outubro out',
  'november nov noviembre nov november nov novembre nov novembre nov novembro nov',
  'december dec diciembre dic dezember dez décembre dec decembre déc dicembre dic dezembro dez',
];
const MONTH = new Map(MONTHS.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)));
const WEEKDAY =
  '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)\\.?,?\\s+';
const CLOCK = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?\s?m\.?)?`;
const ZONE = String.raw`\s*(Z|UTC|GMT|(?:GMT|UTC)?[+-]\d{2}:?\d{2})?(?:\s*\([^)]{1,60}\))?`;
const AFTER = `(?:(?:T|,?\\s+)${CLOCK}${ZONE})?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${AFTER}$`, 'i');
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${AFTER}$`, 'i');
const DAY_MONTH = new RegExp(
  String.raw`^(?:${WEEKDAY})?(\d{1,2})(?:st|nd|rd|th|\.|º)?[\s\-/]+(?:de\s+)?(\p{L}{3,10})\.?,?[\s\-/]+(?:del?\s+)?(\d{4}|\d{2})${AFTER}$`,
  'iu',
);
const MONTH_DAY = new RegExp(
  String.raw`^(?:${WEEKDAY})?(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${AFTER}$`,
  'iu',
);
const TIME = new RegExp(`^${CLOCK}$`, 'i');
const DURATION = /^(\d{1,6}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?$/;

/** @returns undefined for what is neither a date nor a time, and for days that no calendar has. */
export function readMoment(text: string): MomentReading | undefined {
  const value = text.trim();
  if (value.length < 3 || value.length > 60 || !/\d/.test(value)) return undefined;
  if (/^\d{1,6}:/.test(value)) return readTime(value);
  const yearFirst = YEAR_FIRST.exec(value);
  if (yearFirst) {
    const [, year, separator, month, day] = yearFirst;
    return dated({ year: Number(year), month: Number(month), day: Number(day) }, clockOf(yearFirst, 5), { separator });
  }
  const yearLast = YEAR_LAST.exec(value);
  if (yearLast) return readYearLast(yearLast);
  const dayMonth = DAY_MONTH.exec(value);
  if (dayMonth) return named(dayMonth[1], dayMonth[2], dayMonth[3], clockOf(dayMonth, 4));
  const monthDay = MONTH_DAY.exec(value);
  return monthDay ? named(monthDay[2], monthDay[1], monthDay[3], clockOf(monthDay, 4)) : undefined;
}

type Clock = { readonly time?: string; readonly offset?: number } | undefined;

function readYearLast(match: RegExpExecArray): MomentReading | undefined {
  const [, one, separator, other, written] = match;
  const [first, second] = [Number(one), Number(other)];
  const clock = clockOf(match, 5);
  if (!clock || first < 1 || second < 1 || Math.min(first, second) > 12 || Math.max(first, second) > 31) {
    return undefined;
  }
  const shortYear = (written as string).length === 2;
  const kind = clock.time === undefined ? 'date' : 'timestamp';
  return {
    kind,
    first,
    second,
    year: fullYear(written as string),
    separator,
    ...(shortYear && { shortYear }),
    ...clock,
  };
}

function named(day = '', month = '', year = '', clock: Clock): MomentReading | undefined {
  const number = MONTH.get(month.toLowerCase());
  if (number === undefined) return undefined;
  const short = year.length === 2 && { shortYear: true };
  return dated({ year: fullYear(year), month: number, day: Number(day) }, clock, short || {});
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function dated(day: Day, clock: Clock, more: Partial<MomentReading>): MomentReading | undefined {
  if (!clock || !isDay(day)) return undefined;
  return { kind: clock.time === undefined ? 'date' : 'timestamp', date: isoDate(day), ...clock, ...more };
}

/** Years of two digits lie between 1969 and 2068, as POSIX reads them. */
const fullYear = (year: string) =>
  year.length === 4 ? Number(year) : Number(year) + (Number(year) < 69 ? 2000 : 1900);

export const isDay = ({ year, month, day }: Day) =>
  year >= 1 &&
  month >= 1 &&
  month <= 12 &&
  day >= 1 &&
  day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

export const isoDate = ({ year, month, day }: Day) => `${pad(year, 4)}-${pad(month)}-${pad(day)}`;

const pad = (number: number, width = 2) => String(number).padStart(width, '0');

/** Undefined for a time that no clock shows; without a time where there is none. */
function clockOf(match: RegExpExecArray, from: number): Clock {
  const [hours, minutes, seconds, fraction, half, zone] = match.slice(from, from + 6);
  if (hours === undefined) return {};
  const hour = hour24(Number(hours), half);
  if (hour === undefined || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return undefined;
  const offset = offsetOf(zone);
  return {
    time: `${pad(hour)}:${minutes}:${seconds ?? '00'}${fraction ? `.${fraction}` : ''}`,
    ...(offset !== undefined && { offset }),
  };
}

function hour24(hour: number, half: string | undefined): number | undefined {
  if (!half) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

function offsetOf(zone: string | undefined): number | undefined {
  if (!zone) return undefined;
  const match = /([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (!match) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

function readTime(value: string): MomentReading | undefined {
  const match = TIME.exec(value);
  const clock = match && clockOf(match, 1);
  if (clock?.time) return { kind: 'time', time: clock.time };
  const duration = DURATION.exec(value);
  if (!duration || Number(duration[2]) > 59 || Number(duration[3]) > 59) return undefined;
  return { kind: 'duration', time: value.replace(',', '.') };
}
