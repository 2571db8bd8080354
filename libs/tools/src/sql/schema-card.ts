/**
 * The schema card: what a model is told of tables before it writes SQL, within a budget of tokens.
 *
 * It is made the same way for every engine, and always the same for the same tables. Every table begins with the least
 * that a query needs, names and types; what room is left goes to what tells most, level by level, in the order of the
 * tables. What does not fit at all is left out from the end, and the card says so.
 */
import { estimateTokens, type SqlColumn, type SqlTable } from '@app/models';

interface Detail {
  readonly values: number;
  readonly samples: number;
  readonly range: boolean;
  readonly notes: number;
  readonly jsonKeys: number;
  /** Of a comment, in characters; the names of tables that a foreign key leads to are always told. */
  readonly comment: number;
  /** Of one text from the data, in characters. */
  readonly length: number;
}

/** From the least on. */
const DETAILS: readonly Detail[] = [
  { values: 0, samples: 0, range: false, notes: 0, jsonKeys: 0, comment: 0, length: 24 },
  { values: 0, samples: 1, range: false, notes: 0, jsonKeys: 8, comment: 60, length: 24 },
  { values: 8, samples: 2, range: true, notes: 1, jsonKeys: 20, comment: 120, length: 40 },
  { values: 20, samples: 3, range: true, notes: 3, jsonKeys: 40, comment: 200, length: 60 },
  { values: 50, samples: 5, range: true, notes: 10, jsonKeys: 100, comment: 400, length: 80 },
];

/** What is said of the tables that are left out. */
const LEFT_OUT_TOKENS = 40;

export interface SchemaCard {
  /** As far as the budget let them be described. */
  readonly tables: readonly SqlTable[];
  readonly text: string;
  /** Tables that did not fit at all. */
  readonly leftOut: number;
}

export interface CardOptions {
  /** So many of the tables, from the first on, are told in full before the others are told more. Absent: all alike. */
  readonly first?: number;
  /** Tables that were left out before. */
  readonly leftOut?: number;
  /** Lines after the tables; the tables have what they leave. */
  readonly routines?: readonly string[];
}

export function schemaCard(tables: readonly SqlTable[], maxTokens: number, options: CardOptions = {}): SchemaCard {
  const { first = tables.length, routines = [] } = options;
  const budget = maxTokens - (routines.length > 0 ? estimateTokens(`${routines.join('\n')}\n\n`) : 0);
  const told = tables.map((table) => toldAt(table, 0));
  let tokens = 0;
  const kept: Told[] = [];
  for (const one of told) {
    const isLast = kept.length === tables.length - 1 && !options.leftOut;
    if (kept.length > 0 && tokens + one.tokens > budget - (isLast ? 0 : LEFT_OUT_TOKENS)) break;
    tokens += one.tokens;
    kept.push(one);
  }
  const leftOut = (options.leftOut ?? 0) + tables.length - kept.length;
  const room = budget - (leftOut > 0 ? LEFT_OUT_TOKENS : 0);
  for (const [begin, end] of [
    [0, Math.min(first, kept.length)],
    [first, kept.length],
  ] as const) {
    for (let level = 1; level < DETAILS.length; level++) {
      for (let at = begin; at < end; at++) {
        const more = toldAt(tables[at]!, level);
        if (tokens - kept[at]!.tokens + more.tokens > room) continue;
        tokens += more.tokens - kept[at]!.tokens;
        kept[at] = more;
      }
    }
  }
  const parts = [...kept.map(({ text }) => text), ...(routines.length > 0 ? [routines.join('\n')] : [])];
  if (leftOut > 0) parts.push(`(${leftOut} further tables do not fit here.)`);
  return { tables: kept.map(({ table }) => table), text: parts.join('\n\n'), leftOut };
}

interface Told {
  readonly table: SqlTable;
  readonly text: string;
  readonly tokens: number;
}

function toldAt(whole: SqlTable, level: number): Told {
  const table = reduced(whole, DETAILS[level]!);
  const text = tableText(table);
  return { table, text, tokens: estimateTokens(`${text}\n\n`) };
}

function reduced(table: SqlTable, detail: Detail): SqlTable {
  const { notes, comment } = detail;
  const { comment: said, ...rest } = table;
  return {
    ...rest,
    origin: clean(table.origin, 200),
    ...(said && comment > 0 && { comment: clean(said, comment) }),
    columns: table.columns.map((column) => reducedColumn(column, detail)),
    notes: table.notes.slice(0, notes).map((note) => clean(note, 200)),
  };
}

function reducedColumn(column: SqlColumn, detail: Detail): SqlColumn {
  const { values, samples, range, notes, length } = detail;
  const { minimum, maximum, values: all, samples: some, comment, jsonKeys, ...rest } = column;
  const shown = all?.slice(0, values).map(({ value, ...count }) => ({ value: clean(value, length), ...count }));
  const more = (all?.length ?? 0) - (shown?.length ?? 0);
  const keys = jsonKeys?.slice(0, detail.jsonKeys).map((key) => clean(key, 80));
  return {
    ...rest,
    original: clean(column.original, MAX_NAME),
    type: clean(column.type, 80),
    ...(comment && detail.comment > 0 && { comment: clean(comment, detail.comment) }),
    ...(keys?.length && { jsonKeys: keys }),
    ...(range && minimum !== undefined && { minimum: clean(minimum, length) }),
    ...(range && maximum !== undefined && { maximum: clean(maximum, length) }),
    samples: shown?.length ? [] : some.slice(0, samplesOf(column, samples)).map((sample) => clean(sample, length)),
    ...(shown?.length && { values: shown, ...(more > 0 && { moreValues: more }) }),
    notes: column.notes.slice(0, notes).map((note) => clean(note, 200)),
  };
}

/** Numbers of things say nothing beyond their range, and JSON little beyond its keys. */
const samplesOf = ({ identifier, minimum, jsonKeys }: SqlColumn, samples: number): number =>
  identifier && minimum !== undefined ? 0 : jsonKeys?.length ? Math.min(1, samples) : samples;

function tableText(table: SqlTable): string {
  const { name, kind, origin, rowCount, isEstimate, comment, columns, primaryKey, foreignKeys = [], notes } = table;
  const told = [
    rowCount !== undefined && `${isEstimate ? 'about ' : ''}${rowCount} rows`,
    // A table of a database is named by where it is.
    kind === undefined && `from ${JSON.stringify(origin)}`,
    comment && `comment: ${JSON.stringify(comment)}`,
  ].filter(Boolean);
  const head = `${kind === 'view' ? 'VIEW' : 'TABLE'} ${name}`;
  const keys = foreignKeys.map(
    ({ columns: from, table: to, references }) => `  (${from.join(', ')}) refers to ${to} (${references.join(', ')})`,
  );
  return [
    told.length > 0 ? `${head} -- ${told.join(', ')}` : head,
    ...columns.map(columnText),
    ...(primaryKey ? [`  primary key (${primaryKey.join(', ')})`] : []),
    ...keys,
    ...notes.map((note) => `  note: ${note}`),
  ].join('\n');
}

function columnText(column: SqlColumn): string {
  const { name, original, type, unit, nulls, distinct, minimum, maximum, samples, comment, jsonKeys, values } = column;
  const told = [
    original !== '' && original !== plain(name) && `called ${JSON.stringify(original)}`,
    comment && `comment: ${JSON.stringify(comment)}`,
    unit === '%' ? 'a share: 25 % is 0.25' : unit !== undefined && `in ${JSON.stringify(unit)}`,
    column.identifier && 'an identifier, not a quantity',
    jsonKeys && `JSON keys ${jsonKeys.map((key) => JSON.stringify(key)).join(', ')}`,
    values
      ? valuesText(column)
      : minimum !== undefined &&
        maximum !== undefined &&
        `from ${JSON.stringify(minimum)} to ${JSON.stringify(maximum)}`,
    samples.length > 0 && `such as ${samples.map((sample) => JSON.stringify(sample)).join(', ')}`,
    !values && distinct !== undefined && `${distinct} different`,
    nulls !== undefined && nulls > 0 && `${nulls} NULL`,
    ...column.notes.map((note) => `note: ${note}`),
  ];
  return `  ${name} ${type}: ${told.filter(Boolean).join('; ')}`.replace(/: $/, '');
}

function valuesText({ values = [], hasOtherValues, moreValues }: SqlColumn): string {
  const list = values.map(({ value, count }) => JSON.stringify(value) + (count === undefined ? '' : ` (${count})`));
  const rest = moreValues ? ` and ${moreValues} more` : hasOtherValues ? ' and others' : '';
  return `values ${list.join(', ')}${rest}`;
}

/** A name without its quotes: one that says the same need not be told twice. */
const plain = (name: string): string =>
  name.replace(/"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[((?:[^\]]|\]\])*)\]/g, (_, double, back, bracket) =>
    double !== undefined
      ? String(double).replaceAll('""', '"')
      : back !== undefined
        ? String(back).replaceAll('``', '`')
        : String(bracket).replaceAll(']]', ']'),
  );

/** No engine but SQLite has longer ones. */
const MAX_NAME = 128;

/** Without control characters, and cut to a length. */
function clean(text: string, length: number): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return shown.length <= length ? shown : `${shown.slice(0, length).toWellFormed()}…`;
}
