import type { Row } from './cell';
import { isTotal, layoutHead, tailRows } from './table-layout';

/** The delimiter is a bar. */
const rows = (...lines: string[]): Row[] =>
  lines.map((line, at) => ({ cells: line.split('|').map((cell) => cell.trim()), number: at + 1 }));

describe('the head of a table', () => {
  const head = (...lines: string[]) => layoutHead(rows(...lines));

  it('is a row of words over values', () => {
    expect(head('name|amount', 'a|1', 'b|2')).toMatchObject({
      above: 0,
      header: 1,
      width: 2,
      names: ['name', 'amount'],
    });
  });

  it('is not there where the first row is one of values', () => {
    expect(head('a|1', 'b|2', 'c|3')).toMatchObject({
      header: 0,
      names: ['', ''],
      warnings: ['no header row was found; the columns are numbered'],
    });
  });

  it('is not there where all words of the first row occur below', () => {
    expect(head('red|small', 'red|large', 'blue|small', 'red|small').header).toBe(0);
    expect(head('red|small', 'blue|large', 'green|large', 'red|large').header).toBe(1);
  });

  it('is not there where the first row names less than half of the columns', () => {
    const below = ['1|2|3|4|5|6|7', '2|3|4|5|6|7|8'];
    expect(head('a|b|c||||', ...below).header).toBe(0);
    expect(head('a|b|c|d|||', ...below).header).toBe(1);
  });

  it('has years as headings where the values below are none', () => {
    expect(head('city|2023|2024', 'Vigo|10|20', 'Lugo|30|40')).toMatchObject({
      header: 1,
      names: ['city', '2023', '2024'],
    });
    expect(head('Vigo|2023', 'Lugo|2024', 'Vigo|2022', 'Lugo|2021').header).toBe(0);
  });

  it('leaves titles above it, of one cell, or of two over five columns and more', () => {
    expect(head('Sales', 'name|amount|paid', 'a|1|2', 'b|2|3')).toMatchObject({ above: 1, header: 1 });
    const wide = ['a|b|c|d|e', 'x|1|2|3|4', 'y|1|2|3|4'];
    expect(head('Sales|of 2024', ...wide)).toMatchObject({ above: 1, header: 1 });
    expect(head('from|to', 'x|y|z|w', 'a|1|2|3', 'b|1|2|3').above).toBe(0);
  });

  it('joins headings over several columns with those below them', () => {
    const { above, header, names } = head('|2023||2024|', 'city|net|gross|net|gross', 'Vigo|1|2|3|4', 'Lugo|1|2|3|4');
    expect({ above, header }).toEqual({ above: 0, header: 2 });
    expect(names).toEqual(['city', '2023 / net', '2023 / gross', '2024 / net', '2024 / gross']);
  });

  it('is what the format says where it says anything', () => {
    expect(layoutHead(rows('a|b', 'c|d'), 1)).toMatchObject({ header: 1, names: ['a', 'b'] });
    expect(layoutHead(rows('name|amount', 'a|1'), 0)).toMatchObject({ header: 0, names: ['', ''] });
  });

  it('expects as many cells as the header has, or else as most rows have', () => {
    expect(head('a|b', 'x|1|note', 'y|2|').expected).toBe(2);
    expect(head('1|2', '3|4', '5|6|7').expected).toBe(2);
  });
});

describe('the end of a table', () => {
  const below = (...lines: string[]) => tailRows(rows(...lines), 3, (label) => label === 'Total own');

  it.each([
    ['a total', ['a|1|2', 'Total|3|4'], 1],
    ['totals, blank rows and notes', ['a|1|2', 'Grand total|3|4', '||', 'Source: the office||'], 3],
    ['a text of its own behind a blank row', ['a|1|2', '||', 'as told by the office||'], 2],
    ['a long text of its own', ['a|1|2', `${'word '.repeat(13)}||`], 1],
    ['no short text right behind the data', ['a|1|2', 'b||'], 0],
    ['no total alone in its row', ['a|1|2', 'Total||'], 0],
    ['no row of which the label is a value among the data', ['a|1|2', 'Total own|3|4'], 0],
    ['no row with a name that only begins like a total', ['a|1|2', 'Totally new|3|4'], 0],
    ['nothing of rows that are nothing else', ['Total|3|4'], 0],
  ])('has %s', (_, lines, count) => expect(below(...lines)).toBe(count));

  it.each([
    'Total',
    'TOTAL:',
    'Sub-total',
    'Subtotal',
    'Grand Total',
    'Totales',
    'Total general',
    'Summe',
    'Average 2024',
    'Total (net)',
  ])('knows %s for a total', (label) => expect(isTotal(label)).toBe(true));
  it.each(['Totality', 'Sumatra', 'Meaning', 'Total order', 'Summer'])('takes %s for none', (label) =>
    expect(isTotal(label)).toBe(false),
  );
});
