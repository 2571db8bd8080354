/** The query that the items of a question make, where they make exactly one. */
import { takeConditions } from './conditions/conditions';
import { isQualifier } from './conditions/values';
import { doesNotFit, isOf, type Item } from './items';
import { takeGroups } from './groups';
import { listed } from './listings';
import { computed } from './measures';
import { points } from './points';
import type { Query } from './query';
import { ranked } from './rankings';
import type { Reading } from './reading';
import { share } from './shares';

/** @throws NotUnderstood */
export function interpret(reading: Reading): Query {
  refuseTwoQuestions(reading);
  const isContrast = takeContrast(reading);
  takeLackedRows(reading);
  takeConditions(reading);
  if (isContrast && !reading.compares) throw doesNotFit();
  reading.take('to');
  takeQualifiers(reading);
  takeTail(reading);
  // "the highest price and its product" asks for two things.
  const joins = reading.items.findIndex(({ t }) => t === 'and');
  if (joins >= 0 && isOf(reading.items[joins + 1], 'noun', 'rows')) throw doesNotFit();
  takeChart(reading);
  takeOrder(reading);
  const superlatives = reading.take('super');
  const [most] = superlatives;
  if (superlatives.length > 1 || (most && reading.compares)) throw doesNotFit();
  const hasAggregate = reading.has('aggregate', 'count');
  if (reading.chart?.type === 'histogram' || reading.chart?.type === 'scatter') return points(reading);
  takeGroups(reading, most !== undefined);
  if (most) return ranked(reading, most);
  if (reading.take('share').length > 0) return share(reading);
  if (reading.has('number')) throw doesNotFit();
  // "Total amount", where that is the name of a column.
  const isTotal = reading.items.some((item) => item.t === 'column' && item.isTotal && item.column.isAdditive);
  if (isTotal && !reading.has('which') && !reading.having) return computed(reading);
  return hasAggregate || reading.has('much') || (reading.groups.length > 0 && !reading.having)
    ? computed(reading)
    : listed(reading);
}

/** "Total A of X and total B of Y": each sum is of other rows. */
function refuseTwoQuestions({ items }: Reading): void {
  const isMeasure = (item: Item | undefined) => isOf(item, 'aggregate', 'count');
  const isCondition = (item: Item) =>
    isOf(item, 'value', 'quoted', 'time', 'compare', 'sign', 'without', 'not', 'between') ||
    (item.t === 'column' && item.column.kind === 'boolean');
  const joins = items.findIndex((item, at) => isOf(item, 'and') && isMeasure(items[at + 1]));
  if (joins < 0) return;
  const [first, second] = [items.slice(0, joins), items.slice(joins)];
  if (first.some(isMeasure) && first.some(isCondition) && second.some(isCondition)) throw doesNotFit();
}

/** "The highest price, and of which product": the whole row tells both. */
function takeTail(reading: Reading): void {
  const { items } = reading;
  const at = items.findIndex((item, i) => item.t === 'and' && isOf(items[i + 1], 'which', 'when'));
  if (at < 0 || !items.slice(0, at).some(({ t }) => t === 'super')) return;
  const tail = items.slice(at + 1);
  const isOfRow = (item: Item) =>
    isOf(item, 'which', 'when', 'noun') || (item.t === 'column' && item.column.source === reading.scope.root);
  if (!tail.every(isOfRow)) return;
  reading.items = items.slice(0, at);
  reading.showsRows = true;
}

/** "No tienen ventas anuladas": what is said of the rows is lacked, and not the rows. */
function takeLackedRows(reading: Reading): void {
  const { items } = reading;
  const isSaid = (item: Item | undefined) =>
    item?.t === 'value' || (item?.t === 'column' && item.column.kind === 'boolean');
  reading.items = items.filter(
    (item, at) => !(isOf(item, 'noun', 'rows') && isOf(items[at - 1], 'without') && isSaid(items[at + 1])),
  );
}

/** "Compare A and B" is A versus B. */
function takeContrast(reading: Reading): boolean {
  if (reading.take('contrast').length === 0) return false;
  const isSide = (item: Item | undefined) => item?.t === 'value' || item?.t === 'time';
  const { items } = reading;
  reading.items = items.map((item, at) =>
    isOf(item, 'and', 'to') && isSide(items[at - 1]) && isSide(items[at + 1]) ? { t: 'versus' } : item,
  );
  return true;
}

/** The "customer" of "country of the customer" is said by the column. */
function takeQualifiers(reading: Reading): void {
  const { items } = reading;
  reading.items = items.filter((item, at) => {
    const next = items[at + 1];
    // "payment methods", where the rows are payments; "visits of patients" are visits
    if (item.t === 'noun')
      return !(
        item.isOne &&
        next?.t === 'column' &&
        next.column.kind === 'text' &&
        next.column.source === item.source &&
        !isOf(items[at - 1], 'by')
      );
    if (item.t !== 'entity') return true;
    const before = items[at - 1];
    const after = items[at + 1];
    const isAsked = isOf(before, 'count', 'which', 'distinct', 'super', 'number');
    const isColumnOfIt = (other: typeof before) => other?.t === 'column' && isQualifier(item, other.column.source);
    const isBehindIt = (other: typeof before) =>
      other?.t === 'entity' && other.source !== item.source && isQualifier(item, other.source);
    return !(
      isColumnOfIt(before) ||
      isBehindIt(before) ||
      (isBehindIt(after) && !isAsked) ||
      (isColumnOfIt(after) && !isOf(before, 'count'))
    );
  });
}

function takeChart(reading: Reading): void {
  const charts = reading.take('chart');
  const types = [...new Set(charts.flatMap(({ type }) => (type ? [type] : [])))];
  if (types.length > 1) throw doesNotFit();
  if (charts.length > 0) reading.chart = { ...(types[0] && { type: types[0] }) };
}

function takeOrder(reading: Reading): void {
  const orders = reading.take('order');
  if (orders.length > 1) throw doesNotFit();
  [reading.order] = orders;
}
