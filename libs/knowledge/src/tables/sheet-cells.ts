/** Cells of a workbook as strings: what they hold, not how it looks, except where the looks are the meaning. */
import { SSF, type CellObject } from 'xlsx';
import { cellText, marked } from './cell';
import { isCurrency } from './read-number';

const ERRORS: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
  0x2b: '#GETTING_DATA',
};
const DAY_MS = 86_400_000;
/** Days. */
const LONGEST_TIME = 18_000;
/** Beyond it a float has other digits than were meant. */
const LONGEST_CODE = 1e15;

export interface SheetFormat {
  /** Days are counted from 1904. */
  readonly from1904: boolean;
}

/** @returns '' for a cell that holds nothing. */
export function sheetCell(cell: CellObject, { from1904 }: SheetFormat): string {
  const { t: type, v: value } = cell;
  // A stub of the reader's has a zero that the file has not.
  if (value === undefined || value === null || type === 'z') {
    // The formula was saved without its result, and is not computed here (SEC-74).
    return typeof cell.f === 'string' && type !== 'e' ? marked('error', `=${cellText(cell.f).slice(0, 100)}`) : '';
  }
  switch (type) {
    case 'b':
      return marked('boolean', value ? 'true' : 'false');
    case 'e':
      return marked('error', ERRORS[value as number] ?? '#ERROR');
    case 'n':
      return sheetNumber(value as number, typeof cell.z === 'string' ? cell.z : 'General', from1904);
    case 'd':
      return marked(
        'date',
        new Date(value as Date)
          .toISOString()
          .replace('T', ' ')
          .replace(/(\.000)?Z$/, ''),
      );
    case 's':
      return cellText(String(value).replace(/\r\n?/g, '\n'));
    default:
      return '';
  }
}

/**
 * A number as its format says that it is meant.
 *
 * @param digits all of them, where they are more than a float keeps.
 */
export function sheetNumber(value: number, format: string, from1904: boolean, digits = plain(value)): string {
  if (!Number.isFinite(value)) return marked('error', '#NUM!');
  // Zeros in front are what such a format is for: 00123 is a code.
  if (/^0{2,}$/.test(format) && Number.isInteger(value) && value < LONGEST_CODE) {
    return String(SSF.format(format, value));
  }
  if (format === 'General' || !SSF.is_date(format)) {
    return marked('number', isPercent(format) ? percent(digits) : `${digits}${currencyOf(format)}`);
  }
  const kind = momentKind(format);
  // A moment of which only the time is shown: nothing lasts for fifty years.
  if (kind === 'time' && value >= LONGEST_TIME) return dated(value, false, from1904);
  if (kind === 'duration' || (kind === 'time' && value >= 1))
    return marked('duration', clock(Math.round(value * DAY_MS)));
  if (kind === 'time' && value >= 0) return marked('date', clock(Math.round(value * DAY_MS) % DAY_MS));
  return dated(value, kind === 'date', from1904);
}

/** A day that has no date stays the number that it is. */
function dated(value: number, wholeDay: boolean, from1904: boolean): string {
  const moment = dateOf(value, wholeDay, from1904);
  return moment === undefined ? marked('number', plain(value)) : marked('date', moment);
}

/** What JavaScript writes of the number, which is the shortest text that reads as it again. */
export const plain = (value: number): string => (Object.is(value, -0) ? '0' : String(value).replace('e+', 'e'));

const isPercent = (format: string): boolean => format.replace(/"[^"]*"|\\./g, '').includes('%');

const PADDING = /_.|\*./gs;
const FORMS = /\[\$([^\]-]{0,8})(?:-[^\]]*)?\]|"([^"]{1,12})"|\\?([$€£¥₹₽₩₺₴₫฿₪₱])/g;
/** Formats write the same currency in several ways. */
export const SAME_CURRENCY: Readonly<Record<string, string>> = { EUR: '€', USD: '$', US$: '$', GBP: '£' };
const currencies = new Map<string, string>();
const MAX_KNOWN = 1000;

/** The currency that a number is shown in, behind a space; '' where it is in none, or in one that is not known. */
function currencyOf(format: string): string {
  if (format === 'General') return '';
  const known = currencies.get(format);
  if (known !== undefined) return known;
  const [positive = ''] = format.replace(PADDING, '').split(';');
  const written = [...positive.matchAll(FORMS)].map(([, coded, quoted, bare]) => (coded ?? quoted ?? bare)!.trim());
  const unit = written.map((each) => SAME_CURRENCY[each] ?? each).find(isCurrency);
  const currency = unit === undefined ? '' : ` ${unit}`;
  if (currencies.size < MAX_KNOWN) currencies.set(format, currency);
  return currency;
}

/** The point is moved in the text, so that nothing is rounded. */
export function percent(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') return text;
  const moved = `${whole}${fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  return `${sign}${moved}${fraction.length > 2 ? `.${fraction.slice(2)}` : ''}%`;
}

type Kind = 'date' | 'timestamp' | 'time' | 'duration';

function momentKind(format: string): Kind {
  const bare = format.replace(/"[^"]*"|\\.|\[\$[^\]]*\]/g, '');
  if (/\[[hms]+\]/i.test(bare)) return 'duration';
  const hasDay = /[yde]/i.test(bare) || /m/i.test(bare.replace(/h+\W*m+|m+\W*s+|am\/pm/gi, ''));
  const hasTime = /[hs]/i.test(bare);
  return hasDay ? (hasTime ? 'timestamp' : 'date') : 'time';
}

/** Undefined for a day that has no date: serial 0 and below, and beyond the year 9999. */
function dateOf(serial: number, wholeDay: boolean, from1904: boolean): string | undefined {
  // The first of the two epochs counts a 29 February 1900, which never was.
  const days = from1904 ? serial + 1462 : serial;
  if (days < 1 || days >= 2_958_466 || (!from1904 && Math.floor(days) === 60)) return undefined;
  const ms = Math.round(days * DAY_MS) + Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const iso = new Date(ms).toISOString();
  if (wholeDay && Number.isInteger(serial)) return iso.slice(0, 10);
  return iso.replace('T', ' ').replace(/(\.000)?Z$/, '');
}

function clock(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  const all = Math.abs(ms);
  const [hours, minutes, seconds, rest] = [
    Math.floor(all / 3_600_000),
    Math.floor(all / 60_000) % 60,
    Math.floor(all / 1000) % 60,
    all % 1000,
  ];
  const two = (part: number) => String(part).padStart(2, '0');
  return `${sign}${two(hours)}:${two(minutes)}:${two(seconds)}${rest ? `.${String(rest).padStart(3, '0')}` : ''}`;
}
