/** Counts and aggregates, in all or by groups. */
import type { Column } from './described-table';
import { wholeOf } from './dates';
import { formsOf, sameStateWord } from './forms';
import { isQuantity, noteAlone, timeGroup } from './groups';
import { doesNotFit, type ItemOf } from './items';
import { identityOf } from './labels';
import type { Aggregate } from './lexicon';
import type { Query, Selected } from './query';
import type { Group, Reading } from './reading';
import { freeName, measureName } from './result-names';
import type { Source } from './scope';
import { sql } from './sql';

export function computed(reading: Reading): Query {
  reading.take('which');
  const measures = measuresOf(reading);
  reading.take('and', 'sell');
  if (reading.items.length > 0 || reading.having) throw doesNotFit();
  const { groups, chart, order, scope } = reading;
  const last = measures.at(-1)!;
  const selected = groups.flatMap((group) => group.selected);
  noteAlone(reading);
  return {
    root: scope.root,
    columns: [...selected, ...measures],
    where: reading.where,
    groups: selected.map((one) => one.sql),
    order:
      groups.length === 0
        ? []
        : order
          ? [{ as: last.as, most: order.most }]
          : selected.map(({ as }) => ({ as, most: false })),
    ...(chart && groups.length > 0 && { chart: chartOf(groups[0]!, measures, reading) }),
  };
}

export function chartOf(group: Group, measures: readonly Selected[], { chart }: Reading) {
  const type = chart!.type ?? (group.unit || group.column?.kind === 'date' ? 'line' : 'bar');
  return { type, x: group.selected.at(-1)!.as, y: measures.map(({ as }) => as) };
}

function measuresOf(reading: Reading): Selected[] {
  const counts = reading.take('count');
  const much = reading.take('much');
  const aggregates = [...new Set(reading.take('aggregate').map(({ fn }) => fn))];
  const distinct = reading.take('distinct').length > 0;
  if (counts.length > 1 || (counts.length > 0 && much.length > 0)) throw doesNotFit();
  if (counts.length > 0) {
    // "total number of"
    const isBoth = aggregates.length > 0 && reading.has('noun') && reading.has('and') && reading.has('column');
    if (isBoth && !distinct) {
      // "Number of orders and total amount by store"
      const each = reading
        .takeColumns()
        .flatMap(({ column }) => aggregates.map((fn) => aggregate(fn, column, reading)));
      return [counted(reading, distinct), ...each];
    }
    if (aggregates.some((fn) => fn !== 'sum')) throw doesNotFit();
    return [counted(reading, distinct)];
  }
  const nouns = reading.take('noun', 'rows');
  const columns = reading.takeColumns();
  const sells = reading.has('sell');
  if (distinct) throw doesNotFit();
  // The "articles" of "the average price of the articles", where each row is one.
  const named = columns.map(({ column }) => column).filter(({ kind, isUnique }) => !(kind === 'text' && isUnique));
  const fns = aggregates.length > 0 ? aggregates : (['sum'] as const);
  const rows = nouns.find((item) => item.t === 'noun');
  if (named.length === 0 && rows && !sells && much.length === 0 && !isOfSales(rows)) {
    // "Orders by month" are counted; "total orders" may be their number or their amount.
    const hasRevenue = reading.scope.root.columns.some(({ isRevenue }) => isRevenue);
    if (aggregates.length > 1 || (aggregates.length === 1 && (aggregates[0] !== 'sum' || hasRevenue)))
      throw doesNotFit();
    return [{ sql: sql`count(*)`, as: freeName('n', reading.scope) }];
  }
  if (named.length === 0) {
    const taken = revenue(reading, fns, nouns.length > 0 || sells || much.length > 0);
    if (!(taken instanceof Array)) named.push(taken);
    else return taken;
  }
  // Only what adds up is added up without being asked for.
  if (aggregates.length === 0 && !named.every((column) => column.isAdditive || (much.length > 0 && column.isRevenue))) {
    throw doesNotFit();
  }
  // The mean of a month's amounts, or of the months' sums?
  const isMean = fns.some((fn) => fn === 'avg' || fn === 'median');
  const isEither = reading.groups.some(
    ({ unit, source }) => unit || (source && nouns.length === 0 && isCountedBy(source, reading)),
  );
  if (isMean && isEither && named.some((column) => column.isAdditive || isUsed(column))) throw doesNotFit();
  return named.flatMap((column) => fns.map((fn) => aggregate(fn, column, reading)));
}

/** What is used up: that of a day is the sum of its readings. */
const isUsed = ({ names }: Column): boolean =>
  names.some((name) => name.some((word) => /^(?:kwh|mwh)$/.test(word) || formsOf(word).has('consumption')));

/** Rows that are called by the money they bring in. */
export const isOfSales = (item: ItemOf<'noun' | 'entity'>): boolean =>
  (item.name ?? item.source.names.flatMap(({ words }) => words)).some((word) => formsOf(word).has('sale'));

/** The mean per order, or per customer, may be that of their sums; the mean per country is not. */
const isCountedBy = (source: Source, { scope: { root } }: Reading): boolean =>
  source.joined?.from === root &&
  source.names.some(({ words }) =>
    words.some((word) =>
      [...formsOf(word)].some(
        (form) =>
          COUNTERS.has(form) || root.table.names.some(({ words: own }) => own.some((one) => formsOf(one).has(form))),
      ),
    ),
  );
const COUNTERS = new Set(
  'customer user account patient member student guest order invoice visit person employee'.split(' '),
);

function counted(reading: Reading, distinct: boolean): Selected {
  const { scope } = reading;
  const all = { sql: sql`count(*)`, as: freeName('n', scope) };
  const [head] = reading.items.filter(({ t }) => t === 'entity' || t === 'noun' || t === 'rows' || t === 'column');
  const [unit, ...units] = reading.take('unit');
  const nouns = reading.take('noun', 'rows');
  const entities = reading.take('entity');
  const columns = reading.takeColumns();
  if (unit) {
    // "How many days were there without rain"
    if (units.length > 0 || distinct || entities.length > 0 || columns.length > 0) throw doesNotFit();
    return { sql: sql`count(DISTINCT ${timeGroup(unit.unit, reading).selected[0]!.sql})`, as: freeName('n', scope) };
  }
  if (entities.length > 0) {
    // "How many customers have orders in 2024": those that the rows belong to.
    const [{ source }] = entities as [ItemOf<'entity'>];
    // Customers who bought more than 20 units: at once, or in all?
    if (entities.length > 1 || columns.length > 0 || reading.comparesSums || reading.saysWhatAllDid) throw doesNotFit();
    if (reading.asksOfAll(source)) throw doesNotFit();
    // "How many employees have a department" does not ask for the managers of departments.
    if (entities[0]!.isPart && !source.isPlain) throw doesNotFit();
    // "How many orders do customers have"
    if (head?.t === 'noun') throw doesNotFit();
    return { sql: sql`count(DISTINCT ${keyOf(source)})`, as: freeName('n', scope) };
  }
  if (columns.length === 0) {
    if (distinct && nouns.length === 0) throw doesNotFit();
    if (!(nouns.length > 0 || reading.where.length > 0 || reading.groups.length > 0)) throw doesNotFit();
    if (distinct) throw doesNotFit();
    return all;
  }
  const [{ column, isPart, isHad }] = columns as [ItemOf<'column'>];
  if (columns.length > 1) throw doesNotFit();
  // "How many orders have a region": the orders, also where their name was read as something else.
  if (isHad === 'have') throw doesNotFit(column.spec.original);
  // "Visits of patients with insurance" are visits, where each has a patient.
  const isOfThing = head?.t === 'noun' && column.kind === 'text' && column.source === scope.root && !isHad;
  if (isOfThing && !distinct && column.spec.nulls === 0 && reading.where.length > 0 && reading.denied.size === 0)
    return all;
  if (reading.asksOfAllWith([column])) return countedWithNone(reading, column, head?.t !== 'column');
  if (!distinct && isQuantity(column) && head?.t === 'column') {
    // "how many units": a quantity, not a price.
    if (isPart || !column.isAdditive || column.isRevenue) throw doesNotFit();
    return aggregate('sum', column, reading);
  }
  // "How many cities do we have customers in"
  const isOfRows =
    head?.t === 'column' && nouns.length === 1 && column.source === scope.root && reading.where.length === 0;
  if (nouns.length > 0 && !isOfRows) throw doesNotFit();
  // Customers with more than 5 units: in one order, or in all of theirs?
  if (reading.comparesSums && !column.isUnique) throw doesNotFit(column.spec.original);
  return { sql: sql`count(DISTINCT ${column})`, as: freeName('n', scope) };
}

/** How many there are of whose rows none is so. */
function countedWithNone(reading: Reading, column: Column, hasRows: boolean): Selected {
  const denied = reading.deniedOfAll(column);
  if (!denied || hasRows || reading.groups.length > 0 || isQuantity(column)) throw doesNotFit(column.spec.original);
  reading.note({ t: 'noneOf', column });
  reading.where.length = 0;
  const having = sql`count(DISTINCT CASE WHEN ${denied} THEN ${column} END)`;
  return { sql: sql`count(DISTINCT ${column}) - ${having}`, as: freeName('n', reading.scope) };
}

/** The one column that its rows are told apart by. */
export function keyOf(source: Source): Column {
  const pairs = source.joined!.on;
  const key = source.table.primaryKey;
  const column = pairs.length === 1 ? pairs[0]![0] : undefined;
  const own = identityOf(source)[0];
  // The foreign key is as good as the key that it points at, and needs no join.
  const isKey = pairs.length === 1 && (key.length === 0 || (key.length === 1 && key[0] === pairs[0]![1].name));
  if (column && isKey && source.joined!.isRequired) return column;
  if (key.length > 1 || !own) throw doesNotFit();
  return own;
}

export function aggregate(fn: Aggregate, column: Column, reading: Reading): Selected {
  const { scope } = reading;
  const { dialect } = scope;
  const mayHave =
    fn === 'min' || fn === 'max' ? column.kind === 'number' || column.kind === 'date' : isQuantity(column);
  // What belongs to many of the rows would be counted as many times.
  if (!mayHave || (column.source !== scope.root && fn !== 'min' && fn !== 'max'))
    throw doesNotFit(column.spec.original);
  // Percentages, rates and prices of one unit add up to nothing.
  if (fn === 'sum' && isOfEach(column)) throw doesNotFit(column.spec.original);
  if (fn === 'sum') noteCancelled(reading);
  return { sql: computedBy(), as: measureName(fn, column, scope) };

  function computedBy() {
    if (fn === 'sum') return dialect.sum(sql`${column}`, column);
    if (fn === 'avg') return dialect.average(sql`${column}`, column);
    if (fn !== 'median') return sql`${fn}(${column})`;
    if (!dialect.median) throw doesNotFit(column.spec.original);
    return dialect.median(column);
  }
}

const isOfEach = ({ names, spec }: Column): boolean =>
  spec.unit === '%' ||
  names.some((name) => {
    const says = (pattern: RegExp) => name.some((word) => pattern.test(word));
    const isOfUnit = says(/^(?:unit|unitario|unitaria|each)$/) && says(/^(?:price|cost|precio|coste|costo)$/);
    return isOfUnit || says(/^(?:pct|percent|percentage|porcentaje|rate|tasa|ratio)$/);
  });

/** "Total sales", "how much did we sell": the one column of money taken in, where the table has one. */
export function revenue(
  reading: Reading,
  fns: readonly Aggregate[],
  isMeant: boolean,
  sells = reading.has('sell'),
): Column | Selected[] {
  const { scope } = reading;
  const columns = scope.root.columns.filter(({ isRevenue }) => isRevenue);
  if (!isMeant || !fns.every((fn) => fn === 'sum' || fn === 'avg')) throw doesNotFit();
  const [column] = columns;
  if (column && columns.length === 1) {
    if (scope.dialect.name !== 'DuckDB') reading.note({ t: 'revenue', column });
    noteCancelled(reading);
    return column;
  }
  if (columns.length > 1 || !sells || fns.length !== 1 || fns[0] !== 'sum') throw doesNotFit();
  noteCancelled(reading);
  return [product(reading)];
}

/** Sales that came to nothing are sales until the question says otherwise. */
function noteCancelled(reading: Reading): void {
  const { scope } = reading;
  // The lines of an order are cancelled with it.
  const marks = [scope.root, wholeOf(scope) ?? []]
    .flat()
    .flatMap(({ columns, values }) =>
      columns.filter(
        (column) =>
          !reading.asked.has(column) &&
          values.some(
            (value) => value.column === column && value.words.some((word) => sameStateWord(word, 'cancelled')),
          ),
      ),
    );
  for (const column of marks) reading.note({ t: 'deleted', column });
}

/** Price times quantity, where a row has one of each and nothing that would be taken off. */
function product(reading: Reading): Selected {
  const { scope } = reading;
  const says = (column: Column, pattern: RegExp) =>
    column.names.some((name) => name.some((word) => pattern.test(word)));
  const numbers = scope.root.columns.filter(isQuantity);
  const quantities = numbers.filter(
    (column) => says(column, /^(?:quantity|qty|units?|cantidad|unidades)$/) && !says(column, /^(?:price|precio)$/),
  );
  const prices = numbers.filter((column) => says(column, /^(?:price|precio)$/));
  const isReduced = numbers.some((column) =>
    says(column, /^(?:discount|descuento|tax|impuesto|vat|iva|rebate|refund.*)$/),
  );
  if (quantities.length !== 1 || prices.length !== 1 || isReduced) throw doesNotFit();
  const [quantity, price] = [quantities[0]!, prices[0]!];
  reading.note({ t: 'product', column: quantity, other: price });
  return { sql: scope.dialect.sum(sql`${quantity} * ${price}`, price), as: freeName('revenue', scope) };
}
