/**
 * What tables are called, as vectors: for a question that uses other words than the schema. They are computed by the
 * embedder's processes, once per catalog; a catalog beyond the limit is known by its words alone.
 */
import { detectLanguage } from '@app/knowledge';
import type { Embedder } from '@app/models';
import type { CatalogTable } from './catalog';

const MAX_TABLES = 1500;
/** A few words: names are short, and long texts take their time. */
const MAX_TITLE = 80;

export class TableVectors {
  /** A question is asked twice: before and after its tables were sampled. */
  private last?: { readonly question: string; readonly nearness: Float64Array };

  private constructor(
    private readonly embedder: Embedder,
    private readonly vectors: readonly Float32Array[],
  ) {}

  /** Undefined where there are too many tables. @throws what the embedder throws. */
  static async of(tables: readonly CatalogTable[], embedder: Embedder, signal: AbortSignal) {
    if (tables.length === 0 || tables.length > MAX_TABLES) return undefined;
    return new TableVectors(embedder, await embedder.embed(tables.map(titleOf), signal));
  }

  /**
   * How near each table is to the question, 0 to 1 within this catalog. Undefined in a language that the embedder was
   * not trained for: it would be chance.
   */
  async nearness(question: string, signal: AbortSignal): Promise<Float64Array | undefined> {
    const { languages } = this.embedder;
    const language = detectLanguage(question);
    if (languages.length > 0 && (!language || !languages.includes(language))) return undefined;
    if (this.last?.question !== question) this.last = { question, nearness: await this.measure(question, signal) };
    return this.last.nearness;
  }

  private async measure(question: string, signal: AbortSignal): Promise<Float64Array> {
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
