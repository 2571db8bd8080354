/** Delimiter, quotes and escapes of a delimited text: its first rows are split by every delimiter that it may have. */
import { extname } from 'node:path';
import { isBlank } from './cell';
import { splitRows } from './delimited-rows';
import { readMoment } from './read-moment';
import { readNumber } from './read-number';

export interface Dialect {
  readonly delimiter: string;
  /** Empty: quotation marks are characters like others. */
  readonly quote: '"' | "'" | '';
  /** A backslash before a quotation mark makes it a character. */
  readonly backslash: boolean;
  /** Lines before the table that say how it is written: `sep=;`. */
  readonly skip: number;
}

export const DELIMITED_EXTENSIONS: readonly string[] = ['.csv', '.tsv', '.psv', '.tab'];

/** Whether a file is such a text, by its name; it is read in pieces then. */
export const isDelimited = (name: string): boolean => DELIMITED_EXTENSIONS.includes(extname(name).toLowerCase());

/** The guess looks at so much (SEC-79). */
export const DIALECT_BYTES = 64 * 1024;

const DELIMITERS = [',', ';', '\t', '|', '^', '~', '\x1f'];
const MAX_LOOKED_AT = 300;

/** @param head the beginning of the file, cut anywhere. */
export function findDialect(head: string, name: string): Dialect {
  const said = /^sep=(.)\r?\n/i.exec(head);
  const quote = quoteOf(head);
  const backslash = quote !== '' && head.includes(`\\${quote}`) && !head.includes(`${quote}${quote}`);
  if (said) return { delimiter: said[1] as string, quote, backslash, skip: 1 };
  const expected = /\.(tsv|tab)$/i.test(name) ? '\t' : /\.psv$/i.test(name) ? '|' : undefined;
  let best = { delimiter: expected ?? ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    if (!head.includes(delimiter)) continue;
    const score = scoreOf(head, { delimiter, quote, backslash, skip: 0 }) * (delimiter === expected ? 1.5 : 1);
    if (score > best.score * 1.0001) best = { delimiter, score };
  }
  return { delimiter: best.delimiter, quote, backslash, skip: 0 };
}

/** Apostrophes quote only where they stand at both ends of values, and no quotation mark does. */
function quoteOf(head: string): Dialect['quote'] {
  if (/(?:^|[,;\t|^~\n])\s?"/.test(head)) return '"';
  const apostrophes = head.match(/(?:^|[,;\t|\n])'[^'\n]*'(?=[,;\t|\r\n])/g)?.length ?? 0;
  const lines = head.match(/\n/g)?.length ?? 0;
  return apostrophes > 1 && apostrophes >= lines * 0.5 ? "'" : '"';
}

/** High where most rows have the same number of cells, several of them, and these look like values. */
function scoreOf(head: string, dialect: Dialect): number {
  const rows: (readonly string[])[] = [];
  for (const { cells } of splitRows([head], dialect, { maxCell: DIALECT_BYTES })) {
    if (cells.some((cell) => !isBlank(cell))) rows.push(cells);
    if (rows.length >= MAX_LOOKED_AT) break;
  }
  // The last row may be cut.
  if (rows.length > 2) rows.pop();
  const times = new Map<number, number>();
  for (const { length } of rows) times.set(length, (times.get(length) ?? 0) + 1);
  times.delete(1);
  const [width = 1, often = 0] = [...times].sort((one, other) => other[1] - one[1] || other[0] - one[0])[0] ?? [];
  if (width < 2) return 0;
  const cells = rows.filter(({ length }) => length === width).flat();
  const values = cells.filter((cell) => isBlank(cell) || cell.length < 40 || readNumber(cell) || readMoment(cell));
  return (often / rows.length) * (1 - 1 / (width + 1)) * (0.5 + (0.5 * values.length) / cells.length);
}
