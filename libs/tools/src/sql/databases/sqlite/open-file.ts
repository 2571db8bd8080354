/**
 * The bytes of an SQLite file under the operator's folder, with nothing opened that lies elsewhere (SEC-43).
 *
 * Missing, forbidden and unfit files are one: which it was would tell of a file system that is not the caller's.
 */
import { constants } from 'node:fs';
import { open, readFile, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { withLog } from './write-ahead-log';

export type OpenedFile =
  | { readonly kind: 'opened'; readonly bytes: Uint8Array }
  /** `detail` is for the operator's log. */
  | { readonly kind: 'denied'; readonly detail: string }
  | { readonly kind: 'too_large' }
  /** It was written to each time that it was read. */
  | { readonly kind: 'busy' };

const HEADER = 'SQLite format 3\0';
/** What the journal of a transaction begins with; one that is done with has zeros there, or nothing. */
const JOURNAL = 'd9d505f920a163d7';
const TRIES = 4;

class Denied extends Error {}
class TooLarge extends Error {}

export async function openFile(folder: string, path: string, maxBytes: number): Promise<OpenedFile> {
  try {
    const file = await locate(folder, path);
    for (let time = 0; time < TRIES; time++) {
      const bytes = await readWhole(file, maxBytes);
      if (bytes) return { kind: 'opened', bytes };
    }
    return { kind: 'busy' };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large' };
    const detail = error instanceof Denied ? error.message : ((error as NodeJS.ErrnoException).code ?? 'unknown');
    return { kind: 'denied', detail };
  }
}

async function locate(folder: string, path: string): Promise<string> {
  if (path === '' || path.includes('\0') || isAbsolute(path)) throw new Denied('the path is not relative');
  const root = await realpath(folder);
  const file = await realpath(join(root, path));
  if (!file.startsWith(root === sep ? root : root + sep)) throw new Denied('the file is not in the folder');
  return file;
}

/** Nothing where it was written to meanwhile. */
async function readWhole(file: string, maxBytes: number): Promise<Uint8Array | undefined> {
  // A pipe would be waited for, and a link put there meanwhile would be followed.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const before = await stampOf(handle);
    if (!before.isFile) throw new Denied('it is not a regular file');
    if (before.size > maxBytes) throw new TooLarge();
    if (process.platform === 'linux' && (await realpath(`/proc/self/fd/${handle.fd}`)) !== file) {
      throw new Denied('it was moved while it was opened');
    }
    const bytes = new Uint8Array(await handle.readFile());
    if (Buffer.from(bytes.subarray(0, HEADER.length)).toString('latin1') !== HEADER)
      throw new Denied('it is no SQLite file');
    const log = await sidecar(`${file}-wal`, maxBytes);
    const after = await stampOf(handle);
    if (after.size !== before.size || after.changed !== before.changed) return undefined;
    // A transaction in the middle, or one that was cut off: only SQLite itself could take it back.
    const journal = await sidecar(`${file}-journal`, maxBytes);
    if (journal && Buffer.from(journal.subarray(0, 8)).toString('hex') === JOURNAL) return undefined;
    return withLog(bytes, log);
  } finally {
    await handle.close();
  }
}

async function stampOf(handle: FileHandle): Promise<{ isFile: boolean; size: number; changed: bigint }> {
  const stat = await handle.stat({ bigint: true });
  return { isFile: stat.isFile(), size: Number(stat.size), changed: stat.mtimeNs };
}

async function sidecar(file: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (!handle) return undefined;
  try {
    const { isFile, size } = await stampOf(handle);
    if (size > maxBytes) throw new TooLarge();
    return isFile ? new Uint8Array(await readFile(handle)) : undefined;
  } finally {
    await handle.close();
  }
}
