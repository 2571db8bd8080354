import type { TableSample } from './catalog';
import type { NamedCatalog } from './describe-catalog';
import { questionTerms } from './question-terms';
import { TableTerms } from './table-terms';

/** What the rows of a table say for it. */
export interface Evidence {
  /** The table's place in the catalog. */
  readonly place: number;
  /** To be added to its score; the best one's is a half. */
  readonly extra: number;
  /** There is no value in it. */
  readonly isEmpty: boolean;
}

const WEIGHT = 0.5;

/** How the values of sampled tables meet the words of the question. */
export async function sampleEvidence(
  question: string,
  named: NamedCatalog,
  samples: readonly TableSample[],
): Promise<Evidence[]> {
  const places = new Map(named.tables.map((one, place) => [one, place]));
  const sampled = samples.flatMap((sample) => {
    const found = named.find(sample);
    return found ? [{ sample, place: places.get(found)! }] : [];
  });
  const valuesOnly = sampled.map(({ sample: { columns } }) => ({
    schema: '',
    name: '',
    kind: 'table' as const,
    columns: columns.map(({ name }) => ({ name, type: '', nullable: true })),
    primaryKey: [],
    foreignKeys: [],
  }));
  const terms = await TableTerms.of(valuesOnly, new Map(sampled.map(({ sample }, i) => [i, sample])));
  const { scores } = terms.match(questionTerms(question, terms));
  const best = scores.reduce((most, score) => Math.max(most, score), Number.EPSILON);
  return sampled.map(({ sample, place }, i) => ({
    place,
    extra: (WEIGHT * scores[i]!) / best,
    isEmpty: isEmpty(sample),
  }));
}

const isEmpty = ({ columns }: TableSample): boolean =>
  columns.length > 0 &&
  columns.every(
    ({ samples, values, minimum, jsonKeys }) =>
      samples.length === 0 && !values?.list.length && minimum === undefined && !jsonKeys?.length,
  );
