/** Comparisons with numbers: "more than 50 units", "price between 10 and 20", "with 4 cylinders", "order 1042". */
import { quantityColumn } from '../columns';
import type { Column } from '../described-table';
import { doesNotFit, isOf, NotUnderstood, type Item, type ItemOf } from '../items';
import { formsOf } from '../forms';
import { labelOf } from '../labels';
import type { Reading } from '../reading';
import { sql } from '../sql';

type Compare = ItemOf<'compare'>;
type NumberItem = ItemOf<'number'>;

const numeric = (item: Item | undefined): Column | undefined =>
  item?.t === 'column' && item.column.kind === 'number' ? item.column : undefined;

export function takeNumbers(reading: Reading): void {
  const { items } = reading;
  const rest: Item[] = [];
  const equalled = new Set<Column>();
  // No row has both: "2 bedrooms and 3 bedrooms".
  const equal = (column: Column): void => {
    if (equalled.has(column)) throw doesNotFit();
    equalled.add(column);
  };
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    const next = items[at + 1];
    const isDouble = item.t === 'compare' && next?.t === 'number' && numeric(items[at + 2]) !== undefined;
    const named = numeric(rest.at(-1));
    // "orders with more than 50 units": the number of an order is not meant.
    const previous = isDouble && named?.isIdentifier ? undefined : named;
    if (isDouble && previous && rest.at(-2)?.t !== 'by') throw doesNotFit();
    const isGroup = rest.at(-2)?.t === 'by';
    const own = previous && !isGroup ? previous : undefined;
    const compare = (column: Column, condition: ReturnType<typeof sql>): void => {
      reading.compared.add(column);
      reading.require(condition);
      if (column === own) rest.pop();
    };
    if (item.t === 'sign') {
      const signed = item.isStock ? stockOf(reading) : (own ?? numeric(next));
      if (!signed) throw doesNotFit();
      compare(signed, sql`${signed} ${item.op} 0`);
      if (item.isStock && signed.spec.nulls !== 0) reading.note({ t: 'unset', column: signed });
      if (!item.isStock && signed !== own) at++;
    } else if (item.t === 'compare' && numeric(next) && item.implies === undefined && item.of !== 'dates') {
      // "stock below the minimum stock"
      const other = numeric(next)!;
      const column = own ?? boundedBy(other, reading);
      if (!column || column === other || column.source !== other.source) throw doesNotFit();
      compare(column, sql`${column} ${item.op} ${other}`);
      for (const one of [column, other]) if (one.spec.nulls !== 0) reading.note({ t: 'unset', column: one });
      at++;
    } else if (item.t === 'compare' && next?.t === 'number') {
      if (isOf(items[at + 2], 'noun') && !own && item.of !== 'dates' && !next.percent && item.implies === undefined) {
        // "countries with more than 10 customers"
        if (reading.having) throw doesNotFit();
        reading.having = { op: item.op, value: next.value };
        at += 2;
        continue;
      }
      const follows = numeric(items[at + 2]);
      const implied = previous || follows ? undefined : impliedColumn(item, items[at + 2], reading);
      // "5 years of seniority" is not the age.
      const isOther = implied && item.implies === undefined && numeric(items[at + 3]);
      if (isOther && isOther !== implied) throw doesNotFit();
      const column = own ?? follows ?? implied;
      if (!column || item.of === 'dates') throw doesNotFit();
      if (item.op === '=') equal(column);
      compare(column, sql`${column} ${item.op} ${inColumn(next, column)}`);
      const isUnit = column === implied && items[at + 2]?.t === 'unit';
      at += column === own || (column === implied && !isUnit) ? 1 : 2;
    } else if ((item.t === 'between' || item.t === 'from') && next?.t === 'number') {
      const high = items[at + 3];
      if (!isOf(items[at + 2], 'and', 'to') || high?.t !== 'number') throw doesNotFit();
      const column = own ?? numeric(items[at + 4]);
      if (!column) throw doesNotFit();
      compare(column, sql`${column} BETWEEN ${inColumn(next, column)} AND ${inColumn(high, column)}`);
      at += column === own ? 3 : 4;
    } else if (
      item.t === 'number' &&
      own &&
      isOf(rest.at(-2), 'column', 'value', 'noun', 'entity', 'which', 'count', 'rows', 'number') &&
      !isOf(rest.at(-2), 'super')
    ) {
      // "cylinders 4"
      equal(own);
      compare(own, sql`${own} = ${inColumn(item, own)}`);
    } else if (item.t === 'number' && numeric(next) && !isOf(rest.at(-1), 'super') && items[at + 2]?.t !== 'super') {
      // "with 4 cylinders"
      const column = numeric(next)!;
      if (rest.length === 0) throw doesNotFit();
      equal(column);
      reading.compared.add(column);
      reading.require(sql`${column} = ${inColumn(item, column)}`);
      at++;
    } else if (item.t === 'number' && isNamed(item, rest.at(-1)) && !isOf(rest.at(-2), 'super')) {
      const rows = rest.at(-1) as ItemOf<'noun'>;
      const key = numberedBy(rows);
      // No row is two of them: "product 2 and product 3".
      if (reading.asked.has(key)) throw doesNotFit();
      // "Product 7" may be what another row is called.
      if (labelOf(rows.source)) reading.note({ t: 'key', column: key });
      reading.require(sql`${key} = ${item.value}`);
      if (rest.at(-1)?.t === 'entity') rest.pop();
    } else rest.push(item);
  }
  reading.items = rest;
}

/** How much there is of a thing. */
const stockOf = ({ scope: { root } }: Reading): Column | undefined => {
  const stocks = root.columns.filter(
    ({ kind, names }) => kind === 'number' && names.some((name) => name.every((word) => formsOf(word).has('stock'))),
  );
  return stocks.length === 1 ? stocks[0] : undefined;
};

/** The `stock` of `min_stock`. */
const boundedBy = ({ names, source }: Column, { scope: { root } }: Reading): Column | undefined => {
  const rests = names.filter(([bound]) => /^(?:min|max)$/.test(bound!)).map((name) => name.slice(1).join(' '));
  const bounded = root.columns.filter((column) => column.names.some((name) => rests.includes(name.join(' '))));
  return bounded.length === 1 && source === root ? bounded[0] : undefined;
};

/** "order 1042" */
const isNamed = (item: NumberItem, before: Item | undefined): boolean =>
  (before?.t === 'noun' || before?.t === 'entity') &&
  before.isOne &&
  /^\d+$/.test(item.raw) &&
  !item.percent &&
  before.source.table.primaryKey.length === 1;

/** The number that one of its rows is called by: its key, where it has no other. */
function numberedBy({ source: { table, columns } }: ItemOf<'noun' | 'entity'>): Column {
  const numbered = columns.filter(
    ({ names, isLink }) =>
      !isLink && names.some((name) => /^(?:number|numero|num|no|nr|code|codigo|reference|ref)$/.test(name.at(-1)!)),
  );
  const key = columns.find(
    ({ name, kind }) => table.primaryKey.length === 1 && name === table.primaryKey[0] && kind === 'number',
  );
  if (!key) throw doesNotFit();
  if (numbered.some((column) => column !== key))
    throw new NotUnderstood('ambiguous', numbered.map(({ spec }) => spec.original).join(', '));
  return key;
}

/** "Older than 60", "mayores de 60 años" speak of the age; "cheaper than 10" of the price. */
function impliedColumn(item: Compare, next: Item | undefined, { scope }: Reading): Column | undefined {
  const implied = item.implies ?? (next?.t === 'unit' && next.unit === 'year' ? 'age' : undefined);
  return implied && quantityColumn(implied, scope.root);
}

function inColumn({ value, percent }: NumberItem, { spec, names }: Column): string {
  // `discount_pct` has 10 for 10 percent; where nothing is above 1, it may be 0.1.
  const isPercent = names.some((name) => name.some((word) => /^(?:pct|percent|percentage|porcentaje)$/.test(word)));
  if (percent && spec.unit !== '%' && isPercent && Number(spec.maximum) > 1) return String(value);
  if (!percent) {
    if (spec.unit === '%') throw new NotUnderstood('ambiguous', String(value));
    return String(value);
  }
  if (spec.unit !== '%') throw doesNotFit();
  return `${value} / 100`;
}
