/**
 * Means and medians that keep every digit. DuckDB computes them in floating point, and cuts the median of a DECIMAL to
 * its decimals; here the calls in a statement are replaced by what computes the same exactly, where their arguments are
 * whole numbers or decimals. Sums of floats are replaced by those that add up with compensation.
 *
 * The types of arguments are asked of DuckDB, whose refusal of a call names them.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { NamedNumbers } from './named-numbers';
import { roundAsWritten, roundingsIn } from './round-as-written';
import { visit, writtenOut, type TreeNode } from './statement-tree';
import { become, expression, filled, textOfExpression, typesOf } from './tree-pieces';

export interface ExactForm {
  readonly sql: string;
  /** Of the means, beyond the decimals of what they are the means of. */
  readonly digits?: number;
}

const MEANS = new Set(['avg', 'mean']);
const SUMS = new Set(['sum']);
const QUANTILES = new Set(['quantile_cont']);
/** Calls and operators that compute in floating point, whatever they are given. */
const FLOATING = new RegExp(
  [
    '^(?:avg|mean|favg|median|mad|quantile(?:_cont)?|percentile_cont|approx_quantile|stddev\\w*|var_?\\w*|sem|corr|covar\\w*',
    'regr_\\w+|list_(?:avg|median|aggr\\w*)|array_aggr\\w*|aggregate|product|fsum|kahan_sum|sumkahan|entropy|kurtosis\\w*|skewness',
    '/|\\^|\\*\\*|pow|power|fdiv|fmod|sqrt|cbrt|exp|ln|log|log2|log10|format|printf|nextafter)$',
  ].join('|'),
);
const FLOAT_TYPE = /^(?:DOUBLE|FLOAT)$/;
/** What DuckDB cuts to the decimals of what it is given; these are not made exact. */
const CUTTING = /^(?:median|mad|list_median|list_mad|list_aggr(?:egate)?|array_aggr(?:egate)?|aggregate)$/;
/** Of each DuckDB is asked for a type, which takes it a millisecond or two. */
const MAX_CALLS = 100;
/** A mean has so many decimals more than its column. */
const MEAN_DIGITS = 6;
/** A quantile is told to so many decimals more than its column has, at most. */
const MAX_PLACE_DIGITS = 6;
/** Whole numbers up to 2 * 10^15 are exact as floats, and so is what is computed from a few of them. */
const FLOAT_DIGITS = 15;
/** An aggregate that fits no single argument. */
const PROBE = 'regr_slope';

/** Whether a statement computes something in floating point, whatever it is given. */
export function floatingIn(tree: TreeNode): boolean {
  let found = false;
  visit(tree, (node) => {
    const name = nameOf(node);
    found ||= name !== undefined && FLOATING.test(name);
    found ||= node.class === 'CAST' && FLOAT_TYPE.test(String((node.cast_type as TreeNode).id));
    found ||= node.class === 'CONSTANT' && FLOAT_TYPE.test(String(((node.value as TreeNode).type as TreeNode).id));
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
  const roundings = roundingsIn(tree);
  const count = calls.length + roundings.length;
  if (count === 0 || count > MAX_CALLS) return undefined;
  await keepNames(parser, tree, new Set([...calls, ...roundings]));
  let digits: number | undefined;
  let isChanged = false;
  for (const call of calls) {
    const probe = callOf(PROBE, call, [argumentOf(call)!]);
    const type = await typesOf({ parser, connection }, tree, call, probe, PROBE);
    const other = type === undefined ? undefined : await replacement(parser, call, type, named);
    if (!other) continue;
    if (MEANS.has(nameOf(call)!) && isExact(type)) digits = Math.min(digits ?? MEAN_DIGITS, meanDigits(type));
    become(call, other);
    isChanged = true;
  }
  if (await roundAsWritten({ parser, connection }, tree, roundings)) isChanged = true;
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

/**
 * A quantile between two decimals has more of them than these: as many more as the part of the way that it is at. DuckDB
 * finds it in floating point, which is right to the last one only where there is room for two more.
 */
async function wider(parser: DuckDBConnection, call: TreeNode, type: string): Promise<TreeNode | undefined> {
  const [width, scale] = /(\d+),(\d+)/.exec(type)!.slice(1).map(Number) as [number, number];
  const { decimals, isList } = placesOf(call);
  const [digits, more] = [scale + decimals, scale + decimals + 2];
  const argument = argumentOf(call)!;
  if (width - scale + more > 38) return undefined;
  const cast = await expression(parser, `CAST(argument AS DECIMAL(38,${more}))`, { argument });
  const largest = await expression(parser, 'abs(argument)', { argument });
  const found = { ...filled(call, (node) => (node === argument ? cast : undefined)), alias: '' };
  const rounded = (value: string) => `CAST(round(${value}, ${digits}) AS DECIMAL(38,${digits}))`;
  const form = `CASE WHEN peak >= 2e${FLOAT_DIGITS - more} THEN error('') ELSE ${isList ? `list_transform(found, lambda one: ${rounded('one')})` : rounded('found')} END`;
  const peak = { ...callOf('max', call, [largest]), alias: '' };
  return { ...(await expression(parser, form, { peak, found })), alias: call.alias };
}

/** How many decimals the places of a quantile have, and whether there are several of them. */
function placesOf(call: TreeNode): { readonly decimals: number; readonly isList: boolean } {
  const argument = argumentOf(call);
  let isList = false;
  let decimals = 0;
  for (const child of (call.children as TreeNode[]).filter((one) => one !== argument)) {
    visit(child, (node) => {
      if (nameOf(node) === 'list_value') isList = true;
      if (node.class !== 'CONSTANT') return;
      const { type } = node.value as { type: TreeNode };
      const scale = /(\d+)$/.exec(String((type.type_info as TreeNode | null)?.scale))?.[1];
      decimals = Math.max(
        decimals,
        type.id === 'DECIMAL' ? Number(scale) : type.id === 'DOUBLE' ? MAX_PLACE_DIGITS : 0,
      );
    });
  }
  return { decimals: Math.min(decimals, MAX_PLACE_DIGITS), isList };
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
