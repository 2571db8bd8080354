/** One query over tables: what is asked of the process that runs it, and how it may end. */
import type { Row } from './exact-value';

/** A table in scope: its name in SQL and the Parquet file that holds it. */
export interface QueriedTable {
  readonly sqlName: string;
  readonly file: string;
  /** Those that may be seen; absent: all. */
  readonly columns?: readonly string[];
  /** A BOOLEAN column of the file; rows where it holds are left out. */
  readonly unless?: string;
  /** Columns of exact numbers, of which some have more digits than a 64-bit float keeps. */
  readonly longNumbers?: readonly string[];
  /** Columns of binary fractions. */
  readonly floats?: readonly string[];
}

export interface QueryLimits {
  readonly rows: number;
  /** Of all rows, as JSON. */
  readonly bytes: number;
  /** Of one text in a row, in characters. */
  readonly cell: number;
  readonly ms: number;
  /** Of the engine, in MiB. */
  readonly memoryMb: number;
}

export interface TableQuery {
  readonly sql: string;
  readonly tables: readonly QueriedTable[];
  readonly limits: QueryLimits;
}

export interface ResultColumn {
  readonly name: string;
  /** In the words of the engine: `DECIMAL(10,2)`. */
  readonly type: string;
}

export interface QueryRows {
  readonly kind: 'rows';
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
  /** The limit that cut the result, if one did. */
  readonly cutBy?: 'rows' | 'bytes' | 'cell';
  /** Where numbers with more digits than a float keeps are named. */
  readonly longNumbers?: LongNumbers;
  /** A median of decimals could not be computed exactly, and may have lost its last digit. */
  readonly cutMedians?: true;
}

export interface LongNumbers {
  /** Something was computed in floating point, perhaps from them. */
  readonly rounded: boolean;
  /** Means were computed exactly, to so many decimals more than their column has. */
  readonly meanDigits?: number;
}

export type QueryOutcome =
  | QueryRows
  /** Not run: `token` is the part of the statement that is refused. */
  | { readonly kind: 'refused'; readonly token: string; readonly reason: string }
  /** The engine could not parse, bind or compute it. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped'; readonly limit: 'time' | 'memory' };

/** No fault of the statement: a table that it names has lost its file, which goes with its artifact, or has a damaged one. */
export interface UnreadableTable {
  readonly kind: 'unreadable';
  readonly file: string;
}

/** How a query over the tables of artifacts may end. */
export type TableOutcome = QueryOutcome | UnreadableTable;

/** The rows as JSON objects, with the columns in their order, whatever their names are. */
export function asJsonLines({ columns, rows }: Pick<QueryRows, 'columns' | 'rows'>): string[] {
  const names = columns.map(({ name }) => JSON.stringify(name));
  return rows.map((row) => `{${names.map((name, i) => `${name}:${JSON.stringify(row[i] ?? null)}`).join(',')}}`);
}
