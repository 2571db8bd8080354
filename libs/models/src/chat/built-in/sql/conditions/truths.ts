/** What is there and what is missing, and columns of yes and no. */
import type { Column } from '../described-table';
import { columnGroup } from '../groups';
import { doesNotFit, isOf, NotUnderstood, type Item, type ItemOf } from '../items';
import type { Reading } from '../reading';
import { sql } from '../sql';
import { isHead, isQualifier, mayLack } from './values';

export function takeMissing(reading: Reading): void {
  const { items } = reading;
  const rest: Item[] = [];
  for (let at = 0; at < items.length; at++) {
    const next = items[at + 1];
    if (items[at]!.t !== 'without') rest.push(items[at]!);
    else if (next?.t === 'column') {
      const { column } = next;
      reading.lacks = true;
      const { dialect } = reading.scope;
      const isNumber = !next.isValue && (mayBeNothing(column) || isCounted(column));
      // "Articles without stock" have none or an unknown one.
      const isNothing = !next.isValue && mayBeNothing(column) && column.spec.nulls === 0;
      const isHad = isNumber ? sql`${column} <> 0` : sql`${column} IS NOT NULL`;
      const isBoolean = column.kind === 'boolean';
      reading.deny(column, items[at - 1], isBoolean ? dialect.isTrue(column) : isHad);
      if (isNothing) reading.require(sql`${column} = 0`);
      else if (isNumber) {
        reading.require(sql`(${column} IS NULL OR ${column} = 0)`);
        reading.note({ t: 'none', column });
      } else reading.require(isBoolean && !next.isValue ? dialect.isFalse(column) : sql`${column} IS NULL`);
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

/** A number of things: a stock, `refills`. */
const isCounted = ({ kind, isAdditive, isIdentifier, spec }: Column): boolean =>
  isAdditive || (kind === 'number' && !isIdentifier && /[^s]s$/i.test(spec.original || spec.name));

/** A quantity of which there may be none: "no precipitation" is one of 0. */
function mayBeNothing({ kind, isIdentifier, spec: { minimum, maximum } }: Column): boolean {
  if (kind !== 'number' || isIdentifier) return false;
  return minimum !== undefined && maximum !== undefined && Number(minimum) <= 0 && Number(maximum) >= 0;
}

/** "How many patients have insurance": those of whom it is set. */
export function takePresent(reading: Reading): void {
  const { items } = reading;
  const last = items.at(-1);
  if (last?.t === 'entity' && last.isOne && last.isHad && isOf(items.at(-2), 'noun') && reading.has('count')) {
    // "How many employees have a department"
    const { joined } = last.source;
    if (joined?.from !== reading.scope.root || joined.isReverse) return;
    for (const [own] of joined.on) reading.require(sql`${own} IS NOT NULL`);
    reading.items = items.slice(0, -1);
    return;
  }
  if (last?.t !== 'column' || !last.isHad || items.at(-2)?.t !== 'noun') return;
  const { column } = last;
  const counts = reading.has('count', 'share');
  if (column.kind === 'boolean' || reading.has('aggregate', 'super', 'by', 'chart')) return;
  if (last.isHad === 'with' && !counts) return;
  // A stock of nothing is none.
  if (isCounted(column)) throw doesNotFit(column.spec.original);
  // Who has a discount has one of more than 0.
  if (mayBeNothing(column) && Number(column.spec.minimum) < 0) throw doesNotFit(column.spec.original);
  reading.require(mayBeNothing(column) ? sql`${column} > 0` : sql`${column} IS NOT NULL`);
  // Contracts that "have ended" may have an end that is to come.
  if (column.kind === 'date') reading.note({ t: 'happened', column });
  reading.items = items.slice(0, -1);
}

/**
 * "active customers", "discontinued products": a column of yes and no is a condition unless it is grouped by, and so is
 * a date that is there or not.
 */
export function takeTruths(reading: Reading): void {
  const { dialect } = reading.scope;
  takeBothTruths(reading);
  const { items } = reading;
  const asksForDate =
    reading.has('when', 'super') || items.some((item) => item.t === 'aggregate' && /^(?:min|max)$/.test(item.fn));
  const rest: Item[] = [];
  const said = new Map<Column, boolean>();
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    const isBoolean = item.t === 'column' && item.column.kind === 'boolean';
    const isEvent = item.t === 'column' && !asksForDate && (happened(item.column) || hasBefallen(item, reading));
    if (item.t !== 'column' || !(isBoolean || isEvent) || isOf(rest.at(-1), 'by', 'distinct', 'which')) {
      rest.push(item);
      continue;
    }
    const { column } = item;
    const negated = item.isNegated === true || rest.at(-1)?.t === 'not';
    // No row is "urgent and not urgent".
    if ((said.get(column) ?? negated) !== negated) throw doesNotFit(column.spec.original);
    said.set(column, negated);
    if (rest.at(-1)?.t === 'not') {
      rest.pop();
      reading.deny(column, rest.at(-1), isBoolean ? dialect.isTrue(column) : sql`${column} IS NOT NULL`);
    }
    if (isBoolean) {
      reading.require(negated ? dialect.isFalse(column) : dialect.isTrue(column));
      if (negated && column.spec.nulls !== 0 && mayLack(column, reading)) reading.note({ t: 'unset', column });
    } else if (column.spec.nullable === false) {
      // "Open" tickets were all opened, but some are closed since.
      const { columns } = column.source;
      if (columns.some(({ kind, spec }) => kind === 'date' && spec.nullable !== false)) throw doesNotFit();
      reading.saysWhatAllDid = true;
    } else {
      reading.require(negated ? sql`${column} IS NULL` : sql`${column} IS NOT NULL`);
      reading.note({ t: 'happened', column });
    }
    // "orders of customers that are active", "of active customers"
    if (isQualifier(rest.at(-1), column.source) && !isHead(rest, rest.length - 1)) rest.pop();
    else if (isQualifier(items[at + 1], column.source)) at++;
  }
  reading.items = rest;
}

/** "Remote employees versus non-remote": a group for each. */
function takeBothTruths(reading: Reading): void {
  const at = reading.items.findIndex(({ t }) => t === 'versus');
  if (at < 0) return;
  const isRows = (item: Item) => isOf(item, 'noun', 'rows');
  const before = reading.items
    .slice(0, at)
    .filter((item) => !isRows(item))
    .at(-1);
  const [first, second, ...more] = reading.items.slice(at + 1).filter((item) => !isRows(item));
  const isIt = (item: Item | undefined, column: Column) => item?.t === 'column' && item.column === column;
  if (before?.t !== 'column' || before.column.kind !== 'boolean' || before.isNegated) return;
  const isOpposite =
    (first?.t === 'not' && isIt(second, before.column) && more.length === 0) ||
    (first?.t === 'column' && first.isNegated && isIt(first, before.column) && second === undefined);
  if (!isOpposite) throw doesNotFit();
  reading.items = reading.items.slice(0, at).filter((item) => item !== before);
  reading.groups.push(columnGroup(before.column, reading));
}

/** "Terminated" of a `termination_date` that some rows lack, where it is not the date of a period. */
const hasBefallen = ({ isVerb, column: { spec } }: ItemOf<'column'>, reading: Reading): boolean =>
  isVerb === true && spec.nullable !== false && spec.nulls !== 0 && !reading.has('unit');

/** A date named by what happened then: `shipped_at`. Rows without one it has not befallen. */
const happened = ({ kind, names }: Column): boolean =>
  kind === 'date' && names.some(([name, more]) => more === undefined && /(?:ed|id[oa]|ad[oa]|paid|sent)$/.test(name!));
