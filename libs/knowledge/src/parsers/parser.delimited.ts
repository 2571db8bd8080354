/** CSV and its relatives: one table, with whatever sign between its values. */
import { extname } from 'node:path';
import { cellText, type Row } from '../tables/cell';
import { DELIMITED_EXTENSIONS, DIALECT_BYTES, findDialect } from '../tables/delimited-dialect';
import { splitRows } from '../tables/delimited-rows';
import { TABLE_LIMITS, type TableInput } from '../tables/table-input';
import { openText, textOfBytes, type TextFile } from '../tables/text-file';
import type { Parser, ParserLimits, SourceFile } from './parser';
import { UnsupportedFileError } from './parser-errors';

export const delimitedParser: Parser = {
  format: 'csv',
  extensions: DELIMITED_EXTENSIONS,

  async parse(file, limits) {
    return { format: 'csv', blocks: [], tables: [delimitedTable(file, limits)] };
  },
};

function delimitedTable(file: SourceFile, { tables = TABLE_LIMITS }: ParserLimits): TableInput {
  const text = file.path === undefined ? textOfBytes(file.bytes, file.charset) : openText(file.path, file.charset);
  const head = beginningOf(text);
  if (head.trim() === '') throw new UnsupportedFileError('the file is empty, or has nothing but white space.');
  const dialect = findDialect(head, file.name);
  const limits = { maxCell: tables.maxCell, maxColumns: tables.maxColumns, strict: true };
  const table = {
    source: { format: extname(file.name).toLowerCase() === '.tsv' ? 'tsv' : 'csv' },
    title: file.name.slice(0, file.name.length - extname(file.name).length),
    hidden: false,
    semicolons: dialect.delimiter === ';',
    remarks: text.isGuess
      ? [`read as ${text.charset}, told from its bytes; if words look wrong, save the file as UTF-8`]
      : [],
  };
  const broken = text.isBroken ? ['some bytes are no UTF-8 as the rest is; \ufffd stands in their places'] : [];
  const unquoted = { ...dialect, quote: '' as const };
  return {
    ...table,
    warnings: broken,
    rows: () => clean(splitRows(text.pieces(), dialect, limits)),
    delimited: { dialect, text },
    unquoted: {
      ...table,
      warnings: [...broken, 'a quotation mark is never closed; quotation marks were read as characters'],
      rows: () => clean(splitRows(text.pieces(), unquoted, limits)),
    },
  };
}

function beginningOf(text: TextFile): string {
  let head = '';
  for (const piece of text.pieces()) {
    head += piece;
    if (head.length >= DIALECT_BYTES) break;
  }
  return head.slice(0, DIALECT_BYTES);
}

function* clean(rows: Iterable<Row>): Generator<Row> {
  for (const row of rows) {
    yield {
      ...row,
      cells: row.cells.map((cell) => cellText(cell.includes('\r') ? cell.replace(/\r\n?/g, '\n') : cell)),
    };
  }
}
