/** How the tables of a sheet lie: beside and below one another, under headers of several rows, with totals among them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utils, write, type BookType, type WorkSheet } from 'xlsx';
import { readParquet } from '../../../../test/support/read-parquet';
import { parseFile } from '../parsers/parse-file';
import { importTables } from './import-tables';
import { isSumOfAbove } from './sum-formula';
import { TABLE_LIMITS } from './table-input';
import { totalOf } from './table-layout';

type Value = string | number | null;
const FORMATS: readonly BookType[] = ['xlsx', 'xlsb', 'biff8', 'ods'];
const ENDING: Partial<Record<BookType, string>> = { biff8: 'xls' };

describe('the layout of sheets', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'layout-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function load(sheet: WorkSheet, bookType: BookType = 'xlsx') {
    const book = { SheetNames: ['A'], Sheets: { A: sheet } };
    const bytes = write(book, { type: 'buffer', bookType }) as Buffer;
    const { tables } = await parseFile({ name: `a.${ENDING[bookType] ?? bookType}`, bytes }, { maxPages: 1 });
    const imported = await importTables(tables ?? [], folder, TABLE_LIMITS);
    return Promise.all(
      imported.tables.map(async ({ file, report }) => ({
        report,
        names: report.columns.map(({ original }) => original),
        rows: (await readParquet(join(folder, file))).map((row) => Object.values(row)),
      })),
    );
  }
  const sheetOf = (rows: readonly (readonly Value[])[]) => utils.aoa_to_sheet(rows.map((row) => [...row]));

  it('parts tables side by side although one below stands across the column between them', async () => {
    const sheet = sheetOf([
      ['Product', 'Price', null, 'Client', 'City', 'Amount'],
      ['P1', 10, null, 'C1', 'Madrid', 100],
      ['P2', 11, null, 'C2', 'Roma', 200],
      [null, null, null, 'C3', 'Bonn', 300],
      [],
      ['Month', 'Sales', 'Costs', 'Rest'],
      ['May', 1, 2, 3],
      ['June', 4, 5, 6],
    ]);
    const tables = await load(sheet);
    expect(tables.map(({ names, rows }) => [names, rows.length])).toEqual([
      [['Product', 'Price'], 2],
      [['Client', 'City', 'Amount'], 3],
      [['Month', 'Sales', 'Costs', 'Rest'], 2],
    ]);
  });

  it.each(FORMATS)('joins headers of three rows with merged cells in a %s', async (bookType) => {
    const sheet = sheetOf([
      ['Region', '2023', null, null, null, '2024', null],
      [null, 'H1', null, 'H2', null, 'H1', null],
      [null, 'Sales', 'Costs', 'Sales', 'Costs', 'Sales', 'Costs'],
      ['North', 1, 2, 3, 4, 5, 6],
      ['South', 7, 8, 9, 10, 11, 12],
    ]);
    sheet['!merges'] = ['A1:A3', 'B1:E1', 'F1:G1', 'B2:C2', 'D2:E2', 'F2:G2'].map(utils.decode_range);
    const [{ names, rows } = { names: [], rows: [] }] = await load(sheet, bookType);
    expect(names).toEqual([
      'Region',
      ...['2023 / H1 / Sales', '2023 / H1 / Costs', '2023 / H2 / Sales', '2023 / H2 / Costs'],
      ...['2024 / H1 / Sales', '2024 / H1 / Costs'],
    ]);
    expect(rows).toEqual([
      ['North', '1', '2', '3', '4', '5', '6'],
      ['South', '7', '8', '9', '10', '11', '12'],
    ]);
  });

  it('takes no rows of words with gaps for a header of three rows', async () => {
    const sheet = sheetOf([
      [null, 'First', 'Second'],
      ['a', null, 'x'],
      ['b', 'y', null],
      ['c', 1, 2],
    ]);
    const [{ rows } = { rows: [] }] = await load(sheet);
    expect(rows.slice(-3)).toEqual([
      ['a', null, 'x'],
      ['b', 'y', null],
      ['c', '1', '2'],
    ]);
  });

  const grouped = (label: (group: string) => Value) =>
    sheetOf([
      ['Group', 'Item', 'Amount'],
      ['North', 'a', 1],
      ['North', 'b', 2],
      [label('North'), null, 3],
      ['South', 'a', 4],
      ['South', 'c', 5],
      [label('South'), null, 9],
      ['East', 'd', 6],
    ]);

  it.each(['Total North', 'North Total', 'Subtotal North', 'Total de North', 'Suma North', 'North: total'])(
    'tells that rows are the totals of groups where they are called so: %s',
    async (label) => {
      const [table] = await load(grouped((group) => label.replace('North', group)));
      expect(table!.report.warnings.join()).toMatch(/look like totals are among the data: 4, 7;/);
    },
  );

  it('does not take names with such words for totals', async () => {
    const [table] = await load(grouped((group) => `Total Energies ${group}`));
    expect(table!.report.warnings).toEqual([]);
  });

  it.each(['xlsx', 'ods'] as const)(
    'knows totals of a %s by their formulas, whatever they are called',
    async (bookType) => {
      const sheet = grouped(() => 'So far');
      Object.assign(sheet, {
        C4: { t: 'n', v: 3, f: 'SUBTOTAL(9,C2:C3)' },
        C7: { t: 'n', v: 9, f: 'SUM(C$5:C6)' },
        C9: { t: 'n', v: 18, f: 'SUM(C4,C7,C8)' },
        A9: { t: 's', v: 'Altogether' },
        '!ref': 'A1:C9',
      });
      const [table] = await load(sheet, bookType);
      expect(table!.report.warnings.join()).toMatch(/look like totals are among the data: 4, 7;/);
      expect(table!.report.below).toEqual(['Altogether | 18']);
      expect(table!.rows).toHaveLength(7);
    },
  );

  it('keeps a row with values of its own although something is summed beside it', async () => {
    const sheet = sheetOf([
      ['Item', 'Amount', 'Note'],
      ['a', 1, null],
      ['b', 2, null],
    ]);
    Object.assign(sheet, { B4: { t: 'n', v: 9 }, C4: { t: 'n', v: 0, f: 'COUNT(C2:C3)' }, '!ref': 'A1:C4' });
    const [table] = await load(sheet);
    expect([table!.rows.length, table!.report.below]).toEqual([3, []]);
  });

  it('shows totals that stand above the header, and finds the header', async () => {
    const sheet = sheetOf([
      ['Total', null, 60],
      ['Item', 'City', 'Amount'],
      ['x', 'Madrid', 10],
      ['y', 'Roma', 50],
    ]);
    const [table] = await load(sheet);
    expect(table).toMatchObject({ names: ['Item', 'City', 'Amount'], report: { above: ['Total | 60'], rowCount: 2 } });
  });

  it('tells that a category is called total', async () => {
    const sheet = sheetOf([
      ['Year', 'Sex', 'People'],
      [2020, 'Women', 5],
      [2020, 'Men', 4],
      [2020, 'Total', 9],
      [2021, 'Women', 6],
    ]);
    const [table] = await load(sheet);
    expect(table!.report.warnings.join()).toMatch(/look like totals are among the data: 4;/);
  });
});

it.each([
  ['SUM(C2:C5)', true],
  ['SUBTOTAL(109,$C$2:$C5)', true],
  ['of:=SUBTOTAL(9;[.C2:.C5])', true],
  ['of:=SUM([.C2:.C3];[.C5])', true],
  ['AVERAGE(C2:C5)', true],
  ['SUM(B2:B5)', false],
  ['SUM(C2:D5)', false],
  ['SUM(C2:C5)+1', false],
  ['SUM(C2:C6)', false],
  ['SUM(C5)', false],
  ['SUM(Sheet2!C2:C5)', false],
  ['MAX(C2:C5)+1', false],
  ['C5+C4', false],
])('sees in %s whether it is over the cells above C6', (formula, isSum) => {
  expect(isSumOfAbove(formula, 5, 2)).toBe(isSum);
});

it.each([
  ['Total North', 'North'],
  ['Subtotal: North', 'North'],
  ['Total de Ventas', 'Ventas'],
  ['North Total', 'North'],
  ['Totally', undefined],
  ['Total', undefined],
])('reads from “%s” what it is the total of', (label, of) => {
  expect(totalOf(label)).toBe(of);
});
