/** A place counts less the further down it is. The usual 60 levels the first ten, and a weak list then decides. */
const K = 10;

export interface RankedList {
  /** Chunk ids, best first. */
  readonly chunks: readonly string[];
  readonly weight: number;
}

/**
 * Reciprocal rank fusion: what several lists place high comes first. Scores are between 0 and 1, which is first place
 * in every list.
 */
export function fuse(lists: readonly RankedList[]): { readonly chunk: string; readonly score: number }[] {
  const scores = new Map<string, number>();
  const best = lists.reduce((sum, { weight }) => sum + weight, 0);
  for (const { chunks, weight } of lists) {
    for (const [place, chunk] of chunks.entries()) {
      scores.set(chunk, (scores.get(chunk) ?? 0) + ((weight / best) * (K + 1)) / (K + 1 + place));
    }
  }
  return [...scores].map(([chunk, score]) => ({ chunk, score })).sort((a, b) => b.score - a.score);
}
