/** What is decided of a column: its type, why, and how its cells are written for the database. */
import { isBlank, markOf, shown } from './cell';
import { meansMissing } from './read-word';

export interface ColumnPlan {
  /** As DuckDB calls it: `DECIMAL(18,2)`. */
  readonly type: string;
  /** How the values are read, in words. */
  readonly decision: string;
  /** What in the column speaks for it, in words. */
  readonly evidence: string;
  /** `€`, `USD`; `%` where percentages are stored as fractions. */
  readonly unit?: string;
  /** Numbers that name things, and are not to be added up. */
  readonly identifier?: boolean;
  /** Sentences for the report. */
  readonly warnings: readonly string[];
  /** How to read what could be read in two ways. */
  readonly reading?: { readonly decimal?: '.' | ','; readonly dayFirst?: boolean };
  /** The cell as DuckDB casts it to `type`; undefined for NULL. */
  write(cell: string): string | undefined;
}

/** What other columns of the same file prove about the way it is written. */
export interface Conventions {
  readonly decimal?: '.' | ',';
  /** The delimiter is a semicolon, as it is where the decimal sign is a comma. */
  readonly semicolons?: boolean;
  /** Dates with the year last have the day before the month. */
  readonly dayFirst?: boolean;
  /** The words around are Spanish, German … or there are decimal commas: months do not come first there. */
  readonly notAmerican?: boolean;
}

const MAX_SHOWN = 60;
/** The share of values from which on a column is said to be of a kind but for the others. */
export const MOSTLY = 0.8;

/** NULL for what is not there, `write` for the rest. */
export function given(cell: string, write: (text: string) => string | undefined): string | undefined {
  const mark = markOf(cell);
  if (mark === 'error') return undefined;
  const text = shown(cell);
  if (!mark && (isBlank(text) || meansMissing(text))) return undefined;
  return write(text);
}

/** `1 row`, `2 rows`. */
export const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** A value in a sentence, on one line and cut to a length. */
export const quote = (value: string) =>
  `“${value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value}”`.replace(/\s+/g, ' ');
