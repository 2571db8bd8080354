import { createHash } from 'node:crypto';
import { Embedder } from '@app/models';

/**
 * An Embedder that needs no weights: each word of three letters and more has a direction of its own, and texts that
 * share words are near each other. `before` is called with each batch and may wait or throw.
 */
export class WordEmbedder extends Embedder {
  readonly maxWords: number = 100;

  constructor(
    override readonly id: string = 'words',
    private readonly size: number = 64,
    override readonly languages: readonly string[] = ['en'],
  ) {
    super();
  }

  before: (texts: readonly string[], signal?: AbortSignal) => Promise<void> | void = () => {};

  override dimensions(): Promise<number> {
    return Promise.resolve(this.size);
  }

  override async embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    await this.before(texts, signal);
    signal?.throwIfAborted();
    return texts.map((text) => {
      const vector = new Float32Array(this.size).fill(1e-3);
      for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? []) {
        const hash = createHash('md5').update(word).digest();
        for (let at = 0; at < 4; at++) vector[hash[at]! % this.size]! += (hash[at + 4]! & 1) === 0 ? 1 : -1;
      }
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    });
  }
}
