/** Data that are rows, as tables: CSV and its relatives, and JSON that is a list of records. */
import { delimitedParser } from '../parsers/parser.delimited';
import { toMarkdownTable } from '../parsers/markdown-table';
import type { TableInput } from '../tables/table-input';

/** What a table of the web may have to be shown as one. */
const MAX_COLUMNS = 200;
const MAX_RECORDS = 200_000;

/** @returns undefined for what is no table: a single column, rows that are none, or more of them than are worth it. */
export async function csvTable(text: string, mediaType: string): Promise<string | undefined> {
  const name = mediaType.includes('tab-separated') ? 'page.tsv' : 'page.csv';
  const rows = await rowsOf(name, Buffer.from(text)).catch(() => undefined);
  const columns = rows?.reduce((most, row) => Math.max(most, row.length), 0) ?? 0;
  if (!rows || columns < 2 || columns > MAX_COLUMNS) return undefined;
  // Titles and notes stand alone in their rows, above the header.
  const from = rows.findIndex((row) => row.filter((cell) => cell !== '').length > 1);
  const above = rows.slice(0, from).map((row) => row.join(' ').trim());
  const [header, ...values] = rows.slice(from);
  return [...above, toMarkdownTable(header, values)].filter(Boolean).join('\n\n');
}

/** A quotation mark that is never closed was no quotation mark. @throws for what cannot be parted into rows. */
async function rowsOf(name: string, bytes: Uint8Array): Promise<string[][] | undefined> {
  const { tables = [] } = await delimitedParser.parse({ name, bytes }, { maxPages: 1 });
  const [table] = tables;
  try {
    return cellsOf(table);
  } catch (error) {
    if (!table?.unquoted) throw error;
    return cellsOf(table.unquoted);
  }
}

function cellsOf(table: TableInput | undefined): string[][] | undefined {
  const rows: string[][] = [];
  for (const { cells } of table?.rows() ?? []) {
    if (rows.push([...cells]) > MAX_RECORDS) return undefined;
  }
  return rows;
}

/** A list of flat objects, as one document or one to a line. @returns undefined for anything else. */
export function jsonTable(text: string): string | undefined {
  // Reading would round long numbers.
  if (/\d{16}/.test(text)) return undefined;
  const records = recordsOf(text.trim());
  if (!records || records.length < 2 || records.length > MAX_RECORDS) return undefined;
  const names = new Set<string>();
  for (const record of records) {
    if (!isFlat(record)) return undefined;
    for (const name of Object.keys(record)) names.add(name);
    if (names.size > MAX_COLUMNS) return undefined;
  }
  const columns = [...names];
  if (columns.length === 0) return undefined;
  return toMarkdownTable(
    columns,
    records.map((record) => columns.map((name) => written((record as Record<string, unknown>)[name]))),
  );
}

function recordsOf(text: string): unknown[] | undefined {
  try {
    if (text.startsWith('[')) return JSON.parse(text) as unknown[];
    if (text.startsWith('{') && text.includes('\n'))
      return text.split('\n').flatMap((line) => (line.trim() ? [JSON.parse(line) as unknown] : []));
  } catch {
    // One document on several lines is no list of them.
  }
  return undefined;
}

const isFlat = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => typeof each !== 'object' || each === null);

const written = (value: unknown): string => (value === null || value === undefined ? '' : String(value as string));
