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
  const heights = [...new Set(page.map(({ y }) => Math.round(y)))].sort((one, other) => one - other);
  if (heights.length === 0) return [];
  const top = heights[Math.min(EDGE_ROWS, heights.length) - 1];
  const bottom = heights[Math.max(0, heights.length - EDGE_ROWS)];
  return page.filter(({ y }) => Math.round(y) <= top || Math.round(y) >= bottom);
}

const slotOf = ({ y }: PdfSegment) => Math.round(y / 2);
const patternOf = ({ text }: PdfSegment) => text.replace(/\d+/g, '#').trim();
const keyOf = (segment: PdfSegment) => `${slotOf(segment)} ${patternOf(segment)}`;
