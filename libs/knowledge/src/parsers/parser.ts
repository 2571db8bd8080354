import type { TableInput, TableLimits } from '../tables/table-input';

/**
 * Port: a file of one format in, its text as ordered blocks out.
 *
 * A parser runs in a child process with limits of memory and time (SEC-04). It neither chunks nor embeds, and opens
 * neither files nor sockets: all it has is the bytes it was given.
 */
export interface Parser {
  /** `pdf`, `docx`, …: what an error calls the format. */
  readonly format: string;
  /** With the dot, in lower case. */
  readonly extensions: readonly string[];
  /** @throws UnsupportedFileError, UnsafeFileError, LimitExceededError, each with a sentence for the caller. */
  parse(file: SourceFile, limits: ParserLimits): Promise<ParsedDocument>;
}

export interface SourceFile {
  /** As the caller named it; picks nothing but the expectation that the content is held against. */
  readonly name: string;
  /** What a server said that its text is written in. */
  readonly charset?: string;
  /** All of it; where there is a path, its beginning. */
  readonly bytes: Uint8Array;
  /** Where it lies, for the formats that are read in pieces. */
  readonly path?: string;
}

export interface ParserLimits {
  readonly maxPages: number;
  /** Default: TABLE_LIMITS. */
  readonly tables?: TableLimits;
}

export interface ParsedDocument {
  readonly format: string;
  readonly title?: string;
  /** ISO 639-1, where the file says it. */
  readonly language?: string;
  /** Only for formats that have pages. */
  readonly pages?: number;
  /** In reading order. */
  readonly blocks: readonly DocumentBlock[];
  /** Of formats that are made of tables. Those of the others are among the blocks. */
  readonly tables?: readonly TableInput[];
}

export interface DocumentBlock {
  readonly kind: 'heading' | 'paragraph' | 'list' | 'table' | 'code';
  /** Plain text; lists as lines that begin with "- " or "1. ", tables as Markdown. */
  readonly text: string;
  /** 1 to 6, for headings. */
  readonly level?: number;
  /** Counted from 1. */
  readonly page?: number;
  /** Of a table: its rows go on with those of the table before, under the same headings. */
  readonly goesOn?: boolean;
  /** Of a table: where it says less, or the same more often, than what it was drawn from. */
  readonly notes?: readonly string[];
}
