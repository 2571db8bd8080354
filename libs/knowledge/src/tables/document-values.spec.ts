/** What tables in documents become: the types of their columns, their values, and what the report says of both. */
import { TABLE_LIMITS } from './table-input';
import { documentTables } from './document-tables';
import { draftTable } from './table-draft';
import { parseFile } from '../parsers/parse-file';

async function read(name: string, text: string) {
  const document = await parseFile({ name, bytes: Buffer.from(text) }, { maxPages: 10 });
  return documentTables(document, TABLE_LIMITS).map((input) => {
    const { columns, dataFrom, warnings, below } = draftTable(input, TABLE_LIMITS);
    const rows = [...input.rows()].slice(dataFrom).map(({ cells }) => cells);
    return {
      columns: columns.map(({ original, plan }) => [original, plan.type]),
      values: columns.map(({ at, plan }) => rows.map((cells) => plan.write(cells[at] ?? ''))),
      warnings: [...warnings, ...columns.flatMap(({ plan }) => plan.warnings)],
      below,
    };
  });
}

const html = (...rows: readonly string[]) =>
  `<h1>Doc</h1><table><tr><th>Thing</th><th>Value</th></tr>${rows
    .map((value, at) => `<tr><td>thing ${at}</td><td>${value}</td></tr>`)
    .join('')}</table>`;
const markdown = (...rows: readonly string[]) =>
  `# Doc\n\n| Thing | Value |\n| --- | --- |\n${rows.map((value, at) => `| thing ${at} | ${value} |`).join('\n')}\n`;

describe.each([
  ['HTML', 'a.html', html],
  ['Markdown', 'a.md', markdown],
])('of %s', (_, name, write) => {
  const values = async (...rows: readonly string[]) => {
    const [table] = await read(name, write(...rows));
    return { type: table?.columns[1]?.[1], values: table?.values[1] };
  };

  it('figures above the line are not read on with those before', async () => {
    expect(await values('1234<sup>1</sup>', '10<sup>6</sup>', '99')).toEqual({
      type: 'VARCHAR',
      values: ['1234¹', '10⁶', '99'],
    });
    expect(await values('1234<sup>1,2</sup>', '5<sub>10000</sub>', '7<sup><b>3</b></sup>')).toEqual({
      type: 'VARCHAR',
      values: ['1234¹,²', '5₁₀₀₀₀', '7³'],
    });
  });

  it('two lines of a cell are not one number, and words are not parted', async () => {
    expect(await values('100<br>200', '300<br/>400', '5')).toEqual({
      type: 'VARCHAR',
      values: ['100\n200', '300\n400', '5'],
    });
    expect(await values('New<br>York', 'a 1<br>b 2', 'c')).toEqual({
      type: 'VARCHAR',
      values: ['New York', 'a 1 b 2', 'c'],
    });
  });

  it('what is crossed out is not read on with what holds', async () => {
    expect(await values('<s>100</s> 900', '<del>300</del> 250', '<s>7</s>')).toEqual({
      type: 'VARCHAR',
      values: ['~~100~~ 900', '~~300~~ 250', '~~7~~'],
    });
  });

  it('bars and backslashes stay as they are', async () => {
    expect(await values('a&#124;b', 'C:&#92;', '&#92;&#124;')).toEqual({
      type: 'VARCHAR',
      values: ['a|b', 'C:\\', '\\|'],
    });
  });
});

describe('of HTML, the report says', () => {
  it('that a number merged over rows counts for each of them', async () => {
    const [table] = await read(
      'a.html',
      '<table><tr><th>Team<th>Who<th>Budget<tr><td rowspan=2>X<td>a<td rowspan=2>100<tr><td>b<tr><td>Y<td>c<td>50</table>',
    );
    expect(table?.values[2]).toEqual(['100', '100', '50']);
    expect(table?.warnings).toContain(
      'merged cells with figures hold for every row they reach over (1 cell): a sum counts them once for each row',
    );
  });

  it('that a text across the table is among the rows, which keeps the columns what they are', async () => {
    const [table] = await read(
      'a.html',
      '<table><tr><th>Country<th>2020<th>2021<tr><th colspan=3>Europe<tr><td>ES<td>1<td>2<tr><th>Country<th>2020<th>2021' +
        '<tr><th colspan=3>Asia<tr><td>JP<td>3<td>4</table>',
    );
    expect(table?.columns).toEqual([
      ['Country', 'VARCHAR'],
      ['2020', 'BIGINT'],
      ['2021', 'BIGINT'],
    ]);
    expect(table?.values[0]).toEqual(['Europe', 'ES', 'Asia', 'JP']);
    expect(table?.warnings).toEqual([
      'headings that stand again among the rows are left out (1 row)',
      'a text across the table is a row of its own, as if it were data (2 rows): a count of rows counts it',
    ]);
  });

  it('that a value over several columns stands in the first', async () => {
    const [table] = await read(
      'a.html',
      '<table><tr><th>A<th>B<th>C<tr><td>x<td colspan=2>5<tr><td>y<td>6<td>7<tr><td>z<td>8<td>9</table>',
    );
    expect(table?.values.slice(1)).toEqual([
      ['5', '6', '8'],
      [undefined, '7', '9'],
    ]);
    expect(table?.warnings).toEqual([
      'cells merged over columns stand in the first of them, the others are NULL (1 cell)',
    ]);
  });
});

describe('columns are not taken for numbers or dates', () => {
  const column = async (header: string, ...cells: readonly string[]) => {
    const [table] = await read('a.html', html(...cells).replace('Value', header));
    return { type: table?.columns[1]?.[1], values: table?.values[1], warnings: table?.warnings };
  };

  it.each([
    ['Version', ['1.9', '1.10', '1.2']],
    ['Firmware version', ['1.2.10', '1.10.12', '1.3.11']],
    ['Versión', ['2023.1.10', '2023.10.2', '2022.4.4']],
    ['Section', ['1.9', '1.10', '2']],
  ])('that are versions: %s %j', async (header, cells) => {
    expect(await column(header, ...cells)).toEqual({ type: 'VARCHAR', values: cells, warnings: [] });
  });

  it.each([
    ['Version', ['1', '2', '3'], 'BIGINT'],
    ['Version date', ['2024-01-05', '2024-02-05'], 'DATE'],
    ['Cross section', ['1.9', '1.10'], 'DECIMAL(18,2)'],
    ['Release', ['2024-01-05', '2024-02-05'], 'DATE'],
  ])('but %s %j is', async (header, cells, type) => {
    expect((await column(header, ...cells)).type).toBe(type);
  });

  it('that say where north is', async () => {
    expect((await column('Hemisphere', 'N', 'S', 'N')).type).toBe('VARCHAR');
    expect((await column('Activo', 'N', 'S', 'N')).type).toBe('BOOLEAN');
  });

  it('or it is said, where all stand in brackets', async () => {
    const said = expect.stringMatching(/^all values stand in brackets/) as string;
    expect(await column('Ref', '(1)', '(2)')).toEqual({ type: 'BIGINT', values: ['-1', '-2'], warnings: [said] });
    expect((await column('Profit', '(1)', '2')).warnings).toEqual([]);
  });
});
