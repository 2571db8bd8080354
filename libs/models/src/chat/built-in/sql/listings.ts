/** Values of columns, rows of another table, or whole rows. */
import type { Column } from './described-table';
import { columnGroup, isQuantity, sourceGroup } from './groups';
import { shownBy } from './labels';
import { formsOf } from './forms';
import { doesNotFit, type Item } from './items';
import { aggregate, isOfSales } from './measures';
import type { Query } from './query';
import type { Group, Reading } from './reading';
import { freeName, shown } from './result-names';
import type { Source } from './scope';
import { sql } from './sql';

export function listed(reading: Reading): Query {
  if (reading.chart) throw doesNotFit();
  const { scope } = reading;
  const asks: Item[] = reading.take<'which' | 'when'>('which', 'when');
  reading.take('and', 'distinct');
  const nouns = reading.take<'noun' | 'rows'>('noun', 'rows');
  const entities = reading.take('entity').map(({ source }) => source);
  const named = reading.takeColumns();
  const columns = named.map(({ column }) => column);
  const isBare =
    (nouns.length > 0 || (columns.length > 0 && (isOfOne(reading, columns) || isNameOfRows(columns, reading)))) &&
    entities.length === 0 &&
    !nouns.some(isRevenue) &&
    (!columns.some(isQuantity) || isOfOne(reading, columns));
  if (reading.items.length > 0 || (asks.length === 0 && reading.having === undefined && !isBare)) throw doesNotFit();
  if (asks.some((ask) => ask.t === 'when')) {
    const verbs = reading.verbs.filter(({ kind }) => kind === 'date');
    const dates = verbs.length > 0 ? verbs : scope.root.columns.filter(({ kind }) => kind === 'date');
    if (columns.length > 0 || entities.length > 0 || dates.length !== 1 || reading.where.length === 0)
      throw doesNotFit();
    columns.push(dates[0]!);
  }
  if (reading.having)
    return counted(reading, [
      ...columns.map((column) => columnGroup(column, reading)),
      ...entities.map((source) => sourceGroup(source, reading)),
    ]);
  if (reading.comparesSums && (entities.length > 0 || columns.some(({ isUnique }) => !isUnique))) throw doesNotFit();
  const [only] = named;
  if (only?.column.isAdditive && columns.length === 1 && entities.length === 0 && !isOneRow(reading)) {
    // "What is the amount of the shipped orders": of each, or in all?
    if (!only.isTotal || reading.order) throw doesNotFit(only.column.spec.original);
    return { root: scope.root, columns: [aggregate('sum', only.column, reading)], where: reading.where, groups: [] };
  }
  const query = { root: scope.root, where: reading.where, groups: [] };
  if (entities.length > 0) {
    if (entities.length > 1 || columns.length > 0 || reading.where.length === 0 || reading.saysWhatAllDid)
      throw doesNotFit();
    if (reading.asksOfAll(entities[0]!)) throw doesNotFit();
    const group = sourceGroup(entities[0]!, reading);
    const [key] = group.selected[0]!.sql.columns;
    return {
      ...query,
      columns: group.selected,
      distinct: true,
      where: [...reading.where, sql`${key!} IS NOT NULL`],
      order: group.selected.map(({ as }) => ({ as, most: false })),
    };
  }
  if (columns.length === 0) {
    const isAll = reading.where.length === 0 && asks.length > 0 && scope.dialect.name !== 'DuckDB';
    if (nouns.length === 0 || !(isAll || reading.where.length > 0)) throw doesNotFit();
    // Who is a person.
    const isPerson = asks.every((ask) => ask.t !== 'which' || !ask.who) || isOfPeople(scope.root);
    if (!isPerson && scope.dialect.name !== 'DuckDB') throw doesNotFit();
    return { ...query, columns: [] };
  }
  if (reading.asksOfAllWith(columns)) return withNone(reading, columns);
  const selected = columns.map((column) => shown(column, scope));
  return {
    ...query,
    columns: selected,
    distinct: true,
    order: selected.map(({ as }) => ({ as, most: reading.order?.most ?? false })),
  };
}

/** Those of whose rows none is so. */
function withNone(reading: Reading, columns: readonly Column[]): Query {
  const { root } = reading.scope;
  const [column] = columns;
  const denied = column && columns.length === 1 ? reading.deniedOfAll(column) : undefined;
  if (!column || !denied) throw doesNotFit(column?.spec.original);
  reading.note({ t: 'noneOf', column });
  const one = shown(column, reading.scope);
  return {
    root,
    columns: [one],
    where: [sql`${column} IS NOT NULL`],
    groups: [one.sql],
    having: [sql`count(CASE WHEN ${denied} THEN 1 END) = 0`],
    order: [{ as: one.as, most: reading.order?.most ?? false }],
  };
}

const PEOPLE = new Set(
  'customer user patient member student guest person employee agent salesperson manager doctor teacher driver author artist owner tenant supplier passenger contact lead'.split(
    ' ',
  ),
);
const isOfPeople = ({ names }: Source): boolean =>
  names.some(({ words }) => words.some((word) => [...formsOf(word)].some((form) => PEOPLE.has(form))));

/** "Products without supplier", where each row is one. */
const isNameOfRows = ([column, ...more]: readonly Column[], { scope, where }: Reading): boolean =>
  more.length === 0 && where.length > 0 && column!.kind === 'text' && column!.isUnique && column!.source === scope.root;

/** "Salary of Ana" */
const isOfOne = ({ asked, scope: { root } }: Reading, columns: readonly Column[]): boolean =>
  columns.every(({ isAdditive }) => !isAdditive) && shownBy(root).some((column) => asked.has(column));

/** Whether the rows are one that is named by its key. */
const isOneRow = ({ asked, scope }: Reading): boolean =>
  [...asked].some(({ isUnique, source }) => isUnique && source === scope.root);

/** "Sales in 2024" may be their sum. */
const isRevenue = (item: Item): boolean => item.t === 'noun' && isOfSales(item);

/** "Countries with more than 10 customers": only groups that have a row can be counted. */
function counted(reading: Reading, groups: readonly Group[]): Query {
  const { op, value } = reading.having!;
  const [group] = groups;
  const isSure = op === '>' ? value >= 0 : op === '>=' || op === '=' ? value >= 1 : false;
  if (!group || groups.length > 1 || reading.groups.length > 0 || !isSure || !Number.isInteger(value))
    throw doesNotFit();
  const presence = group.source ? group.selected[0]!.sql.columns[0]! : group.column!;
  return {
    root: reading.scope.root,
    columns: [...group.selected, { sql: sql`count(*)`, as: freeName('n', reading.scope) }],
    where: [...reading.where, sql`${presence} IS NOT NULL`],
    groups: group.selected.map((one) => one.sql),
    having: [sql`count(*) ${op} ${value}`],
    order: group.selected.map(({ as }) => ({ as, most: false })),
  };
}
