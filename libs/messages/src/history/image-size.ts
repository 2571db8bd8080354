/**
 * How large a picture is, by its header: a few bytes can stand for gigabytes of pixels, which whoever shows it to a model
 * would have to hold (SEC-80). Nothing is decoded but these bytes.
 */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Segments of a JPEG that may come before the one with its size. */
const MAX_SEGMENTS = 1000;

/** @returns undefined for what is no PNG, GIF, WebP or JPEG, or has lost its head. */
export function imageSize(base64: string): ImageSize | undefined {
  const head = bytesAt(base64, 0, 32);
  if (head.length < 24) return undefined;
  if (head.readUInt32BE(0) === 0x89504e47) return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  const signature = head.toString('latin1', 0, 4);
  if (signature === 'GIF8') return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  if (signature === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return webpSize(head);
  return head.readUInt16BE(0) === 0xffd8 ? jpegSize(base64) : undefined;
}

function webpSize(head: Buffer): ImageSize | undefined {
  if (head.length < 30) return undefined;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** From segment to segment: what cameras and programs write about a picture stands before it. */
function jpegSize(base64: string): ImageSize | undefined {
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    const bytes = bytesAt(base64, at, 9);
    if (bytes.length < 9 || bytes[0] !== 0xff) return undefined;
    const kind = bytes[1]!;
    // A marker may be filled up with more of the same byte.
    if (kind === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(kind)) return { width: bytes.readUInt16BE(7), height: bytes.readUInt16BE(5) };
    at += isAlone(kind) ? 2 : 2 + bytes.readUInt16BE(2);
  }
  return undefined;
}

/** Start of a frame, of whichever coding; three kinds between them are tables. */
const isFrame = (kind: number): boolean => kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);
const isAlone = (kind: number): boolean => kind === 0x01 || (kind >= 0xd0 && kind <= 0xd7);

/** These bytes alone, of a text that stands for megabytes. */
function bytesAt(base64: string, at: number, length: number): Buffer {
  const group = Math.floor(at / 3);
  const groups = Math.ceil((at + length) / 3);
  const skip = at - group * 3;
  return Buffer.from(base64.slice(group * 4, groups * 4), 'base64').subarray(skip, skip + length);
}
