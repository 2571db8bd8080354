/**
 * What tables are called, as vectors: for a question that uses other words than the schema. They are computed by the
 * embedder's processes, once per catalog; a catalog beyond the limit is known by its words alone.
 */
import type { Embedder } from '@app/models';
import type { CatalogTable } from './catalog';

const MAX_TABLES = 1500;
/** A few words: names are short, and long texts take their time. */
const MAX_TITLE = 80;

export class TableVectors {
  private constructor(
    private readonly embedder: Embedder,
    private readonly vectors: readonly Float32Array[],
  ) {}

  /** Undefined where there are too many tables. @throws what the embedder throws. */
  static async of(tables: readonly CatalogTable[], embedder: Embedder, signal: AbortSignal) {
    if (tables.length === 0 || tables.length > MAX_TABLES) return undefined;
    return new TableVectors(embedder, await embedder.embed(tables.map(titleOf), signal));
  }

  /** How near each table is to the question, 0 to 1 within this catalog. */
  async nearness(question: string, signal: AbortSignal): Promise<Float64Array> {
    const [asked] = await this.embedder.embed([question.slice(0, 400)], signal);
    const cosines = Float64Array.from(this.vectors, (vector) => dot(vector, asked!));
    const sorted = [...cosines].sort((one, other) => one - other);
    const [middle, best] = [sorted[sorted.length >> 1]!, sorted.at(-1)!];
    return cosines.map((cosine) => (best > middle ? Math.max(0, (cosine - middle) / (best - middle)) : 0));
  }
}

function titleOf({ name, comment = '' }: CatalogTable): string {
  const words = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})|_+/gu, ' ')
    .toLowerCase()
    .trim();
  return `${words}. ${comment}`.slice(0, MAX_TITLE).toWellFormed().trim();
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}
