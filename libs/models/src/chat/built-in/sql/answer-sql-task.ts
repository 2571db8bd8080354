/**
 * The built-in model's SQL: one SELECT for a question of a small, documented family over the schema card, in English
 * and Spanish (architecture §5). For any other it declines, and lists what it can be asked.
 */
import type { SqlTask } from '../../sql-task';
import { languageOf, type Language } from '../language';
import { describe, type DescribedTable } from './described-table';
import { interpret } from './interpret';
import { toSql, type Query } from './query';
import { NotUnderstood, readItems, type Item } from './read-question';
import { whatCanBeAsked } from './what-can-be-asked';

const MAX_TABLES = 50;

/** The answer as a model writes it: SQL in a block, a chart in another, or `NO ANSWER:` and why. */
export function answerSqlTask(task: SqlTask): string {
  const language = languageOf(task.question);
  const tables = task.tables.slice(0, MAX_TABLES).map(describe);
  const read = tables.map((table) => attempt(task.question, table, language));
  const chosen = choose(read);
  if (!chosen)
    return `NO ANSWER: ${whatCanBeAsked(
      reasonOf(read),
      byFit(read).map(({ table }) => table),
      language,
    )}`;
  const { chart } = chosen;
  const drawn = chart ? `\n\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`` : '';
  return `\`\`\`sql\n${toSql(chosen)}\n\`\`\`${drawn}`;
}

export interface Attempt {
  readonly table: DescribedTable;
  readonly query?: Query;
  readonly failure?: NotUnderstood;
  /** Whether the question names the table's rows. */
  readonly isNamed: boolean;
  readonly items: readonly Item[];
}

function attempt(question: string, table: DescribedTable, language: Language): Attempt {
  const items: Item[] = [];
  try {
    readItems(question, table, language, items);
    return { table, items, isNamed: items.some(({ t }) => t === 'noun'), query: interpret(items, table) };
  } catch (failure) {
    if (!(failure instanceof NotUnderstood)) throw failure;
    return { table, items, isNamed: items.some(({ t }) => t === 'noun'), failure };
  }
}

/** The one table that the whole question fits; of several, the one that it names in the plainest words. */
function choose(read: readonly Attempt[]): Query | undefined {
  const fitting = read.filter(({ query }) => query !== undefined);
  const least = Math.min(...fitting.map(farness));
  const closest = fitting.filter((one) => farness(one) === least);
  if (closest.length === 1) return closest[0]!.query;
  const named = closest.filter(({ isNamed }) => isNamed);
  return named.length === 1 ? named[0]!.query : undefined;
}

/** Synonyms and parts of names in the reading. */
const farness = ({ items }: Attempt): number =>
  items.reduce((sum, item) => {
    if (item.t === 'column') return sum + (item.isPart ? 1 : 0) + (item.isSynonym ? 1 : 0);
    return sum + (item.t === 'noun' && item.isSynonym ? 1 : 0);
  }, 0);

/** The tables in the order in which they seem to be meant. */
const byFit = (read: readonly Attempt[]): Attempt[] =>
  [...read].sort(
    (a, b) => Number(b.isNamed) - Number(a.isNamed) || b.items.length - a.items.length || farness(a) - farness(b),
  );

/** What stood in the way where most of the question was understood. */
function reasonOf(read: readonly Attempt[]): NotUnderstood {
  const fitting = read.filter(({ query }) => query !== undefined);
  if (fitting.length > 1) return new NotUnderstood('ambiguous', fitting.map(({ table }) => table.name).join(', '));
  return byFit(read)[0]?.failure ?? new NotUnderstood('pattern', '');
}
