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
  const joined = withoutCommas(tree);
  const json = JSON.stringify(joined).replace(new RegExp(`"${NUMBER}([^"]*)"`, 'g'), '$1');
  const sql = await textOf(parser, 'SELECT json_deserialize_sql($1::JSON)', json);
  if (essence(await treeOf(parser, sql)) !== essence(joined))
    throw new Error('The statement would be read as another.');
  return sql;
}

/** DuckDB writes a CROSS JOIN as a comma, which binds less than the joins around it. */
function withoutCommas(tree: TreeNode): TreeNode {
  const joined = structuredClone(tree);
  visit(joined, (node) => {
    if (node.ref_type !== 'CROSS') return;
    node.ref_type = 'REGULAR';
    node.condition = { class: 'CONSTANT', type: 'VALUE_CONSTANT', alias: '', query_location: 0, value: TRUE };
  });
  return joined;
}

const TRUE = { type: { id: 'BOOLEAN', type_info: null }, is_null: false, value: true };

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

/** All that matters of a tree: not where its parts stood in a text, nor which of two trees `true` was read as. */
const essence = (tree: TreeNode): string =>
  JSON.stringify(tree, (key, value: unknown) => {
    if (key === 'query_location') return undefined;
    return isTreeNode(value) ? (truthOf(value) ?? value) : value;
  });

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
