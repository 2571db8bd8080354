import { createHash } from 'node:crypto';
import { basename } from 'node:path';

const MAX_LENGTH = 255;
const MAX_FILE_NAME = 200;

/**
 * The artifact id of a file, from its path relative to the folder: `contracts/2024 new.pdf` is `contracts--2024 new.pdf`.
 *
 * Whatever the API does not allow in an id becomes `_`, what is too long is cut, and both get a piece of the path's
 * hash at the end, so that two paths seldom share an id and one path always has the same.
 */
export function artifactIdOf(path: string): string {
  const id = path.normalize('NFC').replaceAll('/', '--');
  const allowed = withAllowedCharacters(id);
  if (allowed === id && id.length <= MAX_LENGTH) return id;
  const mark = `-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`;
  return beginningOf(allowed, MAX_LENGTH - mark.length) + mark;
}

/** The file's own name as the API takes it in `metadata.file_name`; several files may have the same. */
export function fileNameOf(path: string): string {
  const name = withAllowedCharacters(basename(path).normalize('NFC'));
  const extension = /\.[\p{L}\p{N}_-]{1,20}$/u.exec(name)?.[0] ?? '';
  return beginningOf(name.slice(0, name.length - extension.length), MAX_FILE_NAME - extension.length) + extension;
}

const withAllowedCharacters = (name: string) => name.replace(/^[^\p{L}\p{N}_-]|[^\p{L}\p{N}\p{M}._ -]/gu, '_');

/** At most so many UTF-16 units, with no half of a surrogate pair at the end. */
function beginningOf(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
