/** How tables are connected: by foreign keys, and where documents have none, by equal names of columns. */
import type { SqlForeignKey } from '../../sql-task';
import { fold } from '../words';
import type { DescribedTable, PlainColumn } from './described-table';
import type { Dialect } from './dialect';
import { samePlainWord } from './forms';
import { nameWords } from './names';

/** From rows to the one row that belongs to each, if there is one. */
export interface Link {
  readonly from: DescribedTable;
  readonly to: DescribedTable;
  readonly columns: readonly string[];
  readonly references: readonly string[];
  /** From a row to what may be added to it: a profile to a customer. */
  readonly isReverse: boolean;
  /** No key says it. */
  readonly isInferred: boolean;
}

/** The foreign keys between tables, and the other way where at most one row points at each. */
export function linksOf(tables: readonly DescribedTable[], dialect: Dialect): Link[] {
  if (dialect.name === 'DuckDB') return inferredLinks(tables);
  const byName = new Map(tables.map((table) => [table.spec.name, table]));
  return tables.flatMap((from) =>
    (from.spec.foreignKeys ?? []).flatMap((key): Link[] => {
      const to = byName.get(key.table);
      if (!to || !isWhole(key, from, to) || !leadsToOne(key, to, dialect)) return [];
      const { columns, references } = key;
      const link = { from, to, columns, references, isReverse: false, isInferred: false };
      const isOneToOne = from !== to && sameSet(from.primaryKey, columns);
      return isOneToOne
        ? [link, { ...link, from: to, to: from, columns: references, references: columns, isReverse: true }]
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

/**
 * Columns of one name in two tables, where one has each value once and the other none that it lacks, as far as is known.
 * Where two tables could be meant, none is.
 */
function inferredLinks(tables: readonly DescribedTable[]): Link[] {
  return tables.flatMap((from) =>
    from.columns.flatMap((column): Link[] => {
      if (column.isUnique || column.json) return [];
      const targets = tables.flatMap((to) =>
        to === from ? [] : to.columns.filter((key) => isKeyFor(key, column, to)).map((key) => ({ to, key })),
      );
      const [target] = targets;
      if (!target || targets.length > 1) return [];
      const { to, key } = target;
      // Of two ways between the same tables neither is sure.
      const isOnly = from.columns.filter((one) => to.columns.some((other) => isKeyFor(other, one, to))).length === 1;
      return isOnly
        ? [{ from, to, columns: [column.name], references: [key.name], isReverse: false, isInferred: true }]
        : [];
    }),
  );
}

function isKeyFor(key: PlainColumn, column: PlainColumn, to: DescribedTable): boolean {
  if (!key.isUnique || key.kind !== column.kind || (key.kind !== 'number' && key.kind !== 'text')) return false;
  const name = fold(column.spec.original || column.name);
  if (name !== fold(key.spec.original || key.name)) return false;
  const words = nameWords(column.spec.original || column.name);
  const namesRow = to.names.some(
    ({ words: noun }) => noun.length === 1 && words.length === 1 && samePlainWord(noun[0]!, words[0]!),
  );
  const isCode = /^(?:id|code|codigo|sku|ref|reference|referencia|key|clave|number|numero|nif|email)$/.test(
    words.at(-1) ?? '',
  );
  return (
    (namesRow || (isCode && words.length > 1) || (isCode && column.isIdentifier && name !== 'id')) &&
    isWithin(column, key)
  );
}

/** Whether the values of one are among those of the other, as far as the card tells. */
function isWithin({ spec: own, kind }: PlainColumn, { spec: key }: PlainColumn): boolean {
  if (own.distinct !== undefined && key.distinct !== undefined && own.distinct > key.distinct) return false;
  if (own.values && key.values && !key.moreValues) {
    const known = new Set(key.values.map(({ value }) => value));
    if (own.values.some(({ value }) => !known.has(value))) return false;
  }
  if (kind !== 'number') return true;
  const ends = [own.minimum, key.minimum, own.maximum, key.maximum].map(Number);
  return ends.some(Number.isNaN) || (ends[0]! >= ends[1]! && ends[2]! <= ends[3]!);
}
