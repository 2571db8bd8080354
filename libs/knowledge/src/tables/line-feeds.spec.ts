import { lineFeedsOf } from './line-feeds';

describe('the line feeds of bytes', () => {
  it('are counted wherever they stand', () => {
    const text = Buffer.from('a\nbcd\r\nMálaga\t7\n\n\n€\u007e\u00ff\u0085~ \n'.repeat(50));
    for (let from = 0; from < 8; from++) {
      for (const length of [0, 1, 2, 3, 4, 5, 37, text.length - 8]) {
        const part = text.subarray(from, from + length);
        expect(lineFeedsOf(part)).toBe(part.filter((byte) => byte === 0x0a).length);
      }
    }
  });

  it('are not, where there is a control character', () => {
    for (let byte = 0; byte < 256; byte++) {
      const isControl = byte === 0x7f || (byte < 0x20 && ![0x09, 0x0a, 0x0d].includes(byte));
      for (const at of [0, 1, 2, 3, 4, 10]) {
        const bytes = Buffer.from('áb\ncd\nefgh');
        bytes[at] = byte;
        expect([byte, at, lineFeedsOf(bytes) === undefined]).toEqual([byte, at, isControl]);
      }
    }
  });
});
