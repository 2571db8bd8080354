import { createHash } from 'node:crypto';

const MAX_LENGTH = 255;

/**
 * The artifact id of a file, from its path relative to the folder: `contracts/2024 new.pdf` is `contracts--2024 new.pdf`.
 *
 * Whatever the API does not allow in an id becomes `_`, what is too long is cut, and both get a piece of the path's
 * hash at the end, so that two paths seldom share an id and one path always has the same.
 */
export function artifactIdOf(path: string): string {
  const id = path.normalize('NFC').replaceAll('/', '--');
  const allowed = id.replace(/^[^\p{L}\p{N}_-]|[^\p{L}\p{N}\p{M}._ -]/gu, '_');
  if (allowed === id && id.length <= MAX_LENGTH) return id;
  const mark = `-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`;
  let cut = allowed.slice(0, MAX_LENGTH - mark.length);
  if (/[\uD800-\uDBFF]$/.test(cut)) cut = cut.slice(0, -1);
  return cut + mark;
}
