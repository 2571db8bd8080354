/**
 * A database file with what is still in its write-ahead log, as one file without a log: a copy in memory has no place
 * for one. The format is SQLite's (“The Write-Ahead Log”, file format §4).
 */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;
/** Versions of the file format for writing and reading; 2 is a file with a log. */
const VERSIONS = [18, 19] as const;

export function withLog(bytes: Uint8Array, log: Uint8Array | undefined): Uint8Array {
  const merged = log && log.length > LOG_HEADER ? apply(bytes, log) : bytes;
  for (const at of VERSIONS) merged[at] = 1;
  return merged;
}

function apply(bytes: Uint8Array, log: Uint8Array): Uint8Array {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const pageSize = view.getUint32(8);
  const little = view.getUint32(0) === MAGIC;
  if (view.getUint32(0) >>> 1 !== MAGIC >>> 1 || pageSize < 512 || pageSize > 65_536) return bytes;
  let sum = checksum(view, 0, 24, [0, 0], little);
  if (sum[0] !== view.getUint32(24) || sum[1] !== view.getUint32(28)) return bytes;

  const pages = new Map<number, number>();
  let pending = new Map<number, number>();
  let pageCount = 0;
  for (let at = LOG_HEADER; at + FRAME_HEADER + pageSize <= log.length; at += FRAME_HEADER + pageSize) {
    // Frames of an earlier round of the log have other salts.
    if (view.getUint32(at + 8) !== view.getUint32(16) || view.getUint32(at + 12) !== view.getUint32(20)) break;
    sum = checksum(view, at, 8, sum, little);
    sum = checksum(view, at + FRAME_HEADER, pageSize, sum, little);
    if (sum[0] !== view.getUint32(at + 16) || sum[1] !== view.getUint32(at + 20)) break;
    pending.set(view.getUint32(at), at + FRAME_HEADER);
    const sizeAfterCommit = view.getUint32(at + 4);
    if (sizeAfterCommit === 0) continue;
    for (const [page, where] of pending) pages.set(page, where);
    pending = new Map();
    pageCount = sizeAfterCommit;
  }
  if (pageCount === 0) return bytes;
  const merged = new Uint8Array(pageCount * pageSize);
  merged.set(bytes.subarray(0, merged.length));
  for (const [page, where] of pages) {
    if (page <= pageCount) merged.set(log.subarray(where, where + pageSize), (page - 1) * pageSize);
  }
  return merged;
}

function checksum(
  view: DataView,
  from: number,
  length: number,
  [first, second]: readonly [number, number],
  little: boolean,
): [number, number] {
  let [a, b] = [first, second];
  for (let at = from; at < from + length; at += 8) {
    a = (a + view.getUint32(at, little) + b) >>> 0;
    b = (b + view.getUint32(at + 4, little) + a) >>> 0;
  }
  return [a, b];
}
