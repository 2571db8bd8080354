import { canonicalNumber, digitsOf, readNumber } from './read-number';

const read = (text: string, decimal: '.' | ',' = '.') => {
  const number = readNumber(text);
  return number && canonicalNumber(number, decimal);
};

describe('a number as people write it', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-12', '-12'],
    ['+12', '12'],
    ['−12', '-12'],
    ['12-', '-12'],
    ['(12.50)', '-12.50'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['1,234.5', '1234.5'],
    ['1,234,567', '1234567'],
    ['12,34,567', '1234567'],
    ['12,34,567.8', '1234567.8'],
    ["1'234.5", '1234.5'],
    ['1 234 567', '1234567'],
    ['1\u00a0234', '1234'],
    ['$ -5', '-5'],
    ['-$5', '-5'],
    ['5 €', '5'],
    ['USD 5', '5'],
    ['$5$', '5'],
    ['25 %', '0.25'],
    ['2.5%', '0.025'],
    ['0.5%', '0.005'],
    ['-100 %', '-1'],
    ['1.5e3', '1.5e3'],
    ['1e-3', '1e-3'],
    ['12345678901234567890', '12345678901234567890'],
  ])('%s is %s', (text, canonical) => expect(read(text)).toBe(canonical));

  it.each([
    ['1.234,50', '1234.50'],
    ['1.234', '1234'],
    ['1,234', '1.234'],
    ['1.234.567', '1234567'],
    ['1 234,5', '1234.5'],
    ['(1.234,50 €)', '-1234.50'],
    ['2,5 %', '0.025'],
  ])('%s is %s where the decimal sign is a comma', (text, canonical) => expect(read(text, ',')).toBe(canonical));

  it.each([
    ['two signs', ['--5', '-(5)', '(-5)', '-5-', '+-5']],
    ['a bracket alone', ['(5', '5)']],
    ['two currencies', ['$5€', 'USD 5 EUR']],
    [
      'separators that part nothing',
      ['5.', '5,', '1..2', '1,2,3', '1.234.56', '12.34.567', '1 23', '1 234.567.8', '1  234'],
    ],
    ['what no 64-bit float holds', ['1e999', '1e-999']],
    ['words', ['', ' ', '-', '€', 'five', '5 apples', '0x1F', 'NaN', 'Infinity', '1_000']],
    ['a text of more than 80 characters', ['1'.repeat(81)]],
  ])('%s make none', (_, texts) => expect(texts.filter((text) => readNumber(text))).toEqual([]));

  it('of zero is a zero also with an exponent', () => expect(read('0e-999')).toBe('0e-999'));

  it.each([
    ['12', 'plain'],
    ['1.2', 'dot'],
    ['1,2', 'comma'],
    ['0.234', 'dot'],
    ['1234.567', 'dot'],
    ['1.234', 'dot3'],
    ['123,456', 'comma3'],
    ['1.234.567', 'dots'],
    ['1.234,5', 'dots'],
    ['1,234,567', 'commas'],
    ['1,234.5', 'commas'],
  ])('says what the separators of %s prove: %s', (text, shape) => expect(readNumber(text)?.shape).toBe(shape));

  it('tells its unit, zeros in front and a plus sign', () => {
    expect(readNumber('007 kr')).toMatchObject({ unit: 'kr', padded: true, plus: false });
    expect(readNumber('+34 600 123 456')).toMatchObject({ plus: true, padded: false });
    expect(readNumber('0.5')).toMatchObject({ padded: false });
  });
});

describe('the digits of a canonical number', () => {
  it.each([
    ['0', 0, 0],
    ['-0.05', 0, 2],
    ['12', 2, 0],
    ['-120.50', 3, 2],
  ])('of %s are %d and %d', (canonical, whole, fraction) => expect(digitsOf(canonical)).toEqual({ whole, fraction }));
});
