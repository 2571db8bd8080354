/**
 * Where a table begins and ends in its place: titles above, header rows, the data, totals and notes below.
 */
import { isBlank, markOf, shown, type Row } from './cell';
import { readMoment } from './read-moment';
import { readNumber } from './read-number';

export interface HeadLayout {
  /** Rows before the header. */
  readonly above: number;
  /** Rows of the header; 0 where there is none. */
  readonly header: number;
  /** Cells of the longest row. */
  readonly width: number;
  /** Cells that a row is to have: those of the header, or of most rows. */
  readonly expected: number;
  readonly names: readonly string[];
  readonly warnings: readonly string[];
}

/** Rows at the top that tell where the table begins. */
export const HEAD_ROWS = 200;
/** Rows at the end that may be totals or notes. */
export const TAIL_ROWS = 20;
const MAX_HEADER_ROWS = 4;

const filledIn = (row: Row) => row.cells.reduce((sum, cell) => sum + (isBlank(cell) ? 0 : 1), 0);
const lastFilled = (row: Row) => row.cells.findLastIndex((cell) => !isBlank(cell)) + 1;

/**
 * @param head the first rows, at most HEAD_ROWS of them, blank ones left out.
 * @param given rows that the format itself marks as header.
 */
export function layoutHead(head: readonly Row[], given?: number): HeadLayout {
  const width = Math.max(1, ...head.map(lastFilled));
  if (head.length === 0) return { above: 0, header: 0, width, expected: width, names: [], warnings: [] };
  if (given !== undefined) return withNames(head, 0, given, width, given === 0);
  const above = titleRows(head);
  const header = headerRows(head.slice(above));
  return withNames(head, above, header, width, header === 0);
}

function withNames(head: readonly Row[], above: number, header: number, width: number, missing: boolean): HeadLayout {
  const rows = head.slice(above, above + header);
  const names = Array.from({ length: width }, (_, at) => nameOf(rows, at));
  return {
    above,
    header,
    width,
    expected: Math.max(
      rows.length > 0 ? lastFilled(rows.at(-1) as Row) : usual(head.map(({ cells }) => cells.length)),
      1,
    ),
    names,
    warnings: missing ? ['no header row was found; the columns are numbered'] : [],
  };
}

/** Headers of several rows are joined: `2023 / Sales`. */
function nameOf(rows: readonly Row[], at: number): string {
  const parts = rows.map(({ cells, merged }, row) => {
    const own = (cells[at] ?? '').trim();
    if (own === '' && merged) return shown(merged.get(at) ?? '');
    if (own !== '' || row === rows.length - 1) return shown(own);
    // A heading over several columns stands over the first of them.
    for (let left = at - 1; left >= 0; left--) {
      const before = (cells[left] ?? '').trim();
      if (before !== '') return isParent(rows, row, left, at) ? shown(before) : '';
    }
    return '';
  });
  const kept = parts.filter((part, place) => part !== '' && part !== parts[place - 1]);
  return kept.join(' / ').replace(/\s+/g, ' ').trim();
}

/** Whether a heading over `left` reaches as far as `at`: under both, the rows below have headings of their own. */
function isParent(rows: readonly Row[], row: number, left: number, at: number): boolean {
  const below = rows.slice(row + 1);
  return [left, at].every((column) => below.some(({ cells }) => !isBlank(cells[column])));
}

/** Rows of a cell or two above rows of several are titles. */
function titleRows(head: readonly Row[]): number {
  const counts = head.map(filledIn);
  const most = usual(counts);
  if (most < 2) return 0;
  const isTitle = (at: number) =>
    (counts[at] as number) === 1 || ((counts[at] as number) === 2 && most >= 5) || isTotalOnTop(head.slice(at), most);
  let above = 0;
  while (above < head.length - 1 && above < 30 && isTitle(above)) above++;
  // A heading over the columns has few cells too, but stands right on a row of headings, and not in its first column.
  if (above > 0 && isBlank(head[above - 1]?.cells[0]) && (counts[above - 1] as number) > 1) above--;
  return above < head.length - 1 || (counts[above] as number) > 1 ? above : 0;
}

/** Totals above the headings of their columns. */
function isTotalOnTop([row, next, ...below]: readonly Row[], most: number): boolean {
  const label = row?.cells.find((cell) => !isBlank(cell)) ?? '';
  return isTotal(label) && next !== undefined && row!.cells.some(isValue) && isHeader(next, below, most);
}

/** The count that most rows have; of equals the larger. */
function usual(counts: readonly number[]): number {
  const times = new Map<number, number>();
  for (const each of counts) times.set(each, (times.get(each) ?? 0) + 1);
  return [...times].sort(([one, often], [other, oftener]) => oftener - often || other - one)[0]?.[0] ?? 0;
}

function headerRows(rows: readonly Row[]): number {
  const [first, second] = rows;
  if (!first) return 0;
  const counts = rows.map(filledIn);
  const most = usual(counts);
  if (second && isOverColumns(first, second)) {
    for (let last = 1; last < MAX_HEADER_ROWS && isOverColumns(rows[last - 1]!, rows[last]); last++) {
      if (rows[last + 1]?.cells.some((cell) => isValue(cell))) return last + 1;
      // In a table of words, rows with gaps are nothing special; cells merged over columns are.
      if (!rows[last]!.merged?.size || !rows[last - 1]!.merged?.size) break;
    }
  }
  return isHeader(first, rows.slice(1), most) ? 1 : 0;
}

/** A row of headings over a row of headings: it has gaps where the other has names. */
function isOverColumns(upper: Row, lower: Row | undefined): boolean {
  if (!lower || !isWords(upper) || !isWords(lower)) return false;
  const width = lastFilled(lower);
  const gaps = Array.from({ length: width }, (_, at) => at).filter(
    (at) => isBlank(upper.cells[at]) && !isBlank(lower.cells[at]),
  );
  return gaps.length > 0 && filledIn(upper) >= 1;
}

/** Texts, and years as headings. */
const isWords = ({ cells }: Row) => cells.every((cell) => isBlank(cell) || !isValue(cell) || isYear(cell));

function isValue(cell: string | undefined): boolean {
  if (cell === undefined || isBlank(cell)) return false;
  const mark = markOf(cell);
  if (mark) return mark !== 'error';
  return readNumber(cell) !== undefined || readMoment(cell) !== undefined;
}

const isYear = (cell: string) => /^(?:1[89]|20|21)\d\d$/.test(shown(cell).trim());

function isHeader(first: Row, below: readonly Row[], most: number): boolean {
  const cells = first.cells.filter((cell) => !isBlank(cell));
  const words = cells.filter((cell) => !isValue(cell));
  // All values, or values of any kind but years: a row like the others.
  if (words.length === 0) return cells.length > 1 && cells.every(isYear) && isUnlike(first, below);
  if (cells.some((cell) => isValue(cell) && !isYear(cell))) return false;
  if (cells.some((cell) => isValue(cell)) && !isUnlike(first, below)) return false;
  if (cells.length < most / 2) return false;
  if (below.length === 0) return true;
  return below.length <= 2 || !cells.every((cell) => occurs(cell, first.cells.indexOf(cell), below));
}

/** Years in the first row are headings where the values below are no years. */
function isUnlike(first: Row, below: readonly Row[]): boolean {
  return first.cells.every((cell, at) => {
    if (isBlank(cell) || !isYear(cell)) return true;
    const values = below
      .slice(0, 50)
      .map(({ cells }) => cells[at])
      .filter((each) => !isBlank(each)) as string[];
    return values.length > 0 && values.some((each) => !isYear(each));
  });
}

/** A heading that is also a value of its column is none. */
const occurs = (cell: string, column: number, below: readonly Row[]) =>
  below.some(({ cells }) => cells[column] === cell);

const TOTAL =
  /^(?:grand |sub ?-?|overall )?(?:totals?|sums?|averages?|means?)(?: \(.{1,30}\)| \d{4})?\s*:?$|^(?:sub)?total(?:es)?(?: general(?:es)?)?\s*:?$|^(?:suma|promedio|media|summe|gesamt(?:summe)?|somme|moyenne|totale|totaal)\s*:?$/i;
const NOTE =
  /^(?:source|sources|note|notes|fuentes?|notas?|quelle|hinweis|\*|†|¹|\(\d\)|updated|actualizado|as of|a fecha)/i;

/**
 * How many of the last rows are no data: totals, and notes in a cell of their own.
 *
 * @param tail the last rows, blank ones included.
 * @param isOwnLabel whether a text is also the first cell of a row that is not among the last ones.
 */
export function tailRows(tail: readonly Row[], width: number, isOwnLabel: (text: string) => boolean): number {
  let from = tail.length;
  while (from > 0 && isAfterwards(tail[from - 1] as Row, tail[from - 2], width, isOwnLabel)) from--;
  return from === 0 ? 0 : tail.length - from;
}

function isAfterwards(
  row: Row,
  before: Row | undefined,
  width: number,
  isOwnLabel: (text: string) => boolean,
): boolean {
  const filled = row.cells.filter((cell) => !isBlank(cell));
  if (filled.length === 0 || row.sums) return true;
  const label = shown(filled[0] as string).trim();
  if (TOTAL.test(label) && width > 1 && filled.length > 1) return !isOwnLabel(label);
  if (width < 3 || filled.length > 1 || markOf(filled[0] as string)) return false;
  return NOTE.test(label) || (before !== undefined && before.cells.every(isBlank)) || label.length > 60;
}

/** Whether a text is what people write before totals. */
export const isTotal = (text: string): boolean => TOTAL.test(text.trim());

const TOTAL_OF =
  /^(?:grand |sub ?-?)?(?:totals?|sum|average|totales|subtotal(?:es)?|suma|promedio|media|summe|gesamt|somme|moyenne|totale|totaal)(?: (?:of|for|de|del|von|di|du|des|pour))?[\s:-]+(.+?)\s*:?$|^(.+?)[\s:-]+(?:sub ?-?)?(?:totals?|sum|average|gesamt|summe)\s*:?$/i;

/** What a text says that it is the total of: `North` of `Total North`. */
export function totalOf(text: string): string | undefined {
  const [, behind, before] = TOTAL_OF.exec(text.trim()) ?? [];
  return behind ?? before;
}

/** A row that is no data, as a line. */
export const asLine = ({ cells }: Row): string =>
  cells
    .filter((cell) => !isBlank(cell))
    .map((cell) => shown(cell).replace(/\s+/g, ' ').trim())
    .join(' | ')
    .slice(0, 500);
