/** Cells of an OpenDocument sheet as strings: what the file says they hold, digit by digit. */
import { cellText, marked } from './cell';
import type { NumberStyle } from './ods-styles';
import type { OdsTag } from './ods-xml';
import { isCurrency } from './read-number';
import { percent, plain, SAME_CURRENCY } from './sheet-cells';

/** What LibreOffice shows where a formula has no value. */
const ERROR = /^(?:Err:\d{3}|#[A-Z/0]{2,8}[!?]?)$/;

/** @param text what the cell shows. @returns '' for a cell that holds nothing. */
export function odsCell(tag: OdsTag, text: string, style: NumberStyle): string {
  const formula = tag.of('table:formula');
  if (tag.of('calcext:value-type') === 'error') return marked('error', cellText(text).slice(0, 100) || '#ERROR');
  if (formula !== '' && ERROR.test(text)) return marked('error', text);
  const written = valueOf(tag, text, style);
  if (written !== '' || formula === '') return written;
  // A text that is empty is a result; without one the formula was saved without it, and is not computed here (SEC-74).
  const hasResult = tag.has('office:value-type') || tag.has('office:string-value');
  return hasResult ? '' : marked('error', cellText(formula.replace(/^\w+:(?==)/, '')).slice(0, 100));
}

function valueOf(tag: OdsTag, text: string, style: NumberStyle): string {
  const value = tag.of('office:value');
  switch (tag.of('office:value-type')) {
    case 'float':
    case 'currency':
      return number(value, text, style, tag.of('office:currency'));
    case 'percentage': {
      const digits = canonical(value);
      return digits === undefined ? cellText(text) : marked('number', percent(digits));
    }
    case 'boolean':
      return truth(tag.of('office:boolean-value')) ?? cellText(text);
    case 'date':
      return moment(tag.of('office:date-value')) ?? cellText(text);
    case 'time':
      return time(tag.of('office:time-value'), style) ?? cellText(text);
    default:
      return cellText(tag.of('office:string-value') || text);
  }
}

function number(value: string, text: string, { padded, currency }: NumberStyle, code: string): string {
  const digits = canonical(value);
  if (digits === undefined) return cellText(text);
  // Zeros in front are what such a format is for: 00123 is a code.
  if (padded !== undefined && /^\d+$/.test(digits)) return digits.padStart(padded, '0');
  const unit = [code, currency ?? ''].map((each) => SAME_CURRENCY[each] ?? each).find(isCurrency);
  return marked('number', unit === undefined ? digits : `${digits} ${unit}`);
}

/** Digits as they are written, where a float would lose some; undefined for what is no number. */
function canonical(written: string): string | undefined {
  const [, sign = '', whole, fraction = '', power] =
    /^\s*([-+])?(?:0*(?=\d))(\d+)(?:\.(\d*))?(e[-+]?\d+)?\s*$/i.exec(written.replace(/^(\s*[-+]?)\./, '$10.')) ?? [];
  if (whole === undefined || whole.length > 400) return undefined;
  const kept = fraction.replace(/0+$/, '');
  const isLong = power !== undefined || (kept !== '' && whole.length + kept.length > 17);
  const digits = isLong ? plain(Number(written)) : kept === '' ? whole : `${whole}.${kept}`;
  if (isLong) return /[^\d.e-]/.test(digits) ? undefined : digits;
  return sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

function truth(written: string): string | undefined {
  const value = written.trim().toLowerCase();
  if (value === 'true' || value === '1') return marked('boolean', 'true');
  return value === 'false' || value === '0' ? marked('boolean', 'false') : undefined;
}

function moment(written: string): string | undefined {
  const [, day, clock, fraction = ''] =
    /^(-?\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:[.,](\d+))?)?Z?$/.exec(written.trim()) ?? [];
  if (day === undefined) return undefined;
  return marked('date', clock === undefined ? day : `${day} ${clock}${fractionOf(fraction)}`);
}

function time(written: string, { isDuration }: NumberStyle): string | undefined {
  const match = /^(-)?P(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,7})M)?(?:(\d{1,9})(?:[.,](\d+))?S)?)?$/.exec(
    written.trim(),
  );
  if (!match || !/\d/.test(written)) return undefined;
  const [, sign = '', days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  const all = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  const two = (part: number) => String(part).padStart(2, '0');
  const clock = `${two(Math.floor(all / 3600))}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}${fractionOf(fraction)}`;
  const isTime = !isDuration && sign === '' && all < 86_400;
  return marked(isTime ? 'date' : 'duration', `${sign}${clock}`);
}

/** Microseconds are what a column keeps. */
function fractionOf(digits: string): string {
  const kept = digits.slice(0, 6).replace(/0+$/, '');
  return kept === '' ? '' : `.${kept}`;
}
