/**
 * Reading order on a page: rows from top to bottom, and columns of running text one after the other.
 *
 * A gutter is a strip that only a few wide lines cross. Those lines (a title over both columns, a wide figure's
 * caption) cut the page into bands; in each band the left column is read before the right one. Columns of a table
 * have a gutter too, but their cells do not fill them, and rows of a table are read across.
 */
import type { PdfSegment } from './pdf-segments';

/** Segments on one baseline, from left to right, and the edges of the column they stand in. */
export interface PdfRow {
  readonly cells: readonly PdfSegment[];
  readonly y: number;
  readonly left: number;
  readonly right: number;
}

const MIN_LINES = 5;
/** How much of the column's width its lines fill, typically, for it to be running text. */
const MIN_FILL = 0.6;
const MAX_DEPTH = 3;

export function inReadingOrder(segments: readonly PdfSegment[], depth = 0): PdfRow[] {
  const sorted = [...segments].sort((one, other) => one.y - other.y || one.x - other.x);
  const gutter = depth < MAX_DEPTH ? findGutter(sorted) : undefined;
  if (gutter === undefined) return toRows(sorted);

  const rows: PdfRow[] = [];
  let left: PdfSegment[] = [];
  let right: PdfSegment[] = [];
  const endBand = () => {
    rows.push(...inReadingOrder(left, depth + 1), ...inReadingOrder(right, depth + 1));
    left = [];
    right = [];
  };
  let wide: PdfSegment[] = [];
  for (const segment of sorted) {
    const crosses = segment.x < gutter && segment.right > gutter;
    if (crosses) {
      endBand();
      wide.push(segment);
      continue;
    }
    if (wide.length > 0) {
      rows.push(...toRows(wide));
      wide = [];
    }
    (segment.right <= gutter ? left : right).push(segment);
  }
  rows.push(...toRows(wide));
  endBand();
  return rows;
}

function findGutter(segments: readonly PdfSegment[]): number | undefined {
  if (segments.length < 2 * MIN_LINES) return undefined;
  const from = segments.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY);
  const to = segments.reduce((most, { right }) => Math.max(most, right), 0);
  const width = Math.min(Math.ceil(to - from), 5000);
  if (!(width > 100) || isTable(segments)) return undefined;

  // How many segments cover each point of the width.
  const changes = new Int32Array(width + 2);
  for (const { x, right } of segments) {
    changes[clamp(Math.floor(x - from), width)]++;
    changes[clamp(Math.ceil(right - from), width) + 1]--;
  }
  const cover = new Int32Array(width + 1);
  for (let at = 0, covering = 0; at <= width; at++) cover[at] = covering += changes[at];

  const candidates = strips(cover, segments.length).sort((one, other) => other.width - one.width);
  return candidates.map(({ middle }) => from + middle).find((gutter) => partsColumns(segments, gutter, from, to));
}

const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);

/** Strips between 15 % and 85 % of the width that hardly a segment crosses. */
function strips(cover: Int32Array, segments: number): { readonly middle: number; readonly width: number }[] {
  const most = Math.max(2, segments * 0.12);
  const found: { middle: number; width: number }[] = [];
  let start = -1;
  for (let at = Math.floor(cover.length * 0.15); at <= cover.length * 0.85; at++) {
    const free = cover[at] <= most;
    if (free && start === -1) start = at;
    if (!free && start !== -1) {
      if (at - start >= 4) found.push({ middle: (start + at) / 2, width: at - start });
      start = -1;
    }
  }
  return found.slice(0, 20);
}

/** Rows that have more cells than a page of text has columns, or figures on one side, are those of a table. */
function isTable(segments: readonly PdfSegment[]): boolean {
  const rows = toRows(segments);
  return rows.filter(({ cells }) => cells.length > 2).length >= rows.length * 0.6;
}

const areFigures = (segments: readonly PdfSegment[]) =>
  segments.filter(({ text }) => /\d/.test(text) && !/\p{L}/u.test(text)).length >= segments.length * 0.6;

function partsColumns(segments: readonly PdfSegment[], gutter: number, from: number, to: number): boolean {
  const left = segments.filter(({ right }) => right <= gutter);
  const right = segments.filter(({ x }) => x >= gutter);
  if (left.length < MIN_LINES || right.length < MIN_LINES || areFigures(left) || areFigures(right)) return false;
  const overlap = Math.min(bottomOf(left), bottomOf(right)) - Math.max(left[0].y, right[0].y);
  const shorter = Math.min(bottomOf(left) - left[0].y, bottomOf(right) - right[0].y);
  if (overlap < shorter * 0.5) return false;
  return fill(left, gutter - from) >= MIN_FILL && fill(right, to - gutter) >= MIN_FILL;
}

const bottomOf = (segments: readonly PdfSegment[]) => segments[segments.length - 1].y;

/** The upper half of line lengths, as a share of the column: short last lines and headings do not count against it. */
function fill(segments: readonly PdfSegment[], width: number): number {
  const lengths = toRows(segments).map(({ cells }) => cells.reduce((sum, { x, right }) => sum + right - x, 0));
  lengths.sort((one, other) => other - one);
  return (lengths[Math.floor(lengths.length * 0.4)] ?? 0) / width;
}

/** @param segments sorted by baseline. */
function toRows(segments: readonly PdfSegment[]): PdfRow[] {
  const left = segments.reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY);
  const right = segments.reduce((most, segment) => Math.max(most, segment.right), 0);
  const rows: { cells: PdfSegment[]; y: number }[] = [];
  for (const segment of segments) {
    const row = rows.at(-1);
    if (row && Math.abs(row.y - segment.y) < 0.45 * Math.max(segment.size, row.cells[0].size)) row.cells.push(segment);
    else rows.push({ cells: [segment], y: segment.y });
  }
  for (const { cells } of rows) cells.sort((one, other) => one.x - other.x);
  return rows.map((row) => ({ ...row, left, right }));
}
