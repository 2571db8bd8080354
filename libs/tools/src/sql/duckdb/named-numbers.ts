/** What is known of the numbers in the columns that a statement names. */
import type { QueriedTable } from '../table-query';
import { visit, type TreeNode } from './statement-tree';

export interface NamedNumbers {
  /** One has exact numbers with more digits than a float keeps. */
  readonly long: boolean;
  /** One is in floating point. */
  readonly floats: boolean;
}

/**
 * A column that goes by another name further out is named where it comes from. All are named by `*`, by a list of other
 * names for the columns of a table, and by the table itself as a value; a part of that value by a text (`t['total']`).
 */
export function namedNumbers(tree: TreeNode, tables: readonly QueriedTable[]): NamedNumbers {
  const names = new Set<string>();
  const relations = new Set<string>();
  const bare = new Set<string>();
  let isAll = false;
  visit(tree, (node) => {
    if (Array.isArray(node.column_names)) {
      const said = node.column_names.map((name) => String(name).toLowerCase());
      for (const name of said) names.add(name);
      if (said.length === 1) bare.add(said[0]!);
    }
    if (node.class === 'CONSTANT') names.add(String((node.value as TreeNode).value).toLowerCase());
    if (node.class === 'STAR') isAll = true;
    if (node.type !== 'BASE_TABLE') return;
    if (Array.isArray(node.column_name_alias) && node.column_name_alias.length > 0) isAll = true;
    relations.add(String(node.alias || node.table_name).toLowerCase());
  });
  isAll ||= [...relations].some((name) => bare.has(name));
  const isNamed = (columns: readonly string[] = []) => columns.some((name) => isAll || names.has(name.toLowerCase()));
  return {
    long: tables.some(({ longNumbers }) => isNamed(longNumbers)),
    floats: tables.some(({ floats }) => isNamed(floats)),
  };
}
