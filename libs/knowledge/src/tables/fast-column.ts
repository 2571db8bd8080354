/**
 * Columns that DuckDB can check and read by itself. Only values of which it is known what the row-by-row reader would make
 * of them are let through; any other stops the writing with an error that names its column.
 */
import { ColumnEvidence } from './column-evidence';
import { namesIdentifier, namesTextCode } from './column-names';
import { MOSTLY, type ColumnPlan } from './column-plan';
import { fastMoments, proofOfMoments, styleOf } from './fast-moment';
import { fastNumbers, proofOfNumbers } from './fast-number';
import { beginsVisibly, isBlankText, literal, onceOf, type Written } from './fast-sql';
import { booleanPair, isAnswer } from './read-word';

const MAX_STYLES = 12;

/** What samples say of a column, and how its dates and times are written. */
export class SampledColumn extends ColumnEvidence {
  /** Nothing stands in it in the whole file. */
  isEmpty = false;
  readonly styles = new Set<string | undefined>();

  constructor(
    readonly at: number,
    readonly original: string,
  ) {
    super(500);
  }

  override add(cell: string, row: number): void {
    super.add(cell, row);
    if (this.styles.size < MAX_STYLES && /^\s*\d{1,4}[-/.:]/.test(cell)) this.styles.add(styleOf(cell));
  }

  /** Its name as DuckDB reads the file. */
  get column(): string {
    return `c${this.at}`;
  }

  /** A condition for values that settle what the samples leave open. */
  get proof(): string | undefined {
    if (this.numbers.count === this.filled) return proofOfNumbers(this.column, this);
    return this.moments.count === this.filled ? proofOfMoments(this.column, this) : undefined;
  }
}

/**
 * Whether one column could be read in two ways, and another is text for sure before all of its values are known: what
 * that one proves of the decimal sign and of the order of dates only the row-by-row reader finds out.
 */
export const isUndecided = (columns: readonly SampledColumn[]): boolean =>
  columns.some(({ proof }) => proof !== undefined) &&
  columns.some((column) => column.filled > 0 && column.texts.count === 0 && isTextAnyway(column));

export interface FastColumn {
  readonly type: string;
  /** The value, or an error that names the column. */
  readonly value: string;
  /** Whether a value fits. */
  readonly fits: string;
  /** What `value` expects beside the columns of the file, as `… AS name`. */
  readonly once?: string;
}

/**
 * @param hasCarriages whether there are line ends of more than a line feed in the file.
 * @returns undefined for what is written in a way that takes more than a comparison.
 */
export function fastColumn(plan: ColumnPlan, sampled: SampledColumn, hasCarriages: boolean): FastColumn | undefined {
  const { type } = plan;
  const { column, missing } = sampled;
  if (type === 'VARCHAR') return textColumn(sampled, hasCarriages);
  const typed = typedColumn(plan, sampled);
  if (!typed) return undefined;
  const isMissing = `trim(${column}) IN ('', ${[...missing.keys()].map(literal).join(', ')})`.replace(', )', ')');
  const unfit = `error('unfit ${column}')`;
  const value = typed.mayBeNull ? `coalesce(${typed.value}, ${unfit})` : typed.value;
  return {
    type,
    fits: `(${isMissing} OR ${typed.fits})`,
    // What is NULL is not told to fit, and found below.
    value:
      `CASE ${typed.first ?? ''} WHEN ${typed.quickly ?? typed.fits} THEN ${value} ` +
      `WHEN ${column} IS NULL OR ${isMissing} THEN NULL ELSE ${unfit} END`,
    ...(typed.once !== undefined && { once: `${typed.once} AS ${onceOf(column)}` }),
  };
}

function typedColumn(plan: ColumnPlan, sampled: SampledColumn): Written | undefined {
  if (plan.type === 'BOOLEAN') return booleanColumn(plan, sampled);
  if (sampled.numbers.count > 0 && sampled.numbers.compactDates < sampled.filled)
    return fastNumbers(sampled.column, plan, sampled);
  if (plan.type === 'DATE' || sampled.moments.count > 0)
    return fastMoments(sampled.column, plan, sampled, sampled.styles);
  return fastNumbers(sampled.column, plan, sampled);
}

function textColumn(sampled: SampledColumn, hasCarriages: boolean): FastColumn | undefined {
  const { column, isEmpty, filled, numbers, moments } = sampled;
  const type = 'VARCHAR';
  const unfit = `error('unfit ${column}')`;
  // Untyped, it would be numbers of which none is there.
  if (isEmpty) return { type, fits: 'true', value: `CASE WHEN ${column} IS NULL THEN NULL::VARCHAR ELSE ${unfit} END` };
  if (filled === 0) return undefined;
  const [word = ''] = sampled.words;
  if (sampled.words.size === 1 && isAnswer(word) && numbers.count + moments.count === 0) {
    // Its counterpart may be rare, and would make truth values of both.
    const fits = `lower(trim(${column})) IN ('', ${[word, ...sampled.missing.keys()].map((each) => literal(each.toLowerCase())).join(', ')})`;
    return {
      type,
      fits,
      value: `CASE WHEN ${column} IS NULL OR ${fits} THEN ${plainText(column, hasCarriages)} ELSE ${unfit} END`,
    };
  }
  if (isTextAnyway(sampled) || Math.max(numbers.count, moments.count) < filled * MOSTLY) {
    return { type, fits: 'true', value: plainText(column, hasCarriages) };
  }
  const digits = codeDigits(sampled);
  if (!digits) return undefined;
  const fits = `regexp_full_match(${column}, '${digits}')`;
  return { type, fits, value: `CASE WHEN ${column} IS NULL OR ${fits} THEN ${column} ELSE ${unfit} END` };
}

/** Whether no further value could make anything else of the column. */
function isTextAnyway({ texts, numbers, moments, filled }: SampledColumn): boolean {
  const { shapes } = numbers;
  if (texts.count > 0 || (numbers.count > 0 && moments.count > 0)) return true;
  if (moments.count === filled) return moments.notDayFirst > 0 && moments.notMonthFirst > 0;
  if (numbers.padded > 0) return true;
  return numbers.units.size > 1 || (shapes.dot + shapes.commas > 0 && shapes.comma + shapes.dots > 0);
}

/** The form of codes made of digits that leaves them codes; undefined where more than a form speaks for it. */
function codeDigits({ numbers, filled, original }: SampledColumn): string | undefined {
  const { shapes, units, exponents, spaced, otherSigns, plus } = numbers;
  if (shapes.plain < filled || units.size + exponents + spaced + otherSigns > 0) return undefined;
  const [length = 0] = numbers.lengths;
  if (namesTextCode(original)) return plus > 0 ? undefined : '[0-9]{1,40}';
  if (plus > 0) return Math.min(...numbers.lengths) >= 9 ? '[+]?[0-9]{9,15}' : undefined;
  return numbers.lengths.size === 1 && namesIdentifier(original) ? `[0-9]{${length}}` : undefined;
}

/** A text as the row-by-row reader leaves it: white space alone is nothing, and lines end in one way. */
function plainText(column: string, hasCarriages: boolean): string {
  const blank = isBlankText(column);
  const lines = `replace(${column}, chr(13) || chr(10), chr(10))`;
  // A quotation mark behind a space opens a quotation there, and not in DuckDB.
  const edge = `CASE WHEN ${blank} THEN NULL WHEN starts_with(ltrim(${column}), '"') THEN error('unfit ${column}') ELSE ${column} END`;
  const isPlain = `${beginsVisibly(column)}${hasCarriages ? ` AND NOT contains(${column}, chr(13))` : ''}`;
  const inLines =
    `WHEN contains(${column}, chr(13)) THEN ` +
    `CASE WHEN contains(${lines}, chr(13)) OR ascii(${column}) <= 32 THEN error('unfit ${column}') ELSE ${lines} END `;
  return (
    `CASE WHEN ${isPlain} THEN ${column} ${hasCarriages ? inLines : ''}` +
    `WHEN ascii(${column}) <= 32 THEN ${edge} WHEN ascii(${column}) >= 160 AND ${blank} THEN NULL ELSE ${column} END`
  );
}

function booleanColumn(plan: ColumnPlan, { column, words }: SampledColumn): Written | undefined {
  const pair = booleanPair(words);
  if (!pair || plan.write(pair[0]) !== 'true') return undefined;
  const [yes, no] = pair.map(literal);
  const plain = `lower(trim(${column}))`;
  return {
    fits: `${plain} IN (${yes}, ${no})`,
    value: `${plain} = ${yes}`,
    first: `WHEN ${column} = ${yes} THEN true WHEN ${column} = ${no} THEN false`,
  };
}
