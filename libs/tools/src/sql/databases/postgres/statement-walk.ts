/**
 * Looks a parsed statement through, node by node (SEC-45, SEC-46, SEC-53).
 *
 * It reads what PostgreSQL's own grammar has made of the text, so that no quoting, comment or spelling hides anything,
 * and gathers the names that only the server can tell the meaning of.
 */
import type { TableName } from '../database-engine';
import { isRiskyAttribute } from './attributes';
import { FUNCTIONS, SAMPLE_METHODS } from './functions';
import { CALLED, NODES, WORDS, type FieldKind } from './nodes';
import { tellsOfServer } from './telling-types';

/** The part of a statement that is not allowed, and why. */
export class Refused extends Error {
  constructor(
    readonly token: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 128;
/** `CURRENT_DATE` and its kind; the others tell who and where we are. */
const CLOCKS = /^SVFOP_(?:CURRENT_DATE|CURRENT_TIME|CURRENT_TIMESTAMP|LOCALTIME|LOCALTIMESTAMP)(?:_N)?$/;
const SYSTEM_SCHEMA = /^(?:pg_|information_schema$)/;
/** Functions that make rows of a table's type out of values, as a cast would. */
const POPULATING = /_populate_record/;

export class StatementWalk {
  readonly relations = new Set<string>();
  readonly functions = new Set<string>();
  /** `CASE`, `USING`, `IN`, `DISTINCT FROM` and others call it without being asked to. */
  readonly operators = new Set<string>(['=']);
  readonly types = new Set<string>();
  readonly attributes = new Set<string>();
  /** Functions that are not PostgreSQL's own. */
  readonly calls: TableName[] = [];
  private readonly schemas: ReadonlySet<string>;
  /** Types that show no more than the table that a row is from. */
  private readonly ofTableOid = new Set<unknown>();
  private populates = false;

  constructor(schemas: readonly string[]) {
    this.schemas = new Set(schemas.filter((schema) => !SYSTEM_SCHEMA.test(schema)));
  }

  /** @throws Refused */
  query(value: unknown): void {
    if (!isFields(value) || !Object.hasOwn(value, 'SelectStmt')) throw notAllowed(kindOf(value));
    this.nodes(value, new Set(), 0);
    if (this.populates) for (const relation of this.relations) this.types.add(relation);
  }

  private nodes(value: unknown, expressions: ReadonlySet<string>, depth: number): void {
    if (Array.isArray(value)) {
      for (const item of value) this.nodes(item, expressions, depth);
      return;
    }
    if (!isFields(value)) throw notAllowed(String(value));
    // `DISTINCT` alone is a list of one empty node.
    for (const [kind, fields] of Object.entries(value)) this.node(kind, fields, expressions, depth + 1);
  }

  private node(kind: string, fields: unknown, expressions: ReadonlySet<string>, depth: number): void {
    if (depth > MAX_DEPTH) throw new Refused('(', `it nests deeper than ${MAX_DEPTH} levels`);
    const known = NODES.get(kind);
    if (!known) throw notAllowed(kind);
    if (!isFields(fields)) throw notAllowed(kind);
    this.check(kind, fields, expressions);
    const visible = kind === 'SelectStmt' ? this.withExpressions(fields.withClause, expressions, depth) : expressions;
    for (const [field, value] of Object.entries(fields)) {
      const is = known.get(field);
      if (is === undefined) throw notAllowed(field);
      if (kind !== 'SelectStmt' || field !== 'withClause') this.field(field, value, is, visible, depth);
    }
  }

  private field(name: string, value: unknown, is: FieldKind, expressions: ReadonlySet<string>, depth: number): void {
    if (is === 'nodes') return this.nodes(value, expressions, depth);
    if (is !== 'value') return this.node(is, value, expressions, depth + 1);
    if (typeof value === 'object' && value !== null) throw notAllowed(name);
  }

  /**
   * The names that a query sees besides those around it. Each common table expression sees those before it, and all,
   * itself too, where one word says RECURSIVE.
   */
  private withExpressions(clause: unknown, outer: ReadonlySet<string>, depth: number): ReadonlySet<string> {
    if (clause === undefined) return outer;
    if (!isFields(clause) || !Array.isArray(clause.ctes)) throw notAllowed('WITH');
    const known = NODES.get('WithClause')!;
    for (const field of Object.keys(clause)) if (!known.has(field)) throw notAllowed(field);
    const visible = new Set(outer);
    const nameOf = (entry: unknown): string => {
      const fields = isFields(entry) ? entry.CommonTableExpr : undefined;
      if (!isFields(fields) || typeof fields.ctename !== 'string') throw notAllowed('WITH');
      return fields.ctename;
    };
    if (clause.recursive === true) for (const entry of clause.ctes) visible.add(nameOf(entry));
    for (const entry of clause.ctes) {
      this.nodes(entry, new Set(visible), depth + 1);
      visible.add(nameOf(entry));
    }
    return visible;
  }

  private check(kind: string, fields: Fields, expressions: ReadonlySet<string>): void {
    for (const name of CALLED.get(kind) ?? []) this.callByName(name);
    if (kind === 'CommonTableExpr') return this.checkExpression(fields);
    if (kind === 'RangeVar') return this.checkRelation(fields, expressions);
    if (kind === 'FuncCall') return this.checkCall(stringsOf(fields.funcname));
    if (kind === 'A_Expr') return this.checkOperator(stringsOf(fields.name), String(fields.kind));
    if (kind === 'SubLink' && fields.operName) return this.checkOperator(stringsOf(fields.operName));
    if (kind === 'SortBy' && fields.useOp) return this.checkOperator(stringsOf(fields.useOp));
    if (kind === 'TypeCast' && isTableOid(fields.arg)) this.ofTableOid.add(fields.typeName);
    if (kind === 'TypeName') return this.checkType(stringsOf(fields.names), this.ofTableOid.has(fields));
    if (kind === 'ColumnRef') return this.checkAttribute(lastString(fields.fields, 2));
    if (kind === 'A_Indirection') {
      for (const name of looseStringsOf(fields.indirection)) this.checkAttribute(name);
      return;
    }
    if (kind === 'SQLValueFunction' && !CLOCKS.test(String(fields.op))) {
      throw new Refused(String(fields.op).replace('SVFOP_', ''), 'this function is not allowed');
    }
    if (kind === 'RangeTableSample') {
      const method = stringsOf(fields.method);
      if (method.length !== 1 || !SAMPLE_METHODS.has(method[0]!)) throw notAllowed(`TABLESAMPLE ${method.join('.')}`);
    }
  }

  private checkExpression({ ctequery }: Fields): void {
    if (!isFields(ctequery) || !Object.hasOwn(ctequery, 'SelectStmt')) throw notAllowed(kindOf(ctequery));
  }

  private checkRelation({ catalogname, schemaname, relname }: Fields, expressions: ReadonlySet<string>): void {
    const name = String(relname);
    if (catalogname !== undefined) throw new Refused(`${String(catalogname)}.…`, 'tables are named without a database');
    if (schemaname === undefined) {
      if (expressions.has(name)) return;
      // They are found before anything else, whatever the search path says.
      if (name.startsWith('pg_'))
        throw new Refused(name, 'system catalogs are not read; tables named so need a schema');
      this.relations.add(name);
      return;
    }
    const schema = String(schemaname);
    if (!this.schemas.has(schema)) throw new Refused(`${schema}.${name}`, 'its schema is not one of those in scope');
    this.relations.add(name);
  }

  private checkCall(path: readonly string[]): void {
    const name = path.at(-1)!;
    const schema = path.length === 1 ? '' : path.slice(0, -1).join('.');
    if (schema === 'pg_catalog' || (schema === '' && FUNCTIONS.has(name))) {
      if (!FUNCTIONS.has(name)) throw new Refused(name, 'this function is not allowed');
      this.castBy(name);
      if (schema === '') this.functions.add(name);
      return;
    }
    if (schema !== '' && !this.schemas.has(schema)) throw new Refused(path.join('.'), 'this function is not allowed');
    if (schema === '') this.functions.add(name);
    this.calls.push({ schema, name });
  }

  private callByName(name: string): void {
    this.castBy(name);
    this.functions.add(name);
  }

  /** Casts that no type in the statement shows: JSON is made by a type's own cast to it, and rows by those of columns. */
  private castBy(name: string): void {
    if (name.includes('json')) for (const type of ['json', 'jsonb']) this.types.add(type);
    if (POPULATING.test(name)) this.populates = true;
  }

  private checkOperator(path: readonly string[], kind?: string): void {
    const [first] = path;
    // What is no text is cast to it.
    if (path.at(-1) === '||') this.types.add('text');
    if (kind?.includes('BETWEEN')) {
      for (const name of ['<', '<=', '>', '>=']) this.operators.add(name);
      return;
    }
    if (path.length === 1) this.operators.add(first!);
    else if (first !== 'pg_catalog') {
      if (path.length !== 2 || !this.schemas.has(first!)) throw notAllowed(path.join('.'));
      this.operators.add(path[1]!);
    }
  }

  private checkType(path: readonly string[], ofTableOid: boolean): void {
    const name = path.at(-1)!;
    const isOurs = path.length > 1 && path[0] !== 'pg_catalog';
    if (!isOurs && tellsOfServer(name) && !(ofTableOid && name === 'regclass')) {
      throw new Refused(name, 'this type tells of the catalogs of the server');
    }
    if (path.length > 1) {
      const schema = path.slice(0, -1).join('.');
      if (schema === 'pg_catalog') return;
      if (!this.schemas.has(schema)) throw new Refused(path.join('.'), 'its schema is not one of those in scope');
    }
    this.types.add(name);
  }

  /** `(x).f` and `t.f` call a function f of one argument where there is no such column. */
  private checkAttribute(name: string | undefined): void {
    if (name === undefined) return;
    if (isRiskyAttribute(name)) throw new Refused(name, 'it may be read as a call of a function that is not allowed');
    this.attributes.add(name);
  }
}

const notAllowed = (kind: string): Refused => {
  const word = WORDS.get(kind) ?? kind;
  return word.endsWith('Stmt')
    ? new Refused(word.slice(0, -4).toUpperCase(), 'only one SELECT is run')
    : new Refused(word, 'it is not allowed');
};

export const kindOf = (value: unknown): string => (isFields(value) ? (Object.keys(value)[0] ?? '') : '');

/** Names of a list that holds nothing else. */
function stringsOf(list: unknown): string[] {
  const strings = looseStringsOf(list);
  if (strings.length === 0 || strings.length !== (list as unknown[]).length) throw notAllowed('a name');
  return strings;
}

function looseStringsOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    const inner: unknown = isFields(item) ? item.String : undefined;
    return isFields(inner) && typeof inner.sval === 'string' ? [inner.sval] : [];
  });
}

/** The last name of a path of so many or more; nothing where it ends with a star. */
function lastString(list: unknown, atLeast: number): string | undefined {
  if (!Array.isArray(list) || list.length < atLeast) return undefined;
  return looseStringsOf([list.at(-1)])[0];
}

function isTableOid(value: unknown): boolean {
  const column = isFields(value) ? value.ColumnRef : undefined;
  return isFields(column) && lastString(column.fields, 1) === 'tableoid';
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
