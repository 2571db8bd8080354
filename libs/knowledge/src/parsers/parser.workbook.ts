/**
 * Workbooks: XLSX, XLSB, XLS and ODS. The archive is inflated under our own count and its sheets are counted before the
 * reader sees them (SEC-72, SEC-74); formulas are not computed, links not followed.
 */
import { read, type WorkBook, type WorkSheet } from 'xlsx';
import { odsSheets } from '../tables/ods-sheets';
import { xlsxSheets } from '../tables/xlsx-book';
import { cellsOf, sheetTables, type Budget } from '../tables/sheet-tables';
import { TABLE_LIMITS, type TableInput } from '../tables/table-input';
import { readArchive } from './archive-guard';
import type { Parser, ParserLimits, SourceFile } from './parser';
import { LimitExceededError, UnsafeFileError, UnsupportedFileError } from './parser-errors';

/** Rows without a cell that a sheet may have besides those with. */
const MAX_EMPTY_ROWS = 200_000;
/** More than this no sheet has, in any of these formats. */
const ROWS = 1_048_576;
const COLUMNS = 16_384;
const SHEET = /^xl\/worksheets\/[^/]+\.bin$/i;
const ROW_RECORD = 0;
const LAST_CELL_RECORD = 11;

const workbookParser = (format: 'xlsx' | 'xlsb' | 'xls' | 'ods', extensions: readonly string[]): Parser => ({
  format,
  extensions,
  async parse(file, limits) {
    const tables = await workbookTables(format, file, limits);
    if (tables.length === 0) throw new UnsupportedFileError('the workbook has no table to read.');
    return { format, blocks: [], tables };
  },
});

export const WORKBOOK_PARSERS: readonly Parser[] = [
  workbookParser('xlsx', ['.xlsx', '.xlsm']),
  workbookParser('xlsb', ['.xlsb']),
  workbookParser('xls', ['.xls']),
  workbookParser('ods', ['.ods']),
];

async function workbookTables(format: string, { bytes }: SourceFile, limits: ParserLimits): Promise<TableInput[]> {
  const { maxSheets, maxSheetCells, maxCell } = limits.tables ?? TABLE_LIMITS;
  const budget: Budget = { cells: 0, characters: 0, maxCells: maxSheetCells, maxCell };
  if (format === 'ods') return openDocumentTables(bytes, budget, maxSheets);
  if (format === 'xlsx') return xlsxTables(bytes, budget, maxSheets);
  if (format === 'xlsb') await guard(bytes, maxSheetCells);
  const book = open(bytes);
  refuseMany(book.SheetNames, maxSheets);
  return book.SheetNames.flatMap((sheet, at) => {
    const worksheet = book.Sheets[sheet];
    // The package leaves out without a word what it cannot read.
    if (!worksheet)
      throw new UnsupportedFileError(`the workbook is damaged: the sheet “${sheet.slice(0, 60)}” is missing.`);
    refuseImpossible(worksheet);
    const facts = {
      ...{ format, sheet, hidden: !!book.Workbook?.Sheets?.[at]?.Hidden, from1904: !!book.Workbook?.WBProps?.date1904 },
      hiddenRows: hiddenIn(worksheet['!rows']),
      hiddenColumns: hiddenIn(worksheet['!cols']),
    };
    return sheetTables(cellsOf(worksheet, facts, budget), facts);
  });
}

/**
 * Not by the reader of the others, nor are those of OpenDocument: it looks for tags in the text, and leaves out without
 * a word what it does not expect there.
 */
async function xlsxTables(bytes: Uint8Array, budget: Budget, maxSheets: number): Promise<TableInput[]> {
  const parts = await readArchive(bytes, (name) => /\.(?:xml|rels)$/i.test(name));
  return [...xlsxSheets(parts, budget, maxSheets)].flatMap(({ name, ...sheet }) =>
    sheetTables(sheet, { format: 'xlsx', sheet: name, ...sheet }),
  );
}

async function openDocumentTables(bytes: Uint8Array, budget: Budget, maxSheets: number): Promise<TableInput[]> {
  const parts = await readArchive(bytes, (name) => /^(?:content|styles|META-INF\/manifest)\.xml$/.test(name));
  if (parts.get('META-INF/manifest.xml')?.includes('encryption-data')) throw encrypted();
  const content = parts.get('content.xml');
  if (!content) throw new UnsupportedFileError('the workbook is damaged or cut short.');
  const sheets = odsSheets(content, parts.get('styles.xml'), budget);
  refuseMany(sheets, maxSheets);
  return sheets.flatMap(({ name, ...sheet }) =>
    sheetTables(sheet, { format: 'ods', sheet: name, from1904: false, ...sheet }),
  );
}

/** Cells that stand where none can are a damage, and nobody would ever be done with the emptiness before them. */
function refuseImpossible(sheet: WorkSheet): void {
  const rows = (sheet['!data'] ?? []) as readonly (readonly unknown[])[];
  const isOver = rows.length > ROWS || (sheet['!rows']?.length ?? 0) > ROWS;
  if (isOver || rows.some(({ length }) => length > COLUMNS) || (sheet['!cols']?.length ?? 0) > COLUMNS) {
    throw new UnsupportedFileError(
      `the workbook is damaged: a sheet reaches beyond ${ROWS} rows or ${COLUMNS} columns, which no sheet does.`,
    );
  }
}

function refuseMany({ length }: { readonly length: number }, most: number): void {
  if (length > most)
    throw new LimitExceededError(`the workbook has ${length} sheets, at most ${most} are read`, 'MAX_SHEETS');
}

const encrypted = (cause?: unknown) =>
  new UnsupportedFileError('the workbook is encrypted with a password. Send a copy without one.', { cause });

function open(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellStyles: true,
      cellText: false,
      cellHTML: false,
      cellFormula: true,
      bookVBA: false,
    });
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : '';
    throw /password|encrypt/i.test(said)
      ? encrypted(cause)
      : new UnsupportedFileError('the workbook is damaged or cut short.', { cause });
  }
}

function hiddenIn(lines: readonly ({ hidden?: boolean } | null | undefined)[] | undefined): ReadonlySet<number> {
  const hidden = new Set<number>();
  lines?.forEach((line, at) => line?.hidden && hidden.add(at));
  return hidden;
}

/** Of binary workbooks: the archive is inflated under our count, and the cells are counted before they are read. */
async function guard(bytes: Uint8Array, maxCells: number): Promise<void> {
  const sheets = await readArchive(bytes, (name) => SHEET.test(name));
  let [cells, rows] = [0, 0];
  for (const part of sheets.values()) {
    const counted = countRecords(part);
    cells += counted.cells;
    rows += counted.rows;
    if (cells > maxCells) {
      throw new LimitExceededError(`the workbook has more than ${maxCells} cells`, 'MAX_SHEET_CELLS');
    }
    if (rows > cells + MAX_EMPTY_ROWS) {
      throw new UnsafeFileError(`the sheets have more than ${MAX_EMPTY_ROWS} rows without a cell.`);
    }
  }
}

/** The records of a binary sheet ([MS-XLSB] 2.1.4): rows, and cells of any kind. */
function countRecords(part: Buffer): { cells: number; rows: number } {
  let [cells, rows, at] = [0, 0, 0];
  const number = (most: number) => {
    let value = 0;
    for (let byte = 0; byte < most && at < part.length; byte++) {
      const next = part[at++]!;
      value += (next & 0x7f) * 128 ** byte;
      if (next < 0x80) break;
    }
    return value;
  };
  while (at < part.length) {
    const kind = number(2);
    if (kind === ROW_RECORD) rows++;
    else if (kind <= LAST_CELL_RECORD) cells++;
    at += number(4);
  }
  return { cells, rows };
}
