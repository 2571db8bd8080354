/** A scatter or histogram shows the rows themselves. */
import { doesNotFit } from './items';
import type { Query } from './query';
import type { Reading } from './reading';
import { shown } from './result-names';
import { sql } from './sql';

export function points(reading: Reading): Query {
  reading.take('which', 'and', 'by', 'rows', 'noun', 'versus');
  const columns = reading.takeColumns().map(({ column }) => column);
  const type = reading.chart!.type!;
  const isRight = columns.length === (type === 'histogram' ? 1 : 2) && columns.every(({ kind }) => kind === 'number');
  if (!isRight || reading.items.length > 0 || reading.having) throw doesNotFit();
  const selected = columns.map((column) => shown(column, reading.scope));
  const [x, y] = selected.map(({ as }) => as);
  return {
    root: reading.scope.root,
    columns: selected,
    where: [...reading.where, ...columns.map((column) => sql`${column} IS NOT NULL`)],
    groups: [],
    chart: { type, x: x!, y: y === undefined ? [] : [y] },
  };
}
