import { markOf } from './cell';
import type { ColumnEvidence } from './column-evidence';
import { namesIdentifier, namesNumbering, namesTextCode } from './column-names';
import { count, given, quote, type ColumnPlan, type Conventions } from './column-plan';
import { canonicalNumber, readNumber } from './read-number';

/** Undefined where they are codes, or contradict each other. */
export function decideNumbers(
  evidence: ColumnEvidence,
  header: string,
  conventions: Conventions,
): ColumnPlan | undefined {
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
    ...(numbers.bracketed === filled && !unit
      ? ['all values stand in brackets, and were taken as negative as in accounts; they may be numbers of notes']
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
export function isTextCode({ numbers, filled, typed }: ColumnEvidence, header: string): boolean {
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

/** `1.9`, `1.10`, `2.0.15`: a number or a date would be another value, and come in another order. */
export function isNumbering({ numbers, moments, filled, typed }: ColumnEvidence, header: string): boolean {
  const { dot, dot3, dots } = numbers.shapes;
  if (!namesNumbering(header) || typed.number + typed.date > 0 || numbers.units.size > 0) return false;
  const isWithPoints = dot + dot3 + dots > 0 || moments.separators.has('.');
  return isWithPoints && numbers.count + moments.count === filled;
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
    return { sign, why: grouped > 0 ? `${proof}, so that the other one is the thousands separator` : proof };
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
