/** The most or the least: one number, the rows that have it, or the groups. */
import { quantityColumn } from './columns';
import { formsOf } from './forms';
import type { Column } from './described-table';
import { columnGroup, isQuantity, presenceOf, sourceGroup, timeGroup } from './groups';
import { doesNotFit, NotUnderstood, type ItemOf } from './items';
import type { Aggregate } from './lexicon';
import { aggregate, chartOf, revenue } from './measures';
import type { Query, Selected } from './query';
import type { Group, Reading } from './reading';
import { freeName, shown } from './result-names';
import { join, sql } from './sql';

type Super = ItemOf<'super'>;

const MAX_LIMIT = 1000;

/** What a question says of a ranking. */
interface Asked {
  readonly most: Super;
  readonly limit: number;
  readonly labels: readonly Column[];
  readonly measured: readonly Column[];
  readonly fn?: Aggregate;
  readonly counts: boolean;
  readonly nouns: boolean;
  readonly sells: boolean;
  readonly isMoney: boolean;
  readonly when: boolean;
  readonly who: boolean;
  readonly many: boolean;
}

export function ranked(reading: Reading, most: Super): Query {
  if (reading.order || reading.having) throw doesNotFit();
  const { root } = reading.scope;
  const numbers = reading.take('number');
  if (numbers.length > 1) throw doesNotFit();
  const limit = numbers[0]?.value ?? 1;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT || numbers[0]?.percent) throw doesNotFit();
  const which = reading.take('which');
  const when = reading.take('when').length > 0;
  const units = reading.take('unit');
  const sold = reading.take('sell');
  const sells = sold.length > 0;
  reading.take('and');
  const aggregates = reading.take('aggregate');
  const counts = reading.take('count').length > 0;
  const nouns = reading.take('noun', 'rows').length > 0;
  const entities = reading.take('entity').map(({ source }) => source);
  const implied = most.implies && quantityColumn(most.implies, root);
  // "The longest running time" names what is long.
  const isMeasureNamed = reading.items.some((item) => item.t === 'column' && isQuantity(item.column));
  if (most.implies && !implied && !isMeasureNamed) throw doesNotFit();
  if (units[0] && (reading.items.some(({ t }) => t === 'column') || units.length > 0)) {
    // A named date goes with the period.
    if (units.length > 1) throw doesNotFit();
    reading.groups.unshift(timeGroup(units[0].unit, reading));
  }
  const columns = reading.takeColumns().map(({ column }) => column);
  if (reading.items.length > 0 || aggregates.length > 1 || reading.chart?.type === 'line') throw doesNotFit();
  if (implied && !columns.includes(implied) && !(most.implies === 'duration' && isMeasureNamed)) columns.push(implied);
  const measured = columns.filter(isQuantity);
  let labels = columns.filter((column) => !isQuantity(column));
  // "Which supplier has the most articles", where each row is one.
  const rowNames = labels.filter((column) => column.kind === 'text' && column.isUnique && column.source === root);
  const countsRows = most.counts && measured.length === 0 && labels.length === 2 && rowNames.length === 1;
  // "The dearest article, and in which store": the row tells what it is called, too.
  const showsNamed = reading.showsRows && labels.length === 1 && rowNames.length === 1;
  if (countsRows || showsNamed) labels = labels.filter((column) => column !== rowNames[0]);
  if (units.length > 0 && (labels.length > 0 || entities.length > 0)) throw doesNotFit();
  if (entities.length > 1 || (entities.length > 0 && labels.length > 0)) throw doesNotFit();
  if (entities[0]) reading.groups.push(sourceGroup(entities[0], reading));
  const fn = aggregates[0]?.fn;
  const asked: Asked = {
    most,
    limit,
    labels,
    measured,
    fn,
    counts,
    nouns: nouns || countsRows,
    sells,
    isMoney: sold.some((one) => one.isMoney === true),
    when,
    who: which.some(({ who }) => who),
    many: numbers.length > 0,
  };
  // "Who earns the most": a salary is not added up.
  const isOfRows = measured.length === 1 && !measured[0]!.isAdditive && labels.length === 0;
  const byMoney = reading.ranksBy?.t === 'sell' && measured.length === 0;
  const isGrouped = byMoney || reading.groups.length > 0 || fn !== undefined || counts || (most.counts && !isOfRows);
  if (isGrouped && reading.showsRows) throw doesNotFit();
  if (isGrouped && !isOneEach(reading, asked)) return rankedGroups(reading, asked);
  if (counts || fn !== undefined || (sells && measured.length === 0)) throw doesNotFit();
  return rankedRows(reading, asked);
}

/** Whether every row is its own group, so that nothing is added up. */
const isOneEach = ({ groups, scope }: Reading, { fn, labels }: Asked): boolean =>
  fn === undefined &&
  groups.length <= 1 &&
  labels.length === 1 &&
  labels[0]!.isUnique &&
  labels[0]!.source === scope.root;

function rankedGroups(reading: Reading, asked: Asked): Query {
  const { most, limit, labels, measured, fn, when } = asked;
  if (when || labels.length > 1) throw doesNotFit();
  // "Top 2 products per country": in each country by itself.
  const within = labels[0] ? reading.groups : [];
  if (labels[0]) reading.groups = [columnGroup(labels[0], reading)];
  const [group] = reading.groups;
  if (!group || reading.groups.length !== 1 || within.length > 1 || measured.length > 1) throw doesNotFit();
  if (within.length > 0 && (reading.chart || !most.most || within[0]!.column === group.column)) throw doesNotFit();
  const measure = rankMeasure(reading, asked);
  // Groups without any such row would be the least, and are not there.
  const isAmount = fn === undefined || fn === 'sum';
  const isFewest = !most.most && isAmount;
  const isOfAll = isFewest && reading.where.length > 0 && canCountAll(group, measure, within, reading);
  if (isFewest && !isOfAll && (reading.where.length > 0 || group.unit || group.source)) throw doesNotFit();
  if (isOfAll) return fewest(group, reading, asked);
  const selected = [...within, group].flatMap((one) => one.selected);
  const isCount = measure.sql.text === 'count(*)';
  return {
    root: reading.scope.root,
    columns: [...selected, measure],
    where: [...reading.where, ...[...within, group].map((one) => sql`${presenceOf(one)} IS NOT NULL`)],
    groups: selected.map((one) => one.sql),
    ...(!isCount && { having: [sql`${measure.sql} IS NOT NULL`] }),
    rank: {
      ...{ sql: measure.sql, most: most.most, limit },
      ...(within.length > 0 && { within: within.flatMap((one) => one.selected) }),
    },
    ...(reading.chart && { chart: chartOf(group, [measure], reading) }),
  };
}

/** Whether every group is in the table itself, so that those with none of the rows that count can be counted, too. */
const canCountAll = (group: Group, measure: Selected, within: readonly Group[], { scope, chart }: Reading): boolean =>
  measure.sql.text === 'count(*)' && group.column?.source === scope.root && within.length === 0 && !chart;

/** "Which country has the fewest returned orders": it may have none. */
function fewest(group: Group, reading: Reading, { limit }: Asked): Query {
  const { root } = reading.scope;
  reading.note({ t: 'zero', column: group.column! });
  const counted = sql`count(CASE WHEN ${join(reading.where, ' AND ')} THEN 1 END)`;
  return {
    root,
    columns: [...group.selected, { sql: counted, as: freeName('n', reading.scope) }],
    where: [sql`${presenceOf(group)} IS NOT NULL`],
    groups: group.selected.map((one) => one.sql),
    rank: { sql: counted, most: false, limit },
  };
}

function rankMeasure(reading: Reading, { most, measured, fn, counts, nouns, sells, isMoney }: Asked): Selected {
  const [column] = measured;
  if (fn !== undefined) {
    if (counts) throw doesNotFit();
    if (column) return aggregate(fn, column, reading);
    const taken = revenue(reading, [fn], nouns || sells);
    return taken instanceof Array ? taken[0]! : aggregate(fn, taken, reading);
  }
  if (!column && !counts && sells && (reading.ranksBy?.t === 'sell' || isMoney || !most.counts)) {
    const taken = revenue(reading, ['sum'], true, true);
    return taken instanceof Array ? taken[0]! : aggregate('sum', taken, reading);
  }
  if (counts || (most.counts && !column)) {
    // "sold the most" may be units or money.
    if (column || !nouns || sells) throw doesNotFit();
    return { sql: sql`count(*)`, as: freeName('n', reading.scope) };
  }
  if (!column?.isAdditive || !(most.counts || isSummed(column, sells, reading))) throw doesNotFit();
  return aggregate('sum', column, reading);
}

/** "Top 5 products by quantity sold", "by total amount": of all their rows, and not of one. */
function isSummed(column: Column, sells: boolean, { ranksBy }: Reading): boolean {
  if (ranksBy?.t !== 'column' || ranksBy.column !== column) return false;
  const says = (word: string) => column.names.some((name) => name.some((part) => formsOf(part).has(word)));
  return sells || says('quantity') || (says('total') && !ranksBy.isPart);
}

function rankedRows(reading: Reading, asked: Asked): Query {
  const { most, limit, labels, measured, nouns, when, who, many } = asked;
  const { scope } = reading;
  const [measure] = measured;
  if (
    !measure ||
    measured.length > 1 ||
    (most.counts && (measure.isAdditive || labels.length > 0) && !isOneEach(reading, asked)) ||
    most.isVague ||
    labels.length > 1
  )
    throw doesNotFit();
  if (measure.source !== scope.root) throw doesNotFit();
  // The dearest booking: by the price of a night, or by its amount?
  const sums = scope.root.columns.filter((column) => column.isRevenue && column !== measure);
  if (most.implies === 'price' && !labels[0] && (nouns || reading.showsRows) && sums.length > 0)
    throw new NotUnderstood('ambiguous', [measure, ...sums].map(({ spec }) => spec.original || spec.name).join(', '));
  const dates = scope.root.columns.filter(({ kind }) => kind === 'date');
  const label = labels[0] ?? (when && dates.length === 1 ? dates[0] : undefined);
  if (when && !label) throw doesNotFit();
  const [within, ...more] = reading.groups;
  if (more.length > 0 || (within && (!label || label === within.column || reading.chart))) throw doesNotFit();
  if (reading.showsRows && (within || labels.length > 0 || reading.chart)) throw doesNotFit();
  if (!label && !nouns && !who && !reading.showsRows) {
    // "the highest price": the number itself.
    if (many) throw doesNotFit();
    const only = aggregate(most.most ? 'max' : 'min', measure, reading);
    return { root: scope.root, columns: [only], where: reading.where, groups: [] };
  }
  // Which region has the highest amount: of one row, or of all its rows? Only where each has one row is it clear.
  if (label && !(label.isUnique && label.source === scope.root) && !when) throw doesNotFit(label.spec.original);
  if (label && nouns && !when) throw doesNotFit();
  const parts = within?.selected ?? [];
  const columns = label ? [...parts, ...[label, measure].map((column) => shown(column, scope))] : [];
  return {
    root: scope.root,
    columns,
    where: [
      ...reading.where,
      ...[measure, ...(within ? [presenceOf(within)] : [])].map((one) => sql`${one} IS NOT NULL`),
    ],
    groups: [],
    rank: { sql: sql`${measure}`, most: most.most, limit, ...(within && { within: parts }) },
    ...(reading.chart &&
      label && { chart: { type: reading.chart.type ?? 'bar', x: columns[0]!.as, y: [columns[1]!.as] } }),
  };
}
