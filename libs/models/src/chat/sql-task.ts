/**
 * A question that is to become one SELECT, and what a model is told of the tables before it writes it.
 *
 * Every text in it that comes from a file or a database is data (SEC-146).
 */
export interface SqlTask {
  readonly question: string;
  readonly dialect: 'DuckDB';
  readonly tables: readonly SqlTable[];
}

export interface SqlTable {
  /** In SQL; needs no quotes. */
  readonly name: string;
  /** Where it comes from, for people: `ventas.xlsx, sheet Marzo`. */
  readonly origin: string;
  readonly rowCount: number;
  readonly columns: readonly SqlColumn[];
  readonly notes: readonly string[];
}

export interface SqlColumn {
  /** In SQL; needs no quotes. */
  readonly name: string;
  /** As the source calls it; empty where it has no name. */
  readonly original: string;
  readonly type: string;
  /** What the numbers are in; `%` means that 25 % is stored as 0.25. */
  readonly unit?: string;
  /** Numbers that name a thing: adding them up says nothing. */
  readonly identifier?: boolean;
  readonly nulls?: number;
  readonly distinct?: number;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly samples: readonly string[];
  /** All values, most frequent first, where they are few. */
  readonly values?: readonly { readonly value: string; readonly count: number }[];
  /** How many values there are beside `values`, where the list had to be cut. */
  readonly moreValues?: number;
  readonly notes: readonly string[];
}
