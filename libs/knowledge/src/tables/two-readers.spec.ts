/** Large CSV files by both readers: the table and what its report says have to be the same. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../../../test/fuzz/random';
import { readParquet } from '../../../../test/support/read-parquet';
import { parseFile } from '../parsers/parse-file';
import { importTables } from './import-tables';
import { TABLE_LIMITS } from './table-input';
import type { ColumnReport } from './table-report';

const ROWS = 2000;
/** Long enough that the quick reader does not look at every row before it guesses. */
const FILLER = 'lorem ipsum dolor sit amet '.repeat(20);

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'two-readers-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function load(content: string | Buffer, { quick }: { quick: boolean }) {
  const path = join(folder, 'source');
  writeFileSync(path, content);
  const tables = { ...TABLE_LIMITS, quickFromBytes: quick ? 1000 : Infinity };
  const bytes = readFileSync(path).subarray(0, 65_536);
  const document = await parseFile({ name: 'a.csv', bytes, path }, { maxPages: 1, tables });
  const { tables: imported, blocks } = await importTables(document.tables ?? [], folder, tables);
  const { report, file } = imported[0]!;
  const isQuick = report.columns.some(({ evidence }) => evidence.includes('all over the file'));
  const column = (name: string) => report.columns.find((each) => each.name === name) as ColumnReport;
  return { report, blocks, isQuick, column, rows: await readParquet(join(folder, file)) };
}

type Loaded = Awaited<ReturnType<typeof load>>;

/** All that both have to say in the same words. */
function facts({ report, rows, blocks }: Loaded) {
  const columns = report.columns.map(({ evidence: _, decision, warnings, missing, ...rest }) => ({
    ...rest,
    // Signs that are as frequent as one another come in the order in which they were met.
    missing: [...missing].sort((one, other) => (one.value < other.value ? -1 : 1)),
    // Of texts the quick one knows only from its samples what else they could have been.
    ...(rest.type !== 'VARCHAR' && { decision }),
    warnings: warnings.filter((warning) => !warning.includes('the column is text because of')).map(inOrder),
  }));
  const warnings = report.warnings.map((each) => each.replace(/(among the data: )[^;]*/, '$1'));
  return { ...report, columns, warnings, rows, blocks };
}

const inOrder = (warning: string) =>
  warning.includes('no value: ') ? warning.split(/: |, /).sort().join() : warning.replace(/“[^”]*”/, '');

const wide = (line: (at: number) => string, late: string) =>
  [
    'id,a,b,note',
    ...Array.from({ length: ROWS }, (_, at) => (at === 1870 ? late : `${at},${line(at)},${FILLER}`)),
  ].join('\n');

describe('what nobody looked at before the guess', () => {
  it.each<[string, (at: number) => string, string, string[]]>([
    ['an empty column before', (at) => `,Café ${at % 70}`, ',,y,y', []],
    ['a column of empty quotes', (at) => `"",${at}`, '1,"",1,x', []],
    [
      'a sign for nothing among texts',
      (at) => `Café ${at},x`,
      '1, NA ,x,x',
      ['kept as text although it may mean that there is no value: “NA” (1)'],
    ],
    [
      'white space at the end of a text',
      (at) => `Café ${at},x`,
      '1,Café\u00a0,x,x',
      ['1 value begins or ends with white space, which is kept'],
    ],
    [
      'white space before a code',
      (at) => `0${10_000 + at},x`,
      '1," 04242",x,x',
      ['1 value begins or ends with white space, which is kept'],
    ],
    [
      'no value among texts of few kinds',
      (at) => `${at % 2 ? 'red' : 'blue'},x`,
      '1,n/a,x,x',
      ['kept as text although it may mean that there is no value: “n/a” (1)'],
    ],
  ])('is told as it is row by row: %s', async (_, line, late, warnings) => {
    const text = wide(line, late);
    const quick = await load(text, { quick: true });
    expect(quick.isQuick).toBe(true);
    expect(quick.column('a').warnings).toEqual(warnings);
    expect(facts(quick)).toEqual(facts(await load(text, { quick: false })));
  });

  it('is left to the patient reader where it stands in more columns than the header', async () => {
    const text = wide((at) => `${at},x`, `1,1,x,x`)
      .replace('note', 'note,')
      .replaceAll(FILLER, `${FILLER},`)
      .replace('1,1,x,x', '1,1,x,x,7');
    const { report, column } = await load(text, { quick: true });
    expect(report.warnings).toEqual([expect.stringMatching(/^1 row has more than 4 cells \(first in row 1872\)/)]);
    expect(column('column_5')).toMatchObject({ type: 'BIGINT', nulls: ROWS - 1 });
  });

  it('is numbered by lines where rows that look like totals are lines, and the report says where they are not', async () => {
    const text = wide((at) => `x${at},x`, `Total,1,x,x`);
    const warning = async (text: string) => (await load(text, { quick: true })).report.warnings.join();
    expect(await warning(text)).toMatch(/look like totals are among the data: 1872; a sum/);
    expect(await warning(text.replace('\n9,', '\n\n\n9,'))).toMatch(/: 1872 \(counted without blank rows .*\); a sum/);
  });

  it('is told to be a total where it is called after the group above it, and only there', async () => {
    const lines = Array.from({ length: ROWS }, (_, at) => `Group ${Math.floor(at / 400)},${at},${FILLER}`);
    lines[800] = `Group 1 Total,5,${FILLER}`;
    lines[1201] = `Total Group 3,5,${FILLER}`;
    lines[1202] = `Group 2 total:,5,${FILLER}`;
    lines[1203] = `Group 1 Total,5,${FILLER}`;
    lines[1204] = `Total Oil,5,${FILLER}`;
    lines[1205] = `Sum North,5,${FILLER}`;
    const text = ['a,b,note', ...lines].join('\n');
    const rowByRow = await load(text, { quick: false });
    const quick = await load(text, { quick: true });
    expect(quick.isQuick).toBe(true);
    expect(quick.report.warnings).toEqual([
      'rows that look like totals are among the data: 802, 1203; a sum over all rows counts them too',
    ]);
    expect(quick.report.warnings).toEqual(rowByRow.report.warnings);
  });
});

describe('a byte that is no UTF-8', () => {
  it.each([100, 1900])('in row %d of a file of it is told', async (row) => {
    const text = Buffer.from(wide((at) => `Café ${at},x`, '1,1,x,x'));
    text[text.indexOf(`Café ${row},`) + 1] = 0xff;
    const { report, rows } = await load(text, { quick: true });
    expect(report.warnings).toEqual(['some bytes are no UTF-8 as the rest is; \ufffd stands in their places']);
    expect(rows[row]).toMatchObject({ a: `C\ufffdfé ${row}` });
  });
});

describe('columns of any kind, with surprises', () => {
  const two = (number: number) => String(number).padStart(2, '0');
  const euros = (cents: number) =>
    `${String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, '.')},${two(cents % 100)}`;
  const KINDS: readonly ((random: Random, at: number) => string)[] = [
    (_, at) => String(at),
    (random) => two(random.below(90_000)).padStart(5, '0'),
    (random) => String(random.below(2 ** 31) * 2 ** 21),
    (random) => `${random.chance(0.2) ? '-' : ''}${random.below(9e6) / 100}`,
    (random) => `${euros(random.below(9e6))} €`,
    (random) => `${random.below(100)},${random.below(10)} %`,
    (random) => (random.chance(0.2) ? `(${random.below(999)})` : `${random.below(999)}`),
    (random) => `2024-${two(1 + random.below(12))}-${two(1 + random.below(28))}`,
    (random) => `${two(1 + random.below(28))}/${two(1 + random.below(12))}/24 ${random.below(24)}:30`,
    (random) => `2024-01-0${1 + random.below(9)}T${two(random.below(24))}:00:00Z`,
    (random) => `${random.below(12)}:${two(random.below(60))}:00`,
    (random) => random.pick(['sí', 'no']),
    (random) => random.pick(['red', 'two\nlines', 'say "hi"', 'Café', 'a;b', '東京']),
    (random) => random.pick(['', '', `${random.below(9)}.5e${random.below(9)}`]),
  ];
  const SURPRISES = [
    ...[
      'NA',
      '-',
      ' n/a',
      '',
      ' ',
      '\u00a0',
      '0',
      '-0',
      '007',
      '+5',
      '.5',
      '5.',
      '1e5',
      '1.234',
      '1,234',
      '5 %',
      '$5',
      '5-',
    ],
    ...[
      '−5',
      '1 234',
      "1'234",
      '999999999999999999',
      '9223372036854775808',
      '1234567890.123456789',
      '13/12/2024',
      '12/13/2024',
    ],
    ...[
      '2024-02-30',
      '2024-01-01',
      '10:00',
      '24:00:00',
      '25:61:00',
      'infinity',
      'NaN',
      'yes',
      'NO',
      'abc',
      ' x',
      'x\t',
      '5\u202f€',
    ],
    ...['Total', 'a"b', 'a\r\nb', '٣', '\ufeff1', 'x'.repeat(300), '1'.repeat(40)],
  ];

  const quoted = (cell: string) => (/[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

  function made(random: Random): string {
    const kinds = Array.from({ length: 3 }, () => random.pick(KINDS));
    const rows = Array.from({ length: ROWS }, (_, at) => [...kinds.map((kind) => kind(random, at)), FILLER]);
    for (let left = random.below(4); left > 0; left--) {
      rows[random.pick([ROWS - 1, 300 + random.below(ROWS - 300)])]![random.below(3)] = random.pick(SURPRISES);
    }
    const lines = rows.map((cells) => cells.map(quoted).join(';'));
    if (random.chance(0.3)) lines.splice(random.below(ROWS), 0, random.pick(['', ';;;', ' ;;;\u00a0']));
    if (random.chance(0.3)) lines.push('Total;5;;', '', 'Fuente: nosotros');
    const newLine = random.pick(['\n', '\r\n']);
    return ['clave;importe;fecha;nota', ...lines].join(newLine) + random.pick(['', newLine]);
  }

  it.each(Array.from({ length: 12 }, (_, at) => 4700 + at))('are the same by both, seed %d', async (seed) => {
    const text = made(new Random(seed));
    expect(facts(await load(text, { quick: true }))).toEqual(facts(await load(text, { quick: false })));
  });
});
