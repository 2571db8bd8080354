/** The tables among the blocks of a document, as its parser has drawn them. */
import { unescapeCell } from '../parsers/markdown-table';
import type { ParsedDocument } from '../parsers/parser';
import { cellText, isBlank, type Row } from './cell';
import type { TableInput, TableLimits } from './table-input';

/** Smaller ones are read as text only: there is nothing to compute. */
const MIN_ROWS = 2;
const MIN_COLUMNS = 2;
const MAX_CAPTION = 200;

export function documentTables({ format, blocks }: ParsedDocument, { maxColumns }: TableLimits): TableInput[] {
  const tables: TableInput[] = [];
  let heading = '';
  blocks.forEach(({ kind, text, page, goesOn }, at) => {
    if (kind === 'heading') heading = text;
    if (kind !== 'table' || goesOn) return;
    const { header, rows } = readTable(text);
    const notes = new Set(blocks[at].notes);
    for (let next = at + 1; blocks[next]?.goesOn; next++) {
      const further = readTable(blocks[next].text);
      for (const { cells } of further.rows.slice(further.header ? 1 : 0)) rows.push({ cells, number: rows.length + 1 });
      for (const note of blocks[next].notes ?? []) notes.add(note);
    }
    const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
    if (rows.length - (header ? 1 : 0) < MIN_ROWS || width < MIN_COLUMNS || width > maxColumns) return;
    const before = blocks[at - 1];
    const caption = before?.kind === 'paragraph' && isCaption(before.text) ? before.text : undefined;
    const title = caption ?? heading;
    tables.push({
      source: { format, ...(title && { title: title.slice(0, MAX_CAPTION) }), ...(page !== undefined && { page }) },
      title: title.slice(0, MAX_CAPTION),
      hidden: false,
      ...(header && { headerRows: 1 }),
      warnings: [
        ...(format === 'pdf' ? ['drawn in a PDF: columns and rows were told from where the texts stand'] : []),
        ...notes,
      ],
      rows: () => rows,
    });
  });
  return tables;
}

const isCaption = (text: string) =>
  text.length <= MAX_CAPTION && (/^(?:table|tabla|cuadro|tabelle|tableau)\b/i.test(text) || /:\s*$/.test(text));

/** @returns rows with the header among them, where there is one. */
function readTable(markdown: string): { readonly header: boolean; readonly rows: Row[] } {
  const [names = '', , ...body] = markdown.split('\n');
  const header = cellsOf(names);
  const hasHeader = !header.every(isBlank);
  const lines = hasHeader ? [header, ...body.map(cellsOf)] : body.map(cellsOf);
  return { header: hasHeader, rows: lines.map((cells, at) => ({ cells, number: at + 1 })) };
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cellText(unescapeCell(cell)));
