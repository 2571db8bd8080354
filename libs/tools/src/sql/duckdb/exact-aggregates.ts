/**
 * Means and medians that keep every digit. DuckDB computes them in floating point, and cuts the median of a DECIMAL to
 * its decimals; here the calls in a statement are replaced by what computes the same exactly, where their arguments are
 * whole numbers or decimals. Sums of floats are replaced by those that add up with compensation.
 *
 * The types of arguments are asked of DuckDB, whose refusal of a call names them.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { NamedNumbers } from './named-numbers';
import { isTreeNode, treeOf, visit, writtenOut, type TreeNode } from './statement-tree';

export interface ExactForm {
  readonly sql: string;
  /** Of the means, beyond the decimals of what they are the means of. */
  readonly digits?: number;
}

const MEANS = new Set(['avg', 'mean']);
const SUMS = new Set(['sum']);
const QUANTILES = new Set(['quantile_cont']);
const FLOATING =
  /^(?:avg|mean|favg|median|mad|quantile(?:_cont)?|percentile_cont|approx_quantile|stddev\w*|var_?\w*|sem|corr|covar\w*|regr_\w+|list_(?:avg|median|aggr\w*)|array_aggr\w*|aggregate|product|fsum|kahan_sum|sumkahan)$/;
/** What DuckDB cuts to the decimals of what it is given; these are not made exact. */
const CUTTING = /^(?:median|mad|list_median|list_mad|list_aggr(?:egate)?|array_aggr(?:egate)?|aggregate)$/;
/** Of each DuckDB is asked for a type, which takes it a millisecond or two. */
const MAX_CALLS = 100;
/** A mean has so many decimals more than its column. */
const MEAN_DIGITS = 6;
/** An aggregate that fits no single argument. */
const PROBE = 'regr_slope';

/** Whether a statement calls what computes in floating point, whatever it is given, or else divides. */
export function floatingIn(tree: TreeNode): 'calls' | 'divisions' | undefined {
  let found: 'calls' | 'divisions' | undefined;
  visit(tree, (node) => {
    const name = nameOf(node);
    if (name !== undefined && FLOATING.test(name)) found = 'calls';
    else if (name === '/') found ??= 'divisions';
  });
  return found;
}

/** Whether a statement, in the form that it is run in, calls what loses digits of decimals. */
export function cutsIn(tree: TreeNode, form: ExactForm | undefined): boolean {
  let found = false;
  visit(tree, (node) => {
    const name = nameOf(node);
    if (name !== undefined) found ||= CUTTING.test(name) || (!form && QUANTILES.has(name));
  });
  return found;
}

/**
 * The statement with its means and medians made exact; absent where there is nothing to make exact.
 *
 * @param tree the statement's; it becomes that of the exact form.
 * @param connection sees the tables; nothing is run on it.
 */
export async function exactForm(
  parser: DuckDBConnection,
  connection: DuckDBConnection,
  tree: TreeNode,
  named: NamedNumbers,
): Promise<ExactForm | undefined> {
  const calls = callsIn(tree, named);
  if (calls.length === 0 || calls.length > MAX_CALLS) return undefined;
  await keepNames(parser, tree, new Set(calls));
  let digits: number | undefined;
  let isChanged = false;
  for (const call of calls) {
    const type = await typeOfArgument(parser, connection, tree, call);
    const other = type === undefined ? undefined : await replacement(parser, call, type, named);
    if (!other) continue;
    if (MEANS.has(nameOf(call)!) && isExact(type)) digits = Math.min(digits ?? MEAN_DIGITS, meanDigits(type));
    become(call, other);
    isChanged = true;
  }
  return isChanged ? { sql: await writtenOut(parser, tree), ...(digits !== undefined && { digits }) } : undefined;
}

/** What is selected without a name has that of its text, by which what is around it may call it. */
async function keepNames(parser: DuckDBConnection, tree: TreeNode, calls: ReadonlySet<TreeNode>): Promise<void> {
  const nameless: TreeNode[] = [];
  visit(tree, ({ select_list: selected }) => {
    if (!Array.isArray(selected)) return;
    for (const one of selected as TreeNode[]) {
      let isChanging = false;
      visit(one, (node) => (isChanging ||= calls.has(node)));
      if (isChanging && one.alias === '') nameless.push(one);
    }
  });
  for (const one of nameless) one.alias = await textOfExpression(parser, one);
}

/** In place, so that a call around it is asked for its type again. */
function become(node: TreeNode, other: TreeNode): void {
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, other);
}

function callsIn(tree: TreeNode, { long, floats }: NamedNumbers): TreeNode[] {
  const calls: TreeNode[] = [];
  visit(tree, (node) => {
    const name = nameOf(node);
    if (name === undefined || argumentOf(node) === undefined) return;
    const isMeant =
      name === 'median' || QUANTILES.has(name) || (MEANS.has(name) && (long || floats)) || (SUMS.has(name) && floats);
    if (isMeant) calls.push(node);
  });
  return calls;
}

/** Asked by a call that DuckDB has to refuse, in the place of the one that is looked at. */
async function typeOfArgument(
  parser: DuckDBConnection,
  connection: DuckDBConnection,
  tree: TreeNode,
  call: TreeNode,
): Promise<string | undefined> {
  const probe = callOf(PROBE, call, [argumentOf(call)!]);
  try {
    const sql = await writtenOut(
      parser,
      filled(tree, (node) => (node === call ? probe : undefined)),
    );
    const statements = await connection.extractStatements(sql);
    (await statements.prepare(0)).destroySync();
    return undefined;
  } catch (error) {
    return new RegExp(`'${PROBE}\\(([^']*)\\)'`).exec(error instanceof Error ? error.message : '')?.[1];
  }
}

async function replacement(
  parser: DuckDBConnection,
  call: TreeNode,
  type: string,
  { long }: NamedNumbers,
): Promise<TreeNode | undefined> {
  const name = nameOf(call)!;
  const as = (functionName: string, ...more: TreeNode[]) => ({
    ...callOf(functionName, call, [argumentOf(call)!, ...more]),
    alias: '',
  });
  if (type === 'DOUBLE' || type === 'FLOAT') {
    if (!SUMS.has(name) && !MEANS.has(name)) return undefined;
    // The compensation for an infinity is not a number.
    const parts = { better: as(SUMS.has(name) ? 'fsum' : 'favg'), plain: as(name) };
    return {
      ...(await expression(parser, 'CASE WHEN isfinite(better) THEN better ELSE plain END', parts)),
      alias: call.alias,
    };
  }
  if (!isExact(type)) return undefined;
  if (name === 'median') {
    if (!long && !type.startsWith('DECIMAL')) return undefined;
    const [half, minusHalf] = [await expression(parser, '0.5'), await expression(parser, '-0.5')];
    const parts = { lower: as('quantile_disc', half), upper: as('quantile_disc', minusHalf) };
    return { ...(await expression(parser, 'lower * 0.5 + upper * 0.5', parts)), alias: call.alias };
  }
  if (MEANS.has(name)) {
    if (!long) return undefined;
    const parts = { total: as('sum'), n: as('count') };
    return { ...(await expression(parser, quotient(scaleOf(type), meanDigits(type)), parts)), alias: call.alias };
  }
  return QUANTILES.has(name) && type.startsWith('DECIMAL') ? wider(parser, call, type) : undefined;
}

/** A quantile between two decimals has more of them than these. */
async function wider(parser: DuckDBConnection, call: TreeNode, type: string): Promise<TreeNode> {
  const [width, scale] = /(\d+),(\d+)/.exec(type)!.slice(1).map(Number) as [number, number];
  const into = width + 4 <= 38 ? `DECIMAL(38,${scale + 4})` : 'DOUBLE';
  const argument = argumentOf(call)!;
  const cast = await expression(parser, `CAST(argument AS ${into})`, { argument });
  return filled(call, (node) => (node === argument ? cast : undefined));
}

/** `total / n`, rounded half away from zero, by whole numbers alone: DuckDB divides decimals as floats. */
function quotient(scale: number, digits: number): string {
  const units = scale === 0 ? 'CAST(total AS HUGEINT)' : `CAST(replace(CAST(total AS VARCHAR), '.', '') AS HUGEINT)`;
  const more = `CAST(1${'0'.repeat(digits)} AS HUGEINT)`;
  const half = `CASE WHEN ${units} < 0 THEN -n ELSE n END`;
  const unit = `CAST('0.${'0'.repeat(scale + digits - 1)}1' AS DECIMAL(${scale + digits + 1},${scale + digits}))`;
  const quotientOfUnits = `(${units} // n) * ${more} + ((${units} % n) * ${more} * 2 + ${half}) // (2 * n)`;
  return scale + digits === 0
    ? `CAST(${quotientOfUnits} AS DECIMAL(38,0))`
    : `CAST(${quotientOfUnits} AS DECIMAL(38,0)) * ${unit}`;
}

const isExact = (type: string | undefined): type is string =>
  /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL\(.*)$/.test(type ?? '');
const scaleOf = (type: string): number => Number(/,(\d+)\)$/.exec(type)?.[1] ?? 0);
/** As many as leave room for a digit before the point. */
const meanDigits = (type: string): number => Math.max(0, Math.min(MEAN_DIGITS, 37 - scaleOf(type)));

/** A piece of SQL as a tree, with nodes in the place of some of its names. */
async function expression(
  parser: DuckDBConnection,
  sql: string,
  parts: Readonly<Record<string, TreeNode>> = {},
): Promise<TreeNode> {
  const tree = filled(await treeOf(parser, `SELECT ${sql}`), ({ column_names: names }) =>
    Array.isArray(names) && Object.hasOwn(parts, String(names[0])) ? parts[String(names[0])] : undefined,
  );
  const [statement] = (tree as { statements: { node: { select_list: TreeNode[] } }[] }).statements;
  return statement!.node.select_list[0]!;
}

async function textOfExpression(parser: DuckDBConnection, node: TreeNode): Promise<string> {
  const tree = await treeOf(parser, 'SELECT 1');
  const [statement] = (tree as { statements: { node: { select_list: TreeNode[] } }[] }).statements;
  statement!.node.select_list = [node];
  return (await writtenOut(parser, tree)).slice('SELECT '.length);
}

/** A copy of a tree with other nodes in some places; these stay themselves. */
function filled(tree: TreeNode, place: (node: TreeNode) => TreeNode | undefined): TreeNode {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isTreeNode(value)) return value;
    return place(value) ?? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copy(child)]));
  };
  return copy(tree) as TreeNode;
}

function nameOf(node: TreeNode): string | undefined {
  if (node.class !== 'FUNCTION' && node.class !== 'WINDOW') return undefined;
  return typeof node.function_name === 'string' ? node.function_name.toLowerCase() : undefined;
}

/** What a call aggregates: its first argument, or what `WITHIN GROUP` orders by. Absent where it is several columns. */
function argumentOf(call: TreeNode): TreeNode | undefined {
  const children = call.children as TreeNode[];
  const orders = (call.arg_orders ?? (call.order_bys as TreeNode | null)?.orders ?? []) as { expression: TreeNode }[];
  const byOrder = QUANTILES.has(nameOf(call)!) && children.length === 1;
  const argument = byOrder ? orders[0]?.expression : children[0];
  let isMany = false;
  visit(argument, (node) => (isMany ||= node.class === 'STAR'));
  return isMany ? undefined : argument;
}

/** The call of another function, with these arguments and all else alike. */
function callOf(functionName: string, call: TreeNode, children: readonly TreeNode[]): TreeNode {
  const orders = 'arg_orders' in call ? { arg_orders: [] } : { order_bys: { type: 'ORDER_MODIFIER', orders: [] } };
  return { ...call, ...orders, function_name: functionName, children };
}
