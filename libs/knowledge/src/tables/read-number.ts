/**
 * Numbers as people write them. What a separator means is not known from one value: a reading says what it could mean
 * and what it proves, and the column decides (`decide-numbers.ts`).
 */

export interface NumberReading {
  /** Of the whole value, with the sign of brackets and trailing minus too. */
  readonly negative: boolean;
  /** Digits with their separators: `1.234,5`. */
  readonly body: string;
  readonly exponent?: number;
  /** `€`, `USD`, `%`. */
  readonly unit?: string;
  readonly shape: NumberShape;
  /** Begins with a zero that a number would not have: `007`. */
  readonly padded: boolean;
  /** Begins with a plus sign. */
  readonly plus: boolean;
}

/**
 * What the separators of a number prove. `dot` and `comma` are decimal signs; `dot3` and `comma3` have three digits
 * behind and may be either; `dots` and `commas` are thousands separators, with a decimal sign of the other kind or none.
 */
export type NumberShape = 'plain' | 'dot' | 'comma' | 'dot3' | 'comma3' | 'dots' | 'commas';

const CODES =
  'USD|EUR|GBP|JPY|CHF|MXN|COP|ARS|CLP|PEN|UYU|BRL|CAD|AUD|NZD|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|RUB|UAH|TRY|ZAR|KRW|SGD|HKD|ILS|MAD';
const UNIT = `US\\$|R\\$|C\\$|A\\$|[$€£¥₹₽₩₺₴₫฿₪₱]|(?:${CODES})|kr\\.?|zł|Kč|Ft|S/\\.?`;
const NUMBER = new RegExp(
  String.raw`^(\()?\s*([-+−–])?\s*(${UNIT})?\s*([-+−])?\s*(\d[\d.,'’\u00a0\u202f\u2009 ]*|[.,]\d+)(?:[eE]([-+]?\d{1,4}))?\s*(%|${UNIT})?\s*(-)?(\))?$`,
);
/** What most numbers look like. */
const QUICK = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;
const SPACES = /[\u00a0\u202f\u2009 '’]/;
const SPACED = /^\d{1,3}(?:([\u00a0\u202f\u2009 '’])\d{3})(?:\1\d{3})*(?=$|[.,])/;
const DOTS = /^\d{1,3}(?:\.\d{3}){2,}$|^\d{1,3}(?:\.\d{3})+,\d*$/;
const COMMAS = /^\d{1,3}(?:,\d{3}){2,}$|^\d{1,3}(?:,\d{3})+\.\d*$|^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d*)?$/;

const CURRENCY = new RegExp(`^(?:${UNIT})$`);

/** Whether a text is the sign or the code of a currency that is known here. */
export const isCurrency = (text: string): boolean => CURRENCY.test(text);

/** @returns undefined for what is no number in any convention. */
export function readNumber(text: string): NumberReading | undefined {
  if (text.length > 80) return undefined;
  if (QUICK.test(text)) {
    const negative = text.charCodeAt(0) === 45;
    const body = negative ? text.slice(1) : text;
    return { negative, body, shape: shapeOf(body) ?? 'plain', padded: false, plus: false };
  }
  const match = NUMBER.exec(text.trim());
  if (!match) return undefined;
  const [, open, before, unit, between, digits, power, behind, trailing, close] = match;
  if (!open !== !close || (unit && behind && behind !== '%' && behind !== unit)) return undefined;
  const signs = [before, between, trailing].filter(Boolean);
  if (signs.length > 1 || (open && signs.length > 0)) return undefined;
  const body = withoutSpaces(digits as string);
  const shape = body === undefined ? undefined : shapeOf(body);
  if (body === undefined || shape === undefined) return undefined;
  if (power !== undefined && !isInReach(body, Number(power))) return undefined;
  return {
    negative: !!open || (signs.length === 1 && signs[0] !== '+'),
    body,
    ...(power !== undefined && { exponent: Number(power) }),
    ...((unit ?? behind) && { unit: unit ?? behind }),
    shape,
    padded: /^0\d/.test(body),
    plus: signs[0] === '+',
  };
}

/** Whether a 64-bit float holds it: what would be infinite or nothing there is no number that can be computed with. */
function isInReach(body: string, power: number): boolean {
  const digits = body.replace(/[.,]/g, '').length;
  const number = Number(`${body.replace(/[.,](?=.*[.,])/g, '').replace(',', '.')}e${power}`);
  return digits < 400 && Number.isFinite(number) && (number !== 0 || !/[1-9]/.test(body));
}

/** Without spaces and apostrophes that are thousands separators; undefined where they stand anywhere else. */
function withoutSpaces(digits: string): string | undefined {
  if (!SPACES.test(digits)) return digits;
  const trimmed = digits.trim();
  if (!SPACES.test(trimmed)) return trimmed;
  if (!SPACED.test(trimmed)) return undefined;
  return trimmed.replace(new RegExp(SPACES, 'g'), '');
}

function shapeOf(body: string): NumberShape | undefined {
  const dots = body.split('.').length - 1;
  const commas = body.split(',').length - 1;
  if (dots + commas === 0) return 'plain';
  if (dots + commas === 1) {
    const sign = dots === 1 ? 'dot' : 'comma';
    if (/[.,]$/.test(body)) return undefined;
    return /^[1-9]\d{0,2}[.,]\d{3}$/.test(body) ? `${sign}3` : sign;
  }
  if (DOTS.test(body)) return 'dots';
  return COMMAS.test(body) ? 'commas' : undefined;
}

/**
 * The number in digits, minus and decimal point only; a percentage as the fraction that it is.
 * @param decimal the decimal sign of the column; the other one is its thousands separator.
 */
export function canonicalNumber(number: NumberReading, decimal: '.' | ','): string {
  const { negative, body, unit, exponent } = number;
  if (isCanonical(number, decimal)) return negative && body !== '0' ? `-${body}` : body;
  const plain = decimal === '.' ? body.replaceAll(',', '') : body.replaceAll('.', '').replace(',', '.');
  const shifted = unit === '%' ? shift(plain, -2) : plain;
  const [whole = '', fraction = ''] = shifted.split('.');
  const digits = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction && `.${fraction}`}`;
  return `${negative && /[1-9]/.test(digits) ? '-' : ''}${digits}${exponent === undefined ? '' : `e${exponent}`}`;
}

/** Whether the digits stand as they are to be; those behind a point may make a nothing of it, whose minus goes. */
const isCanonical = ({ body, shape, unit, exponent, padded, negative }: NumberReading, decimal: '.' | ',') =>
  !padded &&
  unit !== '%' &&
  exponent === undefined &&
  (shape === 'plain' ||
    (decimal === '.' && !negative && (shape === 'dot' || shape === 'dot3') && body.charCodeAt(0) !== 46));

/** Moves the decimal point by two to the left, in the text, so that nothing is rounded. */
function shift(plain: string, by: -2): string {
  const [whole = '', fraction = ''] = plain.split('.');
  const padded = whole.padStart(1 - by, '0');
  return `${padded.slice(0, by)}.${padded.slice(by)}${fraction}`.replace(/\.?0+$/, '');
}

/** Digits before and behind the decimal point of a canonical number. */
export function digitsOf(canonical: string): { readonly whole: number; readonly fraction: number } {
  const point = canonical.indexOf('.');
  const start = canonical.charCodeAt(0) === 45 ? 1 : 0;
  const end = point === -1 ? canonical.length : point;
  const isZero = end - start === 1 && canonical[start] === '0';
  return { whole: isZero ? 0 : end - start, fraction: point === -1 ? 0 : canonical.length - point - 1 };
}
