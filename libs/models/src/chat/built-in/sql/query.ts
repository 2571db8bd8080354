/** A query of the family that the built-in model writes, and its SQL. */
import type { ChartType } from './lexicon';

export interface Query {
  readonly table: string;
  readonly columns: readonly { readonly sql: string; readonly as: string }[];
  readonly distinct?: boolean;
  readonly where: readonly string[];
  /** How many of the first columns are groups. */
  readonly groups: number;
  /** Only the rows, or groups, with the most or the least; those that are equal all count. */
  readonly rank?: { readonly sql: string; readonly most: boolean; readonly limit: number };
  readonly order?: readonly string[];
  readonly chart?: { readonly type: ChartType; readonly x: string; readonly y: readonly string[] };
}

export function toSql({ table, columns, distinct, where, groups, rank, order }: Query): string {
  const list = columns.map(({ sql, as }) => (sql === as || sql === '*' ? sql : `${sql} AS ${as}`));
  const lines = [`SELECT ${distinct ? 'DISTINCT ' : ''}${list.join(', ')}`, `FROM ${table}`];
  if (where.length > 0) lines.push(`WHERE ${where.join(' AND ')}`);
  if (groups > 0)
    lines.push(
      `GROUP BY ${columns
        .slice(0, groups)
        .map((_, i) => i + 1)
        .join(', ')}`,
    );
  if (rank) {
    const direction = rank.most ? 'DESC' : 'ASC';
    lines.push(
      `QUALIFY rank() OVER (ORDER BY ${rank.sql} ${direction}) <= ${rank.limit}`,
      `ORDER BY ${rank.sql} ${direction}`,
    );
  } else if (order?.length) lines.push(`ORDER BY ${order.join(', ')}`);
  return lines.join('\n');
}

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
