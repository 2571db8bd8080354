/**
 * A question that is to become one SELECT, and what a model is told of the tables before it writes it.
 *
 * Every text in it that comes from a file or a database is data (SEC-146).
 */
export interface SqlTask {
  readonly question: string;
  readonly dialect: SqlDialect;
  readonly tables: readonly SqlTable[];
}

export type SqlDialect = 'DuckDB' | 'PostgreSQL' | 'MySQL' | 'MariaDB' | 'SQL Server' | 'SQLite';

export interface SqlTable {
  /** As SQL is to write it: quoted where it must be, with its schema where the bare name would not find it. */
  readonly name: string;
  /** The bare name, where `name` has more than that. */
  readonly original?: string;
  readonly kind?: 'table' | 'view';
  /** Where it comes from, for people: `ventas.xlsx, sheet Marzo`. */
  readonly origin: string;
  /** Absent where counting would cost too much. */
  readonly rowCount?: number;
  /** `rowCount` is what the database's statistics say. */
  readonly isEstimate?: boolean;
  readonly comment?: string;
  readonly columns: readonly SqlColumn[];
  /** Names as in `columns`. */
  readonly primaryKey?: readonly string[];
  readonly foreignKeys?: readonly SqlForeignKey[];
  readonly notes: readonly string[];
}

export interface SqlForeignKey {
  /** Names as in `columns` of this table. */
  readonly columns: readonly string[];
  /** The `name` of another table of the task. */
  readonly table: string;
  /** Names as in its `columns`, in the order of `columns`. */
  readonly references: readonly string[];
}

export interface SqlColumn {
  /** As SQL is to write it: quoted where it must be. */
  readonly name: string;
  /** As the source calls it; empty where it has no name. */
  readonly original: string;
  readonly type: string;
  readonly comment?: string;
  /** Paths of keys in a JSON column: `address.city`. */
  readonly jsonKeys?: readonly string[];
  /** What the numbers are in; `%` means that 25 % is stored as 0.25. */
  readonly unit?: string;
  /** Numbers that name a thing: adding them up says nothing. */
  readonly identifier?: boolean;
  /** False where the database lets no row be without it. */
  readonly nullable?: boolean;
  readonly nulls?: number;
  readonly distinct?: number;
  readonly minimum?: string;
  readonly maximum?: string;
  readonly samples: readonly string[];
  /** All values, most frequent first, where they are few. */
  readonly values?: readonly { readonly value: string; readonly count?: number }[];
  /** `values` come from a part of the rows: there may be others. */
  readonly hasOtherValues?: boolean;
  /** How many values there are beside `values`, where the list had to be cut. */
  readonly moreValues?: number;
  readonly notes: readonly string[];
}
