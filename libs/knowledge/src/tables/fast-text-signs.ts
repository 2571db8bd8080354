/**
 * White space around texts, and texts that may mean that there is no value: what samples have shown of them says
 * nothing of the rest of a large file, so they are counted in the table.
 */
import type { FastTable } from './fast-write';
import { WHITE } from './fast-sql';
import { identifier, literal, type ParquetWriter } from './parquet-writer';
import { MAX_MISSING_LENGTH, MISSING_SIGNS, meansMissing } from './read-word';
import type { ColumnStatistics } from './table-statistics';

/** As many different ones as the patient reader keeps. */
const MAX_SIGNS = 20;
/** Columns that one query looks at. */
const BATCH = 16;
const SIGN_FORM = `(?i)[${WHITE}]*(?:${MISSING_SIGNS.map((sign) => sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})[${WHITE}]*`;
/** First characters of such texts, white space included. */
const SIGN_BEGINNINGS = [...new Set(MISSING_SIGNS.flatMap((sign) => [sign[0]!, sign[0]!.toUpperCase()]))];

interface Text {
  readonly column: FastTable['planned'][number]['sampled'];
  readonly name: string;
  /** Whether a text may begin with white space of ASCII. */
  readonly maySpaceFirst: boolean;
}

/** Leaves the counts of the whole table in what the samples have said of each column of texts. */
export async function countTextSigns(
  writer: ParquetWriter,
  { planned, columns }: FastTable,
  file: string,
  statistics: readonly ColumnStatistics[],
): Promise<void> {
  const maybeSigns: Text[] = [];
  const maybeSpaces: Text[] = [];
  planned.forEach(({ sampled, type }, at) => {
    if (type !== 'VARCHAR') return;
    sampled.missing.clear();
    sampled.edgeSpaces = 0;
    const { minimum, maximum, values } = statistics[at]!;
    if (minimum === undefined || maximum === undefined) return;
    const text = { column: sampled, name: identifier(columns[at]!.name), maySpaceFirst: minimum < '!' };
    if (values) return values.forEach(({ value, count }) => note(text, value, count));
    if (mayBegin(minimum, maximum)) maybeSigns.push(text);
    maybeSpaces.push(text);
  });
  for (const text of await found(writer, file, maybeSigns, isSign)) {
    const rows = await writer.rows(
      `SELECT value, times::INTEGER AS times FROM (
        SELECT ${text.name} AS value, count(*) AS times, min(file_row_number) AS first
        FROM read_parquet(${writer.path(file)}, file_row_number=true) WHERE ${isSign(text)} GROUP BY 1)
        ORDER BY first`,
    );
    for (const { value, times } of rows) if (meansMissing(String(value))) note(text, String(value), Number(times));
  }
  await found(writer, file, maybeSpaces, hasEdges, ({ column }, times) => (column.edgeSpaces = times));
}

function note({ column }: Text, value: string, times: number): void {
  if (meansMissing(value)) {
    const sign = value.trim();
    if (column.missing.has(sign) || column.missing.size < MAX_SIGNS)
      column.missing.set(sign, (column.missing.get(sign) ?? 0) + times);
  } else if (/^\s|\s$/.test(value)) column.edgeSpaces += times;
}

/** Whether one of these texts, or white space before it, can lie between two values as they are sorted. */
function mayBegin(minimum: string, maximum: string): boolean {
  const [from, to] = [minimum.codePointAt(0)!, maximum.codePointAt(0)!];
  if (from <= 0x20 || to >= 0xa0) return true;
  return SIGN_BEGINNINGS.some((first) => first.charCodeAt(0) >= from && first.charCodeAt(0) <= to);
}

const isSign = ({ name }: Pick<Text, 'name'>) =>
  `(strlen(${name}) <= ${3 * MAX_MISSING_LENGTH} AND length(${name}) <= ${MAX_MISSING_LENGTH} AND regexp_full_match(${name}, ${literal(SIGN_FORM)}))`;

/** Common white space is looked for at the end by comparison, and any only in texts that are not plain. */
const hasEdges = ({ name, maySpaceFirst }: Text) => {
  const atEnd = [' ', '\t', '\n'].map((each) => `ends_with(${name}, ${literal(each)})`);
  const common = [...atEnd, ...(maySpaceFirst ? [`ascii(${name}) <= 32`] : [])].join(' OR ');
  const any = `regexp_matches(${name}, '^[${WHITE}]|[${WHITE}]$')`;
  return `CASE WHEN ${common} THEN NOT ${isSign({ name })} WHEN strlen(${name}) = length(${name}) THEN false ELSE ${any} AND NOT ${isSign({ name })} END`;
};

/** The texts that meet a condition in some rows. */
async function found(
  writer: ParquetWriter,
  file: string,
  texts: readonly Text[],
  condition: (text: Text) => string,
  take?: (text: Text, times: number) => void,
): Promise<Text[]> {
  const those: Text[] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH);
    const counts = batch.map((text, at) => `count(*) FILTER (${condition(text)})::BIGINT AS n${at}`);
    const [row = {}] = await writer.rows(`SELECT ${counts.join(', ')} FROM ${writer.path(file)}`);
    batch.forEach((text, at) => {
      const times = Number(row[`n${at}`]);
      take?.(text, times);
      if (times > 0) those.push(text);
    });
  }
  return those;
}
