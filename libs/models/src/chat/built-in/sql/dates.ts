/** Which date of its rows a question means that names none. */
import type { Column } from './described-table';
import { formsOf } from './forms';
import { doesNotFit, isOf, NotUnderstood } from './items';
import { isZoned } from './dialect';
import type { Reading } from './reading';
import type { Scope, Source } from './scope';

/** When a row was written or taken out, which is not when the thing happened. */
const HOUSEKEEPING = new Set('updated modified deleted archived synced imported last changed loaded'.split(' '));
/** What may befall a thing after it came to be. */
const LATER = new Set(
  `shipped delivered paid cancelled canceled completed closed resolved confirmed returned refunded due expected required
   shipping delivery approved processed finished expired`.split(/\s+/),
);
const BEING = new Set(
  'date placed ordered issue issued emision emitido day created registered time timestamp occurred happened'.split(' '),
);
/** A name such as `order_date`: the date of the thing that a row is. */
const OWN = new Set('date placed ordered issue issued emision day occurred happened'.split(' '));

/**
 * The date that is named in the items, and then taken out of them; else the one that says when the rows came to be.
 *
 * @param years that are asked for: another column may tell of them, too.
 * @throws NotUnderstood where it may be several.
 */
export function dateMeant(reading: Reading, years: readonly number[] = []): Column {
  const { items, scope } = reading;
  const mentioned = items.flatMap((item, i) =>
    item.t === 'column' && item.column.kind === 'date' && !item.isNegated && !isOf(items[i - 1], 'by') ? [item] : [],
  );
  const [one] = mentioned;
  const own = datesOf(scope.root);
  if (mentioned.length === 1 && one && (own.length !== 1 || own[0] !== one.column)) {
    reading.items = items.filter((item) => item !== one);
    return zoned(reading, one.column);
  }
  return mainDate(reading, years);
}

export function mainDate(reading: Reading, years: readonly number[] = []): Column {
  const { root } = reading.scope;
  const source = datesOf(root).length > 0 ? root : wholeOf(reading.scope);
  if (!source) throw doesNotFit();
  const dates = datesOf(source);
  if (dates.length === 1 && source === root) {
    // "Shipped in March": the date is not that of the state.
    const isOfState = reading.items.some(
      (item) => item.t === 'value' && item.values.some(({ column }) => column.source === root),
    );
    const others = yearColumns(root, years);
    if (others.length > 0 || (isOfState && reading.scope.dialect.name !== 'DuckDB' && saysBeing(dates[0]!)))
      reading.note({ t: 'date', column: dates[0]!, others });
    return zoned(reading, dates[0]!);
  }
  const column = likeliest(dates, source);
  if (!column) throw new NotUnderstood('ambiguous', dates.map(({ spec }) => spec.original || spec.name).join(', '));
  const others = [...lastingOf(dates).filter((other) => other !== column), ...yearColumns(source, years)];
  if (dates.length > 1 || others.length > 0 || source !== root) reading.note({ t: 'date', column, others });
  return zoned(reading, column);
}

export function zoned(reading: Reading, column: Column): Column {
  if (isZoned(column.spec, reading.scope.dialect)) reading.note({ t: 'zone', column });
  return column;
}

/** Columns of years besides the dates, that have one of those years: `fiscal_year`, "2022/23". */
const yearColumns = ({ columns }: Source, years: readonly number[]): Column[] =>
  columns.filter(
    ({ kind, spec: { values } }) =>
      (kind === 'text' || kind === 'number') &&
      (values ?? []).some(
        ({ value }) =>
          value.length <= 12 &&
          years.some((year) => [...value.matchAll(/\d{4}/g)].some(([digits]) => digits === String(year))),
      ),
  );

const lastingOf = (dates: readonly Column[]): Column[] => dates.filter((column) => !says(column, HOUSEKEEPING));

const datesOf = ({ columns }: Source): Column[] => columns.filter(({ kind }) => kind === 'date');

function likeliest(dates: readonly Column[], source: Source): Column | undefined {
  const lasting = lastingOf(dates);
  if (lasting.length === 1) return lasting[0];
  const nouns = new Set(source.table.names.flatMap(({ words }) => words).flatMap((word) => [...formsOf(word)]));
  const own = lasting.filter(({ names }) =>
    names.some((name) => name.every((word) => [...formsOf(word)].some((form) => OWN.has(form) || nouns.has(form)))),
  );
  if (own.length === 1) return own[0];
  const began = lasting.filter((column) => says(column, BEING));
  const others = lasting.filter((column) => !began.includes(column));
  return began.length === 1 && others.every((column) => says(column, LATER)) ? began[0] : undefined;
}

const saysBeing = (column: Column): boolean =>
  says(column, BEING) && !column.names.some((name) => name.length === 1 && /^(?:date|fecha|day|time)$/.test(name[0]!));

const says = ({ names }: Column, words: ReadonlySet<string>): boolean =>
  names.flat().some((word) => words.has(word) || [...formsOf(word)].some((form) => words.has(form)));

/** What the rows are parts of, and happened with: the order of `order_items`. */
export function wholeOf({ root, reached }: Scope): Source | undefined {
  const words = new Set(root.table.names.flatMap(({ words }) => words).flatMap((word) => [...formsOf(word)]));
  const wholes = reached.filter(
    ({ joined, table, columns }) =>
      joined?.from === root &&
      columns.some(({ kind }) => kind === 'date') &&
      table.names.some(
        ({ words: name, isPart }) => !isPart && name.some((word) => [...formsOf(word)].some((form) => words.has(form))),
      ),
  );
  return wholes.length === 1 ? wholes[0] : undefined;
}
