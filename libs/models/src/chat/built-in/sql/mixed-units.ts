/** Amounts of which a column beside them says the currency or the unit: several are no one sum, and no one ranking. */
import type { Column } from './described-table';
import { isQuantity } from './groups';
import { formsOf } from './forms';
import { NotUnderstood } from './items';
import type { Query } from './query';
import type { Reading } from './reading';
import type { Source } from './scope';
import type { Sql } from './sql';

const CURRENCY = new Set(['currency']);
const UNIT = new Set('uom unit measure'.split(' '));
const MONEY = new Set(
  `amount price cost revenue sale salary total subtotal fee payment budget expense profit balance net gross tax discount
   debt rent bonus margin invoice income spend paid`.split(/\s+/),
);
const MEASURED = new Set('quantity amount stock consumption weight volume size'.split(' '));

/**
 * Refuses to compute with amounts of several units, and notes where they are compared with a number.
 *
 * @throws NotUnderstood
 */
export function refuseMixedUnits(query: Query, reading: Reading): void {
  const { root, columns, rank, having, where } = query;
  const computed = [...columns.map((one) => one.sql), ...(rank ? [rank.sql] : []), ...(having ?? [])];
  const isMeasure = ({ parts }: Sql) => parts.length > 1;
  const measured = computed.filter((one) => isMeasure(one) || one === rank?.sql).flatMap((one) => one.columns);
  for (const column of new Set([...measured, ...where.flatMap((one) => one.columns)])) {
    if (column.source !== root && !column.source.joined) continue;
    const unit = isQuantity(column) ? unitOf(column) : undefined;
    if (!unit || isSettled(unit, query)) continue;
    const { spec } = unit;
    const called = `${spec.original || spec.name}: ${(spec.values ?? []).map(({ value }) => value).join(', ')}`;
    if (measured.includes(column)) throw new NotUnderstood('mixed', called);
    reading.note({ t: 'mixed', column: unit });
  }
}

/** The column that says what a number is in, where the rows have several such. */
function unitOf({ source, names, isRevenue }: Column): Column | undefined {
  const says = (some: readonly (readonly string[])[], words: ReadonlySet<string>) =>
    some.flat().some((word) => [...formsOf(word)].some((form) => words.has(form)));
  const isMoney = isRevenue || says(names, MONEY);
  // The price of a kilo and that of a piece have no average.
  const isPerUnit = names.some((name) => name.some((word) => /^(?:unit|unitario|unitaria)$/.test(word)));
  const units = source.columns.filter(
    (column) =>
      column.kind === 'text' &&
      (column.spec.distinct ?? column.spec.values?.length ?? 1) > 1 &&
      ((isMoney && says(column.names, CURRENCY)) ||
        ((isMoney ? isPerUnit : says(names, MEASURED)) && isUnitName(column, source))),
  );
  return units[0];
}

/** `unit`, `unit_of_measure`; not the `business_unit`. */
const isUnitName = ({ names }: Column, { table }: Source): boolean =>
  names.some(
    (name) =>
      name.every((word) => [...formsOf(word)].some((form) => UNIT.has(form))) &&
      !table.names.some(({ words }) => words.join(' ') === name.join(' ')),
  );

/** One unit is asked for, or each by itself. */
function isSettled(unit: Column, { where, groups }: Query): boolean {
  const isOne = (condition: Sql) => condition.columns.includes(unit) && /^\S+ = '[^']*'$/.test(condition.text);
  return where.some(isOne) || groups.some(({ columns }) => columns.includes(unit));
}
