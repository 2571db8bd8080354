/** What the rows are grouped by: what follows "by", and periods of time. */
import { dateMeant } from './dates';
import type { Column, PlainColumn } from './described-table';
import { doesNotFit, isOf, type Item } from './items';
import { identityOf } from './labels';
import type { Unit } from './lexicon';
import type { Group, Reading } from './reading';
import { freeName, shown } from './result-names';
import type { Source } from './scope';

/** What follows "by", unless it is what a ranking goes by; a time unit groups without it. */
export function takeGroups(reading: Reading, isRanked: boolean): void {
  const rest: Item[] = [];
  const isMeasureOfRank = (item: Item) => isRanked && isMeasure(item);
  for (let at = 0; at < reading.items.length; at++) {
    const { items } = reading;
    const item = items[at]!;
    const next = items[at + 1];
    if (item.t === 'by' && isOf(next, 'noun', 'rows') && isMean(reading) && !isOf(items[at + 2], 'column', 'entity')) {
      // "average units per order": a row is an order.
      at++;
    } else if (
      item.t === 'by' &&
      isOf(next, 'noun') &&
      isOf(items[at + 2], 'column', 'entity') &&
      !isMeasureOfRank(items[at + 2]!)
    ) {
      // "by order status"
      reading.items = items.filter((one) => one !== next);
      at--;
    } else if (item.t === 'by' && next && !isMeasureOfRank(next)) {
      const group = groupOf(next, reading);
      // "the amount per unit" is a quotient.
      if (!group || (group.column?.isAdditive && !isRanked)) throw doesNotFit();
      at = placeNow(at + 1, items, reading);
      reading.groups.push(group);
      // "by region and product", and also "by region and by product".
      for (;;) {
        const before = reading.items;
        const after = before[at + 2];
        if (!isOf(before[at + 1], 'and') || !after || isMeasureOfRank(after)) break;
        const further = groupOf(after, reading);
        if (!further) break;
        reading.groups.push(further);
        at = placeNow(at + 2, before, reading);
      }
    } else if (item.t === 'by' && isRanked) reading.ranksBy = next;
    else if (item.t === 'unit' && !isOf(items[at - 1], 'count') && !(isRanked && reading.groups.length === 0)) {
      const group = timeGroup(item.unit, reading);
      at = placeNow(at, items, reading);
      reading.groups.push(group);
    } else rest.push(item);
  }
  reading.items = rest.filter((item) => reading.items.includes(item));
  const names = reading.groups.flatMap(({ selected }) => selected.map(({ as }) => as));
  if (new Set(names).size < names.length) throw doesNotFit();
}

/** Where an item stands after others were taken out. The same unit said twice is the same item: it cannot be looked for. */
const placeNow = (at: number, before: readonly Item[], { items }: Reading): number =>
  at - before.slice(0, at).filter((item) => !items.includes(item)).length;

const isMean = ({ items }: Reading): boolean =>
  items.some((item) => item.t === 'aggregate' && (item.fn === 'avg' || item.fn === 'median'));

export const isQuantity = ({ kind, isIdentifier }: PlainColumn): boolean => kind === 'number' && !isIdentifier;

const isMeasure = (item: Item): boolean =>
  item.t === 'aggregate' || item.t === 'count' || item.t === 'sell' || (item.t === 'column' && isQuantity(item.column));

function groupOf(item: Item, reading: Reading): Group | undefined {
  if (item.t === 'column') return columnGroup(item.column, reading);
  if (item.t === 'unit') return timeGroup(item.unit, reading);
  if (item.t === 'entity') return sourceGroup(item.source, reading);
  return undefined;
}

export function columnGroup(column: Column, { scope }: Reading): Group {
  return { selected: [shown(column, scope)], column };
}

/** One group for each row of another table. */
export function sourceGroup(source: Source, { scope }: Reading): Group {
  const columns = identityOf(source);
  if (columns.length === 0) throw doesNotFit();
  return { selected: columns.map((column) => shown(column, scope)), source };
}

/** A date that is named is taken out of the items. */
export function timeGroup(unit: Unit, reading: Reading): Group {
  const date = dateMeant(reading);
  const { dialect } = reading.scope;
  return { selected: [{ sql: dialect.period(unit, date), as: freeName(unit, reading.scope) }], unit, date };
}

/** What tells whether the group of a row is known. */
export const presenceOf = ({ column, date, source, selected }: Group): Column =>
  column ?? date ?? (source ? source.joined!.on[0]![1] : selected[0]!.sql.columns[0]!);

/** What is said of rows that belong to no group of another table. */
export function noteAlone(reading: Reading): void {
  for (const group of reading.groups) {
    const source = group.source ?? group.column?.source;
    const isFiltered = reading.where.some(({ columns }) => columns.some((column) => column.source === source));
    if (!source || isFiltered) continue;
    for (let one: Source | undefined = source; one?.joined; one = one.joined.from) {
      const [own] = one.joined.on[0]!;
      if (one.joined.isReverse || own.spec.nullable !== false) reading.note({ t: 'alone', column: own });
    }
  }
}
