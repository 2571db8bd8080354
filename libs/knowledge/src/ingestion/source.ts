import { createHash, type Hash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Caller } from '@app/access';
import { InvalidRequestError, TooLargeError, type IngestBody } from '@app/contract';
import { callerMetadata } from './caller-metadata';

const MiB = 1024 * 1024;
const DATA_URL = /^data:[^,]{0,255};base64,/i;
/** Characters of base64 that are decoded, or bytes that are hashed, before others get a turn. A multiple of four. */
const STEP = MiB;
const TEXT_FILE_NAME = 'text_content.txt';

/** What is to be ingested: bytes, a name, metadata, and what tells whether any of it is new. */
export interface Source {
  readonly bytes: Uint8Array;
  /** Undefined: the content has to tell what it is. */
  readonly fileName?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Over bytes, name and metadata; salted, so that it means nothing in another organisation (SEC-106). */
  readonly contentHash: string;
}

/**
 * The input of an ingest as a file (messages-api §14.1). Lets others have a turn while it works through a large one.
 *
 * @throws TooLargeError beyond `maxFileBytes`, before anything is decoded (SEC-71).
 * @throws InvalidRequestError
 */
export async function readSource(caller: Caller, body: IngestBody, maxFileBytes: number): Promise<Source> {
  const { metadata, fileName } = callerMetadata(body);
  const bytes = await bytesOf(body.input, maxFileBytes);
  const name = fileName ?? (body.input.type === 'text' ? TEXT_FILE_NAME : undefined);
  const hash = createHash('sha256').update(JSON.stringify([caller.organisationId, name ?? null, sorted(metadata)]));
  return { bytes, fileName: name, metadata, contentHash: await digest(hash, bytes) };
}

async function bytesOf({ type, value }: IngestBody['input'], maxFileBytes: number): Promise<Uint8Array> {
  switch (type) {
    case 'uri':
      throw new InvalidRequestError(
        'Ingesting from a URI is not enabled on this server. Send the content as input.type "file" or "text".',
      );
    case 'text':
      return textBytes(value, maxFileBytes);
    case 'file':
      return decode(value.replace(DATA_URL, ''), maxFileBytes);
  }
}

function textBytes(text: string, maxFileBytes: number): Uint8Array {
  if (text.trim() === '') throw new InvalidRequestError('The text is empty.');
  checkSize(Buffer.byteLength(text), maxFileBytes);
  const nul = text.indexOf('\0');
  if (nul >= 0) throw new InvalidRequestError(`The text has a NUL character at position ${nul}.`);
  if (!text.isWellFormed())
    throw new InvalidRequestError('The text has half of a surrogate pair, which is no character.');
  return Buffer.from(text);
}

async function decode(base64: string, maxFileBytes: number): Promise<Uint8Array> {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const size = (base64.length / 4) * 3 - padding;
  checkSize(Math.ceil(size), maxFileBytes);
  if (size === 0) throw new InvalidRequestError('unsupported_file: the file is empty (0 bytes).');
  if (!Number.isInteger(size)) throw notBase64();
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0, to = 0; at < base64.length; at += STEP) {
    const part = base64.slice(at, at + STEP);
    const decoded = Buffer.from(part, 'base64');
    // Canonical is what comes out the same again: no foreign characters, no padding inside, no stray bits.
    if (decoded.toString('base64') !== part) throw notBase64();
    to += decoded.copy(bytes, to);
    await breathe();
  }
  return bytes;
}

function checkSize(size: number, maxFileBytes: number): void {
  if (size <= maxFileBytes) return;
  throw new TooLargeError(
    `limit_exceeded: the file has ${size} bytes, at most ${maxFileBytes / MiB} MiB are taken (setting MAX_FILE_MB).`,
  );
}

const notBase64 = () =>
  new InvalidRequestError(
    'input.value is not valid base64. Standard base64 with padding and without line breaks is taken.',
  );

async function digest(hash: Hash, bytes: Uint8Array): Promise<string> {
  for (let at = 0; at < bytes.length; at += STEP) {
    hash.update(bytes.subarray(at, at + STEP));
    await breathe();
  }
  return hash.digest('hex');
}

/** The same metadata in another order is the same metadata. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)]);
}
