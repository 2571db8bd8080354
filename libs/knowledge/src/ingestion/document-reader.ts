import type { DocumentText } from '../documents/document-text';
import type { SourceFile } from '../parsers/parser';
import type { ImportedTable } from '../tables/import-tables';
import type { DocumentChunk } from './chunk-document';

/** Port: a file in, its passages out, each with the words by which it is found; or its text as a whole. */
export abstract class DocumentReader {
  /**
   * @param file.path where it lies instead, if it does not come in memory; it is removed.
   * @param options.maxWords the most words of a passage.
   * @param options.folder for the tables of the file, made where it has any. Without it they are text only.
   * @throws InvalidRequestError that begins with `unsupported_file`, `unsafe_file` or `limit_exceeded`.
   */
  abstract read(file: SourceFile, options: ReadOptions, signal?: AbortSignal): Promise<ReadDocument>;

  /**
   * @param maxBytes of the text.
   * @throws as `read` does.
   */
  abstract text(file: SourceFile, maxBytes: number, signal?: AbortSignal): Promise<DocumentText>;

  /** Ends what runs, and starts nothing more. */
  abstract close(): Promise<void>;
}

export interface ReadOptions {
  readonly maxWords: number;
  readonly folder?: string;
}

export interface ReadDocument {
  /** `pdf`, `markdown`, …: what the content is. */
  readonly format: string;
  readonly chunks: readonly ReadChunk[];
  /** Written into the folder. */
  readonly tables: readonly ImportedTable[];
}

export interface ReadChunk extends DocumentChunk {
  /** Of the text and of the headings above it, as `analyseText` gives them. */
  readonly terms: readonly string[];
}
