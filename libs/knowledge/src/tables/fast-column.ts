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
    value:
      `CASE WHEN ${column} IS NULL THEN NULL ` +
      (isMissing ? `WHEN ${isMissing} THEN NULL ` : '') +
      `WHEN ${typed.fits} THEN ${typed.value} ELSE error('unfit ${column}') END`,
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

type Typed = { readonly fits: string; readonly value: string } | undefined;

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
    const isT = evidence.momentExamples.every(({ value }) => value.includes('T'));
    return roundTrip(isT ? `replace(${column}, 'T', ' ')` : column, type);
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
  return { fits: `${plain} IN (${yes[0]}, ${no[0]})`, value: `${plain} = ${yes[0]}` };
}
