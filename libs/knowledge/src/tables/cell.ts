/**
 * A cell as one string. Text stands as it is; what a workbook itself says is a number, a date and so on stands in a
 * canonical form behind a mark, so that it is never guessed at again. The marks are control characters, which no text
 * that comes here has (`cellText`).
 */
export const MARKS = { number: '\x01', date: '\x02', duration: '\x03', boolean: '\x04', error: '\x05' } as const;
export type Mark = keyof typeof MARKS;

const NAMES: Readonly<Record<string, Mark>> = Object.fromEntries(
  Object.entries(MARKS).map(([name, mark]) => [mark, name as Mark]),
);

export const marked = (mark: Mark, canonical: string): string => MARKS[mark] + canonical;

/** What a workbook says the cell is; undefined for text. */
export function markOf(cell: string): Mark | undefined {
  const code = cell.charCodeAt(0);
  return code >= 1 && code <= 5 ? NAMES[cell[0] as string] : undefined;
}

/** The cell as somebody reads it. */
export const shown = (cell: string): string => (markOf(cell) ? cell.slice(1) : cell);

export const isBlank = (cell: string | undefined): boolean => cell === undefined || !/\S/.test(cell);

const UNWANTED = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\p{Surrogate}/gu;

/** Text that every store takes: no controls but tab and line breaks, no half of a surrogate pair. */
export function cellText(text: string): string {
  if (text.search(UNWANTED) === -1) return text;
  return text.replace(UNWANTED, (unwanted) => (/\p{Surrogate}/u.test(unwanted) ? '\ufffd' : ''));
}

export interface Row {
  readonly cells: readonly string[];
  /** Its number in the file, counted from 1. */
  readonly number: number;
  readonly hidden?: boolean;
  /** Its values are computed, and one of them from the cells above in the same column. */
  readonly sums?: boolean;
  /**
   * What stands over a cell because one left of it is merged over it, by place. Absent where the format has no merged
   * cells, or the sheet does without.
   */
  readonly merged?: ReadonlyMap<number, string>;
}
