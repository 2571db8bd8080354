/**
 * What a PDF draws on a page as segments: runs of text on one baseline without a wide gap. A PDF knows neither words
 * nor lines, only where glyphs go.
 */
import { raisedFigures } from './raised-figures';

export interface PdfSegment {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  /** Distance of the baseline from the top of the page, so that reading order counts up. */
  readonly y: number;
  /** Height of the letters, in points. */
  readonly size: number;
  readonly font: string;
  readonly isMono: boolean;
  /** What it was put together from, if that was more than one piece. */
  readonly parts?: readonly PdfPart[];
}

export interface PdfPart {
  readonly text: string;
  readonly x: number;
  readonly right: number;
}

/** The part of pdf.js' text items that is read here. */
export interface PdfTextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly transform: readonly number[];
  readonly fontName: string;
}

interface Glyphs extends PdfSegment {
  readonly afterSpace: boolean;
  readonly isRightToLeft: boolean;
}

/** Wider than this many letter heights, a gap parts columns or cells, not words. */
const CELL_GAP = 1.15;
const FIGURE_GAP = 0.5;
const WORD_GAP = 0.17;
const LIGATURES = /[\ufb00-\ufb06]/g;
const GLYPH = /^[•◦▪●■□➢‣∙·]$/;
const MARKER = /^(?:[•◦▪●■□➢‣∙·–—*-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])$/;

/**
 * @param isMono by the name of the font.
 * @returns one list for each direction in which the page is written, the main one first; text that stands on end is
 *   turned, so that each list reads as if it were level.
 */
export function toSegments(
  items: readonly PdfTextItem[],
  isMono: (fontName: string) => boolean,
  pageHeight: number,
): PdfSegment[][] {
  const byDirection = new Map<number, Glyphs[]>();
  let afterSpace = false;
  for (const item of items) {
    if (item.str.trim() === '') {
      afterSpace ||= item.str !== '';
      continue;
    }
    const [a, b, c, d, e, f] = item.transform;
    const direction = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4;
    const [along, across] = [
      [e, pageHeight - f],
      [f, e],
      [-e, f],
      [-f, pageHeight - e],
    ][direction];
    const glyphs: Glyphs = {
      text: item.str.replace(LIGATURES, (ligature) => ligature.normalize('NFKC')),
      x: along,
      right: along + item.width,
      y: across,
      size: Math.hypot(c, d) || Math.hypot(a, b),
      font: item.fontName,
      isMono: isMono(item.fontName),
      afterSpace: afterSpace || /^\s/.test(item.str),
      isRightToLeft: item.dir === 'rtl',
    };
    afterSpace = /\s$/.test(item.str);
    const group = byDirection.get(direction);
    if (group) group.push(glyphs);
    else byDirection.set(direction, [glyphs]);
  }
  return [...byDirection.values()]
    .sort((one, other) => other.length - one.length)
    .map((group) => rowsOf(group).flatMap(joinRow));
}

function rowsOf(glyphs: readonly Glyphs[]): Glyphs[][] {
  const rows: Glyphs[][] = [];
  for (const next of [...glyphs].sort((one, other) => one.y - other.y || one.x - other.x)) {
    const row = rows.at(-1);
    const reference = row?.[0];
    if (row && reference && Math.abs(next.y - reference.y) < reachOfLine(next, reference)) row.push(next);
    else rows.push([next]);
  }
  return rows;
}

/** A raised or lowered figure stands within half a letter of its line, or a little more if it is a small one. */
function reachOfLine({ size: one }: Glyphs, { size: other }: Glyphs): number {
  const larger = Math.max(one, other);
  return (Math.min(one, other) < 0.85 * larger ? 0.6 : 0.45) * larger;
}

function joinRow(row: Glyphs[]): PdfSegment[] {
  row.sort((one, other) => one.x - other.x);
  const pieces: Glyphs[][] = [];
  for (const glyphs of row) {
    const piece = pieces.at(-1);
    const last = piece?.at(-1);
    if (piece && last && (glyphs.x - last.right < gapOfCells(last, glyphs) || isMarkerAlone(piece, glyphs))) {
      // Printed twice, slightly shifted, to look bold.
      const again = glyphs.text === last.text && Math.abs(glyphs.x - last.x) < 0.3 * last.size;
      if (!again) piece.push(glyphs);
    } else pieces.push([glyphs]);
  }
  return pieces.map(toSegment);
}

/** Spaces between thousands are narrow: figures that stand further apart are those of two cells. */
const gapOfCells = (last: Glyphs, next: Glyphs) =>
  (/[\d%)–—-]/.test(last.text.slice(-1)) && /^[\d(–—$€£+-]/.test(next.text) ? FIGURE_GAP : CELL_GAP) * last.size;

/** `•` or `3.` belongs to the text after it, however far; a dash or a number does not to one of figures. */
function isMarkerAlone(piece: readonly Glyphs[], next: Glyphs): boolean {
  const [marker] = piece;
  if (piece.length > 1 || !MARKER.test(marker.text.trim()) || next.x - marker.right >= 5 * marker.size) return false;
  return /\p{L}/u.test(next.text) || GLYPH.test(marker.text.trim());
}

/** Figures that are smaller and stand above or below the line of the text. */
function raised({ text, size, y }: Glyphs, base: Glyphs, before: string): string {
  if (size > 0.85 * base.size || Math.abs(y - base.y) < 0.08 * base.size) return text;
  return raisedFigures(text, y < base.y ? 'above' : 'below', before);
}

function toSegment(piece: readonly Glyphs[]): PdfSegment {
  const main = piece.reduce((longest, glyphs) => (glyphs.text.length > longest.text.length ? glyphs : longest));
  const base = piece.reduce((largest, glyphs) => (glyphs.size > largest.size ? glyphs : largest), main);
  const ordered = main.isRightToLeft ? [...piece].reverse() : piece;
  let text = '';
  const parts: PdfPart[] = [];
  let before: Glyphs | undefined;
  for (const glyphs of ordered) {
    const gap = before ? Math.max(glyphs.x - before.right, before.x - glyphs.right) : 0;
    const apart = glyphs.afterSpace || gap > WORD_GAP * glyphs.size;
    if (before && apart && !text.endsWith(' ')) text += ' ';
    const own = raised(glyphs, base, text);
    text += own;
    parts.push({ text: own, x: glyphs.x, right: glyphs.right });
    before = glyphs;
  }
  return {
    text: text.replace(/\s+/g, ' ').trim(),
    x: piece[0].x,
    right: piece.reduce((right, glyphs) => Math.max(right, glyphs.right), piece[0].right),
    y: main.y,
    size: main.size,
    font: main.font,
    isMono: piece.every(({ isMono, text: own }) => isMono || own.trim().length < 2) && main.isMono,
    ...(parts.length > 1 && { parts }),
  };
}
