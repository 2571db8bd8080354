/**
 * ZIP archives (every office file is one), looked through before anything else sees them (SEC-72).
 *
 * The directory is checked first, and then every entry is inflated under our own count: what the archive says about
 * its sizes is held against it, never believed. Whoever reads the archive gets the bytes from here, not the archive.
 */
import { crc32 } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { UnsafeFileError, UnsupportedFileError } from './parser-errors';

const MiB = 1024 * 1024;

export const ARCHIVE_LIMITS = {
  entries: 2000,
  entryBytes: 100 * MiB,
  totalBytes: 200 * MiB,
  /** Inflated to packed size; judged only past `ratioFrom` bytes. */
  ratio: 100,
  ratioFrom: MiB,
} as const;

const SYMLINK = 0xa000;
const ARCHIVE_NAME = /\.(zip|jar|7z|rar|gz|tgz|bz2|xz|docx|xlsx|pptx|odt|ods|odp|epub)$/i;
/** The workbook behind a chart, a document in a sheet: every office suite writes them, and none is opened here. */
const EMBEDDED_BY_OFFICE = /^(?:word|xl)\/embeddings\/[^/]+\.(xlsx|docx|pptx)$/i;

/**
 * Names of all entries, once the directory has been found harmless.
 *
 * @throws UnsafeFileError
 * @throws UnsupportedFileError for an archive that is damaged or cut short.
 */
export async function listArchive(bytes: Uint8Array): Promise<readonly string[]> {
  const { entries } = await open(bytes);
  return entries.map(({ fileName }) => fileName);
}

/**
 * Inflates every entry, and keeps those that are asked for.
 *
 * @throws UnsafeFileError
 * @throws UnsupportedFileError for an archive that is damaged or cut short.
 */
export async function readArchive(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Promise<Map<string, Buffer>> {
  const { archive, entries } = await open(bytes);
  const kept = new Map<string, Buffer>();
  let total = 0;
  for (const entry of entries) {
    const content = await inflate(archive, entry, isWanted(entry.fileName), total);
    total += content.size;
    if (content.bytes) kept.set(entry.fileName, content.bytes);
  }
  return kept;
}

async function open(bytes: Uint8Array): Promise<{ archive: ZipFile; entries: readonly Entry[] }> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const archive = await fromBufferPromise(buffer, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
    if (archive.entryCount > ARCHIVE_LIMITS.entries) {
      throw new UnsafeFileError(
        `the archive has ${archive.entryCount} entries, at most ${ARCHIVE_LIMITS.entries} are read.`,
      );
    }
    const entries: Entry[] = [];
    const names = new Set<string>();
    let declared = 0;
    for await (const entry of archive.eachEntry()) {
      refuseEntry(entry, names);
      names.add(entry.fileName);
      entries.push(entry);
      declared += entry.uncompressedSize;
      if (declared > ARCHIVE_LIMITS.totalBytes) throw tooLarge('in all', ARCHIVE_LIMITS.totalBytes);
    }
    return { archive, entries };
  } catch (error) {
    throw inWords(error);
  }
}

function refuseEntry(entry: Entry, names: ReadonlySet<string>): void {
  const mode = (entry.externalFileAttributes >>> 16) & 0xf000;
  if (entry.isEncrypted()) throw new UnsafeFileError('the archive has encrypted entries. Send it without a password.');
  if (names.has(entry.fileName)) throw new UnsafeFileError('the archive has two entries of the same name.');
  if (mode === SYMLINK) throw new UnsafeFileError('the archive has symbolic links.');
  if (ARCHIVE_NAME.test(entry.fileName) && !EMBEDDED_BY_OFFICE.test(entry.fileName)) throw nested();
  if (entry.uncompressedSize > ARCHIVE_LIMITS.entryBytes) throw tooLarge('in one entry', ARCHIVE_LIMITS.entryBytes);
  refuseRatio(entry, entry.uncompressedSize);
}

function refuseRatio({ compressedSize }: Entry, size: number): void {
  if (size > ARCHIVE_LIMITS.ratioFrom && size > compressedSize * ARCHIVE_LIMITS.ratio) {
    throw new UnsafeFileError(`the archive unpacks to more than ${ARCHIVE_LIMITS.ratio} times its size.`);
  }
}

async function inflate(archive: ZipFile, entry: Entry, keep: boolean, before: number) {
  const pieces: Buffer[] = [];
  let size = 0;
  let sum = 0;
  try {
    for await (const piece of await archive.openReadStreamPromise(entry)) {
      const bytes = piece as Buffer;
      if (size === 0 && isArchive(bytes) && !EMBEDDED_BY_OFFICE.test(entry.fileName)) throw nested();
      size += bytes.length;
      if (size > ARCHIVE_LIMITS.entryBytes) throw tooLarge('in one entry', ARCHIVE_LIMITS.entryBytes);
      if (before + size > ARCHIVE_LIMITS.totalBytes) throw tooLarge('in all', ARCHIVE_LIMITS.totalBytes);
      refuseRatio(entry, size);
      sum = crc32(bytes, sum);
      if (keep) pieces.push(bytes);
    }
  } catch (error) {
    throw inWords(error);
  }
  if (sum !== entry.crc32) throw damaged();
  return { size, bytes: keep ? Buffer.concat(pieces, size) : undefined };
}

const isArchive = (bytes: Buffer) => bytes.length >= 4 && bytes.readUInt32BE(0) === 0x504b0304;

const nested = () => new UnsafeFileError('the archive has another archive inside.');

const tooLarge = (where: string, limit: number) =>
  new UnsafeFileError(`the archive unpacks to more than ${limit / MiB} MiB ${where}.`);

const damaged = (cause?: unknown) =>
  new UnsupportedFileError('the file is damaged or cut short: its archive cannot be read.', { cause });

function inWords(error: unknown): unknown {
  if (error instanceof UnsafeFileError || error instanceof UnsupportedFileError) return error;
  const message = error instanceof Error ? error.message : '';
  if (/absolute path|invalid relative path|invalid characters in fileName/.test(message)) {
    return new UnsafeFileError('the archive has entries whose names lead out of it.', { cause: error });
  }
  if (/bytes in the stream/.test(message)) {
    return new UnsafeFileError('the archive is wrong about the size of its entries.', { cause: error });
  }
  return damaged(error);
}
