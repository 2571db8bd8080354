/**
 * Bytes to text, by evidence from the whole file.
 *
 * In this order: byte order mark, strict UTF-8, the pattern of zero bytes that UTF-16 leaves, what the file declares
 * about itself, and two detectors whose answers are held against what words look like (`charset-plausibility.ts`).
 */
import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { detect } from 'jschardet';
import { cleanText } from './clean-text';
import { likelierCharset } from './charset-east-asian';
import { garbledShare, hasIdeographs, isMostlyLatin } from './charset-plausibility';

/** Thrown for bytes that are no text in any charset; whoever catches it says what they are instead. */
export class NotTextError extends Error {}

/** More control characters than this share of the bytes, and it is no text. */
const MAX_CONTROL_SHARE = 0.005;
/** The same of characters, after a byte order mark: besides controls, what no charset has and nobody writes. */
const MAX_STRANGE_SHARE = 0.02;
const MAX_GARBLED_SHARE = 0.15;
const SAMPLE_BYTES = 128 * 1024;
/** Tab and line breaks. */
const LAYOUT: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d]);
/** Below it, jschardet is guessing. */
const MIN_CONFIDENCE = 0.18;

/**
 * @param declared the charset named beside or inside the file (HTTP header, HTML `meta`, XML declaration), believed if
 *   the bytes allow it. Of several, the first that they allow.
 * @returns text as `cleanText` leaves it.
 * @throws NotTextError
 */
export function decodeText(bytes: Uint8Array, declared?: string | readonly string[]): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return cleanText(decode(buffer, declared === undefined ? [] : [declared].flat()));
}

function decode(buffer: Buffer, declared: readonly string[]): string {
  const charset = charsetOf(buffer, declared);
  return /^(utf-8|iso-2022-jp)$/.test(charset)
    ? new TextDecoder(charset).decode(buffer)
    : iconv.decode(buffer, charset, { stripBOM: true });
}

export interface FoundCharset {
  /** As iconv-lite knows it. */
  readonly charset: string;
  /** Nothing but what the bytes look like speaks for it: no mark, no UTF, no declaration. */
  readonly isGuess: boolean;
}

/**
 * The name of the charset, by the same evidence.
 * @throws NotTextError
 */
export const charsetOf = (bytes: Uint8Array, declared: readonly string[] = []): string =>
  findCharset(bytes, declared).charset;

/**
 * The charset, and how it is known.
 * @throws NotTextError
 */
export function findCharset(bytes: Uint8Array, declared: readonly string[] = []): FoundCharset {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = byteOrderMark(buffer);
  if (marked) {
    refuseImplausible(iconv.decode(buffer, marked));
    return { charset: marked, isGuess: false };
  }
  if (buffer.includes(0)) return { charset: utf16Variant(buffer), isGuess: false };
  if (controlShare(buffer) > MAX_CONTROL_SHARE) throw new NotTextError();
  const unicode = utf8Variant(buffer);
  if (unicode) return { charset: unicode, isGuess: false };
  const { charset, isGuess } = chooseCharset(sampleOf(buffer), declared.map(readAs));
  return { charset: westernVariant(charset, buffer), isGuess };
}

/** The charset that the first bytes name. */
export function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-32le' : 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return 'utf-32be';
  return undefined;
}

/** Binary data may begin with the bytes of a mark; what follows does not read as text then. */
function refuseImplausible(text: string): void {
  const strange = text.match(/[\0-\x07\x0e-\x1a\x1c-\x1f\ufffd]|\p{Unassigned}|\p{Private_Use}|\p{Surrogate}/gu);
  if ((strange?.length ?? 0) > Math.max(1, text.length * MAX_STRANGE_SHARE)) throw new NotTextError();
}

function controlShare(buffer: Buffer): number {
  let controls = 0;
  for (let at = 0; at < buffer.length; at++) {
    const byte = buffer[at];
    const isLayout = (byte >= 0x08 && byte <= 0x0d) || byte === 0x1b;
    if (byte < 0x20 && !isLayout) controls++;
  }
  return controls / buffer.length;
}

/** Valid UTF-8, or UTF-8 with a rare broken character: a file cut in the middle of one is still UTF-8. */
function utf8Variant(buffer: Buffer): string | undefined {
  if (isUtf8(buffer)) {
    // Seven bits and escape sequences: the Japanese mail charset, which is also valid UTF-8.
    return buffer.includes('\x1b$@') || buffer.includes('\x1b$B') ? 'iso-2022-jp' : 'utf-8';
  }
  const text = buffer.toString('utf8');
  const broken = text.match(/\ufffd+/g)?.length ?? 0;
  const whole = text.match(/[\x80-\ufffc]/g)?.length ?? 0;
  return broken * 50 <= whole || (broken === 1 && text.endsWith('\ufffd') && whole > 0) ? 'utf-8' : undefined;
}

/** UTF-16 without a mark: the zero halves of Latin letters all lie on one side. */
function utf16Variant(buffer: Buffer): string {
  const zeros = [0, 0];
  for (let at = 0; at < buffer.length; at++) if (buffer[at] === 0) zeros[at % 2]++;
  const [even, odd] = zeros;
  if (buffer.length % 2 === 0) {
    for (const bigEndian of odd >= even ? [false, true] : [true, false]) {
      const text = strictUtf16(buffer, bigEndian);
      if (text !== undefined && isUtf16Text(text, buffer, Math.max(even, odd))) {
        return bigEndian ? 'utf-16be' : 'utf-16le';
      }
    }
  }
  throw new NotTextError();
}

function strictUtf16(buffer: Buffer, bigEndian: boolean): string | undefined {
  try {
    return new TextDecoder('utf-16le', { fatal: true }).decode(bigEndian ? Buffer.from(buffer).swap16() : buffer);
  } catch {
    return undefined;
  }
}

function isUtf16Text(text: string, buffer: Buffer, zeros: number): boolean {
  if (/[\0-\x07\x0e-\x1a\x1c-\x1f]|\p{Unassigned}|\p{Private_Use}/u.test(text)) return false;
  // Of Latin text every other byte is a letter; where nearly all of them are, a stray NUL stands in a text of ASCII.
  const ascii = buffer.reduce((count, byte) => count + (byte > 0x1f ? +(byte < 0x7f) : +LAYOUT.has(byte)), 0);
  if (ascii >= buffer.length * 0.7) return false;
  if (zeros * 5 >= text.length) return true;
  // Few zero bytes: a script without them (Chinese, Cyrillic …), which has spaces and marks nevertheless.
  const spaced = text.match(/[\s\u3000-\u3002\uff0c\uff0e]/g)?.length ?? 0;
  return spaced * 200 >= text.length;
}

/** What the file declares if the bytes allow it; else what the detectors say, unless East Asian words are likelier. */
function chooseCharset(sample: Buffer, declared: readonly string[]): FoundCharset {
  const charset = detectedCharset(sample, declared);
  if (declared.includes(charset)) return { charset, isGuess: false };
  return { charset: likelierCharset(sample, charset), isGuess: true };
}

function detectedCharset(sample: Buffer, declared: readonly string[]): string {
  const western = garbledShare(iconv.decode(sample, 'windows-1252'));
  for (const candidate of candidates(sample, declared)) {
    const text = iconv.decode(sample, candidate);
    const garbled = garbledShare(text);
    // Chinese or Japanese read as Western has symbols inside its words; a short Western text has none either way.
    const readsAsWestern =
      western === 0 ? isMostlyLatin(text) || hasIdeographs(text) : western <= garbled && isMostlyLatin(text);
    const worseThanWestern = readsAsWestern && !declared.includes(candidate);
    if (garbled <= MAX_GARBLED_SHARE && !worseThanWestern) return candidate;
  }
  return 'windows-1252';
}

function candidates(sample: Buffer, declared: readonly string[]): string[] {
  const byWindow = detect(sample);
  const names = [
    ...declared,
    byWindow.encoding && byWindow.confidence >= MIN_CONFIDENCE ? byWindow.encoding : undefined,
    ...analyse(sample).map(({ name }) => name),
  ];
  return names
    .filter((name): name is string => !!name && iconv.encodingExists(name) && !/^(utf|ucs|ascii|us-ascii)/i.test(name))
    .map(readAs)
    .slice(0, 8);
}

/** The charset that has all characters of the named one. */
const readAs = (name: string) => (/^gb/i.test(name) ? 'gb18030' : name);

/**
 * What calls itself ISO-8859-1 is read as windows-1252, which has the same letters and quotation marks besides. Only
 * ISO-8859-15 leaves a euro sign where both have a currency sign that nobody writes.
 */
function westernVariant(charset: string, buffer: Buffer): string {
  if (!/^(windows-?125[24]|cp1252|(iso-?8859-?|latin-?)(1|9|15))$/i.test(charset)) return charset;
  if (buffer.some((byte) => byte >= 0x80 && byte < 0xa0)) return 'windows-1252';
  return buffer.includes(0xa4) || /15$|latin-?9$/i.test(charset) ? 'iso-8859-15' : 'windows-1252';
}

/** The parts of the file that tell: pieces around bytes beyond ASCII, cut where no charset has half a character. */
function sampleOf(buffer: Buffer): Buffer {
  if (buffer.length <= SAMPLE_BYTES) return buffer;
  const pieces: Buffer[] = [];
  const step = Math.floor(buffer.length / 64);
  for (let from = 0; from < buffer.length; from += step) {
    let start = from;
    while (start < from + step && buffer[start] < 0x80) start++;
    if (start >= from + step) continue;
    const earliest = Math.max(0, start - 200);
    while (start > earliest && buffer[start] >= 0x30) start--;
    pieces.push(wholeWords(buffer.subarray(start, start + SAMPLE_BYTES / 64)), Buffer.from('\n'));
  }
  return Buffer.concat(pieces);
}

/**
 * A piece without the words that its ends may have cut in the middle of a character.
 * @returns the piece as it is if it has no two places where no charset has half a character.
 */
export function wholeWords(piece: Buffer): Buffer {
  const isBetween = (byte: number) => byte < 0x30;
  const first = piece.findIndex(isBetween);
  const last = piece.findLastIndex(isBetween);
  return first < last ? piece.subarray(first, last) : piece;
}
