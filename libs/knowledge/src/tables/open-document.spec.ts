/** OpenDocument sheets as other programs than LibreOffice may write them, or as somebody who means ill does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeZip, type ZipEntry } from '../../../../test/support/documents/zip-archives';
import { readParquet } from '../../../../test/support/read-parquet';
import { parseFile } from '../parsers/parse-file';
import { importTables } from './import-tables';
import { TABLE_LIMITS } from './table-input';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns:';
const NAMESPACES = [
  ...['office', 'table', 'text', 'style'].map((name) => `xmlns:${name}="${OASIS}${name}:1.0"`),
  `xmlns:number="${OASIS}datastyle:1.0"`,
  'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
].join(' ');
const STYLES = `
  <number:time-style style:name="N1" number:truncate-on-overflow="false"><number:hours/></number:time-style>
  <number:number-style style:name="N2"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>
  <number:currency-style style:name="N3"><number:number/><number:currency-symbol>€</number:currency-symbol></number:currency-style>
  <style:style style:name="hours" style:family="table-cell" style:data-style-name="N1"/>
  <style:style style:name="code" style:family="table-cell" style:data-style-name="N2"/>
  <style:style style:name="euro" style:family="table-cell" style:data-style-name="N3"/>
  <style:style style:name="likeEuro" style:family="table-cell" style:parent-style-name="euro"/>
  <style:style style:name="secret" style:family="table"><style:table-properties table:display="false"/></style:style>`;

const content = (body: string, { before = '', encoding = 'UTF-8' } = {}) =>
  `<?xml version="1.0" encoding="${encoding}"?>${before}<office:document-content ${NAMESPACES}>` +
  `<office:automatic-styles>${STYLES}</office:automatic-styles><office:body><office:spreadsheet>${body}</office:spreadsheet>` +
  '</office:body></office:document-content>';
const MIMETYPE = { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' };
const book = (xml: string | Buffer, more: readonly ZipEntry[] = []) =>
  makeZip([{ ...MIMETYPE, stored: true }, { name: 'content.xml', content: xml }, ...more]);
const sheet = (rows: string, name = 'A', attributes = '') =>
  `<table:table table:name="${name}"${attributes}>${rows}</table:table>`;
const row = (cells: string, attributes = '') => `<table:table-row${attributes}>${cells}</table:table-row>`;
const text = (value: string, attributes = '') =>
  `<table:table-cell office:value-type="string"${attributes}><text:p>${value}</text:p></table:table-cell>`;
const typed = (type: string, attribute: string, value: string, more = '') =>
  `<table:table-cell office:value-type="${type}" office:${attribute}="${value}"${more}><text:p>shown</text:p></table:table-cell>`;
const number = (value: string | number, more = '') => typed('float', 'value', String(value), more);
const HEAD = row(text('Name') + text('Amount'));
const times = (columns: number, rows?: number) =>
  [
    ` table:number-columns-repeated="${columns}"`,
    rows === undefined ? '' : ` table:number-rows-repeated="${rows}"`,
  ] as const;

describe('the import of OpenDocument sheets', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'ods-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const parse = (bytes: Uint8Array, tables = TABLE_LIMITS) =>
    parseFile({ name: 'a.ods', bytes }, { maxPages: 1, tables });
  async function load(bytes: Uint8Array) {
    const { tables } = await importTables((await parse(bytes)).tables ?? [], folder, TABLE_LIMITS);
    return Promise.all(
      tables.map(async ({ file, report }) => ({ report, rows: await readParquet(join(folder, file)) })),
    );
  }
  /** One column under a header. */
  async function column(...cells: string[]) {
    const rows = cells.map((cell, at) => row(number(at) + cell)).join('');
    const [table] = await load(book(content(sheet(row(text('n') + text('x')) + rows))));
    const { type, unit, warnings } = table!.report.columns[1]!;
    return { type, unit, warnings, values: table!.rows.map(({ x }) => x ?? null) };
  }

  it('takes numbers digit by digit, with their units', async () => {
    expect(await column(number('9007199254740993'), number('123456789012345678'))).toMatchObject({
      type: 'BIGINT',
      values: ['9007199254740993', '123456789012345678'],
    });
    expect(await column(number('0.1'), number('-1234567890123.25'), number('+5'))).toMatchObject({
      values: ['0.10', '-1234567890123.25', '5.00'],
    });
    expect(await column(number('1E+3'), number('.5'))).toMatchObject({ values: ['1000.0', '0.5'] });
    const money = (value: string, more: string) => typed('currency', 'value', value, more);
    expect(
      await column(money('1.5', ' office:currency="EUR"'), money('2', ' table:style-name="likeEuro"')),
    ).toMatchObject({
      unit: '€',
      values: ['1.5', '2.0'],
    });
    expect(await column(money('1', ' office:currency="EUR"'), money('1', ' office:currency="USD"'))).toMatchObject({
      values: ['1 €', '1 $'],
    });
    expect(await column(typed('percentage', 'value', '0.07'), typed('percentage', 'value', '-1.255'))).toMatchObject({
      unit: '%',
      values: ['0.070', '-1.255'],
    });
    expect(
      await column(number('7', ' table:style-name="code"'), number('12345', ' table:style-name="code"')),
    ).toMatchObject({
      type: 'VARCHAR',
      values: ['00007', '12345'],
    });
  });

  it('takes dates of any century, times, and durations beyond a day', async () => {
    const date = (value: string) => typed('date', 'date-value', value);
    const time = (value: string, more = '') => typed('time', 'time-value', value, more);
    expect(await column(date('2024-02-29'), date('1899-12-30'), date('0012-01-01'))).toMatchObject({
      type: 'DATE',
      values: ['2024-02-29', '1899-12-30', '0012-01-01'],
    });
    expect(await column(date('1850-05-05T10:00:00'), date('9999-12-31T23:59:59.500000000'))).toMatchObject({
      type: 'TIMESTAMP',
      values: ['1850-05-05 10:00:00', '9999-12-31 23:59:59.5'],
    });
    expect(await column(time('PT08H30M00S'), time('PT23H59M59S'))).toMatchObject({
      type: 'TIME',
      values: ['08:30:00', '23:59:59'],
    });
    expect(await column(time('PT08H30M00S', ' table:style-name="hours"'), time('PT100H00M01.25S'))).toMatchObject({
      type: 'INTERVAL',
      values: ['08:30:00', '100:00:01.25'],
    });
  });

  it('takes for a time or for true and false only what says so, and else what is shown', async () => {
    const time = (value: string) => typed('time', 'time-value', value);
    for (const odd of ['PT12345678H', 'P1Y2M', 'PT1.5H', '12:30:00', 'P'])
      expect([odd, (await column(time(odd), text('x'))).values]).toEqual([odd, ['shown', 'x']]);
    const truth = (value: string) => typed('boolean', 'boolean-value', value);
    expect(await column(truth('1'), truth('0'), truth('TRUE'), truth('false'))).toMatchObject({
      type: 'BOOLEAN',
      values: ['true', 'false', 'true', 'false'],
    });
    expect((await column(truth('maybe'), text('x'))).values).toEqual(['shown', 'x']);
  });

  it('tells errors, and formulas that were saved without their result', async () => {
    const formula = (attributes: string, shows = '') =>
      `<table:table-cell table:formula="of:=[.A1]+1"${attributes}>${shows && `<text:p>${shows}</text:p>`}</table:table-cell>`;
    const cells = [
      formula(' office:value-type="float" office:value="4"', '4'),
      formula(' office:value-type="string" office:string-value="" calcext:value-type="error"', '#DIV/0!'),
      // As older programs save it.
      formula(' office:value-type="float" office:value="0"', 'Err:508'),
      formula(''),
    ];
    expect(await column(...cells)).toMatchObject({
      type: 'BIGINT',
      values: ['4', null, null, null],
      warnings: ['errors in the sheet: #DIV/0! (1), Err:508 (1), =[.A1]+1 (1); they are NULL'],
    });
    expect(await column(formula(''), formula(''))).toMatchObject({
      values: [null, null],
      warnings: ['errors in the sheet: =[.A1]+1 (2); they are NULL'],
    });
    expect(await column(text('#N/A'), text('a'))).toMatchObject({ values: ['#N/A', 'a'] });
  });

  it('keeps texts as they are, also of cells that say no type', async () => {
    const cells = [
      text('a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d'),
      '<table:table-cell><text:p>no type</text:p></table:table-cell>',
      text('<![CDATA[<table:table-row>]]>'),
      text('<text:span>sp</text:span>an &amp; <text:a>link</text:a>'),
      '<table:table-cell office:value-type="string" office:string-value="value"><text:p>shown</text:p></table:table-cell>',
      '<table:table-cell office:value-type="string"><text:p>one</text:p><text:p/><text:p>three</text:p></table:table-cell>',
    ];
    const values = ['a   b\tc\nd', 'no type', '<table:table-row>', 'span & link', 'value', 'one\n\nthree'];
    expect((await column(...cells)).values).toEqual(values);
  });

  it('takes nothing for cells that is none: notes, drawings, changes taken back, copies of other files', async () => {
    const xml =
      `<table:tracked-changes><table:deletion>${row(number(88))}</table:deletion></table:tracked-changes>` +
      sheet(
        `<table:shapes><text:p>a shape</text:p></table:shapes>${HEAD}` +
          row(
            '<table:table-cell office:value-type="string"><office:annotation><text:p>a note</text:p></office:annotation><text:p>real</text:p></table:table-cell>' +
              number(1),
          ) +
          row(`<table:table-cell>${sheet(row(number(5)), 'inner')}</table:table-cell>${number(2)}`),
      ) +
      sheet(`<table:table-source/>${HEAD}${row(text('x') + number(9))}`, "'file:///other.ods'#Sheet1");
    const tables = await load(book(content(xml)));
    expect(tables.map(({ rows }) => rows)).toEqual([
      [
        { name: 'real', amount: '1' },
        { name: null, amount: '2' },
      ],
    ]);
  });

  it('knows what is hidden, by row, column, group and sheet', async () => {
    const collapsed = ' table:visibility="collapse"';
    const line = (name: string, attributes = '') => row(text(name) + number(1) + number(2), attributes);
    const xml =
      sheet(
        `<table:table-column/><table:table-column${collapsed}/><table:table-column/>${row(text('a') + text('b') + text('c'))}` +
          `${line('seen')}${line('row', collapsed)}${line('filtered', ` table:visibility="filter"${times(1, 2)[1]}`)}` +
          `<table:table-row-group table:display="false">${line('group')}</table:table-row-group>${line('last')}`,
      ) + sheet(HEAD + row(text('x') + number(1)), 'Secret &amp; Co', ' table:style-name="secret"');
    const [open, secret] = await load(book(content(xml)));
    expect(open!.rows.filter(({ row_is_hidden: is }) => is === 'true').map(({ a }) => a)).toEqual([
      'row',
      'filtered',
      'filtered',
      'group',
    ]);
    expect(open!.report.columns.map(({ hidden }) => !!hidden)).toEqual([false, true, false]);
    expect(secret!.report).toMatchObject({ hidden: true, source: { sheet: 'Secret & Co' } });
  });

  it('reads any prefix, any charset, and files without a part for styles', async () => {
    const xml = content(sheet(HEAD + row(text('ñandú') + number(1)) + row(text('b') + number(2))));
    const prefixed = xml
      .replaceAll('table:', 'calc:')
      .replace(':calc:1.0', ':table:1.0')
      .replace('xmlns:table=', 'xmlns:calc=');
    const files = [
      xml,
      prefixed,
      Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
      Buffer.from(xml.replace('UTF-8', 'ISO-8859-1').replace('€', '$'), 'latin1'),
    ];
    for (const file of files) {
      const [table] = await load(book(file, [{ name: 'styles.xml', content: '<office:styles xmlns:office="x"/>' }]));
      expect(table!.rows).toEqual([
        { name: 'ñandú', amount: '1' },
        { name: 'b', amount: '2' },
      ]);
    }
  });

  it('reads a file that was unpacked and packed again', async () => {
    const xml = content(sheet(HEAD + row(text('x') + number(1))));
    const [table] = await load(makeZip([{ name: 'content.xml', content: xml }, MIMETYPE]));
    expect(table!.rows).toEqual([{ name: 'x', amount: '1' }]);
  });

  it('makes as many cells as are repeated, and none of those that hold nothing', async () => {
    const [all, end] = times(16_384, 1_048_576);
    const empty = row(`<table:table-cell${all} table:style-name="code"/>`, end);
    const xml = sheet(
      HEAD + row(text('x') + number(1)) + row(number(7, times(2)[0]), times(1, 3)[1]) + empty.repeat(3000),
    );
    const [table] = await load(book(content(xml)));
    expect(table!.rows.map(({ name, amount }) => [name, amount])).toEqual([['x', '1'], ...Array(3).fill(['7', '7'])]);
  });

  describe('refuses', () => {
    const [wide, long] = times(16_384, 1_048_576);
    const repeated = /unsafe_file: .*repeat cells to more than \d+ .*MAX_SHEET_CELLS/;
    it.each<[string, Buffer, RegExp]>([
      ['a number in every cell', book(content(sheet(row(number(1, wide), long)))), repeated],
      [
        'a text without a type in every cell',
        book(content(sheet(row(`<table:table-cell${wide}><text:p>x</text:p></table:table-cell>`, long)))),
        repeated,
      ],
      [
        'a row repeated a hundred billion times',
        book(content(sheet(row(text('x'), times(1, 99_999_999_999)[1])))),
        repeated,
      ],
      ['a cell repeated four billion times', book(content(sheet(row(number(1, times(4_000_000_000)[0]))))), repeated],
      [
        'the same under another prefix',
        book(
          content(sheet(row(number(1, wide), long)))
            .replaceAll('table:', 't:')
            .replace(':t:1.0', ':table:1.0')
            .replace('xmlns:table=', 'xmlns:t='),
        ),
        repeated,
      ],
      [
        'a cell of 900 million spaces',
        book(content(sheet(row(text('<text:s text:c="900000000"/>'))))),
        /limit_exceeded: .*MAX_TABLE_CELL_KB/,
      ],
      [
        'entities',
        book(content(sheet(HEAD), { before: '<!DOCTYPE x [<!ENTITY a "b">]>' })),
        /unsafe_file: .*document type/,
      ],
      [
        'entities in UTF-16',
        book(
          Buffer.from(
            `\ufeff${content(sheet(HEAD), { before: '<!DOCTYPE x [<!ENTITY a "b">]>', encoding: 'UTF-16' })}`,
            'utf16le',
          ),
        ),
        /unsafe_file: .*document type/,
      ],
      ['elements in elements', book(content(sheet('<table:table-row-group>'.repeat(300)))), /unsafe_file: .*256 deep/],
      ['XML that breaks off', book(content(sheet(HEAD)).slice(0, -20)), /unsupported_file: .*damaged/],
      ['more sheets than are read', book(content(sheet(HEAD).repeat(101))), /limit_exceeded: .*101 sheets.*MAX_SHEETS/],
      [
        'a password',
        book(Buffer.from([1, 2, 3]), [
          { name: 'META-INF/manifest.xml', content: '<manifest:encryption-data manifest:checksum="x"/>' },
        ]),
        /unsupported_file: .*encrypted with a password/,
      ],
      [
        'a password, as newer programs set it',
        makeZip([MIMETYPE, { name: 'encrypted-package', content: 'x' }]),
        /unsupported_file: .*encrypted with a password/,
      ],
    ])('%s', async (_, bytes, message) => {
      await expect(parse(bytes)).rejects.toThrow(message);
    });
  });
});
