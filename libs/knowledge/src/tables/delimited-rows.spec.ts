import { LimitExceededError } from '../parsers/parser-errors';
import type { Dialect } from './delimited-dialect';
import { splitRows, UnclosedQuoteError, type RowLimits } from './delimited-rows';

const COMMAS: Dialect = { delimiter: ',', quote: '"', backslash: false, skip: 0 };
const LIMITS: RowLimits = { maxCell: 1000 };

const rowsOf = (text: string, dialect: Partial<Dialect> = {}, limits: Partial<RowLimits> = {}) =>
  [...splitRows([text], { ...COMMAS, ...dialect }, { ...LIMITS, ...limits })].map(({ cells }) => cells);

describe('the rows of a delimited text', () => {
  it.each<[string, string, string[][], Partial<Dialect>?]>([
    ['of any length', 'a,b\n1\n2,3,4\n', [['a', 'b'], ['1'], ['2', '3', '4']]],
    [
      'with no line end at the last',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['with carriage returns, alone and before line feeds', 'a\rb\r\nc\n', [['a'], ['b'], ['c']]],
    ['that are blank', 'a\n\nb\n', [['a'], [''], ['b']]],
    ['with delimiters and line breaks in quotes', '"a,b","c\nd"\n', [['a,b', 'c\nd']]],
    ['with quotes that are doubled', '"a ""b"" c",""""\n', [['a "b" c', '"']]],
    ['with quotes inside of a value', 'a "b" c,5"\n', [['a "b" c', '5"']]],
    ['with spaces before and behind quotes', '"a" , "b"\n', [['a', 'b']]],
    ['with spaces that are values', ' ,a , \n ', [[' ', 'a ', ' '], [' ']]],
    ['with quotes and spaces at the end', '"a" ,"b" ', [['a', 'b']]],
    ['with words behind a closing quote', '"a" b c,"d" "e"\n', [['a b c', 'd "e"']]],
    ['with text behind a closing quote', '"a"b,c\n', [['ab', 'c']]],
    ['with quotes that a backslash escapes', '"a \\" b","c\\\\"\n', [['a " b', 'c\\\\']], { backslash: true }],
    ['without quotes', '"a,b"\n', [['"a', 'b"']], { quote: '' }],
    ['behind lines to skip', 'sep=,\na,b\n', [['a', 'b']], { skip: 1 }],
    ['parted by tabs', 'a\tb,c\n', [['a', 'b,c']], { delimiter: '\t' }],
    ['of an empty text', '', []],
  ])('%s', (_, text, rows, dialect = {}) => {
    expect(rowsOf(text, dialect)).toEqual(rows);
    // However it comes in pieces.
    const single = splitRows(text, { ...COMMAS, ...dialect }, LIMITS);
    expect([...single].map(({ cells }) => cells)).toEqual(rows);
  });

  it('have the number of the line that they begin in', () => {
    const rows = [...splitRows(['a\n"b\nc\nd"\n\ne\n'], COMMAS, LIMITS)];
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 5, 6]);
  });

  it('have as many cells as are allowed, and are refused with one more', () => {
    expect(rowsOf('1,2,3\n', {}, { maxColumns: 3 })).toEqual([['1', '2', '3']]);
    expect(() => rowsOf('a\n1,2,3,4\n', {}, { maxColumns: 3 })).toThrow(
      new LimitExceededError('row 2 has more than 3 columns', 'MAX_TABLE_COLUMNS'),
    );
  });

  it('have cells as long as is allowed, and are refused with a longer one', () => {
    expect(rowsOf(`${'x'.repeat(2048)}\n`, {}, { maxCell: 2048 })).toHaveLength(1);
    expect(() => rowsOf(`a\n${'x'.repeat(2049)}\n`, {}, { maxCell: 2048 })).toThrow(
      new LimitExceededError('row 2 has a cell of more than 2 KiB', 'MAX_TABLE_CELL_KB'),
    );
  });

  it('are refused where they are longer than eight of the longest cells', () => {
    const cells = (count: number) => `${Array(count).fill('x'.repeat(1024)).join(',')}\n`;
    expect(rowsOf(cells(8), {}, { maxCell: 1024 })).toHaveLength(1);
    expect(() => rowsOf(cells(9), {}, { maxCell: 1024 })).toThrow('row 1 has 8 cells of more than 1 KiB');
  });

  it('take the rest for a value behind a quote that never closes, unless that is to be an error', () => {
    expect(rowsOf('a,"b\nc,d\n')).toEqual([['a', 'b\nc,d\n']]);
    expect(() => rowsOf('a,"b\nc,d\n', {}, { strict: true })).toThrow(UnclosedQuoteError);
    // A quote that swallows lines reaches the longest cell before it is known that it never closes.
    expect(() => rowsOf(`"${'x\n'.repeat(600)}`, {}, { strict: true })).toThrow(UnclosedQuoteError);
  });
});
