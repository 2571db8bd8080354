/** A text file on disk, read in pieces: it may be larger than memory. */
import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import iconv from 'iconv-lite';
import { byteOrderMark, charsetOf, decodeText, NotTextError } from '../parsers/charset';

const PIECE = 1024 * 1024;
/** Up to here the charset is told from the file in memory. */
const WHOLE = 16 * PIECE;
const SAMPLE_PIECE = 16 * 1024;
const MAX_SAMPLES = 256;

export interface TextFile {
  readonly charset: string;
  /** Valid UTF-8 without control characters, which another reader takes as it is. */
  readonly isClean: boolean;
  /** Absent for a text in memory. */
  readonly path?: string;
  pieces(): Generator<string>;
}

/**
 * @param path of a file of ours.
 * @throws NotTextError
 */
export function openText(path: string): TextFile {
  const { charset, isClean } = look(path);
  return { charset, isClean, path, pieces: () => decoded(path, charset) };
}

/** The same for a text in memory. */
export function textOfBytes(bytes: Uint8Array): TextFile {
  const text = decodeText(bytes);
  return {
    charset: 'utf-8',
    isClean: false,
    *pieces() {
      for (let from = 0; from < text.length; from += PIECE) yield text.slice(from, from + PIECE);
    },
  };
}

function look(path: string): { charset: string; isClean: boolean } {
  let valid = true;
  let clean = true;
  let size = 0;
  let rest = Buffer.alloc(0);
  const samples: Buffer[] = [];
  let head: Buffer | undefined;
  for (const piece of bytesOf(path)) {
    head ??= Buffer.from(piece.subarray(0, SAMPLE_PIECE));
    size += piece.length;
    clean &&= !hasControls(piece);
    const joined = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const cut = wholeCharacters(joined);
    valid &&= isUtf8(joined.subarray(0, cut));
    rest = Buffer.from(joined.subarray(cut));
    if (!valid && samples.length < MAX_SAMPLES) samples.push(...sampled(piece));
  }
  valid &&= rest.length === 0;
  if (!head) return { charset: 'utf-8', isClean: false };
  if (valid && clean && !byteOrderMark(head)) return { charset: 'utf-8', isClean: true };
  if (size <= WHOLE) return { charset: charsetOf(readFileSync(path)), isClean: false };
  const marked = byteOrderMark(head);
  if (marked) return { charset: charsetOf(head.subarray(0, SAMPLE_PIECE - 4)), isClean: false };
  if (head.includes(0)) return { charset: charsetOf(head), isClean: false };
  if (valid) {
    if (isBinary(head)) throw new NotTextError();
    return { charset: 'utf-8', isClean: false };
  }
  return { charset: charsetOf(Buffer.concat([head, ...samples])), isClean: false };
}

const isBinary = (head: Buffer) => head.filter((byte) => byte < 9).length > head.length * 0.005;

/** Controls but tab and line breaks. Four bytes are looked at at once; most of them hold none. */
function hasControls(piece: Buffer): boolean {
  const whole = piece.byteOffset % 4 === 0 ? piece.length >> 2 : 0;
  const words = new Int32Array(piece.buffer, piece.byteOffset - (piece.byteOffset % 4), whole);
  for (let at = 0; at < whole; at++) {
    const word = words[at] as number;
    const deleted = word ^ 0x7f7f7f7f;
    const suspect = (((word - 0x20202020) & ~word) | ((deleted - 0x01010101) & ~deleted)) & 0x80808080;
    if (suspect !== 0 && controlIn(piece, at * 4, at * 4 + 4)) return true;
  }
  return controlIn(piece, whole * 4, piece.length);
}

function controlIn(piece: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = piece[at] as number;
    if (byte < 0x20 ? byte !== 9 && byte !== 10 && byte !== 13 : byte === 0x7f) return true;
  }
  return false;
}

/** Where the last whole character of UTF-8 ends. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Pieces around bytes beyond ASCII. */
function sampled(piece: Buffer): Buffer[] {
  const start = piece.findIndex((byte) => byte >= 0x80);
  if (start === -1) return [];
  return [Buffer.from(piece.subarray(Math.max(0, start - 200), start + SAMPLE_PIECE)), Buffer.from('\n')];
}

function* decoded(path: string, charset: string): Generator<string> {
  if (charset === 'utf-8' || charset === 'iso-2022-jp') {
    const decoder = new TextDecoder(charset);
    for (const piece of bytesOf(path)) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
    return;
  }
  const decoder = iconv.getDecoder(charset, { stripBOM: true });
  for (const piece of bytesOf(path)) yield decoder.write(piece);
  yield decoder.end() ?? '';
}

function* bytesOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(PIECE, Math.max(1, fstatSync(file).size)));
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read);
  } finally {
    closeSync(file);
  }
}
