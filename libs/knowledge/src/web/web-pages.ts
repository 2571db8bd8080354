import type { Caller } from '@app/access';
import { InvalidRequestError } from '@app/contract';
import {
  EgressError,
  type Config,
  type WebClient,
  type Spool,
  type SpooledFile,
  type WebHead,
  type WebLimits,
} from '@app/platform';
import { imageTypeOf, refuseWhatIsNoImage } from './image-type';
import { contentType, mediaKindOf } from './media-kind';
import type { PageReading } from './page';
import type { PageReader } from './page-reader';
import { Robots } from './robots';

/** A document as it was fetched, for whoever reads it. */
export interface FetchedDocument {
  /** Where it came from, after redirects. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
  /** Where it lies instead, if it is large and had a spool. */
  readonly file?: SpooledFile;
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface FetchedImage {
  readonly bytes: Uint8Array;
  /** Of what it is, whatever its server says. */
  readonly mediaType: string;
}

/** What a server has said of the state of a document that it has given. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export type WebPage = PageReading & {
  /** Where it came from, after redirects. */
  readonly url: string;
  /** ISO 8601. */
  readonly retrievedAt: string;
};

const ACCEPT =
  'text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.9,text/plain;q=0.8,application/json;q=0.7,application/xml;q=0.7,application/pdf;q=0.7,text/csv;q=0.7,*/*;q=0.1';

/** Reads pages of the web: fetched through the guard, politely, and read in a process of their own. */
export class WebPages {
  private readonly robots?: Robots;
  private readonly limits: WebLimits;
  private readonly documentLimits: WebLimits;

  constructor(
    private readonly client: WebClient,
    private readonly reader: PageReader,
    private readonly config: Config['web'],
    maxFileBytes: number,
  ) {
    if (config.robots) this.robots = new Robots(reader, config.userAgent.split(/[/\s]/, 1)[0]!);
    this.limits = {
      maxWireBytes: config.maxBytes,
      maxDecodedBytes: config.maxUnpackedBytes,
      totalMs: config.totalMs,
      settings: { size: 'MAX_WEB_MB, MAX_WEB_UNPACKED_MB', time: 'WEB_SECONDS' },
    };
    this.documentLimits = {
      maxWireBytes: maxFileBytes,
      maxDecodedBytes: maxFileBytes,
      totalMs: config.documentMs,
      settings: { size: 'MAX_FILE_MB', time: 'URI_SECONDS' },
    };
  }

  get anyUrl(): boolean {
    return this.config.anyUrl;
  }

  /** @throws InvalidRequestError where this server fetches nothing (SEC-02). */
  checkEnabled(): void {
    if (!this.config.enabled) throw notEnabled('Reading web pages');
  }

  /**
   * Fetches and reads one page. A page without text is an outcome, not an error.
   *
   * @param allow asked for the address and for every one that it leads on to. @throws to refuse it.
   * @throws InvalidRequestError that begins with a token: EgressError for what could not be fetched, the parsers' for
   *   what could not be read.
   */
  async read(
    { organisationId }: Caller,
    url: string,
    signal: AbortSignal,
    allow: (url: URL) => void = () => undefined,
  ): Promise<WebPage> {
    this.checkEnabled();
    const response = await this.client.fetch({
      url,
      organisationId,
      limits: this.limits,
      signal,
      headers: { accept: ACCEPT },
      onHeaders: refuseOtherTypes,
      onHop: (hop, inside) => {
        allow(hop);
        return this.robots?.check(hop, organisationId, inside, signal);
      },
    });
    const { status, headers, body: bytes } = response;
    const page = { url: response.url.href, status, headers, bytes, ...contentType(headers['content-type']) };
    const reading = await this.reader.read(page, signal);
    return { ...reading, url: page.url, retrievedAt: new Date().toISOString() };
  }

  /**
   * Fetches an image, as large as a page may be.
   *
   * @throws InvalidRequestError that begins with a token, also for what is no image that models take.
   */
  async image({ organisationId }: Caller, url: string, signal: AbortSignal): Promise<FetchedImage> {
    if (!this.config.enabled) throw notEnabled('Fetching images');
    const { status, body: bytes } = await this.client.fetch({
      url,
      organisationId,
      limits: this.limits,
      signal,
      headers: { accept: 'image/webp,image/png,image/jpeg,image/gif' },
      onHeaders: refuseWhatIsNoImage,
      onHop: (hop, inside) => this.robots?.check(hop, organisationId, inside, signal),
    });
    refuseStatus(status, 'image');
    return { bytes, mediaType: await imageTypeOf(bytes) };
  }

  /** What can be told before anything is fetched. @throws InvalidRequestError for an address that is refused. */
  checkDocument(url: string): void {
    if (!this.config.enabled) throw notEnabled('Ingesting from a URI');
    this.client.check(url);
  }

  /**
   * Fetches a whole document of any type (SEC-81).
   *
   * @param known what the server said of the state that is there already.
   * @param spool where a large one may be written.
   * @returns undefined where that is still the state of it.
   * @throws InvalidRequestError that begins with a token, also for an answer that is no document.
   */
  async document(
    { organisationId }: Caller,
    url: string,
    known: Validators,
    signal: AbortSignal,
    spool?: Spool,
  ): Promise<FetchedDocument | undefined> {
    this.checkDocument(url);
    const response = await this.client.fetch({
      url,
      organisationId,
      limits: this.documentLimits,
      signal,
      spool,
      headers: {
        accept: '*/*',
        ...(known.etag && { 'if-none-match': known.etag }),
        ...(known.lastModified && { 'if-modified-since': known.lastModified }),
      },
      onHop: (hop, inside) => this.robots?.check(hop, organisationId, inside, signal),
    });
    const { status, headers, body: bytes, file } = response;
    if (status === 304 && (known.etag || known.lastModified)) return undefined;
    refuseStatus(status, 'document');
    const { etag, 'last-modified': lastModified } = headers;
    return {
      url: response.url,
      headers,
      bytes,
      ...(file && { file }),
      ...(isShort(etag) && { etag }),
      ...(isShort(lastModified) && { lastModified }),
    };
  }
}

/** @throws InvalidRequestError for an answer that is not what was asked for. */
function refuseStatus(status: number, what: 'document' | 'image'): void {
  if (status === 404 || status === 410) {
    throw new InvalidRequestError(`gone: the server says that there is no such ${what} (status ${status}).`);
  }
  if (status >= 200 && status < 300) return;
  const article = what === 'image' ? 'an' : 'a';
  throw new InvalidRequestError(`http_error: the server answered with status ${status} instead of ${article} ${what}.`);
}

/** Longer ones are not kept; the document is then fetched again. */
const isShort = (value: string | undefined): value is string => value !== undefined && value.length <= 500;

/** SEC-18: before any of it is read. An answer without a type is told by its content. */
function refuseOtherTypes({ headers }: WebHead): void {
  const { mediaType } = contentType(headers['content-type']);
  if (mediaType === '' || mediaKindOf(mediaType)) return;
  const shown = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType.slice(0, 100) : 'no known type';
  throw new EgressError(
    'unsupported_file',
    `the address leads to ${shown}. HTML, plain text, Markdown, JSON, XML, CSV and PDF are read.`,
  );
}

export const notEnabled = (what: string) =>
  new InvalidRequestError(`${what} is not enabled on this server (setting WEB_ACCESS).`);
