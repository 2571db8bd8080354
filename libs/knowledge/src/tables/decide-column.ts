/**
 * The type of a column, from all that its cells say; and how each cell is then written for the database.
 *
 * A column only gets a type that takes every one of its values without losing anything. One value that does not fit
 * leaves it text, and the report says which.
 */
import { isBlank, markOf, shown } from './cell';
import type { ColumnEvidence, Example } from './column-evidence';
import { namesDate, namesIdentifier, namesTextCode } from './column-names';
import { decideMoments } from './decide-moments';
import { canonicalNumber, readNumber } from './read-number';
import { booleanPair, meansMissing } from './read-word';

export interface ColumnPlan {
  readonly type: string;
  readonly decision: string;
  readonly evidence: string;
  readonly unit?: string;
  readonly identifier?: boolean;
  readonly warnings: readonly string[];
  /** How to read what could be read in two ways. */
  readonly reading?: { readonly decimal?: '.' | ','; readonly dayFirst?: boolean };
  /** The cell as DuckDB casts it to `type`; undefined for NULL. */
  write(cell: string): string | undefined;
}

/** What other columns of the same file prove about the way it is written. */
export interface Conventions {
  readonly decimal?: '.' | ',';
  /** The values are parted by semicolons, which is done where commas are decimal signs. */
  readonly semicolons?: boolean;
  readonly dayFirst?: boolean;
  /** The words around are Spanish, German … or there are decimal commas: months do not come first there. */
  readonly notAmerican?: boolean;
}

const MAX_SHOWN = 60;
/** The share of values from which on a column is said to be of a kind but for the others. */
export const MOSTLY = 0.8;

export function decideColumn(evidence: ColumnEvidence, header: string, conventions: Conventions): ColumnPlan {
  const plan = typedPlan(evidence, header, conventions) ?? textPlan(evidence, header);
  return { ...plan, warnings: [...plan.warnings, ...generalWarnings(evidence, plan)] };
}

function typedPlan(evidence: ColumnEvidence, header: string, conventions: Conventions): ColumnPlan | undefined {
  const { filled, numbers, moments, typed } = evidence;
  if (filled === 0) return undefined;
  const booleans = decideBooleans(evidence);
  if (booleans) return booleans;
  if (numbers.count === filled) {
    if (numbers.compactDates === filled && namesDate(header)) return compactDates(evidence);
    return decideNumbers(evidence, header, conventions);
  }
  if (moments.count === filled && typed.boolean === 0) return decideMoments(evidence, conventions);
  return undefined;
}

function decideBooleans(evidence: ColumnEvidence): ColumnPlan | undefined {
  const { typed, filled, words } = evidence;
  const pair = typed.boolean === filled ? (['true', 'false'] as const) : booleanPair(words);
  if (!pair) return undefined;
  const [yes, no] = pair;
  return {
    type: 'BOOLEAN',
    decision: yes === 'true' ? 'truth values' : `truth values: ${yes} is true, ${no} is false`,
    evidence: `all ${count(filled, 'value')} are ${yes} or ${no}`,
    warnings: [],
    write: (cell) => given(cell, (text) => (text.trim().toLowerCase() === yes ? 'true' : 'false')),
  };
}

function compactDates({ filled }: ColumnEvidence): ColumnPlan {
  return {
    type: 'DATE',
    decision: 'dates written as eight digits, year first',
    evidence: `all ${count(filled, 'value')} are calendar days so written, and the header speaks of a date`,
    warnings: [],
    write: (cell) => given(cell, (text) => text.trim().replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')),
  };
}

function decideNumbers(evidence: ColumnEvidence, header: string, conventions: Conventions): ColumnPlan | undefined {
  const { numbers, filled, typed } = evidence;
  const { shapes, units } = numbers;
  if (numbers.padded > 0 || isTextCode(evidence, header)) return undefined;
  const decimal = decimalSign(evidence, conventions);
  if (!decimal) return undefined;
  const money = [...units.keys()].filter((unit) => unit !== '%');
  const percents = units.get('%') ?? 0;
  if (money.length > 1 || (percents > 0 && percents + typed.number < filled)) return undefined;
  if (numbers.exponents > 0 && numbers.fractionalExponents === 0 && typed.number === 0) return undefined;

  const { sign, why, doubtful } = decimal;
  const { whole, fraction, inexact } = sign === '.' ? numbers.byDot : numbers.byComma;
  const type = numberType({ whole, fraction, floating: numbers.exponents > 0, inexact });
  if (!type) return undefined;
  const unit = percents > 0 ? '%' : money[0];
  const isIdentifier = namesIdentifier(header) && fraction === 0 && !unit;
  const warnings = [
    ...(doubtful ? [doubtful] : []),
    ...unitWarnings(evidence, unit, filled),
    ...(typed.number > 0 && typed.number < filled
      ? [
          count(
            filled - typed.number,
            'number stored as text in the sheet was read as a number',
            'numbers stored as text in the sheet were read as numbers',
          ),
        ]
      : []),
    ...(type === 'DOUBLE' ? ['64-bit floating point: sums of such numbers are rounded'] : []),
  ];
  return {
    type,
    decision: numberWords(type, sign, shapes, unit),
    evidence: `all ${count(filled, 'value')} are numbers${why ? `; ${why}` : ''}`,
    ...(unit && { unit }),
    ...(isIdentifier && { identifier: true }),
    warnings,
    reading: { decimal: sign },
    write: (cell) => given(cell, (text) => numberFor(cell, text, sign)),
  };
}

function numberFor(cell: string, text: string, sign: '.' | ','): string | undefined {
  const number = readNumber(text);
  return number && canonicalNumber(number, markOf(cell) ? '.' : sign);
}

/** How many numbers stand without the unit that others of their column have. `%` stands at all or at none. */
export function unitWarnings({ numbers }: ColumnEvidence, unit: string | undefined, filled: number): string[] {
  const without = unit === undefined || unit === '%' ? 0 : filled - (numbers.units.get(unit) ?? 0);
  if (without === 0) return [];
  return [
    `${count(without, 'value')} of ${filled} without ${unit} ${without === 1 ? 'was' : 'were'} taken as ${unit} too`,
  ];
}

/** Codes that are made of digits: telephone numbers, postcodes, cards. */
function isTextCode({ numbers, filled, typed }: ColumnEvidence, header: string): boolean {
  const { shapes, units, exponents, byDot } = numbers;
  const isPlain = shapes.plain + typed.number === filled && units.size === 0 && exponents === 0 && byDot.fraction === 0;
  if (!isPlain) return false;
  const [length = 0] = numbers.lengths;
  const isOneLength = numbers.lengths.size === 1;
  if (namesTextCode(header)) return true;
  if (namesIdentifier(header) && isOneLength && length >= 10) return true;
  if (numbers.plus > 0 && length >= 9) return true;
  return numbers.spaced === filled && isOneLength && length >= 9;
}

interface DecimalSign {
  readonly sign: '.' | ',';
  readonly why?: string;
  readonly doubtful?: string;
}

/** Undefined where the column contradicts itself. */
function decimalSign(evidence: ColumnEvidence, conventions: Conventions): DecimalSign | undefined {
  const { shapes, units } = evidence.numbers;
  const point = shapes.dot + shapes.commas;
  const comma = shapes.comma + shapes.dots;
  if (point > 0 && comma > 0) return undefined;
  if (point > 0 || comma > 0) {
    const sign = point > 0 ? '.' : ',';
    const grouped = point > 0 ? shapes.comma3 : shapes.dot3;
    const proof = `${sign === '.' ? 'a point' : 'a comma'} is the decimal sign in ${point + comma} of them`;
    return { sign, why: grouped > 0 ? `${proof}, so that the other sign parts thousands` : proof };
  }
  if (shapes.dot3 > 0 && shapes.comma3 > 0) return undefined;
  if (shapes.dot3 === 0 && shapes.comma3 === 0) return { sign: '.' };
  const example = evidence.numberExamples.find(({ value }) => /[.,]\d{3}(?!\d)/.test(value))?.value ?? '';
  const byFile = conventions.decimal ?? (conventions.semicolons ? ',' : undefined);
  const sign = byFile ?? (units.has('%') && shapes.comma3 > 0 ? ',' : '.');
  const meaning = (shapes.dot3 > 0 ? '.' : ',') === sign ? 'has three decimals' : 'is in the thousands';
  return {
    sign,
    ...(byFile && { why: 'the rest of the file shows which sign is the decimal one' }),
    ...(!conventions.decimal && {
      doubtful: `${quote(example)} was read as a number that ${meaning}; nothing in the column itself proves it`,
    }),
  };
}

/** The decimal sign that a column proves by itself. */
export function provenDecimal({ numbers: { shapes } }: ColumnEvidence): '.' | ',' | undefined {
  const point = shapes.dot + shapes.commas;
  const comma = shapes.comma + shapes.dots;
  if (point > 0 === comma > 0) return undefined;
  return point > 0 ? '.' : ',';
}

function numberType(found: { whole: number; fraction: number; floating: boolean; inexact: number }) {
  const { whole, fraction, floating, inexact } = found;
  if (floating) return 'DOUBLE';
  // Parquet would keep a HUGEINT as a float.
  if (fraction === 0) return whole <= 18 ? 'BIGINT' : whole <= 38 ? 'DECIMAL(38,0)' : undefined;
  // So many decimals are measured, not counted; where a float shows every digit again it loses none.
  if (fraction > 12 && inexact === 0) return 'DOUBLE';
  const precision = whole + fraction;
  if (precision > 38) return inexact === 0 ? 'DOUBLE' : undefined;
  return `DECIMAL(${precision <= 18 ? 18 : 38},${fraction})`;
}

function numberWords(
  type: string,
  sign: '.' | ',',
  shapes: ColumnEvidence['numbers']['shapes'],
  unit?: string,
): string {
  const grouped = sign === '.' ? shapes.commas + shapes.comma3 : shapes.dots + shapes.dot3;
  const kind = /INT|,0\)/.test(type)
    ? 'whole numbers'
    : type === 'DOUBLE'
      ? 'floating-point numbers'
      : 'exact decimal numbers';
  return [
    kind,
    ...(/INT|,0\)/.test(type) || sign === '.' ? [] : ['with a decimal comma']),
    ...(grouped > 0 ? [`with ${sign === '.' ? 'commas' : 'points'} between thousands`] : []),
    ...(unit === '%' ? ['in percent, stored as fractions (25 % is 0.25)'] : unit ? [`in ${unit}`] : []),
  ].join(' ');
}

function textPlan(evidence: ColumnEvidence, header: string): ColumnPlan {
  const { filled, numbers, moments, missing, errors } = evidence;
  const base = {
    type: 'VARCHAR',
    warnings: [] as string[],
    write: (cell: string) => (isBlank(cell) || markOf(cell) === 'error' ? undefined : shown(cell)),
  };
  if (filled === 0) {
    const written = [...missing.keys(), ...errors.keys()];
    return {
      ...base,
      decision: 'text',
      evidence: written.length ? `nothing but ${written.slice(0, 5).join(', ')}` : 'the column is empty',
    };
  }
  const odd = oddOnes(evidence);
  return { ...base, ...why(), warnings: odd ? [odd] : [] };

  function why(): { decision: string; evidence: string } {
    if (numbers.padded > 0 && numbers.count === filled) {
      return {
        decision: 'text, so that leading zeros stay',
        evidence: `${count(numbers.padded, 'value begins', 'values begin')} with a zero that a number would not keep`,
      };
    }
    if (numbers.count === filled && isTextCode(evidence, header)) {
      return { decision: 'text: digits that are a code', evidence: 'the header or the form of the values says so' };
    }
    if (numbers.count === filled && numbers.exponents > 0) {
      return { decision: 'text: codes with an E between digits', evidence: 'none of them has a decimal sign' };
    }
    const units = [...numbers.units.keys()];
    if (numbers.count === filled && units.length > 0) {
      return { decision: 'text: numbers in different units', evidence: `units found: ${units.slice(0, 6).join(', ')}` };
    }
    if (numbers.count === filled) {
      return {
        decision: 'text: the numbers contradict each other',
        evidence: 'point and comma are both used as decimal sign',
      };
    }
    if (moments.count === filled) {
      return {
        decision: 'text: the dates contradict each other',
        evidence: 'some can only be day first, some only month first',
      };
    }
    const examples = evidence.texts.examples.slice(0, 3).map(({ value }) => quote(value));
    return { decision: 'text', evidence: `${count(filled, 'value')}, such as ${examples.join(', ') || 'mixed kinds'}` };
  }
}

/** A text column that would have been numbers or dates but for a few cells. */
function oddOnes({
  filled,
  numbers,
  moments,
  texts,
  numberExamples,
  momentExamples,
}: ColumnEvidence): string | undefined {
  const [kind, fitting, others, further] =
    numbers.count >= moments.count
      ? (['numbers', numbers.count, moments.count + texts.count, momentExamples] as const)
      : (['dates', moments.count, numbers.count + texts.count, numberExamples] as const);
  if (others === 0 || fitting < filled * MOSTLY) return undefined;
  const odd = [...texts.examples, ...further].slice(0, 3);
  const examples = odd.map(({ value, row }: Example) => `${quote(value)} (row ${row})`);
  return `${fitting} of ${filled} values are ${kind}; the column is text because of the others${examples.length ? `: ${examples.join(', ')}` : ''}`;
}

export function generalWarnings(evidence: ColumnEvidence, { type }: ColumnPlan): string[] {
  const { edgeSpaces, missing, errors } = evidence;
  const isText = type === 'VARCHAR';
  const warnings: string[] = [];
  if (isText && edgeSpaces > 0) {
    warnings.push(
      `${count(edgeSpaces, 'value begins or ends', 'values begin or end')} with white space, which is kept`,
    );
  }
  if (evidence.huge > 0) {
    warnings.push(`${count(evidence.huge, 'number')} beyond 2^53, of which a sheet keeps some 15 digits`);
  }
  const signs = [...missing].slice(0, 5).map(([sign, times]) => `${quote(sign)} (${times})`);
  if (isText && signs.length > 0)
    warnings.push(`kept as text although it may mean that there is no value: ${signs.join(', ')}`);
  const wrong = [...errors].slice(0, 5).map(([error, times]) => `${error} (${times})`);
  if (wrong.length > 0) warnings.push(`errors in the sheet: ${wrong.join(', ')}; they are NULL`);
  return warnings;
}

/** NULL for what is not there, `write` for the rest. */
export function given(cell: string, write: (text: string) => string | undefined): string | undefined {
  const mark = markOf(cell);
  if (mark === 'error') return undefined;
  const text = shown(cell);
  if (!mark && (isBlank(text) || meansMissing(text))) return undefined;
  return write(text);
}

export const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

export const quote = (value: string) =>
  `“${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}”`.replace(/\s+/g, ' ');
