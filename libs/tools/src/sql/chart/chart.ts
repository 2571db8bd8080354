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
  readonly points: readonly Point[];
  /** Values that cannot be drawn: NULL, and what is no number, or none that fits a picture. */
  readonly leftOut: number;
}

interface Point {
  readonly x: string | number;
  readonly y: number;
  readonly series: string;
}

const MAX_POINTS = 5000;
const MAX_BARS = 60;
const MAX_TEXT = 80;
/** Beyond it the distance of two numbers is none. */
const MAX_NUMBER = 1e300;

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
        ? [...new Map(y.map((name) => [name.toLowerCase(), name])).values()]
        : columns
            .map(({ name }) => name)
            .filter((_, i) => i !== xAt)
            .slice(0, 1);
  const yAt = yNames.map(place);
  if (xAt < 0 || yAt.includes(-1)) return `the result has no column ${xAt < 0 ? x : yNames[yAt.indexOf(-1)]}`;
  if (type !== 'histogram' && yAt.length === 0) return 'there is no column to draw';
  const isNumeric = type === 'scatter' || type === 'histogram';
  const points: Point[] = [];
  let leftOut = 0;
  for (const row of rows) {
    const at = isNumeric ? numberOf(row[xAt]) : labelOf(row[xAt]);
    const drawn =
      type === 'histogram'
        ? [{ y: 0, series: '' }]
        : yAt.map((column, i) => ({ y: numberOf(row[column]), series: yNames[i]! }));
    for (const { y: height, series } of drawn) {
      if (at === undefined || height === undefined) leftOut++;
      else points.push({ x: at, y: height, series });
    }
  }
  if (points.length === 0) return 'there are no numbers to draw';
  if (points.length > MAX_POINTS) return `a chart has at most ${MAX_POINTS} points`;
  if (type === 'bar' && points.length > MAX_BARS) return `a bar chart has at most ${MAX_BARS} bars`;
  if (!isNumeric && new Set(points.map((point) => JSON.stringify([point.series, point.x]))).size < points.length) {
    return `several rows have the same ${columns[xAt]!.name}, and would be drawn over one another`;
  }
  return {
    type,
    title: short(title),
    xTitle: short(columns[xAt]!.name),
    yTitle: type === 'histogram' ? '' : short(yNames.join(', ')),
    points,
    leftOut,
  };
}

/** Decimals and long integers are texts in a result; a picture needs no more than a number. */
function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string' && !/^-?\d+(?:\.\d+)?$/.test(value)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return Math.abs(Number(value)) <= MAX_NUMBER ? Number(value) : undefined;
}

const labelOf = (value: JsonValue | undefined): string =>
  value === null || value === undefined
    ? '–'
    : short(typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Without what no XML may hold, either. */
const short = (text: string): string => {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}]+/gu, ' ')
    .trim();
  return plain.length <= MAX_TEXT ? plain : `${plain.slice(0, MAX_TEXT).toWellFormed()}…`;
};
