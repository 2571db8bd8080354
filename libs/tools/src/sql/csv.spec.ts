import { toCsv } from './csv';
import type { JsonValue } from './exact-value';

const written = (value: JsonValue, options?: { isExact: boolean }) =>
  toCsv(['x', 'y'], [[value, 1]], options)
    .replace(/^x,y\r\n/, '')
    .replace(/,1\r\n$/, '');

describe('a result as CSV', () => {
  it('has its names first, and each line ends in CRLF', () => {
    expect(
      toCsv(
        ['a', 'b'],
        [
          [1, 'x'],
          [null, true],
        ],
      ),
    ).toBe('a,b\r\n1,x\r\n,true\r\n');
  });

  it('tells NULL from an empty text', () => {
    expect(written(null)).toBe('');
    expect(written('')).toBe('""');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['a\nb', '"a\nb"'],
    [' a', '" a"'],
    ['a ', '"a "'],
  ])('quotes what would be read as something else: %j', (text, cell) => expect(written(text)).toBe(cell));

  it.each(['=1+1', '+A1', '-A1', '@SUM(A1)', '\t=1'])('keeps a spreadsheet from running %j (SEC-67)', (text) => {
    expect(written(text).replace(/^"/, '')).toMatch(/^'/);
    expect(written(text, { isExact: true })).not.toContain("'");
  });

  it.each(['-5', '+5', '-1.50', '-.5', '-1e9'])('leaves the number %s as it is', (text) =>
    expect(written(text)).toBe(text),
  );

  it('writes lists and objects as JSON', () => expect(written(['a', 1])).toBe('"[""a"",1]"'));
});
