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
}

/** White space alone, as JavaScript understands it. */
export const isBlankText = (text: string): string =>
  `regexp_full_match(${text}, '[\\s\\x{a0}\\x{feff}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{1680}]*')`;

/** A text in a regular expression, as it is. */
export const letter = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

export const anyOf = (forms: readonly string[]): string =>
  forms.length === 1 ? (forms[0] as string) : `(?:${forms.join('|')})`;
