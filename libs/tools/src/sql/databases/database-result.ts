/** What a statement found in a database, as the contract has it (messages-api §6.3). */
import { text, type ResultContent } from '@app/contract';
import { toCsv } from '../csv';
import { countInWords, csvFile, cutInWords } from '../query-result';
import type { DatabaseRows } from './database-engine';

export interface DatabaseResultOptions {
  readonly sql: string;
  readonly warnings: readonly string[];
  readonly limits: { readonly rows: number };
}

/** Characters of CSV that are shown whole, and of the sample where there are more. */
const MAX_CSV = 32 * 1024;
const SAMPLE = 500;

const NOTHING = 'The result is NULL: no row meets the conditions of the statement, or none of them has a value.';

/** A sum, an average, a maximum of no rows: one row that says nothing. */
const isNothing = ({ rows: [row, ...others] }: DatabaseRows): boolean =>
  row !== undefined && row.length > 0 && others.length === 0 && row.every((value) => value === null);

/**
 * The statement and the count, warnings, a file for spreadsheets, and the rows as CSV, exact. Of many rows there is a
 * sample; the file has them all.
 */
export function databaseResult(found: DatabaseRows, { sql, warnings, limits }: DatabaseResultOptions): ResultContent[] {
  const names = found.columns.map(({ name }) => name);
  const csv = toCsv(names, found.rows, { isExact: true }).replaceAll('\r\n', '\n').trimEnd();
  const isLong = csv.length > MAX_CSV;
  const told = [
    ...(found.cutBy ? [cutInWords(found, limits.rows)] : []),
    ...(isLong ? [`The rows are long: a sample of ${SAMPLE} characters follows, the CSV file has all of them.`] : []),
    ...(isNothing(found) ? [NOTHING] : []),
    ...(found.notes ?? []),
    ...warnings,
  ];
  const zone = found.timeZone === '' ? '' : `\nTime zone: ${found.timeZone}`;
  const blocks: ResultContent[] = [text(`\`\`\`sql\n${sql}\n\`\`\`\n${countInWords(found)}${zone}`)];
  if (told.length > 0) blocks.push(text(told.map((warning) => `Warning: ${warning}`).join('\n')));
  if (found.rows.length === 0) return blocks;
  return [...blocks, csvFile(toCsv(names, found.rows)), text(isLong ? csv.slice(0, SAMPLE).toWellFormed() : csv)];
}
