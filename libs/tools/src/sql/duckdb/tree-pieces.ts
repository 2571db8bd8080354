/** Pieces of statements as trees: written as SQL, put together, and put in the place of others. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { isTreeNode, treeOf, writtenOut, type TreeNode } from './statement-tree';

/** A piece of SQL as a tree, with nodes in the place of some of its names. */
export async function expression(
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

export async function textOfExpression(parser: DuckDBConnection, node: TreeNode): Promise<string> {
  const tree = await treeOf(parser, 'SELECT 1');
  const [statement] = (tree as { statements: { node: { select_list: TreeNode[] } }[] }).statements;
  statement!.node.select_list = [node];
  return (await writtenOut(parser, tree)).slice('SELECT '.length);
}

/** A copy of a tree with other nodes in some places; these stay themselves. */
export function filled(tree: TreeNode, place: (node: TreeNode) => TreeNode | undefined): TreeNode {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isTreeNode(value)) return value;
    return place(value) ?? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copy(child)]));
  };
  return copy(tree) as TreeNode;
}

/** In place, so that a call around it is asked for its type again. */
export function become(node: TreeNode, other: TreeNode): void {
  for (const key of Object.keys(node)) delete node[key];
  Object.assign(node, other);
}

/**
 * The types that an expression has where it stands: DuckDB is asked to prepare the statement with a call in that place
 * that it has to refuse, and its refusal names them. Absent where it finds something else wrong first.
 *
 * @param probe calls a function `name` that does not take what it is given.
 */
export async function typesOf(
  { parser, connection }: { readonly parser: DuckDBConnection; readonly connection: DuckDBConnection },
  tree: TreeNode,
  node: TreeNode,
  probe: TreeNode,
  name: string,
): Promise<string | undefined> {
  try {
    const sql = await writtenOut(
      parser,
      filled(tree, (one) => (one === node ? probe : undefined)),
    );
    const statements = await connection.extractStatements(sql);
    (await statements.prepare(0)).destroySync();
    return undefined;
  } catch (error) {
    return new RegExp(`'${name}\\(([^']*)\\)'`).exec(error instanceof Error ? error.message : '')?.[1];
  }
}
