import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Caller } from '@app/access';
import { InvalidRequestError, TooLargeError, type IngestBody } from '@app/contract';
import type { SpooledFile } from '@app/platform';
import { callerMetadata } from './caller-metadata';

const MiB = 1024 * 1024;
const DATA_URL = /^data:[^,]{0,255};base64,/i;
/** Characters of base64 that are decoded, or bytes that are hashed, before others get a turn. A multiple of four. */
const STEP = MiB;
const TEXT_FILE_NAME = 'text_content.txt';

/** Tells whether two ingests of the same bytes would make the same document. */
export function wantedBy(body: IngestBody): string {
  const { metadata, fileName } = callerMetadata(body);
  return createHash('sha256')
    .update(JSON.stringify([fileName ?? null, sorted(metadata)]))
    .digest('hex');
}

/** What is to be ingested: bytes, a name, metadata, and what tells whether any of it is new. */
export interface Source {
  /** Its content: in memory, or where it lies if it is large. */
  readonly content: Uint8Array | SpooledFile;
  /** Undefined: the content has to tell what it is. */
  readonly fileName?: string;
  /** What its server said that its text is written in. */
  readonly charset?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Over bytes, name and metadata; salted, so that it means nothing in another organisation (SEC-106). */
  readonly contentHash: string;
}

/**
 * All that is wrong with the body of an ingest and can be told before anything is decoded (SEC-71).
 *
 * @throws TooLargeError beyond `maxFileBytes`.
 * @throws InvalidRequestError
 */
export function checkSource(body: IngestBody, maxFileBytes: number): void {
  callerMetadata(body);
  const { type, value } = body.input;
  switch (type) {
    case 'uri':
      return;
    case 'text':
      return checkText(value, maxFileBytes);
    case 'file':
      return checkBase64(value, maxFileBytes);
  }
}

/**
 * The input of an ingest as a file (messages-api §14.1). Lets others have a turn while it works through a large one.
 *
 * It takes the content out of the body: the characters are gone when the bytes are there.
 *
 * @param body as `checkSource` has passed it.
 * @throws InvalidRequestError for what is no base64.
 */
export async function readSource(caller: Caller, body: IngestBody): Promise<Source> {
  const bytes = body.input.type === 'file' ? await decode(taken(body)) : Buffer.from(taken(body));
  return sourceOf(caller, body, bytes, body.input.type === 'text' ? TEXT_FILE_NAME : undefined);
}

/** @param found the name of the content, where the caller gives none. */
export async function sourceOf(
  caller: Caller,
  body: IngestBody,
  content: Uint8Array | SpooledFile,
  found?: string,
): Promise<Source> {
  const { metadata, fileName } = callerMetadata(body);
  const name = fileName ?? found;
  const hash = createHash('sha256').update(JSON.stringify([caller.organisationId, name ?? null, sorted(metadata)]));
  return { content, fileName: name, metadata, contentHash: await digest(hash, content) };
}

function taken({ input }: IngestBody): string {
  const { value } = input;
  input.value = '';
  return value;
}

function checkText(text: string, maxFileBytes: number): void {
  if (text.trim() === '') throw new InvalidRequestError('The text is empty.');
  checkSize(Buffer.byteLength(text), maxFileBytes);
  const nul = text.indexOf('\0');
  if (nul >= 0) throw new InvalidRequestError(`The text has a NUL character at position ${nul}.`);
  if (!text.isWellFormed())
    throw new InvalidRequestError('The text has half of a surrogate pair, which is no character.');
}

function checkBase64(value: string, maxFileBytes: number): void {
  const size = decodedSize(value, startOf(value));
  checkSize(Math.ceil(size), maxFileBytes);
  if (size === 0) throw new InvalidRequestError('unsupported_file: the file is empty (0 bytes).');
  if (!Number.isInteger(size)) throw notBase64();
}

async function decode(value: string): Promise<Uint8Array> {
  const start = startOf(value);
  const bytes = Buffer.allocUnsafe(decodedSize(value, start));
  for (let at = start, to = 0; at < value.length; at += STEP) {
    const part = value.slice(at, at + STEP);
    const decoded = Buffer.from(part, 'base64');
    // Canonical is what comes out the same again: no foreign characters, no padding inside, no stray bits.
    if (decoded.toString('base64') !== part) throw notBase64();
    to += decoded.copy(bytes, to);
    await breathe();
  }
  return bytes;
}

/** Behind the head of a data URL. */
const startOf = (value: string) => DATA_URL.exec(value)?.[0].length ?? 0;

function decodedSize(value: string, start: number): number {
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  return Math.max(0, ((value.length - start) / 4) * 3 - padding);
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

export const sizeOf = (content: Source['content']): number =>
  content instanceof Uint8Array ? content.length : content.size;

async function digest(hash: Hash, content: Source['content']): Promise<string> {
  if (!(content instanceof Uint8Array)) {
    for await (const part of createReadStream(content.path, { highWaterMark: STEP })) hash.update(part as Buffer);
    return hash.digest('hex');
  }
  for (let at = 0; at < content.length; at += STEP) {
    hash.update(content.subarray(at, at + STEP));
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
