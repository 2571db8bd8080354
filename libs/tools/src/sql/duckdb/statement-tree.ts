/**
 * Statements as the trees that DuckDB parses them into, and back as text.
 *
 * Numbers of a tree are kept as they are written: JavaScript would round a literal of 19 digits.
 */
import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';

export type TreeNode = Record<string, unknown>;

/** Stands before the digits of a number that is kept as a text; no statement can hold it. */
const NUMBER = `number:${randomUUID()}:`;
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The tree of a statement that parses. */
export async function treeOf(parser: DuckDBConnection, sql: string): Promise<TreeNode> {
  const json = await textOf(parser, 'SELECT json_serialize_sql($1::VARCHAR)', sql);
  const kept = json.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : `"${NUMBER}${token}"`));
  return JSON.parse(kept) as TreeNode;
}

/** @throws where DuckDB cannot write the tree, or would read what it writes as another. */
export async function writtenOut(parser: DuckDBConnection, tree: TreeNode): Promise<string> {
  const joined = writable(tree);
  const json = JSON.stringify(joined).replace(new RegExp(`"${NUMBER}([^"]*)"`, 'g'), '$1');
  const sql = await textOf(parser, 'SELECT json_deserialize_sql($1::JSON)', json);
  if (essence(await treeOf(parser, sql)) !== essence(joined))
    throw new Error('The statement would be read as another.');
  return sql;
}

/** What DuckDB writes as something else: a CROSS JOIN as a comma, which binds less, and `1e3` as the decimal 1000.0. */
function writable(tree: TreeNode): TreeNode {
  const changed = structuredClone(tree);
  visit(changed, (node) => {
    if (node.ref_type === 'CROSS') {
      node.ref_type = 'REGULAR';
      node.condition = constant('BOOLEAN', true);
    }
    const value = node.class === 'CONSTANT' ? (node.value as { type: TreeNode; value: unknown }) : undefined;
    if (value?.type.id !== 'DOUBLE' || typeof value.value !== 'string') return;
    delete node.value;
    Object.assign(node, { class: 'CAST', type: 'OPERATOR_CAST' });
    // In the order in which DuckDB tells them.
    Object.assign(node, {
      child: constant('VARCHAR', value.value.slice(NUMBER.length)),
      cast_type: value.type,
      try_cast: false,
    });
  });
  return changed;
}

const constant = (id: string, value: unknown): TreeNode => ({
  ...{ class: 'CONSTANT', type: 'VALUE_CONSTANT', alias: '', query_location: 0 },
  value: { type: { id, type_info: null }, is_null: false, value },
});

/** Visits every node, those that it is made of before it: what is in FROM before what is selected from it. */
export function visit(value: unknown, look: (node: TreeNode) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, look);
  else if (isTreeNode(value)) {
    const { cte_map: expressions, from_table: source, ...others } = value;
    for (const child of [expressions, source, ...Object.values(others)]) visit(child, look);
    look(value);
  }
}

export const isTreeNode = (value: unknown): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * All that matters of a tree: not where its parts stood in a text, nor which of two trees `true` was read as, nor that
 * DuckDB puts `SELECT *` around `VALUES`.
 */
const essence = (tree: TreeNode): string =>
  JSON.stringify(tree, (key, value: unknown) => {
    if (key === 'query_location') return undefined;
    return isTreeNode(value) ? (truthOf(value) ?? listOf(value) ?? value) : value;
  });

function listOf({ type, alias, subquery }: TreeNode): unknown {
  if (type !== 'SUBQUERY' || alias !== VALUES) return undefined;
  const list = ((subquery as TreeNode).node as TreeNode).from_table;
  return isTreeNode(list) && list.type === 'EXPRESSION_LIST' && list.alias === VALUES ? list : undefined;
}

/** What DuckDB calls a list of values that has no other name. */
const VALUES = 'valueslist';

function truthOf(node: TreeNode): unknown {
  if (node.class === 'CONSTANT') {
    const { type, value } = node.value as { type: TreeNode; value: unknown };
    return type.id === 'BOOLEAN' && typeof value === 'boolean' ? { is: value } : undefined;
  }
  if (node.class !== 'CAST' || (node.cast_type as TreeNode).id !== 'BOOLEAN' || !isTreeNode(node.child))
    return undefined;
  const letter = (node.child.value as TreeNode | undefined)?.value;
  return letter === 't' || letter === 'f' ? { is: letter === 't' } : undefined;
}

async function textOf(parser: DuckDBConnection, sql: string, value: string): Promise<string> {
  const reader = await parser.runAndReadAll(sql, [value]);
  return String(reader.getRows()[0]?.[0]);
}
