/** Stretches of time: "in 2024", "since March 2024", "between 1 May and 3 June 2024". */
import { dateMeant, zoned } from '../dates';
import type { Column } from '../described-table';
import { columnGroup } from '../groups';
import { doesNotFit, isOf, NotUnderstood, type Item, type ItemOf } from '../items';
import type { Unit } from '../lexicon';
import type { Group, Reading } from '../reading';
import { freeName } from '../result-names';
import { join, sql, type Sql } from '../sql';
import type { TimeSpan } from '../time-spans';

type Compare = ItemOf<'compare'>;
interface Said {
  readonly span: TimeSpan;
  readonly op: Compare['op'] | 'in';
}

export function takeTimes(reading: Reading): void {
  const { items } = reading;
  const rest: Item[] = [];
  const said: Said[] = [];
  let named: Column | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    if (item.t !== 'time') {
      rest.push(item);
      continue;
    }
    const year = item.span.year;
    if (year !== undefined && isNumberHere(rest)) {
      rest.push({ t: 'number', value: year, percent: false, raw: String(year) });
      continue;
    }
    const before = rest.at(-1);
    if (year !== undefined && before?.t === 'column' && before.column.kind === 'text' && isOfYears(before.column)) {
      // "Fiscal year 2023" is one of `fiscal_year`, where one of its values has that year.
      reading.require(sql`${before.column} = ${reading.scope.dialect.text(valueOfYear(before.column, year))}`);
      rest.pop();
      continue;
    }
    let op: Said['op'] = 'in';
    if (before?.t === 'compare') {
      if (before.of === 'numbers') throw new NotUnderstood('pattern', '');
      op = before.op;
      rest.pop();
    } else if (before?.t === 'from' || before?.t === 'between') {
      op = '>=';
      rest.pop();
    }
    if (isUnitOf(rest, item.span)) rest.pop();
    const lead = rest.at(-1);
    if (lead?.t === 'column' && lead.column.kind === 'date' && !isOf(rest.at(-2), 'by')) {
      // What is open has no date of its closing.
      if (lead.isNegated || (named && named !== lead.column))
        throw new NotUnderstood('ambiguous', lead.column.spec.original);
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
    } else if (opens && link?.t === 'time') {
      said.push({ span: link.span, op: '<=' });
      at += 1;
    } else if (before?.t === 'from' && !before.isSince && !isOf(link, 'compare')) {
      throw new NotUnderstood('ambiguous', 'from');
    } else if (before?.t === 'between') throw new NotUnderstood('pattern', '');
    else if (op === 'in') {
      // "in 2023 and 2024" is either of them.
      while (isOf(items[at + 1], 'and', 'or', 'versus') && items[at + 2]?.t === 'time') {
        if (isOf(items[at + 1], 'versus')) reading.compares = true;
        said.push({ span: (items[at + 2] as ItemOf<'time'>).span, op: 'in' });
        at += 2;
      }
    }
  }
  reading.items = rest;
  if (said.length === 0) return;
  // "Hired and terminated in 2021" is two dates.
  if (rest.filter((item) => item.t === 'column' && item.isVerb).length > (named ? 0 : 1))
    throw new NotUnderstood('pattern', '');
  const years = named ? undefined : yearsMeant(reading, said);
  if (years) {
    for (const condition of yearConditions(years, said)) reading.require(condition);
    if (reading.compares) reading.groups.push(columnGroup(years, reading));
    reading.items = reading.items.filter((item) => !(item.t === 'column' && item.column === years));
    return;
  }
  const saidYears = said.flatMap(({ span }) => span.year ?? []);
  const column = named ? zoned(reading, named) : dateMeant(reading, saidYears);
  for (const condition of timeConditions(column, said, reading)) reading.require(condition);
  if (reading.compares) reading.groups.push(periods(column, said, reading));
}

/** "2024 compared to 2023": each period for itself. */
function periods(column: Column, said: readonly Said[], { scope }: Reading): Group {
  const units = new Set(said.map(({ span, op }) => (op === 'in' ? unitOf(span) : undefined)));
  const [unit] = units;
  if (units.size > 1 || unit === undefined) throw doesNotFit();
  return { selected: [{ sql: scope.dialect.period(unit, column), as: freeName(unit, scope) }], unit, date: column };
}

function unitOf({ from, to, year }: TimeSpan): Unit | undefined {
  if (year !== undefined) return 'year';
  const months =
    (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
  if (!from.endsWith('-01') || !to.endsWith('-01')) return undefined;
  return months === 1 ? 'month' : months === 3 ? 'quarter' : undefined;
}

/** The "month" of "the month of March 2024", the "year" of "the year 2024"; not that of "which month of 2024". */
function isUnitOf(rest: readonly Item[], span: TimeSpan): boolean {
  const unit = rest.at(-1);
  // "Under 18 years in 2023"
  if (unit?.t !== 'unit' || isOf(rest.at(-2), 'by', 'number')) return false;
  return span.year === undefined ? unit.unit !== 'year' : unit.unit === 'year';
}

const isOfYears = ({ names }: Column): boolean =>
  names.some((name) => name.some((word) => /^(?:year|ano|season|temporada|fy)$/.test(word)));

function valueOfYear({ spec }: Column, year: number): string {
  const found = (spec.values ?? []).filter(({ value }) => new RegExp(`(?<!\\d)${year}(?!\\d)`).test(value));
  if (found.length !== 1 || spec.hasOtherValues || spec.moreValues) throw new NotUnderstood('ambiguous', String(year));
  return found[0]!.value;
}

/** A year behind "more than" or "top" is a number. */
const isNumberHere = (rest: readonly Item[]): boolean => {
  const before = rest.at(-1);
  return (before?.t === 'compare' && before.of === 'numbers') || before?.t === 'super';
};

/** A column of years, where the rows have no dates. */
function yearsMeant({ scope }: Reading, said: readonly Said[]): Column | undefined {
  const { columns } = scope.root;
  if (columns.some(({ kind }) => kind === 'date') || !said.every(({ span }) => span.year !== undefined))
    return undefined;
  const years = columns.filter(
    ({ kind, names }) =>
      kind === 'number' && names.some((name) => name.length <= 2 && name.some((word) => /^(?:year|ano)$/.test(word))),
  );
  return years.length === 1 ? years[0] : undefined;
}

function yearConditions(column: Column, said: readonly Said[]): Sql[] {
  const within = said.filter(({ op }) => op === 'in').map(({ span }) => span.year!);
  const rest = said.filter(({ op }) => op !== 'in').map(({ span, op }) => sql`${column} ${op} ${span.year!}`);
  if (within.length === 0) return rest;
  return [within.length === 1 ? sql`${column} = ${within[0]!}` : sql`${column} IN (${within.join(', ')})`, ...rest];
}

function timeConditions(column: Column, said: readonly Said[], reading: Reading): Sql[] {
  const { dialect } = reading.scope;
  const within = said.filter(({ op }) => op === 'in');
  const conditions = said
    .filter(({ op }) => op !== 'in')
    .map(({ span, op }) => {
      if (span.month !== undefined) throw new NotUnderstood('pattern', '');
      if (op === '>') return sql`${column} >= ${dialect.day(span.to)}`;
      if (op === '>=') return sql`${column} >= ${dialect.day(span.from)}`;
      if (op === '<') return sql`${column} < ${dialect.day(span.from)}`;
      if (op === '<=') return sql`${column} < ${dialect.day(span.to)}`;
      return inSpan(column, span, reading);
    });
  if (within.length === 0) return conditions;
  const either = within.map(({ span }) => inSpan(column, span, reading));
  return [either.length === 1 ? either[0]! : sql`(${join(either, ' OR ')})`, ...conditions];
}

function inSpan(column: Column, span: TimeSpan, { scope: { dialect } }: Reading): Sql {
  if (span.month === undefined)
    return sql`${column} >= ${dialect.day(span.from)} AND ${column} < ${dialect.day(span.to)}`;
  // A month without a year is one month only where the data lie within one year.
  const [first, last] = [column.spec.minimum?.slice(0, 4), column.spec.maximum?.slice(0, 4)];
  if (first === undefined || first !== last) throw new NotUnderstood('ambiguous', 'the month');
  return sql`${dialect.month(column)} = ${span.month}`;
}
