/** A chart over the rows of a result: which kind, and which columns it shows. */
import { z } from 'zod';
import type { QueryRows } from '../table-query';
import type { JsonValue } from '../exact-value';

export const CHART_TYPES = ['bar', 'line', 'scatter', 'histogram'] as const;

/** As a model writes it. */
const wish = z.object({
  type: z.enum(CHART_TYPES),
  x: z.string().min(1),
  y: z
    .union([z.string(), z.array(z.string()).max(20)])
    .nullish()
    .transform((y) => [y ?? []].flat()),
  title: z
    .string()
    .nullish()
    .transform((title) => title ?? ''),
});

/** What is drawn: points with numbers, labels as they are to be read. */
export interface Chart {
  readonly type: (typeof CHART_TYPES)[number];
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Texts for bars and lines, numbers for the rest; lines over days have `YYYY-MM-DD`. */
  readonly points: readonly { readonly x: string | number; readonly y: number; readonly series: string }[];
}

const MAX_POINTS = 5000;
const MAX_BARS = 60;
const MAX_TEXT = 80;

/**
 * The chart that a model asked for, or why there is none, in words.
 *
 * @param wanted whatever it wrote.
 */
export function chartOf(wanted: unknown, { columns, rows }: Pick<QueryRows, 'columns' | 'rows'>): Chart | string {
  const parsed = wish.safeParse(wanted);
  if (!parsed.success) return 'the chart was not described as it should be';
  const { type, x, y, title } = parsed.data;
  const place = (name: string) => columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
  const xAt = place(x);
  const yNames =
    type === 'histogram'
      ? []
      : y.length > 0
        ? y
        : columns
            .map(({ name }) => name)
            .filter((_, i) => i !== xAt)
            .slice(0, 1);
  const yAt = yNames.map(place);
  if (xAt < 0 || yAt.includes(-1)) return `the result has no column ${xAt < 0 ? x : yNames[yAt.indexOf(-1)]}`;
  if (type !== 'histogram' && yAt.length === 0) return 'there is no column to draw';
  const isNumeric = type === 'scatter' || type === 'histogram';
  const points: { x: string | number; y: number; series: string }[] = [];
  for (const row of rows) {
    const at = isNumeric ? numberOf(row[xAt]) : labelOf(row[xAt]);
    if (at === undefined) continue;
    if (type === 'histogram') points.push({ x: at, y: 0, series: '' });
    for (const [i, column] of yAt.entries()) {
      const value = numberOf(row[column]);
      if (value !== undefined) points.push({ x: at, y: value, series: yNames[i]! });
    }
  }
  if (points.length === 0) return 'there are no numbers to draw';
  if (points.length > MAX_POINTS) return `a chart has at most ${MAX_POINTS} points`;
  if (type === 'bar' && points.length > MAX_BARS) return `a bar chart has at most ${MAX_BARS} bars`;
  return {
    type,
    title: short(title),
    xTitle: short(columns[xAt]!.name),
    yTitle: type === 'histogram' ? '' : short(yNames.join(', ')),
    points,
  };
}

/** Decimals and long integers are texts in a result; a picture needs no more than a number. */
function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^-?\d+(?:\.\d+)?$/.test(value)) return undefined;
  return Number(value);
}

const labelOf = (value: JsonValue | undefined): string =>
  value === null || value === undefined
    ? '–'
    : short(typeof value === 'object' ? JSON.stringify(value) : String(value));

const short = (text: string): string => {
  const plain = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return plain.length <= MAX_TEXT ? plain : `${plain.slice(0, MAX_TEXT).toWellFormed()}…`;
};
