/** Rows of plain text as a Markdown table. Rows may be of different length; a missing header is left empty. */
export function toMarkdownTable(header: readonly string[] | undefined, rows: readonly (readonly string[])[]): string {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), header?.length ?? 0);
  const line = (cells: readonly string[]) =>
    `|${Array.from({ length: columns }, (_, at) => ` ${escapeCell(cells[at] ?? '')}`.trimEnd() + ' ').join('|')}|`;
  const rule = `|${' --- |'.repeat(columns)}`;
  return [line(header ?? []), rule, ...rows.map(line)].join('\n');
}

const escapeCell = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/\\?\|/g, '\\|');
