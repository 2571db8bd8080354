/** Data that are rows, as tables: CSV and its relatives, and JSON that is a list of records. */
import { delimitedParser } from '../parsers/parser.delimited';
import { toMarkdownTable } from '../parsers/markdown-table';
import type { TableInput } from '../tables/table-input';

/** What a table of the web may have to be shown as one. */
const MAX_COLUMNS = 200;
const MAX_RECORDS = 200_000;
/** As it is drawn, where every row has all the columns: a list of empty records under one wide one is not worth it. */
const MAX_CELLS = 2_000_000;
/** What reading would round, or make infinite. */
const INEXACT = /\d{16}|\de[+-]?\d{3}/i;

/** @returns undefined for what is no table: a single column, rows that are none, or more of them than are worth it. */
export async function csvTable(text: string, mediaType: string): Promise<string | undefined> {
  const name = mediaType.includes('tab-separated') ? 'page.tsv' : 'page.csv';
  const rows = await rowsOf(name, Buffer.from(text)).catch(() => undefined);
  const columns = rows?.reduce((most, row) => Math.max(most, row.length), 0) ?? 0;
  if (!rows || columns < 2 || columns > MAX_COLUMNS || columns * rows.length > MAX_CELLS) return undefined;
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
  if (INEXACT.test(text)) return undefined;
  const records = recordsOf(text.trim());
  if (!records || records.length < 2 || records.length > MAX_RECORDS) return undefined;
  const names = new Set<string>();
  for (const record of records) {
    if (!isFlat(record)) return undefined;
    for (const name of Object.keys(record)) names.add(name);
    if (names.size > MAX_COLUMNS || names.size * records.length > MAX_CELLS) return undefined;
  }
  const columns = [...names];
  if (columns.length === 0) return undefined;
  return toMarkdownTable(
    columns,
    records.map((record) => columns.map((name) => written((record as Record<string, unknown>)[name]))),
  );
}

/** JSON on one line, on several. What is no JSON, or too much to be worth it, stays as it is. */
export function indented(text: string): string {
  const plain = text.trim();
  if (plain.length > 200_000 || plain.includes('\n') || INEXACT.test(plain) || isSteep(plain)) return plain;
  try {
    return JSON.stringify(JSON.parse(plain), null, 1);
  } catch {
    return plain;
  }
}

/** Whether it is nested so deep that most of its lines would be white space. */
function isSteep(json: string): boolean {
  let depth = 0;
  let space = 0;
  for (const [sign] of json.matchAll(/[[\]{},]/g)) {
    if (sign === '[' || sign === '{') depth++;
    else if (sign !== ',') depth--;
    space += Math.max(0, depth);
  }
  return space > json.length * 10;
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
