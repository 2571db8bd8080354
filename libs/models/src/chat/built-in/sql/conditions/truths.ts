/** What is there and what is missing, and columns of yes and no. */
import type { Column } from '../described-table';
import { isOf, NotUnderstood, type Item } from '../items';
import type { Reading } from '../reading';
import { sql } from '../sql';
import { isHead } from './values';

export function takeMissing(reading: Reading): void {
  const { items } = reading;
  const rest: Item[] = [];
  for (let at = 0; at < items.length; at++) {
    const next = items[at + 1];
    if (items[at]!.t !== 'without') rest.push(items[at]!);
    else if (next?.t === 'column') {
      reading.require(sql`${next.column} IS NULL`);
      at++;
    } else if (next?.t === 'entity' && next.source.joined && next.source.joined.from === reading.scope.root) {
      // "orders without a customer"
      const { on } = next.source.joined;
      for (const [own] of on) reading.require(sql`${own} IS NULL`);
      at++;
    } else throw new NotUnderstood('pattern', '');
  }
  reading.items = rest;
}

/** "active customers": a column of yes and no is a condition unless it is grouped by. */
export function takeTruths(reading: Reading): void {
  const { dialect } = reading.scope;
  const rest: Item[] = [];
  const { items } = reading;
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    const isTruth = item.t === 'column' && item.column.kind === 'boolean' && !isOf(rest.at(-1), 'by', 'distinct');
    if (isTruth) {
      const negated = rest.at(-1)?.t === 'not';
      if (negated) rest.pop();
      reading.require(negated ? dialect.isFalse(item.column) : dialect.isTrue(item.column));
      dropBeside(rest, items, at, item.column);
      if (
        isOf(items[at + 1], 'entity') &&
        isQualifier(items[at + 1], item.column) &&
        !isHead([...rest, item, ...items.slice(at + 1)], rest.length + 1)
      )
        at++;
      continue;
    }
    rest.push(item);
  }
  reading.items = rest;
}

/** "orders of customers that are active" */
function dropBeside(rest: Item[], _items: readonly Item[], _at: number, column: Column): void {
  if (isQualifier(rest.at(-1), column) && !isHead(rest, rest.length - 1)) rest.pop();
}

const isQualifier = (item: Item | undefined, { source }: Column): boolean =>
  item?.t === 'entity' && item.source === source;
