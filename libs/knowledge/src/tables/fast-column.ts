/** Columns that DuckDB can check by itself: each value has to come out of its type as it went in. */
import type { ColumnEvidence } from './column-evidence';
import type { ColumnPlan } from './decide-column';
import { literal } from './parquet-writer';

export interface FastColumn {
  readonly type: string;
  /** The value, or an error that names the column. */
  readonly value: string;
  /** Whether a value fits. */
  readonly fits: string;
}

/**
 * @param column its name in SQL, `c0`.
 * @returns undefined for what is written in a way that takes more than a comparison.
 */
export function fastColumn(column: string, plan: ColumnPlan, evidence: ColumnEvidence): FastColumn | undefined {
  const { type } = plan;
  if (type === 'VARCHAR') return textColumn(column, evidence);
  const missing = [...evidence.missing.keys()];
  const typed = typedColumn(column, plan, evidence);
  if (!typed) return undefined;
  const signs = missing.map(literal).join(', ');
  const isMissing = missing.length > 0 ? `trim(${column}) IN (${signs})` : undefined;
  const fits = isMissing ? `(${isMissing} OR ${typed.fits})` : typed.fits;
  return {
    type,
    fits,
    // What is NULL is not told to fit, and found below.
    value:
      `CASE ${typed.first ?? ''} WHEN ${typed.quickly ?? typed.fits} THEN ${typed.value} ` +
      `WHEN ${column} IS NULL${isMissing ? ` OR ${isMissing}` : ''} THEN NULL ELSE error('unfit ${column}') END`,
  };
}

function textColumn(column: string, evidence: ColumnEvidence): FastColumn | undefined {
  const { filled, numbers, moments, blank, rows } = evidence;
  // Counts of what is odd in it are for the patient reader; as is what nothing is known of.
  if (filled === 0 || blank === rows) return undefined;
  if (evidence.lineBreaks > 0 || Math.max(numbers.count, moments.count) >= filled * 0.8) {
    if (numbers.padded === 0 || numbers.count < filled) return undefined;
  }
  const blankValue = `ascii(${column}) <= 32 AND regexp_full_match(${column}, '\\s*')`;
  return { type: 'VARCHAR', fits: 'true', value: `CASE WHEN ${blankValue} THEN NULL ELSE ${column} END` };
}

interface Written {
  readonly fits: string;
  readonly value: string;
  /** A test that costs less, where the value then fails by itself if it does not fit. */
  readonly quickly?: string;
  /** Branches before the test, for values that are known. */
  readonly first?: string;
}

type Typed = Written | undefined;

function typedColumn(column: string, plan: ColumnPlan, evidence: ColumnEvidence): Typed {
  const { type, unit } = plan;
  const { numbers, moments } = evidence;
  if (unit) return undefined;
  if (type === 'BIGINT') {
    if (numbers.shapes.plain !== numbers.count || numbers.plus + numbers.spaced > 0) return undefined;
    return roundTrip(column, type);
  }
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(type);
  if (decimal) {
    const { plain, dot, dot3 } = numbers.shapes;
    if (plain + dot + dot3 !== numbers.count || numbers.plus + numbers.spaced > 0) return undefined;
    const whole = Number(decimal[1]) - Number(decimal[2]);
    const fraction = decimal[2] === '0' ? '' : `([.][0-9]{1,${decimal[2]}})?`;
    const form = `-?(0|[1-9][0-9]{0,${whole - 1}})${fraction}`;
    return { fits: `regexp_full_match(${column}, '${form}')`, value: `CAST(${column} AS ${type})` };
  }
  if (type === 'BOOLEAN') return booleanColumn(column, plan, evidence);
  if (moments.yearLast > 0 || moments.shortYears > 0) return undefined;
  if (type === 'DATE') return roundTrip(column, type);
  if (
    type === 'TIMESTAMP' &&
    moments.offsets.size === 1 &&
    moments.offsets.has(undefined) &&
    moments.kinds.date === 0
  ) {
    // Writing it out again would be slow. Of this form, what can be cast at all is cast to what it says.
    const quickly = String.raw`regexp_full_match(${column}, '\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d')`;
    const fits = `(${quickly} AND TRY_CAST(${column} AS TIMESTAMP) IS NOT NULL)`;
    return { fits, quickly, value: `CAST(${column} AS TIMESTAMP)` };
  }
  return undefined;
}

const roundTrip = (text: string, type: string): Typed => ({
  fits: `TRY_CAST(${text} AS ${type})::VARCHAR = ${text}`,
  value: `TRY_CAST(${text} AS ${type})`,
});

function booleanColumn(column: string, plan: ColumnPlan, { words }: ColumnEvidence): Typed {
  const pair = [...words];
  const yes = pair.filter((word) => plan.write(word) === 'true').map(literal);
  const no = pair.filter((word) => plan.write(word) === 'false').map(literal);
  if (yes.length !== 1 || no.length !== 1) return undefined;
  const plain = `lower(trim(${column}))`;
  return {
    fits: `${plain} IN (${yes[0]}, ${no[0]})`,
    value: `${plain} = ${yes[0]}`,
    first: `WHEN ${column} = ${yes[0]} THEN true WHEN ${column} = ${no[0]} THEN false`,
  };
}
