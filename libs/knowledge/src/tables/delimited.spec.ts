/** CSV files, real and nasty: every value that is imported against another reader, and against what was written. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import iconv from 'iconv-lite';
import { readCsv } from '../../../../test/support/read-csv';
import { readParquet } from '../../../../test/support/read-parquet';
import { parseFile } from '../parsers/parse-file';
import { importTables } from './import-tables';
import { TABLE_LIMITS, type TableLimits } from './table-input';
import type { ColumnReport } from './table-report';

const VEGA = join(__dirname, '../../../../node_modules/vega-datasets/data');

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'delimited-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function load(content: string | Buffer, name = 'a.csv', limits: Partial<TableLimits> = {}) {
  const path = join(folder, 'source');
  writeFileSync(path, content);
  const bytes = readFileSync(path).subarray(0, 65_536);
  const tables = { ...TABLE_LIMITS, ...limits };
  const document = await parseFile({ name, bytes, path }, { maxPages: 1, tables });
  const imported = await importTables(document.tables ?? [], folder, tables);
  const [table] = imported.tables;
  if (!table) throw new Error('no table was found');
  const column = (name: string) => table.report.columns.find((each) => each.name === name) as ColumnReport;
  return { ...imported, report: table.report, column, rows: await readParquet(join(folder, table.file)) };
}

const types = (columns: readonly ColumnReport[]) => columns.map(({ type }) => type);

describe('files of vega-datasets', () => {
  const files = readdirSync(VEGA).filter((name) => /\.[ct]sv$/.test(name));

  it.each(files)('%s: every value as DuckDB reads it as text', async (name) => {
    const source = readFileSync(join(VEGA, name));
    const { report, rows } = await load(source, name);
    const texts = await asTexts(join(folder, 'source'), name.endsWith('.tsv') ? '\t' : ',');
    expect(rows).toHaveLength(texts.length);
    expect(report.columns.map(({ original }) => original)).toEqual(
      readCsv(
        source
          .toString('utf8')
          .split(/\r?\n/)[0]!
          .replace(/^\ufeff/, '')
          .replaceAll('\t', ','),
      )[0],
    );
    expect(report.warnings).toEqual([]);
    expect([...report.above, ...report.below]).toEqual([]);
    expect(differences(report.columns, rows, (row, at) => texts[row]?.[at] ?? null)).toEqual([]);
  });

  type Thing = Record<string, string | number | boolean | null>;
  const isFlat = (thing: unknown) =>
    typeof thing === 'object' &&
    !!thing &&
    Object.values(thing).every((value) => value === null || typeof value !== 'object');
  const json = readdirSync(VEGA)
    .filter((name) => name.endsWith('.json') && statSync(join(VEGA, name)).size < 1_500_000)
    .map((name) => [name, JSON.parse(readFileSync(join(VEGA, name), 'utf8')) as Thing[]] as const)
    .filter(([, things]) => Array.isArray(things) && things.every(isFlat));

  it('are many', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(json.length).toBeGreaterThan(20);
  });

  it.each(json)('%s, written as CSV: every value as it is in the JSON', async (_, things) => {
    const keys = [...new Set(things.flatMap((thing) => Object.keys(thing)))];
    const line = (cells: readonly unknown[]) =>
      cells
        .map((cell) => (cell === null || cell === undefined ? '' : `"${String(cell).replaceAll('"', '""')}"`))
        .join(',');
    const { report, rows } = await load(
      [line(keys), ...things.map((thing) => line(keys.map((key) => thing[key])))].join('\n'),
    );
    expect(rows).toHaveLength(things.length);
    expect(report.columns.map(({ original }) => original)).toEqual(keys);
    // What is a number in the JSON is one in the table, unless its column has other things or the report says why not.
    for (const [at, { type, decision }] of report.columns.entries()) {
      const kinds = new Set(
        things
          .map((thing) => thing[keys[at]!])
          .filter((value) => value !== null && value !== undefined)
          .map((value) => typeof value),
      );
      if (kinds.size === 1 && kinds.has('number'))
        expect([keys[at], type, decision]).toEqual([
          keys[at],
          expect.stringMatching(/^(?:BIGINT|DECIMAL|DOUBLE)/),
          decision,
        ]);
    }
    const written = (row: number, at: number) => {
      const value = things[row]?.[keys[at] as string] ?? null;
      return value === null || value === '' ? null : String(value);
    };
    expect(differences(report.columns, rows, written)).toEqual([]);
  });
});

describe('a delimited file', () => {
  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['bars', '|'],
    ['commas', ','],
  ])('with %s', async (_, sign) => {
    const lines = [
      ['city', 'people', 'note'],
      ['Málaga', '592346', 'sea, sun; "port"'],
      ['Jaén', '111932', 'oil'],
    ];
    const text = lines
      .map((cells) => cells.map((cell) => (/[;,|"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(sign))
      .join('\r\n');
    const { rows } = await load(text);
    expect(rows).toEqual([
      { city: 'Málaga', people: '592346', note: 'sea, sun; "port"' },
      { city: 'Jaén', people: '111932', note: 'oil' },
    ]);
  });

  it.each(['utf8', 'utf-16le', 'windows-1252', 'iso-8859-15', 'windows-1251', 'utf-16be'])('in %s', async (charset) => {
    const words =
      charset === 'windows-1251'
        ? ['Город', 'Москва', 'Новосибирск', 'Нижний Новгород']
        : ['Ciudad', 'Córdoba', 'Avilés', 'A Coruña'];
    const text = `${words[0]};n\n${words
      .slice(1)
      .map((word, at) => `${word} ${'и и'.slice(0, charset === 'windows-1251' ? 3 : 0)};${at}`)
      .join('\n')}\n`;
    const bytes = iconv.encode(text, charset, { addBOM: charset.startsWith('utf-16') });
    const { rows } = await load(bytes);
    expect(rows.map((row) => Object.values(row)[0]?.replace(/ и и$/, '').trim())).toEqual(words.slice(1));
  });

  it.each([
    ['gbk', '产品名称', /^read as gb18030, told from its bytes; if words look wrong, save the file as UTF-8$/],
    ['windows-1252', 'Córdoba', /^read as windows-1252, told from its bytes/],
    ['utf8', '产品名称', /^$/],
    ['utf-16le', 'Córdoba', /^$/],
  ])('in %s says so where nothing but its bytes tells that', async (charset, word, said) => {
    const bytes = iconv.encode(`id,x\n${`1,${word}\n`.repeat(3000)}`, charset);
    const patient = await load(bytes);
    expect(patient.report.warnings.join()).toMatch(said);
    expect(patient.rows[0]).toEqual({ id: '1', x: word });
    const quick = await load(bytes, 'a.csv', { quickFromBytes: 0 });
    expect(quick.report.warnings).toEqual(patient.report.warnings);
  });

  it('says that its charset is a guess behind what was found in it', async () => {
    const { report } = await load(iconv.encode('city,n\nCórdoba,1\nJaén\n', 'windows-1252'));
    expect(report.warnings).toEqual([
      expect.stringMatching(/^1 row has fewer than 2 cells/),
      expect.stringMatching(/^read as/),
    ]);
  });

  it('with line breaks and quotes in its values', async () => {
    const { rows } = await load('id,text\n1,"two\r\nlines"\n2,"say ""hi"""\n3,5" pipe\n');
    expect(rows.map(({ text }) => text)).toEqual(['two\nlines', 'say "hi"', '5" pipe']);
  });

  it('with a quote that never closes is read without quotes, and says so', async () => {
    const { rows, report } = await load('id,text\n1,"open\n2,plain\n3,more\n');
    expect(rows.map(({ text }) => text)).toEqual(['"open', 'plain', 'more']);
    expect(report.warnings.join()).toMatch(/never closed/);
  });

  it('with rows of unequal length keeps every cell, and says so', async () => {
    const { rows, report } = await load('a,b\n1,2\n3\n4,5,6\n');
    expect(rows).toEqual([
      { a: '1', b: '2', column_3: null },
      { a: '3', b: null, column_3: null },
      { a: '4', b: '5', column_3: '6' },
    ]);
    expect(report.warnings.join()).toMatch(/1 row has fewer than 2 cells.*1 row has more than 2 cells/);
  });

  it('with titles above and totals below', async () => {
    const { report, rows } = await load(
      'Ventas 2024\n\nregión;importe;unidades\nNorte;1.234,50;3\nSur;2.000,00;4\nEste;999,99;5\nTotal;4.234,49;12\n\nFuente: contabilidad\n',
    );
    expect(report).toMatchObject({
      above: ['Ventas 2024'],
      below: ['Total | 4.234,49 | 12', 'Fuente: contabilidad'],
      rowCount: 3,
    });
    expect(types(report.columns)).toEqual(['VARCHAR', 'DECIMAL(18,2)', 'BIGINT']);
    expect(rows[0]).toEqual({ región: 'Norte', importe: '1234.50', unidades: '3' });
  });

  it('with many columns of numbers, in the memory that a parser gives it, and names that memory where it is too little', async () => {
    const wide = (width: number) =>
      Array.from({ length: 301 }, (_, row) =>
        Array.from({ length: width }, (_, at) => (row === 0 ? `c${at}` : row * 1000 + at)).join(','),
      ).join('\n');
    const { report, rows } = await load(wide(300), 'a.csv', { memoryMb: 153 });
    expect(report.columns).toHaveLength(300);
    expect(report.columns[299]).toMatchObject({ type: 'BIGINT', distinct: 300, minimum: '1299', maximum: '300299' });
    expect(rows[0]).toMatchObject({ c0: '1000', c299: '1299' });
    await expect(load(wide(1500), 'a.csv', { memoryMb: 64 })).rejects.toThrow(
      /limit_exceeded: a table of 1500 columns takes more memory .*PARSER_MEMORY_MB/,
    );
  });

  it('of a header alone, of one column, and without a header', async () => {
    expect((await load('a,b,c\n')).report).toMatchObject({
      rowCount: 0,
      columns: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
    expect((await load('city\nLugo\nSoria\n')).rows).toEqual([{ city: 'Lugo' }, { city: 'Soria' }]);
    const bare = await load('1,x,2024-01-01\n2,y,2024-01-02\n3,z,2024-01-03\n');
    expect(bare.report.columns.map(({ name }) => name)).toEqual(['column_1', 'column_2', 'column_3']);
    expect(bare.report.warnings.join()).toMatch(/no header/);
  });

  it.each([
    ['integers beyond 2^53', '9007199254740993\n9007199254740995\n1', 'BIGINT', '9007199254740993'],
    ['integers beyond 2^63', '92233720368547758071\n1\n2', 'DECIMAL(38,0)', '92233720368547758071'],
    ['exact decimals', '0.1\n123456789012.30\n5', 'DECIMAL(18,2)', '0.10'],
    ['decimal commas', '"1,5"\n"1.234,25"\n"7"', 'DECIMAL(18,2)', '1.50'],
    ['thousands by apostrophes', "1'234.50\n12'000\n3", 'DECIMAL(18,2)', '1234.50'],
    ['thousands by spaces', '1 234\n12 000\n3', 'BIGINT', '1234'],
    ['brackets for minus', '(12.50)\n3.25\n4', 'DECIMAL(18,2)', '-12.50'],
    ['percent', '12.5%\n7%\n100%', 'DECIMAL(18,3)', '0.125'],
    ['euros', '"1.234,50 €"\n"3,00 €"\n"4,00 €"', 'DECIMAL(18,2)', '1234.50'],
    ['leading zeros', '007\n12\n99', 'VARCHAR', '007'],
    ['times', '07:30\n18:05:10\n00:00', 'TIME', '07:30:00'],
    ['durations', '36:15:00\n01:00:00\n100:00:30', 'INTERVAL', '36:15:00'],
    [
      'ISO dates with zone',
      '2024-03-01T10:00:00Z\n2024-03-02T10:00:00Z\n2024-03-03T11:30:00Z',
      'TIMESTAMP',
      '2024-03-01 10:00:00',
    ],
    ['Spanish dates', '3 de marzo de 2024\n15 de agosto de 2023\n1 de enero de 2020', 'DATE', '2024-03-03'],
    ['sí and no', 'sí\nno\nSÍ', 'BOOLEAN', 'true'],
    ['wahr and falsch', 'wahr\nfalsch\nwahr', 'BOOLEAN', 'true'],
    ['versions', '1.2.3\n1.2.4\n1.3.0', 'VARCHAR', '1.2.3'],
    ['two currencies', '$5\n€6\n$7', 'VARCHAR', '$5'],
    ['numbers that a float would make infinite', '1.5e309\n1e3\n2', 'VARCHAR', '1.5e309'],
    ['numbers that a float would make nothing', '1.5e-400\n1.5e3\n2', 'VARCHAR', '1.5e-400'],
    ['numbers with exponents', '1.5e-300\n1.5e3\n0.0e0', 'DOUBLE', '1.5e-300'],
    ['codes with an E', '1E5\n2E7\n3E1', 'VARCHAR', '1E5'],
  ])('reads %s', async (_, values, type, first) => {
    const { report, rows } = await load(
      `x;v\n${values
        .split('\n')
        .map((value, at) => `${at};${value}`)
        .join('\n')}\n`.replaceAll('"', ''),
    );
    expect([report.columns[1]?.type, rows[0]?.v]).toEqual([type, first]);
  });

  it('reads dates by the order that the whole column proves, and tells when nothing does', async () => {
    const proven = await load(
      `d,n\n${Array.from({ length: 300 }, (_, at) => `0${(at % 9) + 1}/0${(at % 7) + 1}/2024,${at}`).join('\n')}\n02/28/2024,1\n`,
    );
    expect(proven.column('d')).toMatchObject({ type: 'DATE', decision: 'dates, month first', warnings: [] });
    expect(proven.rows[0]?.d).toBe('2024-01-01');
    const open = await load('d,n\n03/04/2024,1\n05/06/2024,2\n');
    expect(open.column('d').warnings.join()).toMatch(/day first or month first/);
    const both = await load('d,n\n13/04/2024,1\n04/13/2024,2\n');
    expect(both.column('d').type).toBe('VARCHAR');
  });

  it('takes NA for nothing among numbers, and for a text among texts', async () => {
    const { rows, column } = await load('country,n\nNA,1\nES,NA\nFR,-\nDE,\n');
    expect(rows.map(({ country }) => country)).toEqual(['NA', 'ES', 'FR', 'DE']);
    expect(rows.map(({ n }) => n)).toEqual(['1', null, null, null]);
    expect(column('n').missing).toEqual([
      { value: '', count: 1 },
      { value: 'NA', count: 1 },
      { value: '-', count: 1 },
    ]);
    expect(column('country').warnings.join()).toMatch(/NA/);
  });

  it('leaves a column text for one value that does not fit, and names it', async () => {
    const { column } = await load(`n,m\n${Array.from({ length: 50 }, (_, at) => `${at},1`).join('\n')}\nabout 7,1\n`);
    expect(column('n')).toMatchObject({
      type: 'VARCHAR',
      warnings: [expect.stringMatching(/50 of 51.*about 7.*row 52/)],
    });
  });

  it('names it also where it is a date among numbers, or a number among dates', async () => {
    const { column } = await load(
      `n,d\n${Array.from({ length: 50 }, (_, at) => `${at},2024-01-${10 + (at % 9)}`).join('\n')}\n2024-02-29,77\n`,
    );
    expect(column('n').warnings).toEqual([
      expect.stringMatching(/50 of 51 values are numbers.*“2024-02-29” \(row 52\)/),
    ]);
    expect(column('d').warnings).toEqual([expect.stringMatching(/50 of 51 values are dates.*“77” \(row 52\)/)]);
  });

  it('quotes hostile headers into harmless names', async () => {
    const { report } = await load('__proto__,"a"";DROP TABLE x;--",select,constructor,Año\n1,2,3,4,5\n6,7,8,9,10\n');
    expect(report.columns.map(({ name }) => name)).toEqual([
      'proto_',
      'a_drop_table_x',
      'select_',
      'constructor_',
      'año',
    ]);
    expect(report.columns[1]?.original).toBe('a";DROP TABLE x;--');
  });

  it.each([
    ['5,000 columns', () => `${'x,'.repeat(4999)}x\n1\n`, /limit_exceeded: .*columns.*MAX_TABLE_COLUMNS/],
    ['a cell of 2 MB', () => `a,b\n1,${'x'.repeat(2_000_000)}\n`, /limit_exceeded: .*cell.*MAX_TABLE_CELL_KB/],
    ['a quoted cell of 2 MB', () => `a,b\n1,"${'x'.repeat(2_000_000)}"\n`, /limit_exceeded: .*cell.*MAX_TABLE_CELL_KB/],
  ])('of %s is refused', async (_, content, error) => {
    await expect(load(content())).rejects.toThrow(error);
  });

  it('of more rows than are taken is refused', async () => {
    await expect(load('a\n1\n2\n3\n4\n', 'a.csv', { maxRows: 3 })).rejects.toThrow(/limit_exceeded: .*MAX_TABLE_ROWS/);
  });

  it('leaves nothing in its folder but the table', async () => {
    await load('a,b\n1,2\n');
    expect(readdirSync(folder).sort()).toEqual(['0.parquet', 'source']);
  });
});

describe('a large and orderly file', () => {
  const rows = (count: number, late: Record<number, string> = {}) =>
    Array.from(
      { length: count },
      (_, at) =>
        late[at] ??
        `${at},${String(at % 977).padStart(5, '0')},Café ${at % 100},${(at * 7) / 100},2024-01-${String((at % 28) + 1).padStart(2, '0')} 10:00:0${at % 10},${at % 2 ? 'yes' : 'no'}`,
    );
  const QUICK = { quickFromBytes: 1000 };
  const head = 'id,zip,place,amount,at,open';

  it('is taken by the quick reader, with the same values as by the row-by-row one', async () => {
    const text = `${head}\n${rows(15_000).join('\n')}\n`;
    const quick = await load(text, 'a.csv', QUICK);
    expect(quick.column('id').evidence).toMatch(/held against every value/);
    // A form feed at the end is enough for the row-by-row one.
    const patient = await load(text.replace(/\n$/, '\n\f\n'), 'b.csv', QUICK);
    expect(patient.column('id').evidence).not.toMatch(/held against/);
    expect(types(quick.report.columns)).toEqual([
      'BIGINT',
      'VARCHAR',
      'VARCHAR',
      'DECIMAL(18,2)',
      'TIMESTAMP',
      'BOOLEAN',
    ]);
    expect(types(patient.report.columns)).toEqual(types(quick.report.columns));
    expect(quick.rows).toHaveLength(15_000);
    expect(quick.rows).toEqual(patient.rows.slice(0, 15_000));
    const counts = ({ nulls, missing, samples }: ColumnReport) => ({ nulls, missing, samples });
    expect(quick.report.columns.map(counts)).toEqual(patient.report.columns.map(counts));
  });

  const spanish = (count: number, late: Record<number, string> = {}) =>
    Array.from({ length: count }, (_, at) => {
      const [day, month] = [String((at % 28) + 1).padStart(2, '0'), String((at % 12) + 1).padStart(2, '0')];
      return (
        late[at] ??
        `${at};6${String(at).padStart(8, '0')};Señal ${at % 9};${at % 3 ? '' : '-'}${1 + (at % 900)}.${String(at % 1000).padStart(3, '0')},${String(at % 100).padStart(2, '0')} €;${at % 100},5 %;${day}/${month}/2024;${day}/${month}/2024 ${at % 24}:0${at % 10};${at % 2 ? 'sí' : 'no'};`
      );
    });
  const spanishHead = ['Informe de señales', '', 'id;teléfono;señal;importe;descuento;fecha;alta;pagado;'];
  const below = ['Total;;;1.000,00 €;;;;;', '', 'Fuente: contabilidad'];

  it.each([
    ['utf8', '\n'],
    ['utf8', '\r\n'],
    ['windows-1252', '\r\n'],
    ['utf-16le', '\n'],
  ])('with decimal commas, days first and totals below is one, in %s with %j', async (charset, newLine) => {
    const text = [...spanishHead, ...spanish(9000), ...below].join(newLine);
    const bytes = iconv.encode(text, charset, { addBOM: charset === 'utf-16le' });
    const quick = await load(bytes, 'a.csv', QUICK);
    const patient = await load(bytes, 'a.csv');
    expect(quick.column('importe').evidence).toMatch(/held against every value/);
    expect(patient.column('importe').evidence).not.toMatch(/held against/);
    expect(types(quick.report.columns)).toEqual([
      ...['BIGINT', 'VARCHAR', 'VARCHAR', 'DECIMAL(18,2)', 'DECIMAL(18,3)', 'DATE', 'TIMESTAMP', 'BOOLEAN'],
    ]);
    expect(quick.report).toMatchObject({
      rowCount: 9000,
      above: ['Informe de señales'],
      below: ['Total | 1.000,00 €', 'Fuente: contabilidad'],
      warnings: patient.report.warnings,
    });
    const facts = ({ type, unit, nulls, missing, samples, values, warnings }: ColumnReport) => ({
      ...{ type, unit, nulls, missing, samples, values, warnings },
    });
    expect(quick.report.columns.map(facts)).toEqual(patient.report.columns.map(facts));
    expect(quick.rows).toEqual(patient.rows);
    expect(readFileSync(join(folder, 'source')).equals(bytes)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['0.parquet', 'source']);
  });

  it.each([
    ['an amount without its sign', '1;600000000;a;12,50;1 %;01/02/2024;01/02/2024 10:00;no;', 'DECIMAL(18,2)', '12.50'],
    ['an amount in brackets', '1;600000000;a;(12,50 €);1 %;01/02/2024;01/02/2024 10:00;no;', 'DECIMAL(18,2)', '-12.50'],
    ['a point that is no comma', '1;600000000;a;12.5 €;1 %;01/02/2024;01/02/2024 10:00;no;', 'VARCHAR', '12.5 €'],
    ['another currency', '1;600000000;a;$12,50;1 %;01/02/2024;01/02/2024 10:00;no;', 'VARCHAR', '$12,50'],
    ['a second decimal', '1;600000000;a;12,505 €;1 %;01/02/2024;01/02/2024 10:00;no;', 'DECIMAL(18,3)', '12.505'],
  ])('of that kind is read right although %s comes late', async (_, late, type, value) => {
    const text = [...spanishHead, ...spanish(9000, { 7777: late })].join('\r\n');
    const { column, rows: all } = await load(text, 'a.csv', QUICK);
    expect([column('importe').type, all[7777]?.importe]).toEqual([type, value]);
    expect(all).toHaveLength(9000);
  });

  it.each([
    ['\n', ''],
    ['\r\n', '\n'],
  ])('tells how many blank rows were left out, with %j between lines and %j at the end', async (newLine, end) => {
    const [filled, several] = [spanish(6000), spanish(200)];
    const quoted = several.map((line) =>
      line.replace('Señal', `"two${newLine}${newLine}lines`).replace(/(lines \d)/, '$1"'),
    );
    const blank = ['', ';;;;;;;;', ' ; ;\u00a0;;;;;;', '', `"${newLine}";;;;;;;;`, '', ''];
    const text = [...spanishHead, ...filled, ...blank, ...quoted, ...blank, ...filled].join(newLine) + end;
    const quick = await load(text, 'a.csv', QUICK);
    const patient = await load(text, 'a.csv');
    expect(quick.column('importe').evidence).toMatch(/held against every value/);
    expect(quick.report.warnings).toEqual([expect.stringMatching(/^1 column/), '14 blank rows left out']);
    expect(patient.report.warnings).toEqual([expect.stringMatching(/^1 column/), '14 blank rows left out']);
    expect(quick.rows).toEqual(patient.rows);
  });

  it('tells rows among the data that look like totals, and takes none of them for the end', async () => {
    const line = (label: string) => `${label};600000000;a;12,50 €;1 %;01/02/2024;01/02/2024 10:00;no;`;
    const [, ...columns] = spanish(9000).map((each) => each.replace(/^\d+/, (id) => `n${id}`));
    const text = [...spanishHead, ...columns.slice(0, 5000), line('Total'), ...columns.slice(5000), line('Total')];
    const { report, rows: all } = await load(text.join('\n'), 'a.csv', QUICK);
    expect(report.warnings.join()).toMatch(/look like totals are among the data: 5004/);
    expect([all.length, report.below]).toEqual([9001, []]);
  });

  /** Long enough that the row in question is not among those that the guess looks at. */
  const filler = 'lorem ipsum dolor sit amet '.repeat(18);
  const wide = (line: (at: number) => string, late: string) =>
    [
      'id,a,b,note',
      ...Array.from({ length: 6000 }, (_, at) => (at === 5600 ? late : `${at},${line(at)},${filler}`)),
    ].join('\n');
  const ambiguous = (at: number) => `"${(at % 9) + 1},234"`;
  const euros = (at: number) => `${(at % 9) + 1}.${100 + (at % 900)},${10 + (at % 90)}`;
  const shortDays = (at: number) => `0${(at % 9) + 1}/0${(at % 8) + 1}/2024`;

  it.each<[string, (at: number) => string, string]>([
    ['an hour that no clock shows', (at) => `1,2024-01-01 10:00:${10 + (at % 50)}`, '1,1,2024-01-01 24:00:00,x'],
    ['a day without an end', (at) => `1,2024-01-${10 + (at % 20)}`, '1,1,infinity,x'],
    ['a moment without an end', (at) => `1,2024-01-01 10:00:${10 + (at % 50)}`, '1,1,infinity,x'],
    ['a day that no month has', (at) => `1,2024-01-01 10:00:${10 + (at % 50)}`, '1,1,2024-02-31 10:00:00,x'],
    ['a T in a moment', (at) => `1,2024-01-01 10:00:${10 + (at % 50)}`, '1,1,2024-01-01T10:00:00,x'],
    ['a moment before the year 1000', (at) => `1,2024-01-01 10:00:${10 + (at % 50)}`, '1,1,0987-01-01 10:00:00,x'],
    ['a point with nothing behind', (at) => `${at}.${10 + (at % 90)},x`, '1,5.,x,x'],
    ['an exponent', (at) => `${at}.${10 + (at % 90)},x`, '1,5e1,x,x'],
    ['a minus before nothing', (at) => `${at}.${10 + (at % 90)},x`, '1,-0,x,x'],
    ['a decimal without its zero', (at) => `${at}.${10 + (at % 90)},x`, '1,.5,x,x'],
    ['another space before the unit', (at) => `"${euros(at)}\u00a0€",x`, '1,"1.234,56\u202f€",x,x'],
    ['a unit in front', (at) => `"${euros(at)} €",x`, '1,"€ 1.234,56",x,x'],
    ['spaces between thousands', (at) => `"${euros(at)} €",x`, '1,"1 234,56 €",x,x'],
    ['a percentage without its sign', (at) => `"${at % 50},5 %",x`, '1,"7,5",x,x'],
    ['a percentage with more decimals', (at) => `"${at % 50},5 %",x`, '1,"7,505\u00a0%",x,x'],
    ['a number of nineteen digits', (at) => `${at},x`, '1,1234567890123456789,x,x'],
    ['a number of eighteen digits', (at) => `${at},x`, '1,-123456789012345678,x,x'],
    ['a row of nothing but spaces', (at) => `${at},x`, ' , , ,\u00a0'],
    ['the only yes', () => 'N,1', '1,Y,1,x'],
    ['a text in codes with decimal commas', (at) => `"0${10 + (at % 90)},5",${ambiguous(at)}`, '1,abc,"1,234",x'],
    ['a decimal comma in codes', (at) => `0${10 + (at % 90)},${ambiguous(at)}`, '1,"0012,5","1,234",x'],
    ['a decimal comma in two currencies', (at) => `${at % 2 ? '€' : '$'}5,${ambiguous(at)}`, '1,"€1,5","1,234",x'],
    ['a text among numbers and dates', (at) => `${at % 2 ? '01/25/2024' : 7},${shortDays(at)}`, '1,abc,01/02/2024,x'],
    [
      'a proof among numbers and dates',
      (at) => `${at % 2 ? '01/05/2024' : 7},${shortDays(at)}`,
      '1,01/25/2024,01/02/2024,x',
    ],
  ])('is read as it is row by row although %s comes where nobody looked', async (_, line, late) => {
    const quick = await load(wide(line, late), 'a.csv', QUICK);
    const patient = await load(wide(line, late), 'a.csv', { quickFromBytes: Infinity });
    expect(types(quick.report.columns)).toEqual(types(patient.report.columns));
    expect(quick.rows.filter((row, at) => JSON.stringify(row) !== JSON.stringify(patient.rows[at]))).toEqual([]);
    expect(quick.rows).toHaveLength(patient.rows.length);
  });

  it('leaves numbers of 19 digits in a DECIMAL also where others have thousands', async () => {
    const text = wide((at) => `1,"${1 + (at % 9)},234,${100 + (at % 900)}"`, '1,1,9223372036854775807,x');
    const quick = await load(text, 'a.csv', QUICK);
    const patient = await load(text, 'a.csv', { quickFromBytes: Infinity });
    expect(types(quick.report.columns)).toContain('DECIMAL(38,0)');
    expect(types(quick.report.columns)).toEqual(types(patient.report.columns));
    expect(quick.rows).toEqual(patient.rows);
  });

  it('has the different values of its columns counted, or estimated where they are too many', async () => {
    const unique = (at: number) => Array.from({ length: 9 }, (_, place) => at * (place + 1)).join(',');
    // Seven of them are among the columns that one query looks at.
    const text = [`${head},a,b,c,d,e,f,g,h,i`, ...rows(150_000).map((row, at) => `${row},${unique(at)}`)].join('\n');
    const { column } = await load(text, 'a.csv', QUICK);
    const different = (name: string) => [column(name).distinct, column(name).distinctIsEstimate ?? false];
    expect(['id', 'zip', 'place', 'at', 'open', 'i'].map(different)).toEqual([
      [150_000, false],
      [977, false],
      [100, false],
      [140, false],
      [2, false],
      [expect.any(Number), true],
    ]);
    expect(column('open').values).toEqual([
      { value: 'false', count: 75_000 },
      { value: 'true', count: 75_000 },
    ]);
    expect(Math.abs(column('i').distinct - 150_000)).toBeLessThan(75_000);
  });

  it.each([500, 2000, 9000])('has its first %d rows as text, however long they are', async (maxTextRows) => {
    const text = wide((at) => `${at},"é${at}"`, '\n1,1,"two\nlines",x');
    const quick = await load(text, 'a.csv', { ...QUICK, maxTextRows });
    const patient = await load(text, 'a.csv', { quickFromBytes: Infinity, maxTextRows });
    expect(quick.column('id').evidence).toMatch(/held against every value/);
    expect(quick.blocks).toEqual(patient.blocks);
  });

  it('is held against the limit of cells', async () => {
    const text = wide((at) => `${at},x`, `1,1,x,${'y'.repeat(200_000)}`);
    await expect(load(text, 'a.csv', { ...QUICK, maxCell: 100 * 1024 })).rejects.toThrow(
      /row 5602 .*MAX_TABLE_CELL_KB/,
    );
  });

  it.each([
    ['a number with more decimals', '77777,00001,x,1.2345,2024-01-01 10:00:00,yes', { amount: 'DECIMAL(18,4)' }],
    ['a number with a leading zero', '077777,00001,x,1.2,2024-01-01 10:00:00,yes', { id: 'VARCHAR' }],
    ['a sign for nothing', 'NA,00001,x,1.2,2024-01-01 10:00:00,yes', { id: 'BIGINT' }],
    ['a text among numbers', 'none yet,00001,x,1.2,2024-01-01 10:00:00,yes', { id: 'VARCHAR' }],
    ['a third answer', '77777,00001,x,1.2,2024-01-01 10:00:00,maybe', { open: 'VARCHAR' }],
    ['a row that is too long', '77777,00001,x,1.2,2024-01-01 10:00:00,yes,more', { column_7: 'VARCHAR' }],
  ])('is read right although %s comes late', async (_, late, expected) => {
    const { report, rows: all } = await load(`${head}\n${rows(15_000, { 11_111: late }).join('\n')}\n`, 'a.csv', QUICK);
    const [name, type] = Object.entries(expected)[0] as [string, string];
    expect(report.columns.find((each) => each.name === name)?.type).toBe(type);
    expect(all).toHaveLength(15_000);
    const written = late.split(',');
    const values = Object.values(all[11_111] as object);
    expect(values.map((value, at) => (at === 3 ? String(Number(value)) : value))).toEqual(
      written.map((value, at) => (value === 'NA' ? null : at === 5 && value !== 'maybe' ? 'true' : value)),
    );
  });
});

/** Another reader: DuckDB's own, every value as text. */
async function asTexts(file: string, sign: string): Promise<(string | null)[][]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `SELECT * FROM read_csv('${file}', all_varchar=true, header=true, delim='${sign}')`,
  );
  const rows = reader.getRows() as (string | null)[][];
  connection.closeSync();
  instance.closeSync();
  return rows;
}

/** What the table has otherwise than it was written, but for what the report says of missing values. */
function differences(
  columns: readonly ColumnReport[],
  rows: readonly Record<string, string | null>[],
  written: (row: number, at: number) => string | null,
): unknown[] {
  return rows.flatMap((row, line) =>
    columns.flatMap((column, at) => {
      const text = written(line, at);
      const value = row[column.name] ?? null;
      return sameValue(column, text, value) ? [] : [{ line, column: column.original, text, value }];
    }),
  );
}

function sameValue({ type, missing }: ColumnReport, text: string | null, value: string | null): boolean {
  if (value === null) return text === null || missing.some((each) => each.value === text.trim());
  if (text === null) return false;
  if (type === 'VARCHAR') return text === value;
  if (type === 'DOUBLE') return Number(text) === Number(value);
  if (/^(DATE|TIMESTAMP)/.test(type)) return Date.parse(`${text.replace('T', ' ')} UTC`) === Date.parse(`${value} UTC`);
  if (type === 'BOOLEAN') return text.toLowerCase() === value;
  // "-566,000": the report says that commas are thousands separators.
  return trim(/^-?\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text) === trim(value);
}

const trim = (number: string) =>
  (number.includes('.') ? number.replace(/\.?0+$/, '') : number).replace(/^-0$/, '0').replace(/^(-?)\./, '$10.');
