import type { Caller } from '@app/access';
import type { ContextFilter } from '@app/contract';
import type { StoredArtifact } from './artifact-store';
import type { EmbedderIdentity } from './artifact.errors';

/** Port: which passages a search may see, and what they say. */
export abstract class PassageStore {
  /**
   * Resolves a filter. Undefined: there is no such collection, or it is not the caller's.
   * @throws ArtifactNotReadyError for a listed artifact that is not there, is not complete or is not the caller's.
   * @throws InvalidRequestError for a condition that makes no sense.
   */
  abstract scope(caller: Caller, filter: ContextFilter): Promise<Scope | undefined>;

  /** Which of these chunks are live, with the collection's version at the same moment. */
  abstract live(caller: Caller, collection: string, chunks: readonly string[]): Promise<LiveChunks>;

  /** The live ones among these chunks, in the order asked for, with the collection's version at the same moment. */
  abstract read(
    caller: Caller,
    collection: string,
    chunks: readonly string[],
    options: { readonly neighbours: number },
  ): Promise<ReadPassages>;
}

export interface Scope {
  /** The collection's id. */
  readonly collection: string;
  readonly embedder: EmbedderIdentity;
  /** Changes whenever an artifact of the collection appears, changes or goes. */
  readonly version: string;
  /** Whether nothing of the collection was being written or removed: the index had what is live, and nothing else. */
  readonly settled: boolean;
  /** The live revisions that the filter lets through. Absent: the whole collection. Empty: none. */
  readonly revisions?: readonly string[];
}

export interface LiveChunks {
  /** Undefined: the collection is gone. */
  readonly version?: string;
  readonly chunks: ReadonlySet<string>;
  /** Revisions of the collection that are still being written. */
  readonly unpublished: ReadonlySet<string>;
}

export interface ReadPassages {
  /** Undefined: none of the chunks is live. */
  readonly version?: string;
  readonly passages: readonly Passage[];
}

export interface Passage {
  readonly id: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly page?: number;
  readonly position: number;
  readonly positionUnderHeading: number;
  readonly artifact: StoredArtifact;
  /** Texts of the same section in reading order, at most `neighbours` on each side. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}
