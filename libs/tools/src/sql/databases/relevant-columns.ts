/** Which columns of a very wide table are told: its keys, those that the question may mean, and the first of the rest. */
import { analyseText } from '@app/knowledge';
import type { CatalogColumn, CatalogTable } from './catalog';
import type { TermGroup } from './table-terms';

/** A table may have a thousand, and would take the whole card. */
const MOST = 60;

/** @param groups the words of the question. The columns keep their order. */
export function relevantColumns(table: CatalogTable, groups: readonly TermGroup[]): readonly CatalogColumn[] {
  const { columns, primaryKey, foreignKeys } = table;
  if (columns.length <= MOST) return columns;
  const keys = new Set([...primaryKey, ...foreignKeys.flatMap((key) => key.columns)]);
  const worth = weightsOf(groups);
  const scores = columns.map((column) => (keys.has(column.name) ? Infinity : scoreOf(column, worth)));
  const chosen = [...columns.keys()].sort((one, other) => compare(scores[one]!, scores[other]!) || one - other);
  const kept = new Set(chosen.slice(0, MOST));
  return columns.filter((_, place) => kept.has(place));
}

const compare = (one: number, other: number) => (one === other ? 0 : other > one ? 1 : -1);

function weightsOf(groups: readonly TermGroup[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { ways } of groups) {
    for (const { term, weight } of ways) weights.set(term, Math.max(weights.get(term) ?? 0, weight));
  }
  return weights;
}

/** A comment says less than a name. */
const scoreOf = ({ name, comment, enumValues = [] }: CatalogColumn, worth: ReadonlyMap<string, number>): number => {
  const best = (text: string) => Math.max(0, ...analyseText(text).map((term) => worth.get(term) ?? 0));
  return best(name) + 0.5 * best(`${comment ?? ''} ${enumValues.join(' ')}`);
};
