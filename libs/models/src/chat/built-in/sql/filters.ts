/**
 * The conditions in a question, taken out of its items: values that occur in the data, comparisons with numbers,
 * stretches of time, what is there and what is missing.
 */
import { quantityColumn, type Column, type DescribedTable, type Value } from './described-table';

import type { Meaning } from './lexicon';
import { literal } from './query';
import { NotUnderstood, type Item } from './read-question';
import type { TimeSpan } from './time-spans';

type Compare = Extract<Meaning, { t: 'compare' }>;

export interface Filtered {
  readonly items: readonly Item[];
  readonly where: readonly string[];
  /** A quantity that may be meant per row or in sum is compared with a number. */
  readonly comparesSums: boolean;
}

export function takeFilters(items: readonly Item[], table: DescribedTable): Filtered {
  const where: string[] = [];
  let rest = takeTimes(items, table, where);
  rest = takeValues(rest, where);
  rest = takeMissing(rest, where);
  const compared = new Set<Column>();
  rest = takeNumbers(rest, table, where, compared);
  rest = takeTruths(rest, where);
  return { items: rest, where, comparesSums: [...compared].some(({ isAdditive }) => isAdditive) };
}

const isOf = (item: Item | undefined, ...types: Item['t'][]): boolean => item !== undefined && types.includes(item.t);

/* ---- time ---- */

function takeTimes(items: readonly Item[], table: DescribedTable, where: string[]): Item[] {
  const rest: Item[] = [];
  const said: { span: TimeSpan; op: Compare['op'] | 'in' }[] = [];
  let named: Column | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    if (item.t !== 'time') {
      rest.push(item);
      continue;
    }
    const year = item.span.year;
    if (year !== undefined && isNumberHere(rest)) {
      rest.push({ t: 'number', value: year, percent: false });
      continue;
    }
    const before = rest.at(-1);
    let op: Compare['op'] | 'in' = 'in';
    if (before?.t === 'compare') {
      if (before.of === 'numbers') throw new NotUnderstood('pattern', '');
      op = before.op;
      rest.pop();
    } else if (before?.t === 'from') {
      op = '>=';
      rest.pop();
    } else if (before?.t === 'between') {
      op = '>=';
      rest.pop();
    }
    if (isUnitOf(rest, item.span)) rest.pop();
    const lead = rest.at(-1);
    if (lead?.t === 'column' && lead.column.kind === 'date') {
      if (named && named !== lead.column) throw new NotUnderstood('ambiguous', lead.column.name);
      named = lead.column;
      rest.pop();
    }
    if (op === 'in' && said.some((one) => one.op === 'in')) throw new NotUnderstood('pattern', '');
    said.push({ span: item.span, op });
    // A second end: "between A and B", "from A to B".
    const link = items[at + 1];
    const next = items[at + 2];
    const opens = before?.t === 'between' || before?.t === 'from';
    if (opens && next?.t === 'time' && (isOf(link, 'and', 'to', 'or') || (link?.t === 'compare' && link.op === '<='))) {
      said.push({ span: next.span, op: '<=' });
      at += 2;
    } else if (opens && items[at + 1]?.t === 'time') {
      said.push({ span: (items[at + 1] as { span: TimeSpan }).span, op: '<=' });
      at += 1;
    } else if (before?.t === 'between') throw new NotUnderstood('pattern', '');
    else if (op === 'in') {
      // "in 2023 and 2024" is either of them.
      while (isOf(items[at + 1], 'and', 'or') && items[at + 2]?.t === 'time') {
        said.push({ span: (items[at + 2] as { span: TimeSpan }).span, op: 'in' });
        at += 2;
      }
    }
  }
  if (said.length === 0) return rest;
  const column = named ?? dateColumn(rest, table, said);
  if ('year' in column) {
    where.push(...yearConditions(column.year, said));
    return rest.filter((item) => !(item.t === 'column' && item.column === column.year));
  }
  where.push(...timeConditions(column, said));
  return rest;
}

/** The "month" of "the month of March 2024", the "year" of "the year 2024"; not that of "which month of 2024". */
function isUnitOf(rest: readonly Item[], span: TimeSpan): boolean {
  const unit = rest.at(-1);
  if (unit?.t !== 'unit' || rest.at(-2)?.t === 'by') return false;
  return span.year === undefined ? unit.unit !== 'year' : unit.unit === 'year';
}

/** A year behind "more than" or "top" is a number. */
const isNumberHere = (rest: readonly Item[]): boolean => {
  const before = rest.at(-1);
  return (before?.t === 'compare' && before.of === 'numbers') || before?.t === 'super';
};

/** The date column that is meant: the one that is named, else the only one, else a column of years. */
function dateColumn(
  rest: Item[],
  { columns }: DescribedTable,
  said: readonly { span: TimeSpan }[],
): Column | { readonly year: Column } {
  const dates = columns.filter(({ kind }) => kind === 'date');
  const mentioned = rest.flatMap((item, i) =>
    item.t === 'column' && item.column.kind === 'date' && rest[i - 1]?.t !== 'by' ? [item] : [],
  );
  const [one] = mentioned;
  if (dates.length > 1 && mentioned.length === 1 && one) {
    rest.splice(rest.indexOf(one), 1);
    return one.column;
  }
  if (dates.length === 1) return dates[0]!;
  if (dates.length > 1) throw new NotUnderstood('ambiguous', dates.map(({ name }) => name).join(', '));
  const years = columns.filter(
    ({ kind, names }) =>
      kind === 'number' && names.some((name) => name.length <= 2 && name.some((word) => /^(?:year|ano)$/.test(word))),
  );
  if (years.length === 1 && said.every(({ span }) => span.year !== undefined)) return { year: years[0]! };
  throw new NotUnderstood('pattern', '');
}

function yearConditions(column: Column, said: readonly { span: TimeSpan; op: string }[]): string[] {
  const within = said.filter(({ op }) => op === 'in').map(({ span }) => span.year!);
  const rest = said.filter(({ op }) => op !== 'in').map(({ span, op }) => `${column.name} ${op} ${span.year}`);
  if (within.length === 0) return rest;
  return [within.length === 1 ? `${column.name} = ${within[0]}` : `${column.name} IN (${within.join(', ')})`, ...rest];
}

function timeConditions(column: Column, said: readonly { span: TimeSpan; op: string }[]): string[] {
  const day = (text: string) => `DATE ${literal(text)}`;
  const { name } = column;
  const within = said.filter(({ op }) => op === 'in');
  const conditions = said
    .filter(({ op }) => op !== 'in')
    .map(({ span, op }) => {
      if (span.month !== undefined) throw new NotUnderstood('pattern', '');
      if (op === '>') return `${name} >= ${day(span.to)}`;
      if (op === '>=') return `${name} >= ${day(span.from)}`;
      if (op === '<') return `${name} < ${day(span.from)}`;
      if (op === '<=') return `${name} < ${day(span.to)}`;
      return inSpan(column, span);
    });
  if (within.length === 0) return conditions;
  const either = within.map(({ span }) => inSpan(column, span));
  return [either.length === 1 ? either[0]! : `(${either.join(' OR ')})`, ...conditions];
}

function inSpan({ name, spec }: Column, span: TimeSpan): string {
  if (span.month === undefined) return `${name} >= DATE ${literal(span.from)} AND ${name} < DATE ${literal(span.to)}`;
  // A month without a year is one month only where the data lie within one year.
  const [first, last] = [spec.minimum?.slice(0, 4), spec.maximum?.slice(0, 4)];
  if (first === undefined || first !== last) throw new NotUnderstood('ambiguous', 'the month');
  return `month(${name}) = ${span.month}`;
}

/* ---- values ---- */

function takeValues(items: readonly Item[], where: string[]): Item[] {
  const rest: Item[] = [...items];
  for (;;) {
    const at = rest.findIndex(({ t }) => t === 'value');
    if (at < 0) break;
    let end = at + 1;
    const alternatives = [(rest[at] as { values: readonly Value[] }).values];
    let joined = false;
    while (isOf(rest[end], 'and', 'or') && nextValue(rest, end)) {
      const next = nextValue(rest, end)!;
      if (!shareColumn(alternatives[0]!, next.values)) {
        if (rest[end]!.t === 'or') throw new NotUnderstood('pattern', '');
        break;
      }
      joined = true;
      alternatives.push(next.values);
      end = next.at + 1;
    }
    const column = columnMeant(rest, at, end, alternatives);
    const texts = alternatives.flatMap((values) =>
      values.filter((value) => value.column === column).flatMap((value) => value.texts),
    );
    let start = at;
    const before = rest[start - 1];
    let negated = false;
    if (before?.t === 'column' && before.column === column && rest[start - 2]?.t !== 'by') start--;
    if (rest[start - 1]?.t === 'not') {
      negated = true;
      start--;
      if (rest[start - 1]?.t === 'column' && (rest[start - 1] as { column: Column }).column === column) start--;
    } else if (
      rest[start - 1]?.t === 'from' ||
      (rest[start - 1]?.t === 'compare' && (rest[start - 1] as Compare).op === '=')
    ) {
      start--;
      if (rest[start - 1]?.t === 'column' && (rest[start - 1] as { column: Column }).column === column) start--;
    } else if (rest[start - 1]?.t === 'by') start--;
    const after = rest[end];
    if (after?.t === 'column' && after.column === column && start === at) end++;
    const list = [...new Set(texts)].map(literal);
    if (negated && joined && list.length > 1)
      where.push(`(${column.name} NOT IN (${list.join(', ')}) OR ${column.name} IS NULL)`);
    else if (negated) where.push(`${column.name} IS DISTINCT FROM ${list[0]}`);
    else where.push(list.length === 1 ? `${column.name} = ${list[0]}` : `${column.name} IN (${list.join(', ')})`);
    rest.splice(start, end - start);
    if (isOf(rest[start], 'and') && isOf(rest[start + 1], 'value')) rest.splice(start, 1);
  }
  return takeQuoted(rest, where);
}

function nextValue(rest: readonly Item[], link: number): { at: number; values: readonly Value[] } | undefined {
  // "A, B and C" has a comma and a word before the last.
  const at = isOf(rest[link + 1], 'and', 'or') ? link + 2 : link + 1;
  const item = rest[at];
  return item?.t === 'value' ? { at, values: item.values } : undefined;
}

const shareColumn = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.some((one) => b.some((other) => other.column === one.column));

/** The column whose value it is: the only one, or the one that is named beside it. */
function columnMeant(
  rest: readonly Item[],
  at: number,
  end: number,
  alternatives: readonly (readonly Value[])[],
): Column {
  const common = [...new Set(alternatives[0]!.map(({ column }) => column))].filter((column) =>
    alternatives.every((values) => values.some((value) => value.column === column)),
  );
  if (common.length === 1) return common[0]!;
  const beside = [rest[at - 1], rest[end], rest[at - 2]].flatMap((item) => (item?.t === 'column' ? [item.column] : []));
  const named = beside.find((column) => common.includes(column));
  if (!named) throw new NotUnderstood('ambiguous', alternatives[0]![0]!.texts[0]!);
  return named;
}

/** A quotation that is no known value has to stand beside its column. */
function takeQuoted(items: readonly Item[], where: string[]): Item[] {
  const rest = [...items];
  for (;;) {
    const at = rest.findIndex(({ t }) => t === 'quoted');
    if (at < 0) return rest;
    const { text } = rest[at] as { text: string };
    const before = rest[at - 1];
    if (before?.t !== 'column' || before.column.kind !== 'text') throw new NotUnderstood('word', text);
    where.push(`lower(${before.column.name}) = lower(${literal(text)})`);
    rest.splice(at - 1, 2);
  }
}

/* ---- what is missing, numbers, yes and no ---- */

function takeMissing(items: readonly Item[], where: string[]): Item[] {
  const rest: Item[] = [];
  for (let at = 0; at < items.length; at++) {
    const next = items[at + 1];
    if (items[at]!.t !== 'without') rest.push(items[at]!);
    else if (next?.t === 'column') {
      where.push(`${next.column.name} IS NULL`);
      at++;
    } else throw new NotUnderstood('pattern', '');
  }
  return rest;
}

const numeric = (item: Item | undefined): Column | undefined =>
  item?.t === 'column' && item.column.kind === 'number' ? item.column : undefined;

function takeNumbers(items: readonly Item[], table: DescribedTable, where: string[], compared: Set<Column>): Item[] {
  const rest: Item[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    const isDouble = item.t === 'compare' && items[at + 1]?.t === 'number' && numeric(items[at + 2]) !== undefined;
    const named = numeric(rest.at(-1));
    // "orders with more than 50 units": the number of an order is not meant.
    const previous = isDouble && named?.isIdentifier ? undefined : named;
    if (isDouble && previous && rest.at(-2)?.t !== 'by') throw new NotUnderstood('pattern', '');
    const isGroup = rest.at(-2)?.t === 'by';
    if (item.t === 'compare' && items[at + 1]?.t === 'number') {
      const number = items[at + 1] as Extract<Item, { t: 'number' }>;
      const follows = numeric(items[at + 2]);
      const implied = previous || follows ? undefined : impliedColumn(item, items[at + 2], table);
      // "5 years of seniority" is not the age.
      const isOther = implied && item.implies === undefined && numeric(items[at + 3]);
      if (isOther && isOther !== implied) throw new NotUnderstood('pattern', '');
      const column = previous && !isGroup ? previous : (follows ?? implied);
      if (!column || item.of === 'dates') throw new NotUnderstood('pattern', '');
      compared.add(column);
      where.push(`${column.name} ${item.op} ${inColumn(number, column)}`);
      if (column === previous && !isGroup) rest.pop();
      const isUnit = column === implied && items[at + 2]?.t === 'unit';
      at += (column === previous && !isGroup) || (column === implied && !isUnit) ? 1 : 2;
    } else if ((item.t === 'between' || item.t === 'from') && items[at + 1]?.t === 'number') {
      const low = items[at + 1] as Extract<Item, { t: 'number' }>;
      const high = items[at + 3];
      if (!isOf(items[at + 2], 'and', 'to') || high?.t !== 'number') throw new NotUnderstood('pattern', '');
      const follows = numeric(items[at + 4]);
      const column = previous && !isGroup ? previous : follows;
      if (!column) throw new NotUnderstood('pattern', '');
      compared.add(column);
      where.push(`${column.name} BETWEEN ${inColumn(low, column)} AND ${inColumn(high, column)}`);
      if (column === previous && !isGroup) rest.pop();
      at += column === previous && !isGroup ? 3 : 4;
    } else if (
      item.t === 'number' &&
      previous &&
      !isGroup &&
      isOf(rest.at(-2), 'column', 'value', 'noun', 'which', 'count', 'rows', 'number') &&
      !isOf(rest.at(-2), 'super')
    ) {
      // "cylinders 4"
      compared.add(previous);
      where.push(`${previous.name} = ${inColumn(item, previous)}`);
      rest.pop();
    } else if (
      item.t === 'number' &&
      numeric(items[at + 1]) &&
      !isOf(rest.at(-1), 'super') &&
      items[at + 2]?.t !== 'super'
    ) {
      // "with 4 cylinders"
      const column = numeric(items[at + 1])!;
      if (rest.length === 0) throw new NotUnderstood('pattern', '');
      compared.add(column);
      where.push(`${column.name} = ${inColumn(item, column)}`);
      at++;
    } else rest.push(item);
  }
  return rest;
}

/** "Older than 60", "mayores de 60 años" speak of the age; "cheaper than 10" of the price. */
function impliedColumn(item: Compare, next: Item | undefined, table: DescribedTable): Column | undefined {
  const implied = item.implies ?? (next?.t === 'unit' && next.unit === 'year' ? 'age' : undefined);
  return implied && quantityColumn(implied, table);
}

function inColumn({ value, percent }: Extract<Item, { t: 'number' }>, { spec }: Column): string {
  if (!percent) {
    if (spec.unit === '%') throw new NotUnderstood('ambiguous', String(value));
    return String(value);
  }
  if (spec.unit !== '%') throw new NotUnderstood('pattern', '');
  return `${value} / 100`;
}

/** "active customers": a column of yes and no is a condition unless it is grouped by. */
function takeTruths(items: readonly Item[], where: string[]): Item[] {
  const rest: Item[] = [];
  for (const item of items) {
    const isTruth = item.t === 'column' && item.column.kind === 'boolean' && !isOf(rest.at(-1), 'by', 'distinct');
    if (!isTruth) {
      rest.push(item);
      continue;
    }
    const negated = rest.at(-1)?.t === 'not';
    if (negated) rest.pop();
    where.push(negated ? `NOT ${item.column.name}` : item.column.name);
  }
  return rest;
}
