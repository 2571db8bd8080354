/** Workbooks as programs other than the usual ones write them, and what is refused before a sheet is read. */
import { read, utils, write, type BookType } from 'xlsx';
import { makeZip, type ZipEntry } from '../../../../test/support/documents/zip-archives';
import { TABLE_LIMITS } from '../tables/table-input';
import { readArchive } from './archive-guard';
import { parseFile } from './parse-file';

const workbook = (bookType: BookType) =>
  write(read('City,Inhabitants\nRoma,5\nBonn,7\n', { type: 'string' }), { type: 'buffer', bookType }) as Buffer;

async function repacked(change: (entry: ZipEntry) => ZipEntry, more: readonly ZipEntry[] = []): Promise<Buffer> {
  const parts = await readArchive(workbook('xlsx'), () => true);
  return makeZip([...[...parts].map(([name, content]) => change({ name, content })), ...more]);
}

const rowsOf = async (name: string, bytes: Uint8Array, tables = TABLE_LIMITS) =>
  ((await parseFile({ name, bytes }, { maxPages: 1, tables })).tables ?? []).flatMap((table) =>
    [...table.rows()].map(({ cells }) => cells),
  );
const ROWS = [
  ['City', 'Inhabitants'],
  ['Roma', '\x015'],
  ['Bonn', '\x017'],
];

it.each(['WORKBOOK', 'workbook'])('reads an .xls whose stream is called %s', async (name) => {
  const bytes = workbook('biff8');
  const at = bytes.indexOf(Buffer.from('Workbook\0', 'utf16le'));
  bytes.write(name, at, 'utf16le');
  expect(await rowsOf('a.xls', bytes)).toEqual(ROWS);
});

it('reads a sheet in which other documents are embedded, and opens none of them', async () => {
  const more = ['xl/embeddings/Microsoft_Excel_Worksheet1.xlsx', 'xl/embeddings/Microsoft_Word_Document1.docx'];
  const bytes = await repacked(
    (entry) => entry,
    more.map((name) => ({ name, content: workbook('xlsx') })),
  );
  expect(await rowsOf('a.xlsx', bytes)).toEqual(ROWS);
  const elsewhere = await repacked((entry) => entry, [{ name: 'xl/other/a.xlsx', content: workbook('xlsx') }]);
  await expect(rowsOf('a.xlsx', elsewhere)).rejects.toThrow(/unsafe_file: .*another archive/);
});

it('counts the cells of a sheet wherever it lies in the archive', async () => {
  const moved = (text: string) => text.replaceAll('worksheets/sheet1.xml', 'elsewhere/sheet1.xml');
  const bytes = await repacked(({ name, content }) => ({
    name: moved(name),
    content: moved(content.toString()),
  }));
  expect(await rowsOf('a.xlsx', bytes)).toEqual(ROWS);
  const parsed = rowsOf('a.xlsx', bytes, { ...TABLE_LIMITS, maxSheetCells: 3 });
  await expect(parsed).rejects.toThrow(/limit_exceeded: the workbook has more than 3 cells/);
});

it.each(['\ufeff', ''])('reads XML in UTF-16, with %j in front', async (mark) => {
  const bytes = await repacked(({ name, content }) => ({
    name,
    content: /\.xml$/.test(name) ? Buffer.from(`${mark}${content.toString()}`, 'utf16le') : content,
  }));
  expect(await rowsOf('a.xlsx', bytes)).toEqual(ROWS);
});

it('names an empty workbook as one without a table', async () => {
  const book = { SheetNames: ['A'], Sheets: { A: utils.aoa_to_sheet([[]]) } };
  const bytes = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
  await expect(rowsOf('a.xlsx', bytes)).rejects.toThrow(/unsupported_file: the workbook has no table/);
});
