/**
 * Names such as `user`, for which DuckDB has a value of its own where no column is called so. A model that takes a table
 * to have a column `user` would get a result in which every row says `duckdb`.
 */
import type { QueriedTable } from '../table-query';
import { visit, type TreeNode } from './statement-tree';

const SESSION_NAMES = /^(?:user|current_user|session_user|current_role|current_catalog|current_schema)$/i;
const NAMES_GIVEN = ['alias', 'column_name_alias', 'aliases', 'unpivot_names'];

/** A name that the statement reads as a column, and that neither its tables nor the statement itself have. */
export function sessionNameIn(parsed: TreeNode, tables: readonly QueriedTable[]): string | undefined {
  const read: string[] = [];
  const given = new Set<string>();
  visit(parsed, (node) => {
    const names =
      node.class === 'COLUMN_REF' && Array.isArray(node.column_names) ? (node.column_names as string[]) : [];
    if (names.length === 1 && SESSION_NAMES.test(names[0]!)) read.push(names[0]!);
    for (const key of NAMES_GIVEN) for (const name of [node[key]].flat()) given.add(String(name).toLowerCase());
  });
  if (tables.some(({ columns }) => !columns)) return undefined;
  for (const name of tables.flatMap(({ columns = [] }) => columns)) given.add(name.toLowerCase());
  return read.find((name) => !given.has(name.toLowerCase()));
}
