/**
 * Port: texts in, vectors of one length out.
 *
 * An adapter keeps the order of its input and gives unit vectors. It does not chunk: a text beyond `maxWords` is
 * embedded by its beginning.
 */
export abstract class Embedder {
  /** Recorded with every collection; vectors of different ids are never compared. */
  abstract readonly id: string;
  /** How many words of a text it really reads; chunks are made to fit. */
  abstract readonly maxWords: number;
  /** Languages that it was trained for (ISO 639-1); empty: many. Elsewhere keyword search weighs more. */
  abstract readonly languages: readonly string[];

  /** Length of the vectors; known at once for the local embedder, after the first call for a remote one. */
  abstract dimensions(signal?: AbortSignal): Promise<number>;

  /** One unit vector for each text, by position. Empty texts are the caller's mistake. */
  abstract embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}
