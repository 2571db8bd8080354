/** What a query found, as a tool result: the statement and the number of rows, the rows, and a file of them. */
import { createHash } from 'node:crypto';
import { binary, text, type ResultContent } from '@app/contract';
import { toCsv } from './csv';
import { asJsonLines, type QueryRows } from './table-query';

export interface ResultOptions {
  readonly sql: string;
  /** What the reader should know of the tables that were used. */
  readonly warnings: readonly string[];
  /** The setting that lets more rows through. */
  readonly limits: { readonly rows: number };
}

/** Every row is one line of JSON, exact; the CSV is for spreadsheets. */
export function queryResult(found: QueryRows, { sql, warnings, limits }: ResultOptions): ResultContent[] {
  const told = [...(found.cutBy ? [cutInWords(found, limits.rows)] : []), ...warnings];
  const blocks: ResultContent[] = [text(`\`\`\`sql\n${sql}\n\`\`\`\n${countInWords(found)}`)];
  if (told.length > 0) blocks.push(text(told.map((warning) => `Warning: ${warning}`).join('\n')));
  if (found.rows.length === 0) return blocks;
  const csv = toCsv(
    found.columns.map(({ name }) => name),
    found.rows,
  );
  blocks.push(text(asJsonLines(found).join('\n')), csvFile(csv));
  return blocks;
}

export function csvFile(csv: string): ResultContent {
  return binary(`csv_${hashOf(csv)}.csv`, 'text/csv', Buffer.from(csv));
}

/** A drawn chart as a file. */
export function chartFile(svg: string): ResultContent {
  return binary(`chart_${hashOf(svg)}.svg`, 'image/svg+xml', Buffer.from(svg));
}

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 12);

/** `3 rows.`; what the contract says where there are none. */
export function countInWords({ rows, cutBy }: QueryRows): string {
  if (rows.length === 0 && !cutBy) return 'Query executed successfully. No rows found.';
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  return cutBy === 'rows' || cutBy === 'bytes' ? `More than ${count}; the first ${rows.length} follow.` : `${count}.`;
}

/** Which limit cut the result, and its setting. */
export function cutInWords({ cutBy }: QueryRows, rows: number): string {
  if (cutBy === 'rows') return `truncated: true. A result has at most ${rows} rows (SQL_MAX_ROWS).`;
  if (cutBy === 'bytes') return 'truncated: true. The result is larger than a result may be (SQL_MAX_RESULT_MB).';
  return 'truncated: true. Long texts were cut to 32 KiB.';
}
