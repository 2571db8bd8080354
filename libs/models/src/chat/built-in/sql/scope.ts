/**
 * What a question may speak of when its rows are those of one table: that table, and every row that its foreign keys
 * lead to. Each row of the table has at most one of those, so that a join with them neither doubles nor loses any.
 */
import type { SqlForeignKey } from '../../sql-task';
import type { Column, DescribedTable, PlainColumn, Value } from './described-table';
import type { Dialect } from './dialect';
import { samePlainWord, sameWord } from './forms';
import { nameWords, type Name } from './names';

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
}

export interface Scope {
  readonly dialect: Dialect;
  /** The rows that are counted, added up or listed. */
  readonly root: Source;
  /** The root first. */
  readonly sources: readonly Source[];
  /** Those too that the question does not speak of. */
  readonly reached: readonly Source[];
  readonly columns: readonly Column[];
  readonly values: readonly Value[];
}

/** A foreign key, of whichever direction, from rows to the one row that belongs to each. */
export interface Link {
  readonly from: DescribedTable;
  readonly to: DescribedTable;
  readonly columns: readonly string[];
  readonly references: readonly string[];
  /** From a row to what may be added to it: a profile to a customer. */
  readonly isReverse: boolean;
}

const MAX_DEPTH = 4;
const MAX_SOURCES = 40;

/** Names that many tables have a column of: in another than the root they need the table's name beside them. */
const COMMON = new Set(
  `name nombre code codigo type tipo status estado description descripcion title titulo date fecha value valor label
   key note notes active activo created updated email phone number numero kind state url id comment position level
   amount total quantity price`.split(/\s+/),
);

/**
 * @param useful whether a source has anything that the question may mean; others are only passed through.
 * @param without a table that is not led to.
 */
export function scopeOf(
  table: DescribedTable,
  links: readonly Link[],
  dialect: Dialect,
  useful: (source: Source) => boolean,
  without?: DescribedTable,
): Scope {
  const root = sourceOf(table, table.names);
  const found: Source[] = [root];
  const queue: { source: Source; depth: number; passed: readonly DescribedTable[] }[] = [
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
  const sources = reached.filter((source) => source === root || useful(source));
  return {
    dialect,
    root,
    sources,
    reached,
    columns: sources.flatMap(({ columns }) => columns),
    values: sources.flatMap(({ values }) => values),
  };
}

function sourceOf(
  table: DescribedTable,
  names: readonly Name[],
  joined?: Joined,
  { isNamedOnly = false, isPlain = true } = {},
): Source {
  const source = { table, names, joined, isPlain, columns: [] as Column[], values: [] as Value[] };
  const columns = new Map<PlainColumn, Column>(
    table.columns.map((column) => [
      column,
      { ...column, qualified: [], ...(joined && namesBeside(column, names, isNamedOnly)), source },
    ]),
  );
  source.columns = [...columns.values()];
  if (!isNamedOnly) source.values = table.values.map((value) => ({ ...value, column: columns.get(value.column)! }));
  return source;
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

function joinedBy(link: Link, from: Source, isItself: boolean): Source {
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
  const joined: { from: Source; on: (readonly [Column, Column])[]; isRequired: boolean; isReverse: boolean } = {
    from,
    on: [],
    isRequired: false,
    isReverse: link.isReverse,
  };
  const source = sourceOf(link.to, names, joined, { isNamedOnly: isItself, isPlain });
  const column = (some: readonly Column[], name: string) => some.find((one) => one.name === name && !one.json)!;
  for (const [i, name] of link.columns.entries())
    joined.on.push([column(from.columns, name), column(source.columns, link.references[i]!)]);
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
function nearest(found: readonly Source[]): Source[] {
  const [root] = found as [Source];
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

/** The foreign keys between tables, and the other way where at most one row points at each. */
export function linksOf(tables: readonly DescribedTable[], dialect: Dialect): Link[] {
  const byName = new Map(tables.map((table) => [table.spec.name, table]));
  return tables.flatMap((from) =>
    (from.spec.foreignKeys ?? []).flatMap((key): Link[] => {
      const to = byName.get(key.table);
      if (!to || !isWhole(key, from, to) || !leadsToOne(key, to, dialect)) return [];
      const { columns, references } = key;
      const link = { from, to, columns, references, isReverse: false };
      const isOneToOne = from !== to && sameSet(from.primaryKey, columns);
      return isOneToOne
        ? [link, { from: to, to: from, columns: references, references: columns, isReverse: true }]
        : [link];
    }),
  );
}

/** Whether the card has every column of it. */
const isWhole = (key: SqlForeignKey, from: DescribedTable, to: DescribedTable): boolean =>
  key.columns.length > 0 &&
  key.columns.length === key.references.length &&
  key.columns.every((name) => from.columns.some((column) => column.name === name)) &&
  key.references.every((name) => to.columns.some((column) => column.name === name));

/** MySQL and SQLite let a key point at columns that several rows share. */
const leadsToOne = (
  { references }: SqlForeignKey,
  { primaryKey, columns }: DescribedTable,
  { name }: Dialect,
): boolean =>
  (name !== 'MySQL' && name !== 'MariaDB' && name !== 'SQLite') ||
  sameSet(references, primaryKey) ||
  references.some((reference) => columns.some((column) => column.name === reference && column.isUnique));

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));
