/** Columns of numbers that DuckDB can read by itself, however they are written: the form is held against every value. */
import type { ColumnEvidence } from './column-evidence';
import type { ColumnPlan } from './column-plan';
import { anyOf, letter, literal, onceOf, type Written } from './fast-sql';

const SPACES = ' \u00a0\u202f\u2009';
const GROUPING = `${SPACES}'’`;
const MOST_OF_BIGINT = '9'.repeat(18);
const GAP = `[${SPACES}]?`;
/** Around the whole value. */
const EDGE = '[ \\t]*';

/** @returns undefined for numbers that are left to the row-by-row reader. */
export function fastNumbers(column: string, plan: ColumnPlan, evidence: ColumnEvidence): Written | undefined {
  const { numbers, edgeSpaces } = evidence;
  const { shapes } = numbers;
  const isBare = !plan.unit && edgeSpaces + numbers.plus + numbers.spaced + numbers.otherSigns === 0;
  const sign = plan.reading?.decimal ?? '.';
  if (plan.type === 'DOUBLE') return isBare ? floating(column, evidence, sign) : undefined;
  if (isBare && shapes.plain === numbers.count && plan.type === 'BIGINT') return wholeNumbers(column);
  const isPlain = isBare && sign === '.' && shapes.plain + shapes.dot + shapes.dot3 === numbers.count;
  if (isPlain && (shapes.dot > 0 || shapes.dot3 === 0)) {
    return plainDecimal(column, plan.type);
  }
  return written(column, plan, evidence, sign);
}

/** What comes out of its type again as it went in has lost nothing. */
export const roundTrip = (column: string, text: string, type: string): Written => ({
  fits: `TRY_CAST(${text} AS ${type})::VARCHAR = ${text}`,
  quickly: `${onceOf(column)}::VARCHAR = ${text}`,
  value: onceOf(column),
  once: `TRY_CAST(${text} AS ${type})`,
});

/** As many digits as the row-by-row reader leaves in a BIGINT, which would hold some numbers of one more. */
function wholeNumbers(column: string): Written {
  const { fits, quickly, ...rest } = roundTrip(column, column, 'BIGINT');
  const inReach = (number: string) => `${number} BETWEEN -${MOST_OF_BIGINT} AND ${MOST_OF_BIGINT}`;
  return {
    ...rest,
    fits: `(${fits} AND ${inReach(`TRY_CAST(${column} AS BIGINT)`)})`,
    quickly: `${quickly} AND ${inReach(onceOf(column))}`,
  };
}

/** Its form is held against a regular expression where it does not come out again as it went in, but for zeros at the end. */
function plainDecimal(column: string, type: string): Written {
  const { whole, fraction } = digitsOf(type);
  const form = `-?(0|[1-9][0-9]{0,${whole - 1}})${fraction === 0 ? '' : `([.][0-9]{1,${fraction}})?`}`;
  const once = onceOf(column);
  const again = `${once}::VARCHAR`;
  // As much as all decimals would lie between them for a point with nothing behind.
  const butZeros = `starts_with(${again}, ${column}) AND strlen(${again}) - strlen(${column}) <> ${fraction}`;
  return {
    fits: `regexp_full_match(${column}, '${form}')`,
    value: `CAST(${column} AS ${type})`,
    first: `WHEN ${again} = ${column} THEN ${once} ${fraction === 0 ? '' : `WHEN ${butZeros} THEN ${once}`}`,
    once: `TRY_CAST(${column} AS ${type})`,
  };
}

/** Values with thousands, units, signs of any kind: the form is checked, and then all but the digits is taken off. */
function written(
  column: string,
  { type, unit }: ColumnPlan,
  evidence: ColumnEvidence,
  sign: '.' | ',',
): Written | undefined {
  const { numbers } = evidence;
  const isPercent = unit === '%';
  const { whole, fraction } = digitsOf(type);
  if (isPercent && (fraction < 2 || whole + fraction > 30)) return undefined;
  const places = isPercent ? fraction - 2 : fraction;
  const body = bodyForm(numbers, sign, isPercent ? undefined : places, places);
  const amounts = withUnit(body, unit, isUnitEverywhere(numbers, unit));
  const plus = numbers.plus > 0 ? '+' : '';
  const odd = numbers.otherSigns > 0;
  const forms = [`[-${plus}${odd ? '−–' : ''}]?${GAP}${amounts}`];
  if (odd) {
    if (unit !== undefined && !isPercent)
      forms.push(`${letter(unit)}${GAP}[-−]${GAP}${body}(?:${GAP}${letter(unit)})?`);
    forms.push(`${amounts}${GAP}-`, `\\(${GAP}${amounts}${GAP}\\)`);
  }
  const form = `regexp_full_match(${column}, ${literal(`${EDGE}(?:${forms.join('|')})${EDGE}`)})`;
  const bare = unit === undefined ? column : `replace(${column}, ${literal(unit)}, '')`;
  const dropped = `${sign === '.' ? ',' : '.'}${GROUPING}\t+${odd ? '-−–()' : ''}`;
  // A BIGINT would hold some numbers of more digits than the row-by-row reader leaves in one.
  const whatHolds = type === 'BIGINT' ? `DECIMAL(${whole},0)` : type;
  const read = isPercent ? `DECIMAL(${whole + fraction - 2},${places})` : whatHolds;
  const anyDigits = `TRY_CAST(translate(${bare}, ${literal(sign + dropped)}, '.') AS ${read})`;
  const digits = odd ? anyDigits : `coalesce(TRY_CAST(${mostDigits(bare, sign, evidence)} AS ${read}), ${anyDigits})`;
  const amount = isPercent ? `TRY_CAST(${digits} * 0.01 AS ${type})` : digits;
  const signed = odd ? `CASE WHEN regexp_matches(${column}, '[-−–(]') THEN -${amount} ELSE ${amount} END` : amount;
  const value = whatHolds === type ? signed : `(${signed})::${type}`;
  return { fits: `(${form} AND ${amount} IS NOT NULL)`, quickly: form, value, mayBeNull: true };
}

/** Takes off what the examples have besides digits, each for itself: less work than to look for all that there may be. */
function mostDigits(text: string, sign: '.' | ',', { numbers, numberExamples }: ColumnEvidence): string {
  const seen = new Set(numberExamples.flatMap(({ value }) => [...value]));
  const parts = [...`${GROUPING}\t`].filter((each) => seen.has(each) && (each !== ' ' || numbers.spaced > 0));
  const dropped = [sign === '.' ? ',' : '.', ...parts];
  const digits = dropped.reduce((rest, each) => `replace(${rest}, ${literal(each)}, '')`, text);
  return sign === '.' ? digits : `replace(${digits}, ',', '.')`;
}

/** Whether the unit stands at each of the numbers that were looked at, so that one without is a surprise. */
export const isUnitEverywhere = ({ units, count }: ColumnEvidence['numbers'], unit: string | undefined): boolean =>
  unit !== undefined && units.get(unit) === count;

function withUnit(body: string, unit: string | undefined, isEverywhere: boolean): string {
  if (unit === undefined) return body;
  const mark = letter(unit);
  if (unit === '%') return `${body}${GAP}%`;
  return isEverywhere
    ? `(?:${mark}${GAP}${body}(?:${GAP}${mark})?|${body}${GAP}${mark})`
    : `(?:${mark}${GAP})?${body}(?:${GAP}${mark})?`;
}

/**
 * The digits of a number with their separators. Where no value has proven which sign is the decimal one, only those
 * are let through that prove nothing either.
 */
function bodyForm(
  { shapes, spaced }: ColumnEvidence['numbers'],
  sign: '.' | ',',
  most: number | undefined,
  places: number,
): string {
  const [decimal, group] = [letter(sign), letter(sign === '.' ? ',' : '.')];
  const parted = spaced > 0 ? [...GROUPING].map((gap) => `[1-9][0-9]{0,2}(?:${letter(gap)}[0-9]{3})+`) : [];
  const plain = anyOf(['0', '[1-9][0-9]*', ...parted]);
  if (!isProven(shapes)) {
    const three = [...(shapes.dot3 > 0 ? ['[.]'] : []), ...(shapes.comma3 > 0 ? [','] : [])];
    return anyOf([plain, ...three.map((each) => `[1-9][0-9]{0,2}${each}[0-9]{3}`)]);
  }
  const thousands = [
    `[1-9][0-9]{0,2}(?:${group}[0-9]{3})+`,
    ...(sign === '.' ? ['[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}'] : []),
  ];
  const count = most === undefined ? (places > 0 ? `(?:[0-9]{1,${places}}0*|0+)` : '0+') : `[0-9]{1,${most}}`;
  const rest = most === 0 ? '' : `(?:${decimal}${count})?`;
  return anyOf([`${anyOf([plain, ...thousands])}${rest}`, ...(most === 0 ? [] : [`${decimal}${count}`])]);
}

const isProven = ({ dot, comma, dots, commas, dot3, comma3 }: ColumnEvidence['numbers']['shapes']) =>
  dot + comma + dots + commas > 0 || dot3 + comma3 === 0;

/** A condition under which a value settles what the column leaves open; undefined where nothing is open. */
export function proofOfNumbers(column: string, { numbers }: ColumnEvidence): string | undefined {
  if (isProven(numbers.shapes)) return undefined;
  return `(contains(${column}, '.') OR contains(${column}, ',')) AND NOT regexp_matches(${column}, '^[^.,]*[.,][0-9]{3}([^0-9.,][^.,]*)?$')`;
}

function floating(column: string, { numbers }: ColumnEvidence, sign: '.' | ','): Written | undefined {
  const { shapes, exponents } = numbers;
  if (shapes.dots + shapes.commas + (sign === '.' ? shapes.comma3 + shapes.comma : shapes.dot3 + shapes.dot) > 0) {
    return undefined;
  }
  if (!isProven(shapes)) return undefined;
  const text = sign === '.' ? column : `replace(${column}, ',', '.')`;
  const form = `-?(?:(?:0|[1-9][0-9]*)(?:${letter(sign)}[0-9]+)?|${letter(sign)}[0-9]+)${exponents > 0 ? '(?:[eE][-+]?[0-9]{1,4})?' : ''}`;
  const number = `TRY_CAST(${text} AS DOUBLE)`;
  // Of fifteen digits a float loses none; more of them have to be there still when it is written.
  const isSomething = `(${number} <> 0 OR regexp_matches(${column}, '^[^1-9eE]*([eE]|$)'))`;
  const exact =
    exponents > 0
      ? `isfinite(${number}) AND ${isSomething}`
      : `(length(${text}) <= 15 OR ${number}::VARCHAR = ${text})`;
  return {
    fits: `(regexp_full_match(${column}, ${literal(form)}) AND ${exact})`,
    value: `CASE WHEN ${number} = 0 THEN 0 ELSE ${number} END`,
  };
}

function digitsOf(type: string): { whole: number; fraction: number } {
  const [, precision = '18', fraction = '0'] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
  return { whole: Number(precision) - Number(fraction), fraction: Number(fraction) };
}
