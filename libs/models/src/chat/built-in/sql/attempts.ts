/** What a question comes to when its rows are those of one table. */
import { bridgeCondition, bridgesOf } from './bridges';
import { isQualifier } from './conditions/values';
import type { DescribedTable, Value } from './described-table';
import type { Dialect } from './dialect';
import { interpret } from './interpret';
import { NotUnderstood, type Item } from './items';
import { sameWord } from './forms';
import { isQuantity } from './groups';
import { refuseMixedUnits } from './mixed-units';
import { isInCents } from './names';
import type { Note } from './notes';
import { noteDeleted } from './deleted';
import { sourcesOf, type Query } from './query';
import type { Usefulness } from './usefulness';
import { readItems, type Wording } from './read-question';
import { Reading } from './reading';
import type { Link } from './links';
import { noteSpellings } from './spellings';
import { scopeOf, type Scope, type Source } from './scope';

export interface Attempt {
  readonly table: DescribedTable;
  readonly query?: Query;
  readonly notes: readonly Note[];
  readonly failure?: NotUnderstood;
  /** The question says what the table's rows are called. */
  readonly isNamed: boolean;
  /** It says that, or a column or a value of it. */
  readonly isMentioned: boolean;
  readonly items: readonly Item[];
  /** Only without columns that it would rather have meant. */
  readonly isSecond?: boolean;
  /** How many other tables it needs. */
  readonly joins: number;
}

export function attempts(
  wording: Wording,
  table: DescribedTable,
  links: readonly Link[],
  dialect: Dialect,
  useful: Usefulness,
): Attempt[] {
  const made = (items: readonly Item[], result: { query: Query; notes: readonly Note[] } | NotUnderstood): Attempt => {
    const query = result instanceof NotUnderstood ? undefined : result.query;
    return {
      table,
      items,
      isNamed: items.some(({ t }) => t === 'noun' || t === 'act'),
      isMentioned: items.some((item) => mentions(item, table)),
      joins: query ? sourcesOf(query).length - 1 : 0,
      notes: [],
      ...(result instanceof NotUnderstood ? { failure: result } : result),
    };
  };
  const whole = scopeOf(table, links, dialect, useful);
  const attempt = (main: Wording, scope: Scope, prepare: (reading: Reading) => void): Attempt => {
    const items: Item[] = [];
    try {
      readItems(main, scope, items);
      refuseOthers(items);
      const reading = new Reading(
        scope,
        items.filter(({ t }) => t !== 'act'),
      );
      prepare(reading);
      reading.saysOnly = saysOnly(main);
      reading.lacks = reading.saysOnly;
      for (const value of farValues(items, scope)) reading.note(value);
      for (const item of items) {
        if (item.t === 'column' && isInCents(item.column.spec)) reading.note({ t: 'cents', column: item.column });
      }
      const query = interpret(reading);
      refuseMixedUnits(query, reading);
      noteSpellings(query, reading);
      const isTold = reading.notes.some(({ t }) => t === 'revenue' || t === 'product');
      if (!isTold && !items.some((item) => mentions(item, table))) {
        // Who has none of something is in no row that connects the two, or is in it for another reason.
        const isLacked = items.some(({ t }) => t === 'without');
        if (isLacked || !connects(items, query, scope.root)) throw new NotUnderstood('pattern', '');
        if (sourcesOf(query).length > 1) reading.note({ t: 'through', source: scope.root });
      }
      noteDeleted(reading, sourcesOf(query));
      for (const { joined } of sourcesOf(query)) {
        if (joined?.isInferred) reading.note({ t: 'join', column: joined.on[0]![0], other: joined.on[0]![1] });
      }
      return made(items, { query, notes: reading.notes });
    } catch (failure) {
      if (!(failure instanceof NotUnderstood)) throw failure;
      return made(items, failure);
    }
  };
  const bridged = bridgesOf(wording, table, links).map((bridge) =>
    attempt(bridge.main, whole, (reading) => {
      const { condition, notes } = bridgeCondition(bridge, reading.scope, links, useful);
      reading.require(condition);
      for (const note of notes) reading.note(note);
    }),
  );
  const first = attempt(wording, whole, () => undefined);
  if (first.query || whole.sources.length === 1) return [first, ...bridged];
  // "Total amount" is the sum of the rows' own amount, where it is not the `total_amount` of what they belong to.
  const own = {
    ...whole,
    columns: whole.columns.filter(({ source, kind }) => source === whole.root || kind !== 'number'),
  };
  const second = attempt(wording, own, () => undefined);
  // Only where something else of the rows is said, too.
  const isSaid = second.items.some(
    (item) => mentions(item, table) && !(item.t === 'column' && item.column.kind === 'number'),
  );
  return second.query && isSaid ? [{ ...second, isSecond: true }, ...bridged] : [first, ...bridged];
}

const saysOnly = ({ words }: Wording): boolean =>
  words.some(
    ({ text }, at) =>
      /^(?:only|solo|solamente)$/.test(text) ||
      // "Which reps have all orders paid"
      (/^(?:all|every|each|todos|todas)$/.test(text) &&
        /^(?:have|has|had|with|tienen?|con)$/.test(words[at - 1]?.text ?? '')),
  );

/**
 * Rows that nothing names are those that connect two things that are named; they themselves are not what is counted:
 * "how many managers" are not the salaries of managers.
 */
function connects(items: readonly Item[], query: Query, root: Source): boolean {
  const isCounted = query.columns.some((column) => column.sql.text === 'count(*)');
  const named = items.flatMap((item) => (item.t === 'entity' ? [item.source] : []));
  const sources = [...named, ...sourcesOf(query)].filter((source) => source.joined);
  if (sources.length === 0) return true;
  const isOverTime = items.some(({ t }) => t === 'time' || t === 'unit');
  const ways = new Set(sources.map((source) => wayTo(source, root)));
  return !isCounted && (ways.size > 1 || isOverTime || items.some(({ t }) => t === 'sell'));
}

/** The rows next to the root that others are reached through. */
function wayTo(source: Source, root: Source): Source {
  let way = source;
  while (way.joined && way.joined.from !== root) way = way.joined.from;
  return way;
}

function mentions(item: Item, table: DescribedTable): boolean {
  const isOwn = (source: Source) => source.table === table && !source.joined;
  if (item.t === 'noun' || item.t === 'act') return true;
  if (item.t === 'column') return isOwn(item.column.source) && !item.column.isLink;
  return item.t === 'value' && item.values.some(({ column }) => isOwn(column.source));
}

/** The grade of `grade_level` too may be the one that is meant. */
const isSaidIn = (name: readonly string[], head: string): boolean =>
  sameWord(name.at(-1)!, head) || (name.length === 2 && name[1] === 'level' && sameWord(name[0]!, head));

/** "Amount of orders" is not that of their payments, where orders have an amount of their own. */
function refuseOthers(items: readonly Item[]): void {
  for (const [at, item] of items.entries()) {
    if (item.t !== 'column' || item.column.source.joined || !isQuantity(item.column)) continue;
    for (const beside of [items[at - 1], items[at + 1]]) {
      if (beside?.t !== 'entity') continue;
      const heads = new Set(item.column.names.map((name) => name.at(-1)!));
      const isTheirs = beside.source.table.columns.some(
        (other) => isQuantity(other) && other.names.some((name) => [...heads].some((head) => isSaidIn(name, head))),
      );
      if (isTheirs) throw new NotUnderstood('ambiguous', item.column.spec.original || item.column.spec.name);
    }
  }
}

/** Values of other tables, that nothing beside them names. */
function farValues(items: readonly Item[], { dialect }: Scope): Note[] {
  if (dialect.name === 'DuckDB') return [];
  return items.flatMap((item, at): Note[] => {
    if (item.t !== 'value' || item.said !== undefined || item.values.length !== 1) return [];
    const [{ column, texts }] = item.values as [Value];
    const isBeside = [items[at - 1], items[at + 1], items[at - 2]].some(
      (other) =>
        (other?.t === 'entity' && isQualifier(other, column.source)) ||
        (other?.t === 'column' && other.column === column),
    );
    return column.source.joined && !isBeside ? [{ t: 'value', said: texts[0]!, column, value: texts[0]! }] : [];
  });
}
