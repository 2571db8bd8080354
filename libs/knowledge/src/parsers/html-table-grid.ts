/** The cells of an HTML table in the columns in which a browser shows them, whatever spans there are. */
import { find } from './html-content';
import { isElement, type HtmlElement } from './html-tree';

export interface PlacedRow {
  readonly cells: readonly string[];
  /** At the top: headings of the columns. */
  readonly isHeader: boolean;
}

/** As the standard has them. A span costs nothing here: only columns in which a cell begins are columns. */
const MAX_COLUMN_SPAN = 1000;
const MAX_ROW_SPAN = 65_534;
/** A cell that spans rows is repeated in each, so that a row read alone makes sense; a long text is not. */
const MAX_REPEATED_CHARACTERS = 200;
const MAX_REPEATED_IN_ALL = 1_000_000;
const MAX_CELLS = 5_000_000;

interface Placed {
  readonly from: number;
  /** The column behind it. */
  readonly to: number;
  readonly text: string;
  /** Rows below that it reaches into as well. */
  readonly left: number;
  /** The row in which it begins. */
  readonly row: number;
}

interface Line {
  readonly placed: readonly Placed[];
  readonly isHeader: boolean;
  /** Nothing but one text, over several columns. */
  readonly isAcross: boolean;
}

/** @returns `undefined` for more cells than any table has that somebody wrote to be read. */
export function placeCells(
  table: HtmlElement,
  textOf: (element: HtmlElement) => string,
): { readonly rows: readonly PlacedRow[]; readonly notes: readonly string[] } | undefined {
  const lines = placeLines(table, textOf);
  if (!lines) return undefined;
  const starts = [...new Set(lines.flatMap(({ placed }) => placed.map(({ from }) => from)))].sort((a, b) => a - b);
  if (starts.length * lines.length > MAX_CELLS) return undefined;
  const columns = new Map(starts.map((start, at) => [start, at]));
  const headers = headerLines(lines);
  const counts = { down: 0, figuresDown: 0, across: 0, alone: 0, cut: 0, again: 0 };
  let repeated = 0;
  const rows = lines.map(({ placed }, at): PlacedRow => {
    const isHeader = at < headers;
    const cells = starts.map(() => '');
    for (const { from, to, text, row } of placed) {
      if (text === '') continue;
      const first = columns.get(from) as number;
      if (row < at) {
        const isShort = text.length <= MAX_REPEATED_CHARACTERS && repeated < MAX_REPEATED_IN_ALL;
        repeated += text.length;
        // The first row is one of headings, whether it says so or not.
        if (row >= headers && row > 0) counts[!isShort ? 'cut' : isFigure(text) ? 'figuresDown' : 'down']++;
        if (!isShort) continue;
      } else if (at >= headers && at > 0 && placed.length > 1 && starts[first + 1] < to) counts.across++;
      cells[first] = text;
      // A heading holds for every column under it; a value is stated once.
      for (let under = first + 1; isHeader && starts[under] < to; under++) cells[under] = text;
    }
    return { cells, isHeader };
  });
  const said = new Set(rows.slice(0, headers).map(({ cells }) => cells.join('\n')));
  const kept = rows.filter(({ cells, isHeader }, at) => {
    const isAgain = !isHeader && lines[at].isHeader && said.has(cells.join('\n'));
    if (isAgain) counts.again++;
    return !isAgain && cells.some(Boolean);
  });
  // What stands across the table at its end is a note.
  const last = lines.findLastIndex(({ isAcross }) => !isAcross);
  counts.alone = lines.filter(({ isAcross }, at) => isAcross && at >= headers && at > 0 && at < last).length;
  return { rows: withoutEmptyColumns(kept), notes: notesOn(counts) };
}

const isFigure = (text: string) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text);

/** The headings at the top. What stands alone across the table below them names the rows that follow. */
function headerLines(lines: readonly Line[]): number {
  let to = 0;
  while (to < lines.length && lines[to].isHeader && !(to > 0 && lines[to].isAcross)) to++;
  return to === lines.length ? Math.min(to, 1) : to;
}

function placeLines(table: HtmlElement, textOf: (element: HtmlElement) => string): Line[] | undefined {
  const lines: Line[] = [];
  let open: Placed[] = [];
  let group: HtmlElement | undefined;
  let cells = 0;
  for (const row of rowsOf(table)) {
    // No span reaches beyond the group of rows in which it begins.
    if (row.parent !== group) open = [];
    group = row.parent;
    const own = row.children.filter(isElement).filter(({ tag }) => tag === 'td' || tag === 'th');
    const placed: Placed[] = open.map((above) => ({ ...above, left: above.left - 1 }));
    let column = 0;
    let next = 0;
    for (const cell of own) {
      while (next < open.length && open[next].from <= column) column = Math.max(column, open[next++].to);
      const to = column + spanOf(cell, 'colspan', 1, MAX_COLUMN_SPAN);
      const left = (spanOf(cell, 'rowspan', 0, MAX_ROW_SPAN) || MAX_ROW_SPAN) - 1;
      placed.push({ from: column, to, text: textOf(cell), left, row: lines.length });
      column = to;
    }
    if ((cells += placed.length) > MAX_CELLS) return undefined;
    open = placed.filter(({ left }) => left > 0).sort((one, other) => one.from - other.from);
    const [alone] = placed;
    const isAcross = placed.length === 1 && alone.to - alone.from > 1;
    lines.push({ placed, isHeader: isHeaderRow(row, own), isAcross });
  }
  return lines;
}

/** The head above, the foot below, wherever they are written. */
function rowsOf(table: HtmlElement): HtmlElement[] {
  const rows = find(table, ({ tag }) => tag === 'tr');
  const place = ({ parent }: HtmlElement) => (parent?.tag === 'thead' ? 0 : parent?.tag === 'tfoot' ? 2 : 1);
  return rows.sort((one, other) => place(one) - place(other));
}

/** Headings only; in the corner above headings of rows there may be an empty cell. */
function isHeaderRow(row: HtmlElement, own: readonly HtmlElement[]): boolean {
  if (own.length === 0) return false;
  if (row.parent?.tag === 'thead') return true;
  const isCorner = own.length > 2 && own[0].tag === 'td' && !/\S/.test(rawText(own[0]));
  return own.slice(isCorner ? 1 : 0).every(({ tag }) => tag === 'th');
}

const rawText = (element: HtmlElement): string =>
  element.children.map((child) => (isElement(child) ? rawText(child) : child.text)).join('');

/** @param least what the smallest number that is written means; another one, or none, is 1. */
function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan', least: 0 | 1, most: number): number {
  const span = Number.parseInt(cell.attributes[name] ?? '1', 10);
  return span >= least ? Math.min(span, most) : 1;
}

function withoutEmptyColumns(rows: readonly PlacedRow[]): readonly PlacedRow[] {
  const filled = rows[0]?.cells.map((_, at) => rows.some(({ cells }) => cells[at] !== '')) ?? [];
  if (filled.every(Boolean)) return rows;
  return rows.map((row) => ({ ...row, cells: row.cells.filter((_, at) => filled[at]) }));
}

const times = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;

function notesOn(counts: {
  readonly down: number;
  readonly figuresDown: number;
  readonly across: number;
  readonly alone: number;
  readonly cut: number;
  readonly again: number;
}): string[] {
  const { down, figuresDown, across, alone, cut, again } = counts;
  return [
    ...(down > 0 ? [`merged cells hold for every row they reach over (${times(down, 'cell')})`] : []),
    ...(figuresDown > 0
      ? [
          `merged cells with figures hold for every row they reach over (${times(figuresDown, 'cell')}): a sum counts them ` +
            'once for each row',
        ]
      : []),
    ...(cut > 0 ? [`long merged cells stand in the first of their rows only (${times(cut, 'cell')} left empty)`] : []),
    ...(across > 0
      ? [`cells merged over columns stand in the first of them, the others are NULL (${times(across, 'cell')})`]
      : []),
    ...(again > 0 ? [`headings that stand again among the rows are left out (${times(again, 'row')})`] : []),
    ...(alone > 0
      ? [
          `a text across the table is a row of its own, as if it were data (${times(alone, 'row')}): a count of rows counts it`,
        ]
      : []),
  ];
}
