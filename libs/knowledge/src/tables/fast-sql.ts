/** Pieces of the SQL by which DuckDB checks and reads a column by itself. */
import { literal } from './parquet-writer';

export { literal };

export interface Written {
  /** Whether a value fits. */
  readonly fits: string;
  readonly value: string;
  /** A test that costs less, where the value then fails by itself if it does not fit. */
  readonly quickly?: string;
  /** The value is NULL where it does not fit after all. */
  readonly mayBeNull?: boolean;
  /** Branches before the test, for values that are known. */
  readonly first?: string;
  /** What is worked out once for each value, and called `onceOf(column)` in all but `fits`. */
  readonly once?: string;
}

/** What `Written.once` goes by. */
export const onceOf = (column: string): string => `once_${column}`;

/** Whether a value begins with one of the common characters that are no white space: a comparison costs next to nothing. */
export const beginsVisibly = (column: string): string => `(${column} >= '!' AND ${column} < chr(160))`;

/** White space as JavaScript understands it, between the brackets of a regular expression. */
export const WHITE = String.raw`\s\x{a0}\x{feff}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{1680}`;

/** White space alone. */
export const isBlankText = (text: string): string => `regexp_full_match(${text}, '[${WHITE}]*')`;

/** A text in a regular expression, as it is. */
export const letter = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

export const anyOf = (forms: readonly string[]): string =>
  forms.length === 1 ? (forms[0] as string) : `(?:${forms.join('|')})`;
