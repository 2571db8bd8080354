/**
 * The port behind `database_query`: one adapter per engine (security §4).
 *
 * The three walls stand apart, and each is tested with the others removed: where a target may be is decided before
 * (`Reach`), `guard` reads the statement by the engine's own grammar, and `run` opens a session that cannot write.
 */
import type { SqlDialect } from '@app/models';
import type { QueryLimits, QueryOutcome, QueryRows } from '../table-query';
import type { Catalog, CatalogWish, TableSample } from './catalog';
import type { Target } from './target';

export interface DatabaseEngine<T extends Target = Target> {
  /** What the SQL of a target is to be written in, once its catalog is known: MySQL or MariaDB. */
  dialectOf(catalog: Catalog): SqlDialect;

  /** Connects, reads what there is, and closes. @throws ConnectionError; the signal's reason. */
  readCatalog(target: T, wish: CatalogWish, signal: AbortSignal): Promise<Catalog>;

  /** Looks at the rows of some tables, within a few seconds; a table that cannot be read is left out. */
  sample(target: T, tables: readonly TableName[], signal: AbortSignal): Promise<TableSample[]>;

  /**
   * Whether a statement is one SELECT that only reads what it may (SEC-44 to 51). Runs in a process of its own, with a
   * limit of time and memory; whatever it cannot read it refuses.
   */
  guard(sql: string, scope: GuardScope, signal: AbortSignal): Promise<Verdict>;

  /**
   * Runs one statement in a session of its own that cannot write, within the limits, and closes it. Never rejects for
   * what the statement is or does, nor runs more than one, whether guarded or not.
   *
   * @param tell hears the outcome as soon as it is known, where that is before the session has ended.
   * @throws ConnectionError; the signal's reason.
   */
  run(
    target: T,
    statement: CheckedStatement,
    limits: DatabaseLimits,
    signal: AbortSignal,
    tell?: (outcome: DatabaseOutcome) => void,
  ): Promise<DatabaseOutcome>;
}

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

export interface GuardScope {
  /** The schemas that may be read, in the order in which a name without schema is looked up. */
  readonly schemas: readonly string[];
  /** Functions of the database itself that may be called, besides the engine's own; `Catalog.routines`. */
  readonly routines: readonly TableName[];
}

/** A statement that the guard has let pass, and where its names are looked up. */
export interface CheckedStatement {
  readonly sql: string;
  readonly schemas: readonly string[];
  /**
   * Functions of the database that it calls, looked at once more in the session that runs it (SEC-46). `schema` is
   * empty where the name stands alone.
   */
  readonly calls: readonly TableName[];
  /** Names behind which code of the database itself may lie, in engines where calls are not the only ones. */
  readonly names?: StatementNames;
}

/** Each as the statement has it; what they mean, only the session that runs it can tell. */
export interface StatementNames {
  /** Tables and views, without their schemas. */
  readonly relations?: readonly string[];
  /** Called without a schema, the engine's own included: the database may have others of the same name. */
  readonly functions: readonly string[];
  readonly operators: readonly string[];
  /** That something is cast to. */
  readonly types: readonly string[];
  /** After a dot: `(x).name` may be a call of a function of that name. */
  readonly attributes: readonly string[];
}

export type Verdict =
  | { readonly kind: 'passed'; readonly statement: CheckedStatement }
  /** `token` is the part of the statement that is refused. */
  | { readonly kind: 'refused'; readonly token: string; readonly reason: string };

export type DatabaseLimits = Pick<QueryLimits, 'rows' | 'bytes' | 'cell' | 'ms'>;

/**
 * `failed.message` is the SQLSTATE or number, a fixed phrase of ours, and the identifier at fault; never the words of
 * the driver, which may quote data (SEC-56).
 */
export type DatabaseOutcome = DatabaseRows | Exclude<QueryOutcome, QueryRows>;

export interface DatabaseRows extends QueryRows {
  readonly timeZone: string;
  /** What the reader should know of the session that they come from. */
  readonly notes?: readonly string[];
}
