/** Parts of a whole in percent: the one that a condition makes, or those of the groups. */
import type { Column } from './described-table';
import { noteAlone } from './groups';
import { doesNotFit } from './items';
import type { Query } from './query';
import type { Reading } from './reading';
import { freeName } from './result-names';
import { sql } from './sql';
import { isOfSales, revenue } from './measures';

export function share(reading: Reading): Query {
  const isOfSum = reading.take('aggregate');
  if (isOfSum.some(({ fn }) => fn !== 'sum')) throw doesNotFit();
  const sells = reading.take('sell').length > 0;
  reading.take('which', 'and', 'count');
  const nouns = reading.take('noun', 'rows');
  // What each row is called is no part of what is asked.
  const isName = ({ kind, isUnique, source }: Column) => kind === 'text' && isUnique && source === reading.scope.root;
  const columns = reading
    .takeColumns()
    .map(({ column }) => column)
    .filter((column) => !isName(column));
  if (columns.length === 0 && sells) {
    const taken = revenue(reading, ['sum'], true, true);
    if (taken instanceof Array) throw doesNotFit();
    columns.push(taken);
  }
  const { scope, where, items, groups } = reading;
  // Of the number of sales, or of their amount?
  const isEither = nouns.some((item) => item.t === 'noun' && isOfSales(item));
  if (columns.length === 0 && isEither && scope.root.columns.some(({ isRevenue }) => isRevenue)) throw doesNotFit();
  const [condition] = where;
  const [column] = columns;
  const isSum = column?.isAdditive && columns.length === 1 && column.source === scope.root;
  if (items.length > 0 || reading.chart || reading.having || (columns.length > 0 && !isSum)) throw doesNotFit();
  // "Of the total" of what?
  if (isOfSum.length > 0 && !column && nouns.length === 0) throw doesNotFit();
  const as = freeName('percentage', scope);
  if (groups.length > 0) {
    // "Returned orders by channel": of those of the channel, or of all that were returned?
    if (groups.length > 1 || where.length > 0) throw doesNotFit();
    const selected = groups.flatMap((group) => group.selected);
    const measure = column ? sql`sum(${column})` : sql`count(*)`;
    noteAlone(reading);
    return {
      root: scope.root,
      columns: [...selected, { sql: sql`100e0 * ${measure} / sum(${measure}) OVER ()`, as }],
      where: [],
      groups: selected.map((one) => one.sql),
      order: selected.map((one) => ({ as: one.as, most: false })),
    };
  }
  if (where.length !== 1) throw doesNotFit();
  const part = column
    ? sql`100e0 * sum(CASE WHEN ${condition!} THEN ${column} ELSE 0 END) / sum(${column})`
    : sql`100e0 * count(CASE WHEN ${condition!} THEN 1 END) / count(*)`;
  return { root: scope.root, columns: [{ sql: part, as }], where: [], groups: [] };
}
