/** XLSX sheets as programs other than Excel may write them, damaged ones, and those of somebody who means ill. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeZip, type ZipEntry } from '../../../../test/support/documents/zip-archives';
import { readParquet } from '../../../../test/support/read-parquet';
import { parseFile } from '../parsers/parse-file';
import { importTables } from './import-tables';
import { TABLE_LIMITS } from './table-input';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts>
  <cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
  <cellXfs>${[0, 14, 21, 164, 10].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`;
const [DAY, CLOCK, HOURS, PERCENT] = [1, 2, 3, 4];

const relation = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
const relations = (...all: string[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;
const worksheet = (body: string) => `<worksheet xmlns="${MAIN}">${body}</worksheet>`;

interface Book {
  readonly sheets: Readonly<Record<string, string>>;
  readonly strings?: string;
  readonly states?: Readonly<Record<string, string>>;
  readonly properties?: string;
  readonly more?: readonly ZipEntry[];
}

function book({ sheets, strings = '', states = {}, properties = '', more = [] }: Book): Buffer {
  const names = Object.keys(sheets);
  const entries = names.map(
    (name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}" ${states[name] ?? ''}/>`,
  );
  return makeZip([
    { name: '_rels/.rels', content: relations(relation('w', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${properties}<sheets>${entries.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(
        ...names.map((_, at) => relation(`r${at}`, 'worksheet', `worksheets/sheet${at}.xml`)),
        relation('s', 'sharedStrings', '/xl/sharedStrings.xml'),
        relation('t', 'styles', 'styles.xml'),
      ),
    },
    { name: 'xl/styles.xml', content: STYLES },
    { name: 'xl/sharedStrings.xml', content: `<sst xmlns="${MAIN}">${strings}</sst>` },
    ...Object.values(sheets).map((content, at) => ({ name: `xl/worksheets/sheet${at}.xml`, content })),
    ...more,
  ]);
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const cell = (attributes: string, value: string | number) => `<c ${attributes}><v>${value}</v></c>`;
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;
const data = (...rows: string[]) => worksheet(`<sheetData>${rows.join('')}</sheetData>`);
const HEAD = row(text('n'), text('x'));

describe('the import of XLSX sheets', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'xlsx-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const parse = (bytes: Uint8Array, tables = TABLE_LIMITS) =>
    parseFile({ name: 'a.xlsx', bytes }, { maxPages: 1, tables });
  async function load(bytes: Uint8Array) {
    const { tables } = await importTables((await parse(bytes)).tables ?? [], folder, TABLE_LIMITS);
    return Promise.all(
      tables.map(async ({ file, report }) => ({ report, rows: await readParquet(join(folder, file)) })),
    );
  }
  /** One column under a header. */
  async function column(cells: readonly string[], more: Partial<Book> = {}) {
    const rows = cells.map((each, at) => row(cell('', at), each));
    const [table] = await load(book({ sheets: { A: data(HEAD, ...rows) }, ...more }));
    const { type, decision, warnings, missing } = table!.report.columns[1]!;
    return { type, decision, warnings, missing, values: table!.rows.map(({ x }) => x ?? null) };
  }

  it('reads cells whatever stands between the words of their tags', async () => {
    const written = [
      '<c\n  t="n"><v\n>1</v></c>',
      '<c\tt="n" ><v >2</v ></c >',
      "<c t='n'><f >1+1</f ><v>3</v></c>",
      '<c><!-- <c><v>9</v></c> --><v><![CDATA[4]]></v></c>',
    ];
    expect(await column(written)).toMatchObject({ type: 'BIGINT', values: ['1', '2', '3', '4'] });
  });

  it('reads dates that are written as dates, of cells without a style too', async () => {
    expect(await column([cell('t="d"', '2021-03-02'), cell('t="d"', '1899-12-31T00:00:00')])).toMatchObject({
      type: 'DATE',
      values: ['2021-03-02', '1899-12-31'],
    });
    expect(await column([cell('t="d"', '2021-03-02T12:30:00.250Z'), cell(`s="${DAY}"`, 44257)])).toMatchObject({
      type: 'TIMESTAMP',
      values: ['2021-03-02 12:30:00.25', '2021-03-02 00:00:00'],
    });
    expect(await column([cell('t="d"', '12:30:00'), cell(`s="${CLOCK}"`, 0.25)])).toMatchObject({
      type: 'TIME',
      values: ['12:30:00', '06:00:00'],
    });
  });

  it('counts days from 1904 where the workbook does', async () => {
    const properties = '<workbookPr date1904="true"/><extLst><y:workbookPr xmlns:y="urn:y" date1904="false"/></extLst>';
    expect((await column([cell(`s="${DAY}"`, 0), cell(`s="${DAY}"`, 366)], { properties })).values).toEqual([
      '1904-01-01',
      '1905-01-01',
    ]);
  });

  it('says why durations below zero are text, and keeps moments of which only the time is shown', async () => {
    expect(await column([cell(`s="${HOURS}"`, -0.25), cell(`s="${HOURS}"`, 1.5)])).toMatchObject({
      type: 'VARCHAR',
      decision: 'text: durations, of which some are negative',
      values: ['-06:00:00', '36:00:00'],
    });
    expect(await column([cell(`s="${CLOCK}"`, 44257.5), cell(`s="${CLOCK}"`, 44258.25)])).toMatchObject({
      type: 'TIMESTAMP',
      values: ['2021-03-02 12:00:00', '2021-03-03 06:00:00'],
    });
  });

  it('keeps all digits of whole numbers that are written with more than a float has', async () => {
    expect(await column([cell('', '1234567890123456789'), cell('', '9007199254740993')])).toMatchObject({
      values: ['1234567890123456789', '9007199254740993'],
    });
    expect((await column([cell('', '1.1000000000000001'), cell('', '2')])).values).toEqual(['1.1', '2.0']);
  });

  it('tells what is no value of its type, and every error', async () => {
    const wrong = ['1,5', 'abc', 'NaN', 'INF', '1e999'];
    const errors = ['#SPILL!', '#N/A'].map((error) => cell('t="e"', error));
    const { type, values, missing } = await column([cell('', 5), ...wrong.map((each) => cell('', each)), ...errors]);
    expect([type, values]).toEqual(['BIGINT', ['5', ...Array<null>(7).fill(null)]]);
    expect(missing).toEqual([...wrong, '#SPILL!', '#N/A'].map((value) => ({ value, count: 1 })));
  });

  it('tells formulas that were saved without a result from those whose result is an empty text', async () => {
    const shared = ['<c><f t="shared" si="0" ref="B2:B3">A2*2</f></c>', '<c><f t="shared" si="0"/></c>'];
    const empty = '<c t="str"><f>IF(A1,"","")</f><v></v></c>';
    const { missing } = await column([...shared, empty, cell('', 5)]);
    expect(missing).toEqual([
      { value: '', count: 1 },
      { value: '=A2*2', count: 2 },
    ]);
  });

  it('puts texts together from their runs, without how they are pronounced', async () => {
    const runs = '<r><t>東</t></r><r><rPr><b/></rPr><t xml:space="preserve">京 </t></r>';
    const spoken = '<rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>';
    const strings = `<si>${runs}${spoken}</si><si><t>a_x000D_b&amp;lt;_x005F_x0041_</t></si>`;
    const cells = [cell('t="s"', 0), cell('t="s"', 1), `<c t="inlineStr"><is>${runs}${spoken}</is></c>`];
    expect((await column(cells, { strings })).values).toEqual(['東京 ', 'a\nb&lt;_x0041_', '東京 ']);
  });

  it('reads percentages by the styles of cells, not by those that these are made from', async () => {
    expect((await column([cell(`s="${PERCENT}"`, 0.25), cell(`s="${PERCENT}"`, 0.5)])).values).toEqual([
      '0.25',
      '0.50',
    ]);
    expect((await column([cell('s="0"', 0.25), cell('s="99"', 0.5)])).values).toEqual(['0.25', '0.50']);
  });

  it('knows what is hidden, and finds rows and cells in any order', async () => {
    const sheet = worksheet(
      '<cols><col min="2" max="2" hidden="1"/></cols><sheetData>' +
        '<row r="3" hidden="true"><c r="B3"><v>2</v></c><c r="A3"><v>1</v></c></row>' +
        `<row r="1">${text('n')}${text('x')}</row><row r="2"><c r="A2"><v>8</v></c><c r="B2"><v>9</v></c></row></sheetData>`,
    );
    const tables = await load(
      book({ sheets: { A: sheet, B: sheet, C: sheet }, states: { B: 'state="hidden"', C: 'state="veryHidden"' } }),
    );
    expect(tables.map(({ report }) => report.hidden)).toEqual([false, true, true]);
    expect(tables[0]!.report.columns.map(({ hidden }) => hidden)).toEqual([false, true]);
    expect(tables[0]!.rows).toEqual([
      { n: '8', x: '9', row_is_hidden: 'false' },
      { n: '1', x: '2', row_is_hidden: 'true' },
    ]);
  });

  it('leaves out sheets that hold a chart, and none that hold cells', async () => {
    const more = [{ name: 'xl/chartsheets/sheet1.xml', content: '<chartsheet/>' }];
    const bytes = book({ sheets: { A: data(HEAD, row(cell('', 1), cell('', 2))), B: '<chartsheet/>' }, more });
    expect(await load(bytes)).toHaveLength(1);
  });

  it.each([
    ['a text that is missing', data(HEAD, row(cell('', 1), cell('t="s"', 7))), /text that is missing/],
    ['a cell twice', data(HEAD, '<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>'), /there twice/],
    ['a cell without a place', data(HEAD, '<row r="2"><c r="?"><v>1</v></c></row>'), /no place/],
    ['a cell beyond any sheet', data('<row r="1048577"><c r="A1048577"><v>1</v></c></row>'), /beyond 1048576 rows/],
    ['a column beyond any sheet', data('<row r="1"><c r="XFE1"><v>1</v></c></row>'), /beyond .* 16384 columns/],
    ['XML that ends too early', data(HEAD).slice(0, -20), /XML inside cannot be read/],
  ])('refuses a workbook with %s instead of leaving out the sheet', async (_, sheet, message) => {
    const whole = data(HEAD, row(cell('', 1), cell('', 2)));
    await expect(parse(book({ sheets: { A: whole, B: sheet } }))).rejects.toThrow(/unsupported_file: .*damaged/);
    await expect(parse(book({ sheets: { A: whole, B: sheet } }))).rejects.toThrow(message);
  });

  it('refuses document types and sheets of more cells than it may have, empty ones too', async () => {
    const entity = `<!DOCTYPE a [<!ENTITY b "c">]>${data(HEAD)}`;
    await expect(parse(book({ sheets: { A: entity } }))).rejects.toThrow(/unsafe_file: .*document type/);
    const empty = book({ sheets: { A: data(HEAD, row(...Array<string>(20).fill('<c s="1"/>'))) } });
    const few = { ...TABLE_LIMITS, maxSheetCells: 10 };
    await expect(parse(empty, few)).rejects.toThrow(/limit_exceeded: .*MAX_SHEET_CELLS/);
  });

  it('is soon done with columns and formulas that reach over everything', async () => {
    const columns = '<col min="1" max="2000000000" hidden="0"/><col min="1" max="16384" hidden="1"/>'.repeat(20_000);
    const formulas = Array.from({ length: 20_000 }, (_, at) => {
      const place = `B${at + 2}`;
      return row(cell('', at), `<c><f t="array" ref="${place}:${place}">1</f><v>1</v></c>`);
    });
    const sheet = worksheet(`<cols>${columns}</cols><sheetData>${HEAD}${formulas.join('')}</sheetData>`);
    const [table] = await load(book({ sheets: { A: sheet } }));
    expect(table!.report).toMatchObject({ rowCount: 20_000, columns: [{ hidden: true }, { hidden: true }] });
  });
});
