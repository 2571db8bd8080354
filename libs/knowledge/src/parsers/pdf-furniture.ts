/**
 * Running headers, footers and page numbers, which repeat at the edges of pages and would cut sentences in two.
 *
 * A text that repeats is left out everywhere but on its first page, so that nothing is lost; page numbers go entirely.
 */
import type { PdfSegment } from './pdf-segments';

/** How many rows from the top and from the bottom of a page may be furniture. */
const EDGE_ROWS = 3;
const PAGE_NUMBER =
  /^(?:[-–—|[\s]*(?:(?:page|p[áa]gina|p[áa]g\.?|seite|p\.)\s*)?#(?:\s*(?:\/|of|de|von|\|)\s*#)?[-–—|\]\s]*|[ivxlc]{1,7})$/i;

export function withoutFurniture(pages: readonly (readonly PdfSegment[])[]): PdfSegment[][] {
  const seen = new Map<string, number>();
  const edges = pages.map(edgeSegments);
  for (const edge of edges) {
    for (const key of new Set(edge.map(keyOf))) seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const enough = Math.max(2, Math.min(3, Math.ceil(pages.length / 2)));
  const repeats = (segment: PdfSegment) => (seen.get(keyOf(segment)) ?? 0) >= enough;
  const slots = furnitureSlots(edges, repeats, enough);

  const kept = new Set<string>();
  return pages.map((page, index) => {
    const edge = new Set(edges[index]);
    return page.filter((segment) => {
      const text = patternOf(segment);
      if (!edge.has(segment) || !slots.has(slotOf(segment))) return true;
      if (PAGE_NUMBER.test(text) || !repeats(segment) || kept.has(text)) return false;
      kept.add(text);
      return true;
    });
  });
}

/**
 * Heights at which most of the pages that have anything there repeat something. Whatever else stands there (the title
 * of a chapter of one page) is furniture too; and a text that only happens to repeat at some other height is not.
 */
function furnitureSlots(
  edges: readonly (readonly PdfSegment[])[],
  repeats: (segment: PdfSegment) => boolean,
  enough: number,
): Set<number> {
  const pagesWith = new Map<number, { all: number; repeating: number }>();
  for (const edge of edges) {
    const repeating = new Set(edge.filter(repeats).map(slotOf));
    for (const slot of new Set(edge.map(slotOf))) {
      const count = pagesWith.get(slot) ?? { all: 0, repeating: 0 };
      count.all++;
      if (repeating.has(slot)) count.repeating++;
      pagesWith.set(slot, count);
    }
  }
  const slots = [...pagesWith].filter(([, { all, repeating }]) => repeating >= enough && repeating >= all * 0.6);
  return new Set(slots.map(([slot]) => slot));
}

function edgeSegments(page: readonly PdfSegment[]): PdfSegment[] {
  const counts = new Map<number, number>();
  for (const { y } of page) counts.set(Math.round(y), (counts.get(Math.round(y)) ?? 0) + 1);
  const heights = [...counts.keys()].sort((one, other) => one - other);
  const edges = new Set([
    ...heights.slice(0, EDGE_ROWS).filter((_, at) => !isRowOfTable(heights, counts, at, 1)),
    ...heights.filter((_, at) => at >= heights.length - EDGE_ROWS && !isRowOfTable(heights, counts, at, -1)),
  ]);
  return page.filter(({ y }) => edges.has(Math.round(y)));
}

/** Texts beside each other in this row and in those next to it, at the same distance: figures repeat there by chance. */
function isRowOfTable(
  heights: readonly number[],
  counts: ReadonlyMap<number, number>,
  at: number,
  inwards: 1 | -1,
): boolean {
  const rows = [heights[at], heights[at + inwards], heights[at + 2 * inwards]];
  if (rows.some((height) => height === undefined || (counts.get(height) ?? 0) < 2)) return false;
  const [gap, next] = [Math.abs(rows[1] - rows[0]), Math.abs(rows[2] - rows[1])];
  return Math.abs(gap - next) <= 0.35 * Math.max(gap, next);
}

const slotOf = ({ y }: PdfSegment) => Math.round(y / 2);
const patternOf = ({ text }: PdfSegment) => text.replace(/\d+/g, '#').trim();
const keyOf = (segment: PdfSegment) => `${slotOf(segment)} ${patternOf(segment)}`;
