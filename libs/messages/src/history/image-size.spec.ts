import { imageSize } from './image-size';

const base64 = (...parts: (string | number[] | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part as number[]))),
  ).toString('base64');
const rest = Buffer.alloc(200);
const be32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const segment = (kind: number, length: number) =>
  Buffer.concat([Buffer.from([0xff, kind, (length + 2) >> 8, (length + 2) & 255]), Buffer.alloc(length, 0xff)]);
const frame = (kind: number) => [0xff, kind, 0, 17, 8, 0x12, 0x34, 0x56, 0x78, 3];

describe('the size of a picture, by its header', () => {
  it.each<[string, string, number, number]>([
    ['PNG', base64([0x89], 'PNG\r\n\x1a\n', be32(13), 'IHDR', be32(70_000), be32(80_000), rest), 70_000, 80_000],
    ['GIF', base64('GIF89a', [0x10, 0x27, 0x20, 0x4e], rest), 10_000, 20_000],
    [
      'WebP that moves',
      base64('RIFF0000WEBPVP8X', be32(10), be32(0), [0x0f, 0x27, 0, 0x1f, 0x4e, 0], rest),
      10_000,
      20_000,
    ],
    ['WebP without loss', base64('RIFF0000WEBPVP8L', be32(10), [0x2f, 0xff, 0xff, 0xff, 0x0f], rest), 16_384, 16_384],
    [
      'WebP',
      base64('RIFF0000WEBPVP8 ', be32(10), [0, 0, 0, 0x9d, 0x01, 0x2a, 0x10, 0x27, 0x20, 0x0e], rest),
      10_000,
      3616,
    ],
    ['JPEG', base64([0xff, 0xd8], frame(0xc0), rest), 0x5678, 0x1234],
    [
      'JPEG behind what a camera and a program have written',
      base64([0xff, 0xd8], segment(0xe1, 60_000), [0xff], segment(0xe2, 50_001), segment(0xc4, 7), frame(0xc2), rest),
      0x5678,
      0x1234,
    ],
  ])('of a %s', (_, data, width, height) => expect(imageSize(data)).toEqual({ width, height }));

  it.each<[string, string]>([
    ['nothing', ''],
    ['a text', base64('This is no picture, whatever it is called.', rest)],
    ['half a head', base64([0x89], 'PNG\r\n')],
    ['a JPEG that has lost its frame', base64([0xff, 0xd8], segment(0xe1, 60_000))],
    ['a JPEG of segments without end', base64([0xff, 0xd8], ...Array.from({ length: 2000 }, () => segment(0xe1, 0)))],
  ])('is not known of %s', (_, data) => expect(imageSize(data)).toBeUndefined());
});
