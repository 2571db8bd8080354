/** The one reading that a question has, out of those over each table. */
import type { Attempt } from './attempts';
import { NotUnderstood } from './items';
import type { Note } from './notes';
import { sourcesOf, type Query } from './query';

export interface Chosen {
  readonly query: Query;
  readonly notes: readonly Note[];
}

type Fitting = Attempt & { readonly query: Query };

/** The one table that the whole question fits; of several, the one that it names in the plainest words. */
export function choose(read: readonly Attempt[]): Chosen | undefined {
  const best = candidates(read);
  // "How many records in March": of which table?
  const isAny = (one: Fitting) => !one.isMentioned && one.joins === 0 && !one.notes.some(({ t }) => t === 'product');
  if (best.length === 1 && isAny(best[0]!) && best[0]!.items.some(({ t }) => t === 'rows') && isOfSeveral(read))
    return undefined;
  if (best.length === 1) return best[0];
  // Of tables with one name in several schemas, the one that SQL would take.
  const [first] = best;
  if (!first || best.some(({ table }) => nameOf(table) !== nameOf(first.table))) return undefined;
  const plain = best.filter(({ table }) => isBare(table.spec));
  if (plain.length !== 1) return undefined;
  const [chosen] = plain as [Fitting];
  const others = best.filter((one) => one !== chosen).map(({ table }) => table.spec.name);
  return { query: chosen.query, notes: [...chosen.notes, { t: 'table', name: chosen.table.spec.name, others }] };
}

const isOfSeveral = (read: readonly Attempt[]): boolean => new Set(read.map(({ table }) => table)).size > 1;

/** Those between which nothing decides. */
function candidates(read: readonly Attempt[]): Fitting[] {
  const all = read.filter((one): one is Fitting => one.query !== undefined);
  // Views show the same rows again: they are taken where a question calls them by their whole name.
  const tables = all.filter(({ table }) => table.spec.kind !== 'view');
  const fitting = [...tables, ...all.filter((one) => !tables.includes(one) && isCalled(one))];
  const named = fitting.filter(({ isNamed }) => isNamed);
  if (named.length > 0)
    return least(
      least(named, ({ joins }) => joins),
      farness,
    );
  const mentioned = fitting.filter(({ isMentioned }) => isMentioned);
  // Departments with a budget are rows of `departments`, where other rows only lead to them.
  const whole = mentioned.filter(
    ({ joins, query }) =>
      joins === 0 &&
      query.distinct === true &&
      query.columns.every(({ sql }) => sql.columns.every(({ isUnique }) => isUnique)),
  );
  if (whole.length === 1 && mentioned.every((one) => one === whole[0] || one.joins > 0)) return whole;
  return least(mentioned.length > 0 ? mentioned : nearestOf(fitting), farness);
}

/** Of tables that only connect what the question names, the one that all the others lead through. */
function nearestOf(some: readonly Fitting[]): readonly Fitting[] {
  const between = some.filter(({ table }) =>
    some.every((other) => other.table === table || sourcesOf(other.query).some((source) => source.table === table)),
  );
  return between.length === 1 ? between : some;
}

const isCalled = ({ items }: Fitting): boolean => items.some((item) => item.t === 'noun' && !item.isPart);

function least(some: readonly Fitting[], measure: (one: Fitting) => number): Fitting[] {
  const lowest = Math.min(...some.map(measure));
  return some.filter((one) => measure(one) === lowest);
}

/** Synonyms and parts of names in the reading. */
const farness = ({ items, isSecond, notes }: Attempt): number =>
  items.reduce(
    (sum, item) => {
      if (item.t === 'value') return sum + (item.said === undefined ? 0 : 1);
      if (item.t === 'column') return sum + (item.isPart ? 1 : 0) + (item.isSynonym ? 1 : 0);
      if (item.t !== 'noun' && item.t !== 'entity') return sum;
      return sum + (item.isPart ? 2 : 0) + (item.isSynonym ? 1 : 0) - (item.length - 1) / 2;
    },
    (isSecond ? 1 : 0) + (notes.some(({ t }) => t === 'product') ? 2 : 0),
  );

const nameOf = ({ spec }: Attempt['table']): string => spec.original ?? spec.name;

/** Whether a name stands without its schema. */
const isBare = ({ name, original }: Attempt['table']['spec']): boolean =>
  original === undefined || name.replace(/^["`[]|["`\]]$/g, '') === original;

/** The tables in the order in which they seem to be meant. */
export const byFit = (read: readonly Attempt[]): Attempt[] =>
  [...read].sort(
    (a, b) => Number(b.isNamed) - Number(a.isNamed) || b.items.length - a.items.length || farness(a) - farness(b),
  );

/** What stood in the way where most of the question was understood. */
export function reasonOf(read: readonly Attempt[]): NotUnderstood {
  const fitting = candidates(read);
  if (fitting.length > 1)
    return new NotUnderstood('ambiguous', [...new Set(fitting.map(({ table }) => table.spec.name))].join(', '));
  return byFit(read)[0]?.failure ?? new NotUnderstood('pattern', '');
}
