/**
 * Columns of dates and times that DuckDB can read by itself. How each value is written is told by the samples, as a
 * format; only values of these forms are let through.
 */
import type { ColumnEvidence } from './column-evidence';
import type { ColumnPlan } from './column-plan';
import { roundTrip } from './fast-number';
import { anyOf, letter, literal, onceOf, type Written } from './fast-sql';

const STYLE =
  /^(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6(\d{4}|\d{2}))?(T| |, )?(?:(\d{1,2}):\d{2}(?:(:)\d{2}(?:(\.)\d{1,6})?)?( ?)([ap]m)?( ?)(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;

/** What has to be known of the day before a format is whole. */
const FIRST = '%<';
const SECOND = '%>';

/** How a date or a time is written, as DuckDB calls it; undefined for what it has no words for. */
export function styleOf(text: string): string | undefined {
  const value = text.trim();
  if (value.length > 40) return undefined;
  const match = STYLE.exec(value);
  if (!match) return undefined;
  const [, year, dash = '', month = '', day = '', first, stroke = '', , last = '', between = '', hour, second, dot] =
    match;
  const [gap, half, space, zone] = match.slice(13);
  const pad = (digits: string) => (digits.length === 2 ? '' : '-');
  const date = year
    ? `%Y${dash}%${pad(month)}m${dash}%${pad(day)}d`
    : first
      ? `${FIRST}${stroke}${SECOND}${stroke}${last.length === 4 ? '%Y' : '%y'}`
      : '';
  if (hour === undefined) return between === '' && date !== '' ? date : undefined;
  if ((date === '') !== (between === '')) return undefined;
  const clock = `%-${half ? 'I' : 'H'}:%M${second ? ':%S' : ''}${dot ? '.%f' : ''}`;
  if (gap !== '' && !half) return zone === undefined ? undefined : `${date}${between}${clock}${gap}${space}${zone}`;
  return `${date}${between}${clock}${gap}${half ? '%p' : ''}${space}${zone ?? ''}`;
}

const TOKENS: Readonly<Record<string, string>> = {
  '%Y': '[1-9][0-9]{3}',
  '%y': '[0-9]{2}',
  '%m': '[0-9]{2}',
  '%d': '[0-9]{2}',
  '%-m': '[0-9]{1,2}',
  '%-d': '[0-9]{1,2}',
  '%-H': '[0-9]{1,2}',
  '%-I': '[0-9]{1,2}',
  '%M': '[0-9]{2}',
  '%S': '[0-5][0-9]',
  '%f': '[0-9]{1,6}',
  '%p': '[AaPp][Mm]',
};

const formOf = (format: string): string =>
  format
    .split(/(%-?[a-zA-Z])/)
    .map((part) => TOKENS[part] ?? letter(part))
    .join('');

/** @returns undefined for values that are left to the row-by-row reader. */
export function fastMoments(
  column: string,
  { type, reading }: ColumnPlan,
  { moments, edgeSpaces }: ColumnEvidence,
  styles: ReadonlySet<string | undefined>,
): Written | undefined {
  const text = edgeSpaces > 0 ? `trim(${column})` : column;
  if (type === 'DATE' && moments.count === 0) {
    return strptime(text, ['%Y%m%d'], type, '(?:19|20)[0-9]{6}');
  }
  if (type === 'INTERVAL') {
    const form = `regexp_full_match(${text}, '[0-9]{1,6}:[0-5][0-9]:[0-5][0-9]')`;
    return { fits: form, value: `CAST(${text} AS INTERVAL)` };
  }
  const known = [...styles].filter((style) => style !== undefined);
  const isMixed = moments.kinds.date > 0 && moments.kinds.timestamp > 0;
  if (known.length === 0 || known.length > 6 || known.length < styles.size || isMixed) return undefined;
  if (moments.offsets.size > 1 || !/^(?:DATE|TIMESTAMP|TIME)$/.test(type)) return undefined;
  // Years of two and of four digits at once would be taken for one another.
  if (known.some((style) => style.includes('%y')) && known.some((style) => style.includes('%Y'))) return undefined;
  if (type === 'DATE' && known.every((style) => style === '%Y-%m-%d')) return isoDays(column, text);
  if (known.every((style) => /^%Y-%m-%d[ T]%-H:%M:%S$/.test(style))) return isoMoments(column, text);
  const [one, other] = reading?.dayFirst === false ? ['%-m', '%-d'] : ['%-d', '%-m'];
  const formats = known.map((style) => style.replace(FIRST, one).replace(SECOND, other));
  return strptime(text, formats, type);
}

/** The length keeps out what has no days: infinity comes out of its type as it went in. */
function isoDays(column: string, text: string): Written {
  const { fits, quickly, ...rest } = roundTrip(column, text, 'DATE');
  const isDay = `strlen(${text}) = 10 AND `;
  return { ...rest, fits: `(${isDay}${fits})`, quickly: `${isDay}${quickly}` };
}

/**
 * What does not come out of its type as it went in has a T in the middle, or is held against the form: what is so
 * written and can be cast at all is cast to what it says, but for 24:00:00, which would be the next day.
 */
function isoMoments(column: string, text: string): Written {
  const once = onceOf(column);
  const quickly = String.raw`regexp_full_match(${text}, '\d{4}-\d\d-\d\d[ T](?:[01]\d|2[0-3]):\d\d:\d\d')`;
  return {
    fits: `(${quickly} AND TRY_CAST(${text} AS TIMESTAMP) IS NOT NULL)`,
    quickly,
    value: once,
    mayBeNull: true,
    first: `WHEN strlen(${text}) = 19 AND ${once}::VARCHAR = ${text} THEN ${once}`,
    once: `TRY_CAST(${text} AS TIMESTAMP)`,
  };
}

function strptime(text: string, formats: readonly string[], type: string, form = anyOf(formats.map(formOf))): Written {
  const quickly = `regexp_full_match(${text}, ${literal(form)})`;
  const moment = `try_strptime(${text}, [${formats.map(literal).join(', ')}])`;
  return {
    fits: `(${quickly} AND ${moment} IS NOT NULL)`,
    quickly,
    value: type === 'TIMESTAMP' ? moment : `${moment}::${type}`,
    mayBeNull: true,
  };
}

/** A condition under which a value settles which of day and month comes first; undefined where that is no question. */
export function proofOfMoments(column: string, { moments }: ColumnEvidence): string | undefined {
  const { yearLast, notDayFirst, notMonthFirst, firsts, seconds } = moments;
  if (yearLast === 0 || notDayFirst + notMonthFirst > 0) return undefined;
  const over = '(?:1[3-9]|[23][0-9])[-/.]';
  const conditions = [`regexp_matches(${column}, '^ *(?:[0-9]{1,2}[-/.])?${over}')`];
  // The first of each month in all of the samples.
  if (firsts.size === 1) conditions.push(`NOT regexp_matches(${column}, '^ *0?1[-/.]')`);
  if (seconds.size === 1) conditions.push(`NOT regexp_matches(${column}, '^ *[0-9]{1,2}[-/.]0?1[-/.]')`);
  return `(${conditions.join(' OR ')})`;
}
