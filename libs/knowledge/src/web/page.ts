/** What becomes of a web page: its text, or one of a few reasons why there is none. */

/** Why a page has no text to give. Stable: a tool result begins with the word. */
export type NoPage =
  | 'consent_wall'
  | 'needs_script'
  | 'bot_check'
  | 'login'
  | 'empty'
  | 'gone'
  | 'http_error'
  /** The type is none that is read, or the content is not of its type (SEC-18). */
  | 'unsupported_file'
  /** Built to exhaust whoever reads it (SEC-78), or too large to be read. */
  | 'unsafe_file'
  | 'limit_exceeded';

/** What came over the wire, as far as its reader has to know it. */
export interface FetchedPage {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case; empty where the server says none. */
  readonly mediaType: string;
  readonly charset?: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Uint8Array;
}

export interface PageContent extends PageFacts {
  readonly outcome: 'content';
  /** `html`, `pdf`, `markdown`, `text`, `json`, `xml`, `csv`, `feed`. */
  readonly format: string;
  readonly markdown: string;
  /** Where the text is not what a reader of the page would see. */
  readonly note?: string;
}

export interface PageFailure {
  readonly outcome: NoPage;
  /** A sentence for the caller. */
  readonly why: string;
  readonly title?: string;
}

export type PageReading = PageContent | PageFailure;

/** What a page says about itself. */
export interface PageFacts {
  readonly title?: string;
  readonly author?: string;
  readonly siteName?: string;
  readonly description?: string;
  /** ISO 8601, as far as the page says. */
  readonly published?: string;
  readonly modified?: string;
  /** BCP 47, as the page writes it. */
  readonly language?: string;
  /** Absolute. */
  readonly canonical?: string;
}
