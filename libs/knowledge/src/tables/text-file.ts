/** A text file on disk, read in pieces: it may be larger than memory. */
import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import iconv from 'iconv-lite';
import { byteOrderMark, decodeText, findCharset, NotTextError, wholeWords } from '../parsers/charset';
import { lineFeedsOf } from './line-feeds';

const PIECE = 1024 * 1024;
/** Up to here the charset is told from the file in memory. */
const WHOLE = 16 * PIECE;
const SAMPLE_PIECE = 16 * 1024;
const MAX_SAMPLES = 256;

export interface TextFile {
  readonly charset: string;
  /** Taken for UTF-8 although some bytes are none; characters that say so stand in their places. */
  readonly isBroken?: boolean;
  /** Told from what the bytes look like alone. */
  readonly isGuess: boolean;
  /** Of valid UTF-8 without control characters, which another reader takes as it is. */
  readonly clean?: CleanText;
  /** Absent for a text in memory. */
  readonly path?: string;
  pieces(): Generator<string>;
}

export interface CleanText {
  readonly lineFeeds: number;
  /** Whether there are line ends of more than a line feed. */
  readonly hasCarriages: boolean;
}

/**
 * @param path of a file of ours.
 * @param declared the charset that its server has named, believed if the bytes allow it.
 * @throws NotTextError
 */
export function openText(path: string, declared?: string): TextFile {
  const { charset, isGuess, clean, isValid } = look(path, declared === undefined ? [] : [declared]);
  const isBroken = charset === 'utf-8' && !isValid;
  return { charset, isGuess, clean, isBroken, path, pieces: () => decoded(path, charset) };
}

/** The same for a text in memory. */
export function textOfBytes(bytes: Uint8Array, declared?: string): TextFile {
  const text = decodeText(bytes, declared);
  return {
    ...findCharset(bytes, declared === undefined ? [] : [declared]),
    *pieces() {
      for (let from = 0; from < text.length; from += PIECE) yield text.slice(from, from + PIECE);
    },
  };
}

interface Looked extends Pick<TextFile, 'charset' | 'isGuess' | 'clean'> {
  /** Whether every byte is UTF-8. */
  readonly isValid: boolean;
}

function look(path: string, declared: readonly string[]): Looked {
  let valid = true;
  let lineFeeds: number | undefined = 0;
  let hasCarriages = false;
  let size = 0;
  let rest = Buffer.alloc(0);
  const samples: Buffer[] = [];
  let head: Buffer | undefined;
  for (const piece of bytesOf(path)) {
    head ??= Buffer.from(piece.subarray(0, SAMPLE_PIECE));
    size += piece.length;
    if (lineFeeds !== undefined) lineFeeds = sum(lineFeeds, lineFeedsOf(piece));
    hasCarriages ||= piece.includes('\r');
    const joined = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    const cut = wholeCharacters(joined);
    valid &&= isUtf8(joined.subarray(0, cut));
    rest = Buffer.from(joined.subarray(cut));
    if (!valid && samples.length < MAX_SAMPLES) samples.push(...sampled(piece));
  }
  valid &&= rest.length === 0;
  if (!head) return { charset: 'utf-8', isGuess: false, isValid: true };
  const marked = byteOrderMark(head);
  if (valid && lineFeeds !== undefined && !marked)
    return { charset: 'utf-8', isGuess: false, clean: { lineFeeds, hasCarriages }, isValid: true };
  if (size <= WHOLE) return { ...findCharset(readFileSync(path), declared), isValid: valid };
  if (marked) return { ...findCharset(head.subarray(0, SAMPLE_PIECE - 4)), isValid: valid };
  if (head.includes(0)) return { ...findCharset(head), isValid: valid };
  if (valid) {
    if (isBinary(head)) throw new NotTextError();
    return { charset: 'utf-8', isGuess: false, isValid: true };
  }
  return { ...findCharset(Buffer.concat([wholeWords(head), ...samples]), declared), isValid: valid };
}

const isBinary = (head: Buffer) => head.filter((byte) => byte < 9).length > head.length * 0.005;

const sum = (one: number, other: number | undefined) => (other === undefined ? undefined : one + other);

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
  return [Buffer.from(wholeWords(piece.subarray(Math.max(0, start - 200), start + SAMPLE_PIECE))), Buffer.from('\n')];
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
