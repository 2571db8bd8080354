/**
 * What a PDF draws on a page as segments: runs of text on one baseline without a wide gap. A PDF knows neither words
 * nor lines, only where glyphs go.
 */
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
const WORD_GAP = 0.17;
const LIGATURES = /[\ufb00-\ufb06]/g;
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
    // A raised or lowered figure stands within half a letter of its line.
    if (row && reference && Math.abs(next.y - reference.y) < 0.45 * Math.max(next.size, reference.size)) row.push(next);
    else rows.push([next]);
  }
  return rows;
}

function joinRow(row: Glyphs[]): PdfSegment[] {
  row.sort((one, other) => one.x - other.x);
  const pieces: Glyphs[][] = [];
  for (const glyphs of row) {
    const piece = pieces.at(-1);
    const last = piece?.at(-1);
    if (piece && last && (glyphs.x - last.right < CELL_GAP * last.size || isMarkerAlone(piece, glyphs))) {
      // Printed twice, slightly shifted, to look bold.
      const again = glyphs.text === last.text && Math.abs(glyphs.x - last.x) < 0.3 * last.size;
      if (!again) piece.push(glyphs);
    } else pieces.push([glyphs]);
  }
  return pieces.map(toSegment);
}

/** `•` or `3.` belongs to the text after it, however far. */
function isMarkerAlone(piece: readonly Glyphs[], next: Glyphs): boolean {
  const [marker] = piece;
  return piece.length === 1 && MARKER.test(marker.text.trim()) && next.x - marker.right < 5 * marker.size;
}

function toSegment(piece: readonly Glyphs[]): PdfSegment {
  const main = piece.reduce((longest, glyphs) => (glyphs.text.length > longest.text.length ? glyphs : longest));
  const ordered = main.isRightToLeft ? [...piece].reverse() : piece;
  let text = '';
  let before: Glyphs | undefined;
  for (const glyphs of ordered) {
    const gap = before ? Math.max(glyphs.x - before.right, before.x - glyphs.right) : 0;
    const apart = glyphs.afterSpace || gap > WORD_GAP * glyphs.size;
    if (before && apart && !text.endsWith(' ')) text += ' ';
    text += glyphs.text;
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
  };
}
