/**
 * What a question may speak of when its rows are those of one table: that table, and every row that its foreign keys
 * lead to. Each row of the table has at most one of those, so that a join with them neither doubles nor loses any.
 */
import type { Column, DescribedTable, PlainColumn, PlainValue, Value } from './described-table';
import type { Dialect } from './dialect';
import { samePlainWord, sameWord } from './forms';
import type { Link } from './links';
import { nameWords, type Name } from './names';

import type { Usefulness } from './usefulness';

/** The rows of one table, or those of another that belong to them. */
export interface Source {
  readonly table: DescribedTable;
  readonly columns: readonly Column[];
  readonly values: readonly Value[];
  /** What one of its rows is called. */
  readonly names: readonly Name[];
  /** Absent for the rows themselves. */
  readonly joined?: Joined;
  /** The key that leads to it has its table's own name: `customer_id`, not `referrer_id`. */
  readonly isPlain: boolean;
}

interface Joined {
  readonly from: Source;
  /** Pairs of columns: of `from`, of this source. */
  readonly on: readonly (readonly [Column, Column])[];
  /** Every row of `from` has one. */
  readonly isRequired: boolean;
  /** The key is in the rows that are joined. */
  readonly isReverse: boolean;
  /** No key says it. */
  readonly isInferred: boolean;
}

export interface Scope {
  readonly dialect: Dialect;
  /** The rows that are counted, added up or listed. */
  readonly root: Source;
  /** The root first. */
  readonly sources: readonly Source[];
  /** Those too that the question does not speak of. */
  readonly reached: readonly Source[];
  /** Those that the question may speak of. */
  readonly columns: readonly Column[];
  readonly values: readonly Value[];
}

const MAX_DEPTH = 4;
const MAX_SOURCES = 300;

/** Names that many tables have a column of: in another than the root they need the table's name beside them. */
const COMMON = new Set(
  `name nombre code codigo type tipo status estado description descripcion title titulo date fecha value valor label
   key note notes active activo created updated email phone number numero kind state url id comment position level
   amount total quantity price`.split(/\s+/),
);

/**
 * @param useful what the question may mean; other sources are only passed through.
 * @param without a table that is not led to.
 */
export function scopeOf(
  table: DescribedTable,
  links: readonly Link[],
  dialect: Dialect,
  useful: Usefulness,
  without?: DescribedTable,
): Scope {
  const root = new LazySource(table, table.names, undefined, true, false);
  const found: LazySource[] = [root];
  const queue: { source: LazySource; depth: number; passed: readonly DescribedTable[] }[] = [
    { source: root, depth: 0, passed: [table] },
  ];
  for (let next = queue.shift(); next && found.length < MAX_SOURCES; next = queue.shift()) {
    const { source, depth, passed } = next;
    if (depth >= MAX_DEPTH) continue;
    for (const link of links) {
      if (link.from !== source.table || link.to === without) continue;
      const isItself = link.to === source.table;
      if (passed.includes(link.to) && !isItself) continue;
      if (isItself && depth > 0) continue;
      const joined = joinedBy(link, source, isItself);
      found.push(joined);
      if (!isItself) queue.push({ source: joined, depth: depth + 1, passed: [...passed, link.to] });
    }
  }
  const reached = nearest(found);
  const sources = reached.filter((source) => source === root || useful.ofSource(source));
  return {
    dialect,
    root,
    sources,
    reached,
    columns: sources.flatMap((source) => source.some((column) => useful.ofColumn(column))),
    values: sources.flatMap((source) => source.someValues((value) => useful.ofValue(value))),
  };
}

/** Its columns are made when they are asked for: most sources are only passed through. */
class LazySource implements Source {
  private readonly made = new Map<PlainColumn, Column>();
  private allColumns: readonly Column[] | undefined;
  private allValues: readonly Value[] | undefined;

  constructor(
    readonly table: DescribedTable,
    readonly names: readonly Name[],
    readonly joined: Joined | undefined,
    readonly isPlain: boolean,
    /** The table itself once more: its columns and values need the name of the key beside them. */
    private readonly isNamedOnly: boolean,
  ) {}

  get columns(): readonly Column[] {
    return (this.allColumns ??= this.table.columns.map((column) => this.column(column)));
  }

  get values(): readonly Value[] {
    const { values } = this.table;
    return (this.allValues ??= this.isNamedOnly
      ? []
      : values.map((value) => ({ ...value, column: this.column(value.column) })));
  }

  some(isWanted: (column: PlainColumn) => boolean): Column[] {
    return this.table.columns.filter(isWanted).map((column) => this.column(column));
  }

  someValues(isWanted: (value: PlainValue) => boolean): Value[] {
    if (this.isNamedOnly) return [];
    return this.table.values.filter(isWanted).map((value) => ({ ...value, column: this.column(value.column) }));
  }

  /** One that is no key in a JSON column. */
  named(name: string): Column {
    return this.column(this.table.columns.find((one) => one.name === name && !one.json)!);
  }

  private column(plain: PlainColumn): Column {
    const known = this.made.get(plain);
    if (known) return known;
    const beside = this.joined && namesBeside(plain, this.names, this.isNamedOnly);
    const column: Column = { ...plain, qualified: [], ...beside, source: this };
    this.made.set(plain, column);
    return column;
  }
}

/** The names of a column of another table: with the table's name, and alone where they are not common ones. */
function namesBeside({ names, isLink, isIdentifier }: PlainColumn, nouns: readonly Name[], isNamedOnly: boolean) {
  if (isLink) return { names: [], qualified: [] };
  const isOwn = (name: readonly string[]) => !isIdentifier && !(name.length === 1 && COMMON.has(name[0]!));
  const whole = nouns.filter(({ words }) => words.length <= 2);
  const qualified = names.flatMap((name) =>
    whole
      .filter(({ words }) => words.join(' ') !== name.slice(0, words.length).join(' '))
      .map(({ words }) => [...words, ...name]),
  );
  return { names: isNamedOnly ? [] : names.filter(isOwn), qualified };
}

function joinedBy(link: Link, from: LazySource, isItself: boolean): LazySource {
  const role = link.isReverse ? [] : roleOf(link.columns);
  const isPlain = role.length === 0 || link.to.names.some(({ words }) => isSaidBy(role, words));
  const names = isItself
    ? role.length > 0
      ? [{ words: role, isPart: false }]
      : []
    : [
        ...(role.length > 0 ? [{ words: role, isPart: false }] : []),
        ...link.to.names.map((name) => (isPlain ? name : { ...name, isPart: true })),
      ];
  const joined: {
    from: Source;
    on: (readonly [Column, Column])[];
    isRequired: boolean;
    isReverse: boolean;
    isInferred: boolean;
  } = {
    from,
    on: [],
    isRequired: false,
    isReverse: link.isReverse,
    isInferred: link.isInferred,
  };
  const source = new LazySource(link.to, names, joined, isPlain, isItself);
  for (const [i, name] of link.columns.entries()) joined.on.push([from.named(name), source.named(link.references[i]!)]);
  joined.isRequired =
    !link.isReverse && joined.on.every(([{ spec }]) => spec.nullable === false) && (from.joined?.isRequired ?? true);
  return source;
}

/** The words of `billing_address_id` that say which address. */
function roleOf(columns: readonly string[]): string[] {
  if (columns.length > 1) return [];
  const words = nameWords(columns[0]!.replace(/^["`[]|["`\]]$/g, ''));
  const bare = /^(?:id|fk|key|code|codigo|uuid|no|ref)$/.test(words.at(-1) ?? '') ? words.slice(0, -1) : words;
  return bare;
}

const isSaidBy = (role: readonly string[], name: readonly string[]): boolean =>
  role.length === name.length && role.every((word, i) => samePlainWord(word, name[i]!) || sameWord(word, name[i]!));

/** Of several ways to one table the direct one that has its name, if there is one; the others need their own names. */
function nearest<S extends Source>(found: readonly S[]): S[] {
  const [root] = found;
  const dropped = new Set<Source>();
  for (const source of found) {
    if (source.joined?.from !== root || source.table === root.table) continue;
    const direct = found.filter((one) => one.joined?.from === root && one.table === source.table && one.isPlain);
    if (direct.length !== 1 || direct[0] !== source) continue;
    for (const other of found)
      if (other.table === source.table && other !== source && other.joined && other.joined.from !== root)
        dropped.add(other);
  }
  // What is reached through something that was dropped is dropped too.
  for (const source of found) if (source.joined && dropped.has(source.joined.from)) dropped.add(source);
  return found.filter((source) => !dropped.has(source));
}
