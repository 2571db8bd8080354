/**
 * The words of a catalog's tables, and how well those of a question meet them: BM25 over names, column names, comments
 * and values, each with its weight (BM25F).
 *
 * It is built in short turns, since a catalog may have thousands of tables and the main loop has others to serve.
 */
import { analyseText } from '@app/knowledge';
import type { CatalogColumn, CatalogTable, TableSample } from './catalog';

const WEIGHTS = { name: 4, comment: 1.5, column: 1, columnComment: 0.6, value: 1.2, schema: 0.5 } as const;
/** Saturation of a term, and how much a table with many words is worth less. */
const K1 = 1.4;
const B = 0.5;
/** What a table gains whose whole name is said. */
const NAME_SHARE = 1;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/gu;
/** Of values and keys that stand in one column. */
const MAX_VALUES = 60;
/** How long a turn may take before others get theirs. */
const TURN_MS = 4;

export class TableTerms {
  /** Of each term the tables and its weight there, in turns: thousands of small objects would be slow. */
  private readonly postings = new Map<string, number[]>();
  private readonly lengths: number[] = [];
  private meanLength = 1;
  /** Of each term of names the tables and which part of the name it is, in turns. */
  private readonly nameParts = new Map<string, number[]>();
  private readonly partCounts: number[] = [];

  /** Words by their beginnings, to find those that are alike in two languages: `producto`, `product`. */
  private readonly beginnings = new Map<string, string[]>();

  private constructor(private readonly count: number) {}

  /** @param samples by the place of their table, where there are any. */
  static async of(
    tables: readonly CatalogTable[],
    samples: ReadonlyMap<number, TableSample> = new Map(),
    signal?: AbortSignal,
  ): Promise<TableTerms> {
    const index = new TableTerms(tables.length);
    const known = new Map<string, readonly string[]>();
    let began = performance.now();
    for (const [place, table] of tables.entries()) {
      index.add(place, table, samples.get(place), known);
      if (performance.now() - began < TURN_MS) continue;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      began = performance.now();
    }
    index.meanLength = Math.max(1, index.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, tables.length));
    return index;
  }

  has(term: string): boolean {
    return this.postings.has(term);
  }

  /** Words of the tables that look like this one, with how much they do (0 to 1). */
  alike(word: string): { readonly term: string; readonly likeness: number }[] {
    if (word.length < MIN_ALIKE) return [];
    const found = this.beginnings.get(word.slice(0, BEGINNING)) ?? [];
    return found
      .filter((term) => term !== word)
      .map((term) => ({ term, likeness: likeness(word, term) }))
      .filter((one) => one.likeness >= ALIKE);
  }

  /**
   * How well each table meets the words. The ways to say one word count once, by the best of them, and are as rare as
   * all of them together. Of two tables, the one whose name is said more of wins.
   */
  match(groups: readonly TermGroup[]): Match {
    const byGroup = groups.map((group) => this.matchGroup(group));
    const said = byGroup.reduce((all, { names }) => {
      for (const [place, parts] of names) for (const [part, weight] of parts) note(all, place, part, weight);
      return all;
    }, new Map<number, Map<number, number>>());
    const gain = (place: number): number => {
      const parts = said.get(place)?.values() ?? [];
      return 1 + (NAME_SHARE * [...parts].reduce((sum, weight) => sum + weight, 0)) / this.partCounts[place]!;
    };
    const scores = new Float64Array(this.count);
    for (const { found } of byGroup) for (const [place, score] of found) scores[place]! += score;
    for (const place of said.keys()) scores[place]! *= gain(place);
    const champions = byGroup.flatMap(({ found, names }) => {
      const worth = ([place, score]: readonly [number, number]) => [score * gain(place), scores[place]!] as const;
      const named = [...found].filter(([place]) => names.has(place));
      const [best] = (named.length > 0 ? named : [...found])
        .map((one) => ({ place: one[0], worth: worth(one) }))
        .sort((a, b) => b.worth[0] - a.worth[0] || b.worth[1] - a.worth[1] || a.place - b.place);
      return best ? [best.place] : [];
    });
    const likeness = Array.from({ length: this.count }, () => '');
    byGroup.forEach(({ names }, group) => {
      for (const place of names.keys()) likeness[place] += `${group} `;
    });
    const unmet = groups.filter((_, group) => byGroup[group]!.found.size === 0).map(({ word }) => word);
    return { scores, champions: [...new Set(champions)], likeness, unmet };
  }

  private matchGroup({ ways }: TermGroup): { found: Map<number, number>; names: Map<number, Map<number, number>> } {
    const found = new Map<number, number>();
    const names = new Map<number, Map<number, number>>();
    for (const { term, weight } of ways) {
      for (const [place, frequency] of pairsOf(this.postings.get(term))) {
        const norm = 1 - B + (B * this.lengths[place]!) / this.meanLength;
        const score = (weight * frequency * (K1 + 1)) / (frequency + K1 * norm);
        if (score > (found.get(place) ?? 0)) found.set(place, score);
      }
      for (const [place, part] of pairsOf(this.nameParts.get(term))) note(names, place, part, weight);
    }
    const idf = Math.log(1 + (this.count - found.size + 0.5) / (found.size + 0.5));
    for (const [place, score] of found) found.set(place, idf * score);
    return { found, names };
  }

  private add(
    place: number,
    { schema, name, comment, columns }: CatalogTable,
    sample: TableSample | undefined,
    known: Map<string, readonly string[]>,
  ): void {
    const weights = new Map<string, number>();
    const seen = sample ? wordsSeenIn(sample) : known;
    const note = (text: string | undefined, weight: number, remembered = known) => {
      if (!text) return;
      for (const term of termsOf(text, remembered)) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
    };
    note(name, WEIGHTS.name);
    this.addName(place, name, known);
    note(schema, WEIGHTS.schema);
    note(comment, WEIGHTS.comment);
    for (const column of columns) {
      note(column.name, WEIGHTS.column);
      note(column.comment, WEIGHTS.columnComment);
      for (const value of valuesOf(column, sample)) note(value, WEIGHTS.value, seen);
    }
    for (const [term, weight] of weights) {
      const tables = this.postings.get(term);
      if (tables) tables.push(place, weight);
      else this.introduce(term, [place, weight]);
    }
    this.lengths[place] = weights.size;
  }

  private addName(place: number, name: string, known: Map<string, readonly string[]>): void {
    const parts = name
      .replace(HUMP, '_')
      .split(/[^\p{L}\p{N}]+/u)
      .map((part) => termsOf(part, known))
      .filter((terms) => terms.length > 0);
    this.partCounts[place] = Math.max(1, parts.length);
    parts.forEach((terms, part) => {
      for (const term of terms) {
        const found = this.nameParts.get(term);
        if (found) found.push(place, part);
        else this.nameParts.set(term, [place, part]);
      }
    });
  }

  private introduce(term: string, tables: number[]): void {
    this.postings.set(term, tables);
    if (term.length < MIN_ALIKE || !/^\p{L}+$/u.test(term)) return;
    const beginning = term.slice(0, BEGINNING);
    const others = this.beginnings.get(beginning);
    if (others) others.push(term);
    else this.beginnings.set(beginning, [term]);
  }
}

/** Shorter words look like each other by chance. */
const MIN_ALIKE = 5;
const BEGINNING = 4;
const ALIKE = 0.6;

/** The share of the longer word that both begin with. */
function likeness(one: string, other: string): number {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return common / Math.max(one.length, other.length);
}

export interface Match {
  /** By the place of the table; 0 where no word meets. */
  readonly scores: Float64Array;
  /** For each word the table that meets it best, by its name where any name does. */
  readonly champions: readonly number[];
  /** The words that the name of a table meets: those of the same are alike to this question. */
  readonly likeness: readonly string[];
  /** Words that meet no table. */
  readonly unmet: readonly string[];
}

/** A word of a question, the ways in which tables may say it, and how much each is worth. */
export interface TermGroup {
  readonly word: string;
  readonly ways: readonly { readonly term: string; readonly weight: number }[];
}

function valuesOf({ name, enumValues = [] }: CatalogColumn, sample: TableSample | undefined): readonly string[] {
  const seen = sample?.columns.find((column) => column.name === name);
  const values = seen?.values?.list.map(({ value }) => value) ?? seen?.samples ?? [];
  return [...enumValues, ...values, ...(seen?.jsonKeys ?? [])].slice(0, MAX_VALUES);
}

/** A sample is asked about as often as its table may matter: what its values are made of is remembered with it. */
const ofSamples = new WeakMap<TableSample, Map<string, readonly string[]>>();

function wordsSeenIn(sample: TableSample): Map<string, readonly string[]> {
  const before = ofSamples.get(sample) ?? new Map<string, readonly string[]>();
  ofSamples.set(sample, before);
  return before;
}

/** Names of columns come again and again: what each is made of is found out once. */
function termsOf(text: string, known: Map<string, readonly string[]>): readonly string[] {
  const before = known.get(text);
  if (before) return before;
  const terms = analyseText(text).filter((term) => !term.endsWith('×2'));
  known.set(text, terms);
  return terms;
}

function note(said: Map<number, Map<number, number>>, place: number, part: number, weight: number): void {
  const parts = said.get(place) ?? new Map<number, number>();
  if (parts.size === 0) said.set(place, parts);
  parts.set(part, Math.max(parts.get(part) ?? 0, weight));
}

function* pairsOf(numbers: readonly number[] = []): Generator<readonly [number, number]> {
  for (let at = 0; at < numbers.length; at += 2) yield [numbers[at]!, numbers[at + 1]!];
}
