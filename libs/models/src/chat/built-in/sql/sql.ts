/**
 * A piece of SQL that knows the columns in it: how one is written depends on whether the query has several tables, and
 * which tables it needs on the columns.
 */
import type { Column } from './described-table';

type Part = string | Column | Subquery;

/** A query over other rows inside a condition. */
export interface Subquery {
  readonly t: 'subquery';
  /** `count(*)`, `1`. */
  readonly select: Sql;
  /** The first is the one between its rows and those of the query around it. */
  readonly where: readonly Sql[];
  /** A column of the table that the rows are of. */
  readonly root: Column['source'];
}

export class Sql {
  constructor(readonly parts: readonly Part[]) {}

  /** Those of subqueries are not among them. */
  get columns(): readonly Column[] {
    return this.parts.filter((part): part is Column => typeof part === 'object' && 'kind' in part);
  }

  get subqueries(): readonly Subquery[] {
    return this.parts.filter((part): part is Subquery => typeof part === 'object' && 't' in part);
  }

  /** What depends on no table. */
  get text(): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : 'kind' in part ? part.name : '…')).join('');
  }
}

type Inserted = Part | number | Sql;

/** Strings go in as they are: what comes from a question is made a literal before. */
export function sql(texts: TemplateStringsArray, ...inserted: readonly Inserted[]): Sql {
  const parts: Part[] = [];
  for (const [i, text] of texts.entries()) {
    parts.push(text);
    const next = inserted[i];
    if (next instanceof Sql) parts.push(...next.parts);
    else if (next !== undefined) parts.push(typeof next === 'number' ? String(next) : next);
  }
  return new Sql(parts);
}

export function join(some: readonly Sql[], between: string): Sql {
  return new Sql(some.flatMap((one, i) => (i === 0 ? one.parts : [between, ...one.parts])));
}
