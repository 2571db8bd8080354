/**
 * Port: where the vectors and words of chunks live, and how chunks are found by them.
 *
 * It knows ids, vectors and terms, and nothing of texts, artifacts or tenants: whoever searches asks the
 * ArtifactStore which of the hits are live. A revision is one ingest of one artifact; its records come from one
 * attempt and leave together. Every adapter passes `chunk-index.contract.ts`.
 */
export abstract class ChunkIndex {
  /** Stores records of a collection, which may be new. They are found from the moment this resolves. */
  abstract add(collection: string, records: readonly IndexRecord[]): Promise<void>;

  /** The nearest by cosine, which is the score (-1 to 1), best first. A collection that is not there has none. */
  abstract nearest(collection: string, vector: Float32Array, options: IndexSearch): Promise<IndexHit[]>;

  /** The best by BM25 over `terms`, any of which may match, best first. Scores are positive and have no upper bound. */
  abstract matching(collection: string, terms: readonly string[], options: IndexSearch): Promise<IndexHit[]>;

  /** Removes the records of these revisions. Nothing happens where there are none. */
  abstract removeRevisions(collection: string, revisions: readonly string[]): Promise<void>;

  /** Removes a collection with all it holds. Nothing happens where there is none. */
  abstract drop(collection: string): Promise<void>;

  /** The ids of all collections that hold, or held, a record. */
  abstract collections(): Promise<string[]>;

  /** Ends the upkeep that runs in the background, and lets go of what is open. */
  abstract close(): Promise<void>;
}

/** Ids are UUIDs; an adapter refuses anything else before it reaches a query. */
export interface IndexRecord {
  readonly chunk: string;
  readonly revision: string;
  /** Of unit length; all of a collection have the same number of dimensions. */
  readonly vector: Float32Array;
  /** As `analyseText` gives them: no white space inside, each at most once. */
  readonly terms: readonly string[];
}

export interface IndexSearch {
  readonly limit: number;
  /** Only these. Absent: all. Empty: none. */
  readonly revisions?: readonly string[];
}

export interface IndexHit {
  readonly chunk: string;
  readonly revision: string;
  readonly score: number;
}
