import { isBase64 } from './base64';

const PIECE = 64 * 1024;
const long = (length: number) => Buffer.alloc(length, 'any bytes').toString('base64');

describe('base64', () => {
  it.each([
    ['nothing', ''],
    ['whole groups', 'QUJD'],
    ['one byte more', 'QQ=='],
    ['two bytes more', 'QUI='],
    ['every letter', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'],
    ['a piece to the letter', 'QUJD'.repeat(PIECE / 4)],
    ['several pieces', long(200_000)],
    ['several pieces and one byte more', long(199_999)],
    ['several pieces and two bytes more', long(200_001)],
  ])('is %s', (_, text) => expect(isBase64(text)).toBe(true));

  it.each([
    ['without its padding', 'QQ'],
    ['with too much of it', 'Q==='],
    ['of padding alone', '===='],
    ['with padding in the middle', 'QQ==QUJD'],
    ['with padding at the end of a piece', `${'QUJD'.repeat(PIECE / 4 - 1)}QQ==QUJD`],
    ['in the alphabet of URLs', 'Q-_D'],
    ['with line breaks', 'QUJD\nQUJDQUJ'],
    ['with spaces', 'QUJ QUJD'.slice(0, 8)],
    ['with a letter that looks like one from below', 'QUJ\u0144'],
    ['with a letter of two bytes', 'QUJ\u00c4'],
    ['with a NUL', 'QUJ\0'],
    ['with one false letter in the last of many', `${long(300_000)}QUJ!`],
    ['with one false letter in the first of many', `!UJD${long(300_000)}`],
  ])('is no text %s', (_, text) => expect(isBase64(text)).toBe(false));

  it('is what the letters, the length and the padding say, for texts of all kinds', () => {
    const letters = 'AZaz09+/=-_ \n!Ä\u0141';
    const strict = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
    const wrong = Array.from({ length: 16 ** 4 }, (_, seed) =>
      [0, 4, 8, 12].map((shift) => letters[(seed >> shift) & 15]).join(''),
    ).filter((text) => isBase64(text) !== strict(text));
    expect(wrong).toEqual([]);
  });
});
