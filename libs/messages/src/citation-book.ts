import type { Chunk, Citation, KnownCitation } from '@app/contract';

/**
 * The passages that an answer may cite: those retrieved in this request, and no others (SEC-148).
 *
 * A mark is four characters that come from the chunk's id, so the same passage has the same mark in every request.
 * Where two passages of one request would share a mark, the later one gets a mark that is derived from it.
 */
export class CitationBook {
  private readonly chunks = new Map<string, Chunk>();
  private readonly marks = new Map<string, string>();
  private readonly indexes: Map<string, number>;
  private nextIndex: number;

  constructor(known: readonly KnownCitation[] = []) {
    this.indexes = new Map(known.map(({ id, index }) => [id, index]));
    this.nextIndex = known.reduce((next, { index }) => Math.max(next, index + 1), 0);
  }

  /** The mark by which the answer may cite this passage. */
  cite(chunk: Chunk): string {
    const given = this.marks.get(chunk.id);
    if (given) return given;
    let mark = chunk.metadata.shorter_id;
    while (this.chunks.has(mark)) mark = successor(mark);
    this.chunks.set(mark, chunk);
    this.marks.set(chunk.id, mark);
    return mark;
  }

  /** The citation for a mark in the answer, or undefined for a mark that nothing was retrieved for. */
  citation(mark: string): Citation | undefined {
    const chunk = this.chunks.get(mark);
    if (!chunk) return undefined;
    let index = this.indexes.get(mark);
    if (index === undefined) {
      index = this.nextIndex++;
      this.indexes.set(mark, index);
    }
    return { id: mark, index, artifact_id: chunk.document.artifact, source_id: chunk.id };
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The next mark in the order of A-Z 0-9, as an odometer turns. */
function successor(mark: string): string {
  const digits = [...mark];
  for (let place = digits.length - 1; place >= 0; place--) {
    const next = (DIGITS.indexOf(digits[place]!) + 1) % DIGITS.length;
    digits[place] = DIGITS[next]!;
    if (next !== 0) break;
  }
  return digits.join('');
}
