import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Caller } from '@app/access';
import type { DocumentReader } from '../ingestion/document-reader';
import type { DocumentText } from './document-text';
import { contentType } from '../web/media-kind';
import { TextCache } from './text-cache';

/** A file as a message holds it. */
export interface SentFile {
  /** Standard base64, checked. */
  readonly base64: string;
  /** MIME type as the caller gives it; empty for none. */
  readonly mediaType: string;
  readonly name?: string;
}

/** Characters that are hashed before others get a turn. */
const STEP = 1024 * 1024;
/** Bytes of the texts that are remembered, and of the share of one organisation. */
const CACHE_BYTES = 32 * 1024 * 1024;
const SHARE_BYTES = CACHE_BYTES / 4;

/** The names by which the parsers know what a MIME type promises. For any other the content has to tell. */
const NAMES: Readonly<Record<string, string>> = {
  'application/pdf': 'document.pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document.docx',
  'text/html': 'document.html',
  'application/xhtml+xml': 'document.html',
};

/**
 * The text of documents that are sent in messages.
 *
 * They are parsed in killable children, which are not those of ingestion: nobody's answer waits for a collection. A
 * conversation brings its documents again with every turn, so that their texts are remembered for a while, by what is
 * in them, and for their own organisation alone.
 */
export class DocumentTexts {
  private readonly cache = new TextCache(CACHE_BYTES, SHARE_BYTES);

  /** @param maxTextBytes what the text of one document may have. */
  constructor(
    private readonly reader: DocumentReader,
    private readonly maxTextBytes: number,
  ) {}

  /**
   * @throws InvalidRequestError that begins with `unsupported_file`, `unsafe_file` or `limit_exceeded`, and the
   *   signal's reason.
   */
  async read(caller: Caller, file: SentFile, signal?: AbortSignal): Promise<DocumentText> {
    const type = file.mediaType.split(';', 1)[0]!.trim().toLowerCase();
    const name = NAMES[type] ?? file.name ?? '';
    const { charset } = contentType(file.mediaType);
    const key = await digest([name, type, charset ?? '', file.base64]);
    const known = this.cache.get(caller.organisationId, key);
    if (known) return known;
    const bytes = Buffer.from(file.base64, 'base64');
    const said =
      plainText(type, bytes) ?? (await this.reader.text({ name, bytes, charset }, this.maxTextBytes, signal));
    this.cache.set(caller.organisationId, key, said);
    return said;
  }

  close(): Promise<void> {
    return this.reader.close();
  }
}

/** Text is taken word for word: a parser would join the lines of code. Other charsets are the parser's to tell. */
function plainText(type: string, bytes: Buffer): DocumentText | undefined {
  const isText = /^text\/(?!html)|^application\/(?:json|xml|yaml|x-yaml|toml|csv)$/.test(type);
  if (!isText || bytes.includes(0)) return undefined;
  try {
    return { format: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return undefined;
  }
}

async function digest(parts: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(`${part.length}:`);
    for (let at = 0; at < part.length; at += STEP) {
      if (at > 0) await breathe();
      hash.update(part.slice(at, at + STEP));
    }
  }
  return hash.digest('hex');
}
