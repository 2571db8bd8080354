import { InvalidRequestError, type IngestBody } from '@app/contract';
import { SERVER_KEYS, TENANT_KEYS } from '../artifacts/ingested-document';

export const MAX_METADATA_BYTES = 64 * 1024;
const MAX_DEPTH = 32;
/** Never a part of a path, whatever it looks like (SEC-82). */
const FILE_NAME = /^[\p{L}\p{N}_-][\p{L}\p{N}\p{M}._ -]{0,199}$/u;
const EXTENSION = /[^.]\.[\p{L}\p{N}_-]{1,20}$/u;

export interface CallerMetadata {
  /** What is kept and echoed: the caller's own keys. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The file name that the caller gave, where it has an extension. */
  readonly fileName?: string;
}

/**
 * The metadata of an ingest, checked (messages-api §14.1).
 *
 * `file_name` is the caller's to set. The other keys of the server are not: one that says what is so anyway is left
 * out, one that says something else is refused by name (SEC-103).
 *
 * @throws InvalidRequestError
 */
export function callerMetadata({ artifact, collection, metadata }: IngestBody): CallerMetadata {
  const own: Record<string, unknown> = {};
  const known: Record<string, unknown> = { artifact_id: artifact, collection };
  for (const [key, value] of Object.entries(metadata ?? {})) {
    if (key === 'file_name' || (Object.hasOwn(known, key) && known[key] === value)) continue;
    if ((SERVER_KEYS as readonly string[]).includes(key) || TENANT_KEYS.has(key.toLowerCase())) {
      throw new InvalidRequestError(`The metadata key ${key} is set by the server and cannot be given.`);
    }
    Object.defineProperty(own, key, { value, enumerable: true });
  }
  checkValue(own, 1);
  const bytes = Buffer.byteLength(JSON.stringify(own));
  if (bytes > MAX_METADATA_BYTES) {
    throw new InvalidRequestError(
      `limit_exceeded: the metadata has ${bytes} bytes as JSON, at most ${MAX_METADATA_BYTES} are taken.`,
    );
  }
  return { metadata: own, fileName: fileName(metadata?.file_name) };
}

function fileName(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string' || !FILE_NAME.test(given)) {
    throw new InvalidRequestError(
      'metadata.file_name may hold letters, digits, spaces and . _ - (1 to 200 of them, no leading dot), and no path.',
    );
  }
  return EXTENSION.test(given) ? given : undefined;
}

/** Nothing that JSON cannot say or PostgreSQL cannot keep. */
function checkValue(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new InvalidRequestError(`limit_exceeded: the metadata is nested more than ${MAX_DEPTH} levels deep.`);
  }
  if (typeof value === 'string') return checkText(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new InvalidRequestError('The metadata holds a number that is not finite.');
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach((each) => checkValue(each, depth + 1));
  for (const [key, each] of Object.entries(value)) {
    checkText(key);
    checkValue(each, depth + 1);
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw new InvalidRequestError('The metadata holds a NUL character.');
  if (!text.isWellFormed()) throw new InvalidRequestError('The metadata holds half of a surrogate pair.');
}
