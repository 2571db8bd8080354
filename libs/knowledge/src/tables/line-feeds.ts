/**
 * Counts the line feeds of bytes, and finds the control characters among them, in one pass over each byte of a file.
 * Four bytes are looked at at once; most of them hold neither.
 */

/** More than all line feeds that are counted into the same number. */
const CONTROL = 2 ** 26;
const MOST = 2 ** 24;
/** What each byte counts as: tab and carriage return are no line feeds, and no controls that are unwanted. */
const COUNTS = Int32Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x0a) return 1;
  return byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0d) ? CONTROL : 0;
});

/** @returns undefined where there are controls but tabs and line ends. */
export function lineFeedsOf(bytes: Buffer): number | undefined {
  let lineFeeds = 0;
  for (let from = 0; from < bytes.length; from += MOST) {
    const counted = counts(bytes.subarray(from, from + MOST));
    if (counted >= CONTROL) return undefined;
    lineFeeds += counted;
  }
  return lineFeeds;
}

function counts(bytes: Buffer): number {
  const isAligned = bytes.byteOffset % 4 === 0;
  const words = new Int32Array(bytes.buffer, isAligned ? bytes.byteOffset : 0, isAligned ? bytes.length >> 2 : 0);
  let sum = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    // A bit for each byte that may be below 0x20, or 0x7f. Some that are neither are looked at, too.
    const suspect = (((word - 0x20202020) & ~word) | (((word & 0x7f7f7f7f) + 0x01010101) & ~word)) & 0x80808080;
    if (suspect !== 0) {
      sum +=
        (COUNTS[word & 0xff] as number) +
        (COUNTS[(word >>> 8) & 0xff] as number) +
        (COUNTS[(word >>> 16) & 0xff] as number) +
        (COUNTS[word >>> 24] as number);
    }
  }
  for (let at = words.length * 4; at < bytes.length; at++) sum += COUNTS[bytes[at] as number] as number;
  return sum;
}
