/** Values that occur in the data: "in Germany or France", "not shipped", `status "open"`. */
import type { Column, Value } from '../described-table';
import { columnGroup } from '../groups';
import { doesNotFit, isOf, NotUnderstood, type Item, type ItemOf } from '../items';
import { labelOf } from '../labels';
import type { Reading } from '../reading';
import type { Source } from '../scope';
import { sql } from '../sql';

export function takeValues(reading: Reading): void {
  const { text } = reading.scope.dialect;
  const rest = [...reading.items];
  const polarity = new Map<Column, boolean>();
  const required = new Set<Column>();
  for (;;) {
    const at = rest.findIndex(({ t }) => t === 'value');
    if (at < 0) break;
    const alternatives = [rest[at] as ItemOf<'value'>];
    let end = at + 1;
    let isCompared = false;
    while (isOf(rest[end], 'and', 'or', 'versus') && nextValue(rest, end)) {
      const next = nextValue(rest, end)!;
      if (!shareColumn(alternatives[0]!.values, next.item.values)) {
        if (rest[end]!.t !== 'and') throw new NotUnderstood('pattern', '');
        break;
      }
      if (rest[end]!.t === 'and') reading.joinsByAnd.push(...next.item.values.map(({ column }) => column));
      isCompared ||= rest[end]!.t === 'versus';
      alternatives.push(next.item);
      end = next.at + 1;
    }
    // "Home team Leeds against Derby": the one that plays away, where two columns have both.
    if (isCompared && commonColumns(alternatives).length > 1) throw doesNotFit();
    const column = columnMeant(rest, at, end, alternatives);
    const texts = alternatives.flatMap(({ values, said }) =>
      values
        .filter((value) => value.column === column)
        .flatMap((value) => {
          if (said !== undefined) reading.note({ t: 'value', said, column, value: value.texts[0]! });
          return value.texts;
        }),
    );
    const { start, negated } = leadOf(rest, at, column);
    // "Registered but not delivered" speaks of what has happened: what is one state is no other in any case.
    if ((polarity.get(column) ?? negated) !== negated) throw doesNotFit();
    polarity.set(column, negated);
    // "Of branch North and of branch South": no row has both, so that something else is meant.
    if (!negated && required.has(column)) throw doesNotFit();
    if (!negated) required.add(column);
    const list = [...new Set(texts)].map(text);
    const isIt = list.length === 1 ? sql`${column} = ${list[0]!}` : sql`${column} IN (${list.join(', ')})`;
    if (negated) reading.deny(column, rest[start - 1], isIt);
    const after = rest[end];
    // "How many books did customers buy" does not ask for customers.
    const isOther = !isOf(after, 'noun', 'rows', 'column', 'value') && !isQualifier(after, column.source);
    if (rest[start - 1]?.t === 'count' && isOther) reading.lacks = true;
    // "Patients with no cancelled appointments" have none of those.
    if (rest[start]?.t === 'without') reading.lacks = true;
    if (after?.t === 'column' && after.column === column && start === at && !isOfNext(rest, end)) end++;
    // "How many female patients with appointments" asks for patients; "female patient appointments" are appointments.
    else if (isQualifier(after, column.source) && !(isHead(rest, start) && start > 0 && isMany(after))) end++;
    const { joined: way } = column.source;
    if (negated && (mayLack(column, reading) || (way && !way.isRequired))) reading.note({ t: 'unknown', column });
    if (isCompared) {
      if (negated) throw doesNotFit();
      reading.compares = true;
      reading.groups.push(columnGroup(column, reading));
    }
    if (negated && list.length > 1) reading.require(sql`(${column} NOT IN (${list.join(', ')}) OR ${column} IS NULL)`);
    else if (negated) reading.require(sql`(${column} <> ${list[0]!} OR ${column} IS NULL)`);
    else reading.require(isIt);
    rest.splice(start, end - start);
    if (isOf(rest[start], 'and') && isOf(rest[start + 1], 'value')) rest.splice(start, 1);
  }
  takeQuoted(rest, reading);
}

/** Where the words begin that belong to a value: its column, what it is of, the negation. */
function leadOf(rest: readonly Item[], at: number, column: Column): { start: number; negated: boolean } {
  const isColumn = (item: Item | undefined) => item?.t === 'column' && item.column === column;
  let start = at;
  let negated = false;
  if (isColumn(rest[start - 1]) && rest[start - 2]?.t !== 'by') start--;
  if (isOf(rest[start - 1], 'not', 'without')) {
    negated = true;
    start--;
    if (isColumn(rest[start - 1])) start--;
  } else if (
    rest[start - 1]?.t === 'from' ||
    (rest[start - 1]?.t === 'compare' && (rest[start - 1] as ItemOf<'compare'>).op === '=')
  ) {
    start--;
    if (isColumn(rest[start - 1])) start--;
    if (rest[start - 1]?.t === 'not') {
      negated = true;
      start--;
    }
  } else if (rest[start - 1]?.t === 'by' && rest[start]?.t === 'value') start--;
  // "orders of customers from Germany", "orders of customer Acme"
  if (isQualifier(rest[start - 1], column.source) && !isHead(rest, start - 1)) {
    start--;
    if (isOf(rest[start - 1], 'from')) start--;
  }
  return { start, negated };
}

/** Whether the rows are those that a value is of, or that lead to them: the customer of a country. */
export function isQualifier(item: Item | undefined, source: Source): boolean {
  if (item?.t !== 'entity') return false;
  for (let one: Source | undefined = source; one?.joined; one = one.joined.from) if (one === item.source) return true;
  return false;
}

/** Whether rows may have no value in a column; of a document's it is known. */
export const mayLack = ({ spec }: Column, { scope: { dialect } }: Reading): boolean =>
  dialect.name === 'DuckDB' ? (spec.nulls ?? 0) > 0 : spec.nullable !== false;

const isMany = (item: Item | undefined): boolean => item?.t === 'entity' && !item.isOne;

/** Whether the rows at a place are what is asked for, and not only where a value belongs. */
export const isHead = (rest: readonly Item[], at: number): boolean =>
  at === 0 || isOf(rest[at - 1], 'count', 'which', 'distinct', 'by', 'super', 'number');

function nextValue(rest: readonly Item[], link: number): { at: number; item: ItemOf<'value'> } | undefined {
  // "A, B and C" has a comma and a word before the last.
  const at = isOf(rest[link + 1], 'and', 'or') ? link + 2 : link + 1;
  const item = rest[at];
  return item?.t === 'value' ? { at, item } : undefined;
}

const shareColumn = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.some((one) => b.some((other) => other.column === one.column));

/** Those that have all of some values. */
const commonColumns = ([first, ...others]: readonly ItemOf<'value'>[]): Column[] =>
  [...new Set(first!.values.map(({ column }) => column))].filter((column) =>
    others.every(({ values }) => values.some((value) => value.column === column)),
  );

/** The column whose value it is: the only one, the one that is named beside it, or that of the rows named there. */
function columnMeant(rest: readonly Item[], at: number, end: number, alternatives: readonly ItemOf<'value'>[]): Column {
  const [first] = alternatives as [ItemOf<'value'>];
  const common = commonColumns(alternatives);
  if (common.length === 1) return common[0]!;
  const near = [rest[at - 1], isOfNext(rest, end) ? undefined : rest[end], rest[at - 2]];
  const beside = near.flatMap((item) => (item?.t === 'column' ? [item.column] : []));
  const named = beside.find((column) => common.includes(column));
  if (named) return named;
  const rowsAt = (item: Item | undefined) =>
    common.filter(({ source }) => (item?.t === 'noun' || item?.t === 'entity') && item.source === source);
  const [before, after] = [rowsAt(rest[at - 1]), rowsAt(rest[end])];
  const ofRows = before.length > 0 && after.length > 0 ? [] : [...before, ...after];
  const further = ofRows.length === 0 && before.length + after.length === 0 ? rowsAt(rest[at - 2]) : ofRows;
  if (further.length === 1) return further[0]!;
  throw new NotUnderstood('ambiguous', first.said ?? first.values[0]!.texts[0]!);
}

/** Whether a column belongs to the value behind it: the "home branch" of "from North with home branch South". */
function isOfNext(rest: readonly Item[], at: number): boolean {
  const column = rest[at];
  if (column?.t !== 'column') return false;
  const next = rest.slice(at + 1).find((item) => !isOf(item, 'not', 'compare', 'from'));
  return next?.t === 'value' && next.values.some((value) => value.column === column.column);
}

/** A quotation that is no known value has to stand beside its column, or the rows that it is the name of. */
function takeQuoted(rest: Item[], reading: Reading): void {
  for (;;) {
    const at = rest.findIndex(({ t }) => t === 'quoted');
    if (at < 0) break;
    const { text } = rest[at] as ItemOf<'quoted'>;
    const before = rest[at - 1];
    const column =
      before?.t === 'column' && !before.isPart
        ? before.column
        : before?.t === 'entity' || (before?.t === 'noun' && before.isOne)
          ? labelOf(before.source)
          : undefined;
    if (column?.kind !== 'text' || /enum|user-defined/i.test(column.spec.type)) throw new NotUnderstood('word', text);
    reading.require(sql`lower(${column}) = lower(${reading.scope.dialect.text(text)})`);
    // The rows of a noun are still what is asked for.
    if (before?.t === 'noun') rest.splice(at, 1);
    else rest.splice(at - 1, 2);
  }
  reading.items = rest;
}
