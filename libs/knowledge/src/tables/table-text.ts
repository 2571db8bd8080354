/** Tables as text, so that a search finds them: the first rows under their headers. */
import type { DocumentBlock } from '../parsers/parser';
import { toMarkdownTable } from '../parsers/markdown-table';
import type { ReportedDraft } from './report-table';

/** Columns beyond it are in the table alone. */
const MAX_COLUMNS = 60;
const MAX_CHARACTERS = 300_000;

/** @param name of the table where the rest of its rows is to be found. */
export function tableBlocks(draft: ReportedDraft, name: string): DocumentBlock[] {
  const { sheet, title } = draft.input.source;
  const visible = draft.columns.filter(({ hidden }) => !hidden).slice(0, MAX_COLUMNS);
  const rows: string[][] = [];
  let characters = 0;
  for (const cells of draft.preview) {
    const row = visible.map(({ at }) => cells[at] ?? '');
    characters += row.reduce((sum, cell) => sum + cell.length, 0);
    if (characters > MAX_CHARACTERS) break;
    rows.push(row);
  }
  const heading = sheet ?? title;
  const left = draft.rowCount - draft.hiddenRows - rows.length;
  const names = visible.map(({ original, at }) => original || `column_${at + 1}`);
  return [
    ...(heading ? [{ kind: 'heading' as const, text: heading, level: 1 }] : []),
    ...draft.above.map((text) => ({ kind: 'paragraph' as const, text })),
    ...(visible.length > 0 ? [{ kind: 'table' as const, text: toMarkdownTable(names, rows) }] : []),
    ...(left > 0
      ? [
          {
            kind: 'paragraph' as const,
            text: `${left} more ${left === 1 ? 'row is' : 'rows are'} in the table ${name}: ${names.join(', ')}.`,
          },
        ]
      : []),
    ...draft.below.map((text) => ({ kind: 'paragraph' as const, text })),
  ];
}
