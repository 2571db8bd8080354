/**
 * The columns of a table in a PDF: strips that no cell leaves, however the texts stand in them (to the left, to the right,
 * in the middle). A text over several columns is known by its being over two cells of most other rows.
 */
import type { PdfRow } from './pdf-columns';
import type { PdfSegment } from './pdf-segments';

export interface PdfColumn {
  readonly from: number;
  readonly to: number;
}

/** Rows that are looked at to find out what a text stands over. */
const MAX_LOOKED_AT = 60;
/** Of rows, those that may have two texts in one column: a wide gap inside of a text. */
const MAX_COLLIDING = 0.15;

/**
 * @param rows with the headings, if there are any, as the first.
 * @returns undefined where no columns can be told apart.
 */
export function columnsOf(rows: readonly PdfRow[]): readonly PdfColumn[] | undefined {
  const [first, ...others] = rows;
  const below = stripsOf(others);
  const columns = below.length < first.cells.length ? stripsOf(rows) : withHeadings(below, first);
  if (columns.length < 2) return undefined;
  const several = rows.filter(({ cells }) => cells.length > 1);
  const colliding = several.filter(({ cells }) => {
    const taken = cells.map((cell) => columnsUnder(cell, columns)[0]);
    return new Set(taken).size < taken.length;
  }).length;
  return colliding > several.length * MAX_COLLIDING ? undefined : columns;
}

function stripsOf(rows: readonly PdfRow[]): PdfColumn[] {
  const several = rows.filter(({ cells }) => cells.length > 1);
  const step = Math.max(1, Math.ceil(several.length / MAX_LOOKED_AT));
  const sample = several.filter((_, at) => at % step === 0);
  const own = rows.flatMap((row) => row.cells.filter((cell) => !isOverSeveral(cell, row, sample)));
  const strips: { from: number; to: number }[] = [];
  for (const { x, right, size } of [...own].sort((one, other) => one.x - other.x)) {
    const last = strips.at(-1);
    if (last && x < last.to - 0.15 * size) last.to = Math.max(last.to, right);
    else strips.push({ from: x, to: right });
  }
  return strips;
}

/** A heading may stand in the middle of its column, and all values at a side: as many of them as columns are theirs. */
function withHeadings(columns: readonly PdfColumn[], { cells }: PdfRow): readonly PdfColumn[] {
  if (
    !areInOrder(
      cells,
      columns.map(({ from, to }) => ({ x: from, right: to })),
    )
  )
    return columns;
  return columns.map(({ from, to }, at) => ({ from: Math.min(from, cells[at].x), to: Math.max(to, cells[at].right) }));
}

type Extent = Pick<PdfSegment, 'x' | 'right'>;

/** As many on both sides, and none reaches to the neighbours of the one that is its own. */
export const areInOrder = (upper: readonly Extent[], lower: readonly Extent[]): boolean =>
  upper.length === lower.length &&
  upper.every(
    ({ x, right }, at) => (at === 0 || x > lower[at - 1].right) && (at === lower.length - 1 || right < lower[at + 1].x),
  );

function isOverSeveral(cell: PdfSegment, row: PdfRow, others: readonly PdfRow[]): boolean {
  let one = 0;
  let more = 0;
  for (const { cells } of others) {
    if (cells === row.cells) continue;
    const under = cells.filter((other) => overlap(cell, { from: other.x, to: other.right }) > 0.15 * cell.size).length;
    if (under > 0) one++;
    if (under > 1) more++;
  }
  return more * 2 > one;
}

const overlap = ({ x, right }: Pick<PdfSegment, 'x' | 'right'>, { from, to }: PdfColumn) =>
  Math.min(right, to) - Math.max(x, from);

/** The places of the columns that a text stands in; of one between columns, that of the nearest. */
export function columnsUnder(cell: Pick<PdfSegment, 'x' | 'right' | 'size'>, columns: readonly PdfColumn[]): number[] {
  const under = columns.flatMap((column, at) => (overlap(cell, column) > 0.15 * cell.size ? [at] : []));
  if (under.length > 0) return under;
  let nearest = 0;
  columns.forEach((column, at) => {
    if (overlap(cell, column) > overlap(cell, columns[nearest])) nearest = at;
  });
  return overlap(cell, columns[nearest]) > -3 * cell.size ? [nearest] : [];
}

/** The columns that a heading stands over: those that it touches, or those in whose middle it stands. */
export function columnsBelow(heading: PdfSegment, columns: readonly PdfColumn[]): number[] {
  const touched = columns.flatMap((column, at) => (overlap(heading, column) > 0.15 * heading.size ? [at] : []));
  if (touched.length > 1) return touched;
  const middle = (heading.x + heading.right) / 2;
  let best: { readonly off: number; readonly from: number; readonly to: number } | undefined;
  columns.forEach(({ from }, first) =>
    columns.slice(first).forEach(({ to }, further) => {
      const off = Math.abs((from + to) / 2 - middle);
      if (!best || off < best.off) best = { off, from: first, to: first + further };
    }),
  );
  if (!best || best.off > 1.5 * heading.size) return touched;
  const { from, to } = best;
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** The texts of a row in their columns. One over several columns that was put together from pieces is taken apart again. */
export function textsIn(row: PdfRow, columns: readonly PdfColumn[]): string[] {
  const texts = columns.map(() => '');
  const put = (text: string, at = 0) => (texts[at] = texts[at] === '' ? text : `${texts[at]}\n${text}`);
  for (const cell of row.cells) {
    const under = columnsUnder(cell, columns);
    const apart = under.length > 1 ? cell.parts?.map((part) => ({ ...part, size: cell.size })) : undefined;
    const places = apart?.map((part) => columnsUnder(part, columns));
    if (apart && places?.every(({ length }) => length === 1)) {
      apart.forEach(({ text }, at) => put(text, places[at][0]));
    } else put(cell.text, under[0]);
  }
  return texts;
}
