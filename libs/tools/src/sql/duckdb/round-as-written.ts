/**
 * Floats rounded as they are written. The mean of 1.00 and 1.01 is written 1.005, and lies a little below it as a float:
 * DuckDB would round it to 1.00. What is rounded is moved outwards by some four times the error of a computation, which
 * takes halves to their own side and nothing else anywhere.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { visit, type TreeNode } from './statement-tree';
import { become, expression, typesOf } from './tree-pieces';

/** 1 + 2^-50. */
const OUTWARDS = '1.0000000000000009e0';
/** Floats with more digits before the last one that is kept have no room for a half. */
const MAX_DIGITS = 14;
const MAX_DECIMALS = 12;
/** What is rounded stands several times in the exact form; one rounding may stand in another, and that in a third. */
const MAX_NESTED = 2;
/** A function that fits no single argument. */
const PROBE = 'atan2';

/** Calls of `round`, and casts to DECIMAL, which round as well: the inner ones first. */
export function roundingsIn(tree: TreeNode): TreeNode[] {
  const found: TreeNode[] = [];
  visit(tree, (node) => {
    if (decimalsOf(node) === undefined) return;
    let nested = 0;
    let isMany = false;
    visit(argumentOf(node), (one) => {
      if (found.includes(one)) nested++;
      isMany ||= one.class === 'STAR';
    });
    if (!isMany && nested < MAX_NESTED) found.push(node);
  });
  return found;
}

/** Changes those of the roundings that are of floats. Whether there was one. */
export async function roundAsWritten(
  parts: { readonly parser: DuckDBConnection; readonly connection: DuckDBConnection },
  tree: TreeNode,
  roundings: readonly TreeNode[],
): Promise<boolean> {
  const floats = new Set<string>();
  for (const node of roundings) {
    const key = keyOf(argumentOf(node));
    if (floats.has(key)) continue;
    const probe = await expression(parts.parser, `${PROBE}(argument)`, { argument: argumentOf(node) });
    if ((await typesOf(parts, tree, node, probe, PROBE)) === 'DOUBLE') floats.add(key);
  }
  // What is selected and what it is grouped by have to stay the same.
  const changing = roundings.filter((node) => floats.has(keyOf(argumentOf(node))));
  for (const node of changing) {
    const argument = argumentOf(node);
    const limit = `1e${MAX_DIGITS - decimalsOf(node)!}`;
    const moved = `CASE WHEN abs(argument) < ${limit} THEN argument * ${OUTWARDS} ELSE argument END`;
    become(argument, await expression(parts.parser, moved, { argument: { ...argument, alias: '' } }));
  }
  return changing.length > 0;
}

/** The decimals that a rounding keeps; absent where a node is none. */
function decimalsOf(node: TreeNode): number | undefined {
  let decimals: number | undefined;
  if (node.class === 'CAST') {
    const { id, type_info: info } = node.cast_type as { id: string; type_info?: { scale?: unknown } | null };
    if (id === 'DECIMAL') decimals = numberOf(info?.scale);
  } else if (node.class === 'FUNCTION' && String(node.function_name).toLowerCase() === 'round') {
    const [, kept, ...others] = node.children as TreeNode[];
    if (others.length > 0) return undefined;
    decimals = kept ? (kept.class === 'CONSTANT' ? numberOf((kept.value as TreeNode).value) : undefined) : 0;
  }
  return decimals !== undefined && decimals >= 0 && decimals <= MAX_DECIMALS ? decimals : undefined;
}

const argumentOf = (node: TreeNode): TreeNode =>
  (node.class === 'CAST' ? node.child : (node.children as TreeNode[])[0]) as TreeNode;

/** Numbers of a tree stand behind a mark (`statement-tree.ts`). */
const numberOf = (value: unknown): number | undefined => {
  const digits = /(?:^|:)(\d+)$/.exec(String(value))?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const keyOf = (node: TreeNode): string =>
  JSON.stringify(node, (key, value: unknown) => (key === 'query_location' ? undefined : value));
