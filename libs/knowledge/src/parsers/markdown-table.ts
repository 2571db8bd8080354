/** Rows of plain text as a Markdown table. Rows may be of different length; a missing header is left empty. */
export function toMarkdownTable(header: readonly string[] | undefined, rows: readonly (readonly string[])[]): string {
  const columns = Math.max(header?.length ?? 0, ...rows.map((row) => row.length));
  const line = (cells: readonly string[]) =>
    `|${Array.from({ length: columns }, (_, at) => ` ${escapeCell(cells[at] ?? '')}`.trimEnd() + ' ').join('|')}|`;
  const rule = `|${' --- |'.repeat(columns)}`;
  return [line(header ?? []), rule, ...rows.map(line)].join('\n');
}

const escapeCell = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/\\?\|/g, '\\|');
