/**
 * The schema card: what a model is told of tables before it writes SQL, within a budget of tokens.
 *
 * It is made the same way for every engine, and always the same for the same tables. What does not fit is left out
 * from the least telling on: counts and notes, then values and samples, then whole tables, and the card says so.
 */
import { estimateTokens, type SqlColumn, type SqlTable } from '@app/models';

interface Detail {
  readonly values: number;
  readonly samples: number;
  readonly range: boolean;
  readonly notes: number;
  /** Of one text from the data, in characters. */
  readonly length: number;
}

const DETAILS: readonly Detail[] = [
  { values: 50, samples: 5, range: true, notes: 10, length: 80 },
  { values: 20, samples: 3, range: true, notes: 3, length: 60 },
  { values: 8, samples: 2, range: true, notes: 1, length: 40 },
  { values: 0, samples: 1, range: false, notes: 0, length: 24 },
  { values: 0, samples: 0, range: false, notes: 0, length: 24 },
];

export interface SchemaCard {
  /** As far as the budget let them be described. */
  readonly tables: readonly SqlTable[];
  readonly text: string;
  /** Tables that did not fit at all. */
  readonly leftOut: number;
}

export function schemaCard(tables: readonly SqlTable[], maxTokens: number): SchemaCard {
  for (const detail of DETAILS) {
    const described = tables.map((table) => reduced(table, detail));
    const text = described.map(tableText).join('\n\n');
    if (estimateTokens(text) <= maxTokens) return { tables: described, text, leftOut: 0 };
  }
  const described = tables.map((table) => reduced(table, DETAILS.at(-1)!));
  const kept: SqlTable[] = [];
  let text = '';
  for (const table of described) {
    const longer = kept.length === 0 ? tableText(table) : `${text}\n\n${tableText(table)}`;
    if (kept.length > 0 && estimateTokens(longer) > maxTokens - 40) break;
    text = longer;
    kept.push(table);
  }
  const leftOut = tables.length - kept.length;
  if (leftOut === 0) return { tables: kept, text, leftOut };
  return { tables: kept, text: `${text}\n\n(${leftOut} further tables do not fit here.)`, leftOut };
}

function reduced(table: SqlTable, { values, samples, range, notes, length }: Detail): SqlTable {
  return {
    ...table,
    origin: clean(table.origin, 200),
    columns: table.columns.map((column) => {
      const { minimum, maximum, values: all, samples: some, ...rest } = column;
      const shown = all?.slice(0, values).map(({ value, count }) => ({ value: clean(value, length), count }));
      const more = (all?.length ?? 0) - (shown?.length ?? 0);
      return {
        ...rest,
        original: clean(column.original, length),
        ...(range && minimum !== undefined && { minimum: clean(minimum, length) }),
        ...(range && maximum !== undefined && { maximum: clean(maximum, length) }),
        samples: shown?.length ? [] : some.slice(0, samples).map((sample) => clean(sample, length)),
        ...(shown?.length && { values: shown, ...(more > 0 && { moreValues: more }) }),
        notes: column.notes.slice(0, notes).map((note) => clean(note, 200)),
      };
    }),
    notes: table.notes.slice(0, notes).map((note) => clean(note, 200)),
  };
}

function tableText({ name, origin, rowCount, columns, notes }: SqlTable): string {
  const rows = rowCount === undefined ? '' : `${rowCount} rows, `;
  const head = `TABLE ${name} -- ${rows}from ${JSON.stringify(origin)}`;
  return [head, ...columns.map(columnText), ...notes.map((note) => `  note: ${note}`)].join('\n');
}

function columnText(column: SqlColumn): string {
  const { name, original, type, unit, identifier, nulls, distinct, minimum, maximum, samples, values, moreValues } =
    column;
  const told = [
    original !== '' && original !== name && `called ${JSON.stringify(original)}`,
    unit === '%' ? 'a share: 25 % is 0.25' : unit !== undefined && `in ${JSON.stringify(unit)}`,
    identifier && 'an identifier, not a quantity',
    values
      ? `values ${values.map(({ value, count }) => JSON.stringify(value) + (count === undefined ? '' : ` (${count})`)).join(', ')}` +
        (moreValues ? ` and ${moreValues} more` : '')
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

/** Without control characters, and cut to a length. */
function clean(text: string, length: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return plain.length <= length ? plain : `${plain.slice(0, length).toWellFormed()}…`;
}
