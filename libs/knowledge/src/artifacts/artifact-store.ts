import type { Caller } from '@app/access';
import type { TableReport } from '../tables/table-report';
import type { EmbedderIdentity } from './artifact.errors';

/** What one organisation may keep (SEC-84). */
export const MAX_COLLECTIONS = 200;
export const MAX_ARTIFACTS = 100_000;
export const MAX_STORED_BYTES = 10 * 1024 ** 3;

/**
 * Port: which artifacts there are, and their texts. It is the truth: what it does not list does not exist, whatever
 * the index still holds.
 *
 * An artifact appears, changes and goes at once. `open` begins a revision that nobody sees; `publish` makes it the
 * artifact, or fails whole.
 */
export abstract class ArtifactStore {
  abstract find(caller: Caller, address: ArtifactAddress): Promise<StoredArtifact | undefined>;

  /** In the order of their names. A collection that is not there, or is not the caller's, is empty. */
  abstract list(caller: Caller, collection: string): Promise<StoredArtifact[]>;

  /**
   * Notes that a revision is about to be written to the index, and makes its collection where there is none.
   * @returns the collection's id.
   * @throws EmbedderMismatchError
   * @throws InvalidRequestError over a quota of the organisation.
   */
  abstract open(caller: Caller, revision: NewRevision): Promise<string>;

  /**
   * Makes an open revision the artifact; the one before it is no more.
   * @throws IngestCancelledError where `remove` came in between.
   */
  abstract publish(caller: Caller, revision: string, content: ArtifactContent): Promise<StoredArtifact>;

  /**
   * Removes the artifact, and cancels what is being ingested under its name. A collection without artifacts goes too.
   * @returns whether there was anything to remove or to cancel.
   */
  abstract remove(caller: Caller, address: ArtifactAddress): Promise<boolean>;
}

/** Both names are the caller's, and only mean something inside the organisation. */
export interface ArtifactAddress {
  readonly collection: string;
  readonly artifact: string;
}

export interface NewRevision extends ArtifactAddress {
  readonly revision: string;
  readonly embedder: EmbedderIdentity;
  readonly byteSize: number;
}

export interface ArtifactContent extends ArtifactAddress {
  readonly fileName: string;
  readonly contentHash: string;
  readonly byteSize: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly origin?: ArtifactOrigin;
  readonly chunks: readonly NewChunk[];
  readonly tables?: readonly NewTable[];
}

export interface NewTable {
  /** The Parquet file, below the folder of all tables. */
  readonly file: string;
  readonly report: TableReport;
}

/** Where a document was fetched from, and what the server there calls that state of it. */
export interface ArtifactOrigin {
  readonly uri: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Over what the caller wanted besides; another name or other metadata make another document of the same bytes. */
  readonly wanted: string;
}

export interface NewChunk {
  readonly id: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly page?: number;
  readonly position: number;
  readonly positionUnderHeading: number;
}

export interface StoredArtifact extends ArtifactAddress {
  readonly id: string;
  readonly fileName: string;
  readonly contentHash: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly embedder: EmbedderIdentity;
  readonly chunkCount: number;
  readonly origin?: ArtifactOrigin;
  readonly ingestedAt: Date;
}
