/**
 * What there is in a database: read once per target, and kept for a while.
 *
 * Names are as the catalog has them, unquoted. Comments, values and names come from the database and are data (SEC-53).
 */
export interface Catalog {
  /** `PostgreSQL 15.20`, `MariaDB 10.11.19`. */
  readonly product: string;
  /** Of the sessions that run queries, as the server names it. */
  readonly timeZone: string;
  /** Those in scope, in the order in which a name without schema is looked up. */
  readonly schemas: readonly string[];
  readonly tables: readonly CatalogTable[];
  readonly routines: readonly CatalogRoutine[];
  /** There are more objects than `DATABASE_MAX_OBJECTS`; the rest was not read. */
  readonly truncated: boolean;
}

export interface CatalogTable {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly comment?: string;
  /** As the server's statistics have it; absent where they say nothing. */
  readonly rowEstimate?: number;
  readonly columns: readonly CatalogColumn[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
}

export interface CatalogColumn {
  readonly name: string;
  /** In the words of the engine: `numeric(12,2)`, `timestamp with time zone`. */
  readonly type: string;
  readonly nullable: boolean;
  readonly comment?: string;
  /** Labels of an enum or values of a check constraint: no other value can occur. */
  readonly enumValues?: readonly string[];
}

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly schema: string;
  readonly table: string;
  /** In the order of `columns`. */
  readonly references: readonly string[];
}

export interface CatalogRoutine {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'function' | 'procedure';
  /** `net_price(gross numeric, rate numeric) returns numeric`. */
  readonly signature: string;
  readonly comment?: string;
  /** Whether a query may call it: stable and without the rights of its owner (SEC-46). */
  readonly callable: boolean;
}

/** What the rows of one table look like; asked for tables that seem to matter, since it reads them. */
export interface TableSample {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly ColumnSample[];
}

export interface ColumnSample {
  readonly name: string;
  /** Values of a text column with few, most frequent first. `complete`: the whole table was looked at. */
  readonly values?: {
    readonly list: readonly { readonly value: string; readonly count: number }[];
    readonly complete: boolean;
  };
  readonly samples: readonly string[];
  readonly minimum?: string;
  readonly maximum?: string;
  /** Paths of keys in a JSON column: `address.city`. */
  readonly jsonKeys?: readonly string[];
}

export interface CatalogWish {
  /** Absent: all that are not the system's. */
  readonly schemas?: readonly string[];
  readonly tables: boolean;
  readonly views: boolean;
  readonly functions: boolean;
  readonly procedures: boolean;
  readonly maxObjects: number;
}
