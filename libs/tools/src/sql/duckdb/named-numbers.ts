/** What is known of the numbers in the columns that a statement names. */
import type { QueriedTable } from '../table-query';
import { visit, type TreeNode } from './statement-tree';

export interface NamedNumbers {
  /** One has exact numbers with more digits than a float keeps. */
  readonly long: boolean;
  /** One is in floating point. */
  readonly floats: boolean;
}

/** A column that goes by another name further out is named where it comes from; `*` names all. */
export function namedNumbers(tree: TreeNode, tables: readonly QueriedTable[]): NamedNumbers {
  const names = new Set<string>();
  let isAll = false;
  visit(tree, (node) => {
    if (Array.isArray(node.column_names)) for (const name of node.column_names) names.add(String(name).toLowerCase());
    if (node.class === 'STAR') isAll = true;
  });
  const isNamed = (columns: readonly string[] = []) => columns.some((name) => isAll || names.has(name.toLowerCase()));
  return {
    long: tables.some(({ longNumbers }) => isNamed(longNumbers)),
    floats: tables.some(({ floats }) => isNamed(floats)),
  };
}
