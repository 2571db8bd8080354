/**
 * Every cell of the workbooks in `test/fixtures/workbooks`, as it is imported, against what LibreOffice reads there
 * (`scripts/make-workbooks.ts`). What differs has to be told by the report.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read, write } from 'xlsx';
import type { FlatCell, FlatSheet } from '../../../../scripts/workbooks/flat-cells';
import { makeZip } from '../../../../test/support/documents/zip-archives';
import { readParquet } from '../../../../test/support/read-parquet';
import { readArchive } from '../parsers/archive-guard';
import { parseFile } from '../parsers/parse-file';
import { importTables, type ImportedTable } from './import-tables';
import { TABLE_LIMITS } from './table-input';
import type { ColumnReport, TableReport } from './table-report';

const FOLDER = join(__dirname, '../../../../test/fixtures/workbooks');
const WORKBOOKS = readdirSync(FOLDER).filter((name) => /\.(xlsx|xls|ods)$/.test(name));

describe('the import of workbooks', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'workbooks-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const load = async (name: string) => {
    const document = await parseFile({ name, bytes: readFileSync(join(FOLDER, name)) }, { maxPages: 1 });
    return (await importTables(document.tables ?? [], folder, TABLE_LIMITS)).tables;
  };
  const table = async (name: string, at = 0) => {
    const imported = (await load(name))[at] as ImportedTable;
    return { ...imported.report, rows: await readParquet(join(folder, imported.file)) };
  };
  const column = (columns: readonly ColumnReport[], original: string) =>
    columns.find((each) => each.original === original) as ColumnReport;

  it('is tried on twelve workbooks and more, of three formats', () => {
    expect(WORKBOOKS.length).toBeGreaterThanOrEqual(12);
    expect(new Set(WORKBOOKS.map((name) => name.split('.').at(-1))).size).toBe(3);
  });

  it.each(WORKBOOKS)('keeps every value of %s', async (name) => {
    const sheets = JSON.parse(readFileSync(join(FOLDER, `${name}.cells.json`), 'utf8')) as FlatSheet[];
    const tables = await load(name);
    const used = new Set<string>();
    for (const { file, report } of tables) {
      const sheet = sheets.find((each) => each.sheet === report.source.sheet) as FlatSheet;
      const place = placeOf(report.source.range as string);
      const rows = await readParquet(join(folder, file));
      const data = dataRows(sheet, place, report);
      expect(rows).toHaveLength(report.rowCount);
      rows.forEach((row, at) => {
        const line = data[at] as number;
        report.columns.forEach((each) => {
          const column = columnAt(sheet, place, each, data[0] as number, report.columns);
          used.add(`${sheet.sheet}!${line},${column}`);
          const expected = sheet.rows[line]?.[column] ?? null;
          const value = row[each.name] ?? null;
          if (expected === null && value !== null) {
            expect(report.warnings.join()).toMatch(/merged cells hold/);
          } else expect(agrees(expected, value, each)).toEqual([true, expected, value]);
        });
      });
      for (const text of [...report.above, ...report.below]) expect(text).not.toBe('');
    }
    // Nothing of the sheets is missing but headers, and rows that the report shows above or below.
    for (const { sheet, rows } of sheets) {
      rows.forEach((cells, line) =>
        cells.forEach((cell, at) => {
          if (!cell || used.has(`${sheet}!${line},${at}`)) return;
          const told = tables
            .filter(({ report }) => report.source.sheet === sheet)
            .some(({ report }) =>
              [...report.above, ...report.below, ...report.columns.map(({ original }) => original)].some((text) =>
                text.includes(cell[1]),
              ),
            );
          expect([cell, told]).toEqual([cell, true]);
        }),
      );
    }
  });

  it('tells titles, totals and notes from data, and joins headers over several rows', async () => {
    const sales = await table('ventas.xlsx');
    expect(sales.above).toEqual(['Informe de ventas', 'Importes sin IVA']);
    expect(sales.below).toEqual([expect.stringMatching(/^Total \| /), 'Fuente: contabilidad']);
    expect(sales.columns.map(({ original }) => original)).toEqual([
      'Región',
      '2023 / Primer semestre',
      '2023 / Segundo semestre',
      '2024 / Primer semestre',
      '2024 / Segundo semestre',
    ]);
  });

  it('keeps codes that are made of digits, whether typed as text or only shown with zeros', async () => {
    const { columns, rows } = await table('staff.xlsx');
    expect(column(columns, 'Employee no').type).toBe('VARCHAR');
    expect(rows[0]).toMatchObject({ employee_no: '00012', badge: '00007', department: 'Department 1' });
    expect(rows[5]).toMatchObject({ department: 'Department 1', part_time: 'false' });
  });

  it.each(['xlsx', 'xls', 'ods'])('keeps hidden sheets, rows and columns of .%s, and marks them', async (format) => {
    const [open, secret] = await load(`hidden.${format}`);
    expect(open?.report.hidden).toBe(false);
    expect(open?.report.hiddenRows).toEqual({ column: 'row_is_hidden', count: 2 });
    expect(column(open!.report.columns, 'Body mass').hidden).toBe(true);
    expect(secret?.report).toMatchObject({ name: 'secret_prices', hidden: true, rowCount: 3 });
    const rows = await readParquet(join(folder, open!.file));
    expect(rows.flatMap((row, at) => (row.row_is_hidden === 'true' ? [at] : []))).toEqual([2, 4]);
  });

  it('shows nothing of hidden sheets and rows to the search', async () => {
    const document = await parseFile(
      { name: 'a.xlsx', bytes: readFileSync(join(FOLDER, 'hidden.xlsx')) },
      { maxPages: 1 },
    );
    const { blocks } = await importTables(document.tables ?? [], folder, TABLE_LIMITS);
    const text = blocks.map((block) => block.text).join('\n');
    expect(text).toContain('Torgersen');
    expect(text).not.toMatch(/Secret|A-1|Body mass/);
  });

  it('reads durations beyond a day as durations, and times as times', async () => {
    const { columns } = await table('times.xlsx');
    expect(column(columns, 'Worked').type).toBe('INTERVAL');
    expect(column(columns, 'Starts').type).toBe('TIME');
  });

  it('leaves error cells NULL and counts them', async () => {
    const { columns } = await table('errors.xlsx');
    expect(column(columns, 'Ratio')).toMatchObject({ nulls: 3, missing: [{ value: '#DIV/0!', count: 3 }] });
  });

  it('reads numbers typed as text, with decimal commas, percent signs and nineteen digits', async () => {
    const { columns, rows } = await table('text-numbers.xlsx');
    expect(columns.map(({ type }) => type)).toEqual([
      'BIGINT',
      'DECIMAL(18,2)',
      'BIGINT',
      'VARCHAR',
      'VARCHAR',
      'VARCHAR',
      'DECIMAL(18,3)',
      'DATE',
    ]);
    expect(rows[0]).toMatchObject({ konto: '9007199254740993', betrag: '1234.50', plz: '01067', land: 'NA' });
    expect(rows[1]).toMatchObject({ rabatt: '0.015', datum: '2024-03-02' });
  });

  it('parts two tables that stand one above the other', async () => {
    const tables = await load('stacked.xlsx');
    expect(tables.map(({ report }) => report.columns.map(({ original }) => original))).toEqual([
      ['City', 'Inhabitants'],
      ['Product', 'Price', 'Since'],
    ]);
  });

  it.each(['xlsx', 'xls', 'ods'])(
    'parts tables that stand side by side in .%s, and not one with a gap in it',
    async (format) => {
      const tables = await load(`beside.${format}`);
      expect(tables.map(({ report }) => report.columns.map(({ original }) => original))).toEqual([
        ['Ciudad', 'Habitantes'],
        ['Artículo', 'Precio', 'Pesos'],
        ['Región', 'Importe'],
        ['Región', 'Importe'],
        ['Nombre', 'Año', 'Nota', 'Peso'],
      ]);
      expect(tables.map(({ report }) => [report.rowCount, report.source.range])).toEqual([
        [5, 'A1:B6'],
        [3, 'D1:F4'],
        [2, 'A1:B3'],
        [2, 'D1:E3'],
        [2, 'A1:E3'],
      ]);
      expect(tables[4]?.report.warnings).toEqual([
        expect.stringMatching(/both sides of the empty column C .*one table/),
      ]);
    },
  );

  it.each(['xlsx', 'xls'])(
    'knows the currency that numbers of .%s are shown in; several make a text',
    async (format) => {
      const [, products, quarters] = await load(`beside.${format}`);
      const { columns } = products!.report;
      expect(column(columns, 'Precio')).toMatchObject({ type: 'DECIMAL(18,1)', unit: '€' });
      expect(column(columns, 'Pesos')).toMatchObject({
        type: 'VARCHAR',
        decision: expect.stringMatching(/different units/),
      });
      expect(await readParquet(join(folder, products!.file))).toMatchObject([
        { precio: '12.5', pesos: '7 €' },
        { pesos: '7 $' },
        { pesos: '7 €' },
      ]);
      expect(column(quarters!.report.columns, 'Importe').unit).toBe('€');
    },
  );

  it.each(['hidden', 'times', 'staff', 'weather-1904', 'errors'])(
    'reads %s.xlsb as the .xlsx that it was made from',
    async (name) => {
      const bytes = readFileSync(join(FOLDER, `${name}.xlsx`));
      const book = read(bytes, { cellNF: true, cellStyles: true });
      const binary = write(book, { type: 'buffer', bookType: 'xlsb', cellStyles: true }) as Buffer;
      const seen = async (file: { name: string; bytes: Uint8Array }, tables = TABLE_LIMITS) =>
        ((await parseFile(file, { maxPages: 1, tables })).tables ?? []).map(
          ({ source, hidden, hiddenColumns, rows }) => ({
            ...{ sheet: source.sheet, range: source.range, hidden, hiddenColumns, rows: [...rows()] },
          }),
        );
      expect(await seen({ name: 'a.xlsb', bytes: binary })).toEqual(await seen({ name: 'a.xlsx', bytes }));
      await expect(seen({ name: 'a.xlsb', bytes: binary }, { ...TABLE_LIMITS, maxSheetCells: 9 })).rejects.toThrow(
        /limit_exceeded: .*MAX_SHEET_CELLS/,
      );
      await expect(seen({ name: 'a.xlsx', bytes: binary })).rejects.toThrow(/unsupported_file: .*\.xlsb/);
    },
  );

  it.each([
    ['row', 'below', 0],
    ['cell', 'to the right of', 2],
  ])('refuses a damaged .xlsb in which a %s stands far %s where any can', async (_, __, kind) => {
    const book = read('a,b\n1,2\n', { type: 'string' });
    const parts = await readArchive(write(book, { type: 'buffer', bookType: 'xlsb' }) as Buffer, () => true);
    const content = [...parts].map(([name, part]) => ({
      name,
      content: /sheet1\.bin$/.test(name) ? farOff(part, kind) : part,
    }));
    const parsed = parseFile({ name: 'a.xlsb', bytes: makeZip(content) }, { maxPages: 1 });
    await expect(parsed).rejects.toThrow(/unsupported_file: .*damaged.*beyond 1048576 rows or 16384 columns/);
  });

  it('names twice used, missing, reserved and dangerous headers safely', async () => {
    const { columns } = await table('headers.xls');
    expect(columns.map(({ name }) => name)).toEqual(['name', 'value', 'value_2', 'column_4', 'value_3', 'select_']);
    expect((await table('strange-text.ods')).columns.map(({ name }) => name)).toContain('proto_');
  });
});

/** A binary sheet whose records of a kind, of at most 127 bytes each, begin with a place that no sheet has. */
function farOff(part: Buffer, kind: number): Buffer {
  const sheet = Buffer.from(part);
  for (let at = 0; at < sheet.length;) {
    const isLong = (sheet[at] as number) > 0x7f;
    const length = at + (isLong ? 2 : 1);
    if (sheet[at] === kind) sheet.writeUInt32LE(0x1000_0000, length + 1);
    at = length + 1 + (sheet[length] as number);
  }
  return sheet;
}

interface Place {
  readonly column: number;
  readonly row: number;
  readonly last: number;
}

function placeOf(range: string): Place {
  const [, letters = '', from, to] = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/.exec(range) ?? [];
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { column, row: Number(from) - 1, last: Number(to) - 1 };
}

/** Lines that hold the data: the filled ones of the range behind titles and header, as many as the table has. */
function dataRows(
  { rows }: FlatSheet,
  { row, last, column }: Place,
  { rowCount, above, columns }: TableReport,
): number[] {
  const filled = Array.from({ length: last - row + 1 }, (_, at) => row + at).filter((at) =>
    rows[at]?.slice(column).some(Boolean),
  );
  const header = Math.max(...columns.map(({ original }) => original.split(' / ').length));
  return filled.slice(above.length + header, above.length + header + rowCount);
}

/** Columns stand as in the sheet; those that hold nothing at all are no columns. */
function columnAt(
  { rows }: FlatSheet,
  { column, last }: Place,
  wanted: ColumnReport,
  first: number,
  columns: readonly ColumnReport[],
): number {
  const used: number[] = [];
  for (let at = column; used.length < columns.length && at < column + 100; at++) {
    if (rows.slice(first - 1, last + 1).some((row) => row[at])) used.push(at);
  }
  return used[columns.indexOf(wanted)] as number;
}

function agrees(
  expected: FlatCell,
  value: string | null,
  { type, missing, decision }: ColumnReport,
): [boolean, FlatCell, string | null] {
  return [same(), expected, value];

  function same(): boolean {
    if (expected === null) return value === null;
    const [kind, text] = expected;
    if (value === null) return missing.some((each) => each.value === text.trim() || each.value === '');
    switch (kind) {
      case 'n':
        // LibreOffice reads truth values of .xls as numbers.
        if (type === 'BOOLEAN') return value === (text === '1' ? 'true' : 'false');
        // Numbers in several currencies are told to be text, each with its own.
        if (/different units/.test(decision)) return Number(value.replace(/ \S+$/, '')) === Number(text);
        return Number(value) === Number(text) || /^0\d+$/.test(value);
      case 'd':
        return value.replace(' ', 'T').replace('T00:00:00', '') === text.replace(/T00:00:00$/, '');
      case 't':
        return value === text.replace(/^PT(\d+)H(\d+)M(\d+)S$/, '$1:$2:$3');
      case 'b':
        return value === text;
      case 'e':
        return false;
      case 's':
        return type === 'VARCHAR' ? value === text : sameNumber(value, text) || value === dayFirst(text);
    }
  }
}

const dayFirst = (text: string) => text.replace(/^(\d\d)\.(\d\d)\.(\d{4})$/, '$3-$2-$1');

/** German numbers, and plain ones. */
function sameNumber(value: string, text: string): boolean {
  const percent = /%/.test(text) ? 100 : 1;
  const plain = text.replace(/[\s%]/g, '');
  const number = plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain;
  return percent === 1 ? trim(value) === trim(number) : Math.abs(Number(value) * percent - Number(number)) < 1e-9;
}

const trim = (number: string) => (number.includes('.') ? number.replace(/\.?0+$/, '') : number);
