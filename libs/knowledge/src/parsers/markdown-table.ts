/** Rows of plain text as a Markdown table. Rows may be of different length; a missing header is left empty. */
export function toMarkdownTable(header: readonly string[] | undefined, rows: readonly (readonly string[])[]): string {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), header?.length ?? 0);
  const line = (cells: readonly string[]) =>
    `|${Array.from({ length: columns }, (_, at) => ` ${escapeCell(cells[at] ?? '')}`.trimEnd() + ' ').join('|')}|`;
  const rule = `|${' --- |'.repeat(columns)}`;
  return [line(header ?? []), rule, ...rows.map(line)].join('\n');
}

/**
 * The text of a cell on one line. Where a line ends in a figure and the next begins with one, the break stays: `100` over
 * `200` is not 100 200, which would be read as a hundred thousand.
 */
export const joinLinesOfCell = (text: string): string =>
  text
    .replace(/\s*\n\s*/g, (space, at: number) =>
      isDigit(text[at - 1]) && isDigit(text[at + space.length]) ? '\n' : ' ',
    )
    .replace(/[^\S\n]+/g, ' ')
    .trim();

const isDigit = (character: string | undefined) => character !== undefined && character >= '0' && character <= '9';

/** What `joinLinesOfCell` left of line breaks, in Markdown and back. */
const BREAK = '<br>';

const escapeCell = (text: string) => joinLinesOfCell(text).replaceAll('\n', BREAK).replaceAll('|', '\\|');

export const unescapeCell = (cell: string): string =>
  cell
    .trim()
    .replaceAll('\\|', '|')
    .replace(/(?<=\d)<br>(?=\d)/g, '\n');
