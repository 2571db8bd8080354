/**
 * What may be asked of the tables: one SELECT over the tables in scope, made of nodes and functions that are known
 * (SEC-61, SEC-62).
 *
 * It reads the statement as DuckDB itself has parsed it (`json_serialize_sql`), so that no quoting, comment or
 * spelling hides anything. Whatever it does not know is refused.
 */
import { SCALAR_FUNCTIONS, TABLE_FUNCTIONS } from './functions';

/** Why a statement is not run; `token` is the part of it that is refused. */
export interface Refusal {
  readonly token: string;
  readonly reason: string;
}

type Node = Readonly<Record<string, unknown>>;

const QUERIES = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE', 'CTE_NODE']);
const RELATIONS = new Set(['BASE_TABLE', 'SUBQUERY', 'JOIN', 'TABLE_FUNCTION', 'EXPRESSION_LIST', 'EMPTY', 'PIVOT']);
const MODIFIERS = new Set([
  ...['ORDER_MODIFIER', 'LIMIT_MODIFIER', 'LIMIT_PERCENT_MODIFIER', 'DISTINCT_MODIFIER'],
  ...['ORDER_DEFAULT', 'ASCENDING', 'DESCENDING'],
]);
const EXPRESSIONS = new Set([
  ...['BETWEEN', 'CASE', 'CAST', 'COLLATE', 'COLUMN_REF', 'COMPARISON', 'CONJUNCTION', 'CONSTANT', 'FUNCTION'],
  ...['LAMBDA', 'LAMBDA_REF', 'OPERATOR', 'POSITIONAL_REFERENCE', 'STAR', 'SUBQUERY', 'WINDOW'],
]);
/** Catalogs that DuckDB answers for every name like these. */
const SYSTEM_NAME = /^(?:duckdb_|pragma_|pg_|sqlite_)/;
const MAX_DEPTH = 400;
const NO_SEED = -1;

class Refused extends Error {
  constructor(
    readonly token: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

export interface Examined {
  readonly refusal?: Refusal;
  /** The tables in scope that the statement names, in lower case. */
  readonly used: ReadonlySet<string>;
}

/**
 * Looks a parsed statement through.
 *
 * @param parsed what `json_serialize_sql` made of it.
 * @param tables the SQL names of the tables in scope.
 */
export function examine(parsed: unknown, tables: ReadonlySet<string>): Examined {
  const used = new Set<string>();
  const refusal = refusalOf(parsed, new Scope(new Set([...tables].map((name) => name.toLowerCase())), new Set(), used));
  return { ...(refusal && { refusal }), used };
}

/** What a name in FROM may mean, where it stands. */
class Scope {
  constructor(
    private readonly tables: ReadonlySet<string>,
    private readonly expressions: ReadonlySet<string>,
    private readonly used: Set<string>,
  ) {}

  with(name: string): Scope {
    const folded = name.toLowerCase();
    if (SYSTEM_NAME.test(folded)) throw new Refused(name, 'the name is that of a system catalog');
    return new Scope(this.tables, new Set([...this.expressions, folded]), this.used);
  }

  take(name: string): void {
    const folded = name.toLowerCase();
    if (this.expressions.has(folded)) return;
    if (!this.tables.has(folded)) throw new Refused(name, 'it is not one of the tables');
    this.used.add(folded);
  }
}

function refusalOf(parsed: unknown, scope: Scope): Refusal | undefined {
  const statements = isNode(parsed) && Array.isArray(parsed.statements) ? parsed.statements : [];
  if (statements.length !== 1) {
    return statements.length > 1
      ? { token: ';', reason: 'only one statement is run' }
      : { token: '', reason: 'there is no statement' };
  }
  const [statement] = statements as [unknown];
  try {
    if (!isNode(statement) || !isNode(statement.node)) throw new Refused('', 'only a SELECT is run');
    walk(statement.node, scope, 0);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { token: error.token, reason: error.reason };
  }
}

/** Of a text that is no SELECT: the word that says what it is. */
export function firstWord(sql: string): string {
  const bare = sql.replace(/\/\*[^]*?\*\/|--[^\n]*/g, ' ').trim();
  const word = /^[^\s;(]{1,40}/.exec(bare)?.[0].toUpperCase() ?? '';
  // What begins well goes on with something else.
  return /^(?:SELECT|WITH|FROM|VALUES|TABLE)$/.test(word) ? ';' : word;
}

function walk(value: unknown, scope: Scope, depth: number): void {
  if (depth > MAX_DEPTH) throw new Refused('(', `it nests deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (const item of value) walk(item, scope, depth + 1);
    return;
  }
  if (!isNode(value)) return;
  if (isNode(value.sample) && value.sample.seed === NO_SEED) {
    throw new Refused(
      'SAMPLE',
      'rows taken by chance are others each time; ORDER BY and LIMIT take the same, and so does REPEATABLE',
    );
  }
  if (typeof value.class === 'string') checkExpression(value, value.class);
  else if (typeof value.type === 'string') checkNode(value, value.type, scope);
  const outer = 'cte_map' in value ? withExpressions(value.cte_map, scope, depth) : scope;
  const inner = value.type === 'RECURSIVE_CTE_NODE' ? outer.with(String(value.cte_name)) : outer;
  for (const [key, child] of Object.entries(value)) {
    // A constant holds data, and a type is no part of the query.
    if (key === 'cte_map' || (value.class === 'CONSTANT' && key === 'value') || key === 'cast_type') continue;
    walk(child, inner, depth + 1);
  }
}

/** Each common table expression sees those before it, and not itself unless it is recursive. */
function withExpressions(map: unknown, scope: Scope, depth: number): Scope {
  const entries = isNode(map) && Array.isArray(map.map) ? map.map : [];
  let visible = scope;
  for (const entry of entries) {
    if (!isNode(entry) || typeof entry.key !== 'string') throw new Refused('WITH', 'it cannot be read');
    walk(entry.value, visible, depth + 1);
    visible = visible.with(entry.key);
  }
  return visible;
}

function checkNode(node: Node, type: string, scope: Scope): void {
  if (type === 'SHOW_REF')
    throw new Refused(String(node.show_type ?? 'SHOW').replace(/_.*/, ''), 'only a SELECT is run');
  if (!QUERIES.has(type) && !RELATIONS.has(type) && !MODIFIERS.has(type)) throw new Refused(type, 'it is not allowed');
  if (type === 'BASE_TABLE') checkTable(node, scope);
  if (type === 'TABLE_FUNCTION') {
    const name = isNode(node.function) ? String(node.function.function_name) : '';
    if (!TABLE_FUNCTIONS.has(name.toLowerCase())) throw new Refused(name, 'this table function is not allowed');
  }
}

function checkTable(node: Node, scope: Scope): void {
  const name = String(node.table_name ?? '');
  for (const part of ['catalog_name', 'schema_name'] as const) {
    if (typeof node[part] === 'string' && node[part] !== '') {
      throw new Refused(`${String(node[part])}.${name}`, 'tables are named without a schema');
    }
  }
  if (node.at_clause !== undefined && node.at_clause !== null) throw new Refused('AT', 'it is not allowed');
  scope.take(name);
}

function checkExpression(node: Node, kind: string): void {
  if (!EXPRESSIONS.has(kind)) {
    throw new Refused(kind === 'PARAMETER' ? '?' : kind, 'this kind of expression is not allowed');
  }
  if (kind !== 'FUNCTION' && kind !== 'WINDOW') return;
  const name = String(node.function_name ?? '');
  const schema = [node.catalog, node.schema].filter((part) => typeof part === 'string' && part !== '');
  // The parser itself writes `main.row` for a row of values.
  if (schema.length > 0 && !(schema.length === 1 && schema[0] === 'main')) {
    throw new Refused(`${schema.join('.')}.${name}`, 'functions are named without a schema');
  }
  if (!SCALAR_FUNCTIONS.has(name.toLowerCase())) throw new Refused(name, 'this function is not allowed');
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
