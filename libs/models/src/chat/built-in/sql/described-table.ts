/** A table of the schema card as questions speak of it: which words name it, its columns and its values. */
import type { SqlColumn, SqlTable } from '../../sql-task';
import { fold } from '../words';
import { headOfComment, nameWords, namesOfColumn, namesOfTable, type Name } from './names';
import type { Dialect } from './dialect';
import { formsOf, samePlainWord, wordsOf } from './forms';
import type { Source } from './scope';

export type Kind = 'number' | 'text' | 'date' | 'boolean' | 'other';

export interface PlainColumn {
  /** As SQL writes it, without its table; of a key in a JSON column, undefined. */
  readonly name: string;
  readonly json?: readonly string[];
  readonly kind: Kind;
  readonly spec: SqlColumn;
  /** The words of its names, without those that only join them. */
  readonly names: readonly (readonly string[])[];
  /** What its comment speaks of, where nothing is called so. */
  readonly head?: readonly string[];
  /** A number that names something. */
  readonly isIdentifier: boolean;
  /** Each row has its own value. */
  readonly isUnique: boolean;
  /** A quantity whose sum means something without being asked for: units, an amount of money; not a price. */
  readonly isAdditive: boolean;
  /** Money taken in: what "sales" and "how much did we sell" mean. */
  readonly isRevenue: boolean;
  /** A column of a foreign key: the row that it points at is meant, not the number. */
  readonly isLink: boolean;
}

/** A column as a question finds it, of one source of its scope. */
export interface Column extends PlainColumn {
  readonly source: Source;
  /** Its names with that of its table before them: "customer country". */
  readonly qualified: readonly (readonly string[])[];
}

export interface PlainValue {
  readonly column: PlainColumn;
  /** As the data has it; several where they differ in case or accents only. */
  readonly texts: readonly string[];
  readonly words: readonly string[];
}

export interface Value extends PlainValue {
  readonly column: Column;
}

export interface DescribedTable {
  readonly spec: SqlTable;
  readonly columns: readonly PlainColumn[];
  readonly values: readonly PlainValue[];
  /** What its rows are called: `orders`, `ventas`. */
  readonly names: readonly Name[];
  /** Names as in the columns; empty where nothing is known of one. */
  readonly primaryKey: readonly string[];
}

const REVENUE = new Set('amount revenue sale total turnover facturacion facturado'.split(' '));
const ADDITIVE = new Set([
  ...REVENUE,
  ...'unit quantity hour gross visit click order expense subtotal net profit fee payment stock point'.split(' '),
]);
const NOT_ADDITIVE = new Set(
  `price cost rate average mean per media medio promedio number no num nr code line year numero codigo linea limit
   balance percent pct percentage porcentaje min max minimum maximum level`.split(/\s+/),
);
const UNIT_PRICE = new Set('unitario'.split(' '));
/** Things that rows stand for. "Orders" are so many of them; "Order" is the number of one. */
const COUNTED = new Set('order visit click sale expense'.split(' '));
const MAX_JSON_KEYS = 40;

export function describe(table: SqlTable, dialect: Dialect): DescribedTable {
  const names = namesOfTable(table, dialect.name === 'DuckDB');
  const columns = table.columns.flatMap((spec) => [columnOf(spec, table, names), ...jsonColumns(spec, dialect)]);
  return {
    spec: table,
    columns,
    values: columns.flatMap(valuesOf),
    names: dialect.name === 'DuckDB' ? [...names, ...namesByKey(columns, names)] : names,
    primaryKey: table.primaryKey ?? [],
  };
}

/** Rows of a file are also called by what tells them apart: those with an `order_id` each are orders, in `sales.csv`. */
function namesByKey(columns: readonly PlainColumn[], known: readonly Name[]): Name[] {
  const keys = columns.filter(({ isUnique, kind }) => isUnique && (kind === 'text' || kind === 'number'));
  const called = keys.flatMap(({ spec }) => {
    const words = nameWords(spec.original || spec.name).filter(
      (word) => !/^(?:id|no|num|number|numero|code|codigo)$/.test(word),
    );
    // A `sku` each have the articles of a stock.
    const [word] = words;
    if (words.length === 1 && /^(?:sku|ean|gtin|article|articulo|item|product|producto)$/.test(word!))
      return ['item', 'article'];
    const hasMore = nameWords(spec.original || spec.name).length > words.length;
    return words.length === 1 && hasMore ? [word!] : [];
  });
  return [...new Set(called)]
    .filter((word) => !known.some(({ words }) => words.length === 1 && samePlainWord(words[0]!, word)))
    .map((word) => ({ words: [word], isPart: false }));
}

function columnOf(spec: SqlColumn, table: SqlTable, nouns: readonly Name[]): PlainColumn {
  const kind = kindOf(spec);
  const names = namesOfColumn(spec, kind);
  const words = new Set(names.flat().flatMap((word) => [...formsOf(word)]));
  const plain = new Set(names.flat());
  const says = (list: ReadonlySet<string>) => [...words].some((word) => list.has(word));
  const isKey = table.primaryKey?.length === 1 && table.primaryKey[0] === spec.name;
  const isUnique =
    isKey ||
    (table.rowCount !== undefined && !table.isEstimate && table.rowCount > 0 && spec.distinct === table.rowCount);
  const isThing = names.some(([name, more]) => more === undefined && isOneThing(name!, nouns));
  const isLink = table.foreignKeys?.some(({ columns }) => columns.includes(spec.name)) ?? false;
  const isIdentifier =
    spec.identifier === true ||
    isLink ||
    (kind === 'number' &&
      ((table.primaryKey?.includes(spec.name) ?? false) ||
        nameWords(spec.original || spec.name).at(-1) === 'id' ||
        (isThing && isUnique)));
  const isQuantity = kind === 'number' && !isIdentifier && spec.unit !== '%';
  const isUnitPrice = [...UNIT_PRICE].some((word) => plain.has(word));
  return {
    name: spec.name,
    kind,
    spec,
    names,
    head: headOfComment(spec.comment),
    isIdentifier,
    isUnique,
    isLink,
    isAdditive: isQuantity && !isThing && (says(ADDITIVE) || isCountOf(spec)) && !says(NOT_ADDITIVE) && !isUnitPrice,
    isRevenue: isQuantity && !isThing && says(REVENUE) && !says(NOT_ADDITIVE),
  };
}

/** So many of something: `absences`, `faltas`. */
const isCountOf = ({ original, name, type, minimum }: SqlColumn): boolean => {
  const words = nameWords(original || name);
  return (
    words.length === 1 &&
    /[^s]s$/.test(words[0]!) &&
    !/^(?:years?|anos|ages|edades|levels|grades|notas|months|meses|stars|estrellas|floors|plantas|gps|status)$/.test(
      words[0]!,
    ) &&
    /INT/i.test(type) &&
    minimum !== undefined &&
    Number(minimum) >= 0
  );
};

/** Whether a name is that of one row, or of one thing: the "Order" of `orders`, the "Factura" of `facturas`. */
function isOneThing(name: string, nouns: readonly Name[]): boolean {
  if (name.endsWith('s')) return false;
  return (
    nouns.some(({ words }) => words.length === 1 && samePlainWord(words[0]!, name)) ||
    [...formsOf(name)].some((form) => COUNTED.has(form))
  );
}

function kindOf({ type, values }: SqlColumn): Kind {
  if (/\[\]$|^(?:_|ARRAY|SET\s*\()/i.test(type)) return 'other';
  if (/^(?:TINYINT\(1\)|BIT\(1\)$|BIT$|BOOL)/i.test(type)) return 'boolean';
  if (
    /^(?:U?(?:TINY|SMALL|MEDIUM|BIG|HUGE)?INT(?:EGER|\d)?|(?:SMALL|BIG)?SERIAL|DEC(?:IMAL)?|DOUBLE|FLOAT\d?|REAL|NUMERIC)\b/i.test(
      type,
    )
  )
    return 'number';
  if (/^(?:DATE|TIMESTAMP|SMALLDATETIME)/i.test(type)) return 'date';
  if (/^(?:N?VARCHAR|N?CHAR|(?:TINY|MEDIUM|LONG|N)?TEXT|ENUM|CHARACTER|CITEXT|BPCHAR|NAME$)/i.test(type)) return 'text';
  // A type of the database's own, with labels.
  return values && values.length > 0 && !/^JSON/i.test(type) ? 'text' : 'other';
}

/** What is known of the keys in a JSON column: that they are there. */
function jsonColumns(spec: SqlColumn, dialect: Dialect): PlainColumn[] {
  return (spec.jsonKeys ?? []).slice(0, MAX_JSON_KEYS).map((key) => {
    const json = key.split('.');
    const words = json.flatMap(nameWords);
    return {
      name: spec.name,
      json,
      kind: 'text' as const,
      spec: {
        name: spec.name,
        original: key,
        type: dialect.name === 'PostgreSQL' ? 'text' : 'VARCHAR',
        samples: [],
        notes: [],
      },
      names: [nameWords(json.at(-1)!), words, [...nameWords(spec.original || spec.name), ...words]].filter(
        (name) => name.length > 0,
      ),
      isIdentifier: false,
      isUnique: false,
      isLink: false,
      isAdditive: false,
      isRevenue: false,
    };
  });
}

function valuesOf(column: PlainColumn): PlainValue[] {
  if (column.kind !== 'text') return [];
  const byWords = new Map<string, { texts: string[]; words: string[] }>();
  for (const { value } of column.spec.values ?? []) {
    const words = wordsOf(value.replaceAll('_', ' ')).map(({ text }) => fold(text));
    if (words.length === 0 || words.length > 12) continue;
    const key = words.join(' ');
    const known = byWords.get(key);
    if (known) known.texts.push(value);
    else byWords.set(key, { texts: [value], words });
  }
  return [...byWords.values()].map(({ texts, words }) => ({ column, texts, words }));
}
