/** The part that one condition makes of all rows, or of their sum. */
import { doesNotFit } from './items';
import type { Query } from './query';
import type { Reading } from './reading';
import { freeName } from './result-names';
import { sql } from './sql';

export function share(reading: Reading): Query {
  reading.take('which', 'and', 'noun', 'rows');
  const columns = reading.takeColumns().map(({ column }) => column);
  const { scope, where, items, groups } = reading;
  const [condition] = where;
  const [column] = columns;
  const isSum = column?.isAdditive && columns.length === 1 && column.source === scope.root;
  if (items.length > 0 || reading.chart || reading.having || groups.length > 0 || where.length !== 1)
    throw doesNotFit();
  if (columns.length > 0 && !isSum) throw doesNotFit();
  const part = column
    ? sql`100e0 * sum(CASE WHEN ${condition!} THEN ${column} ELSE 0 END) / sum(${column})`
    : sql`100e0 * count(CASE WHEN ${condition!} THEN 1 END) / count(*)`;
  return { root: scope.root, columns: [{ sql: part, as: freeName('percentage', scope) }], where: [], groups: [] };
}
