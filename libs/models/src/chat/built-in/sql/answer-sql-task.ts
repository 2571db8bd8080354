/**
 * The built-in model's SQL: one SELECT for a question of a small, documented family over the schema card, in English
 * and Spanish (architecture §5). For any other it declines, and lists what it can be asked.
 */
import type { SqlTask } from '../../sql-task';
import { languageOf, type Language } from '../language';
import { attempts, type Attempt } from './attempts';
import { choose, byFit, reasonOf } from './choose';
import { describe, type DescribedTable } from './described-table';
import { dialectOf, type Dialect } from './dialect';
import { NotUnderstood } from './items';
import { tellNote } from './notes';
import { toSql } from './query';
import { wordingOf } from './read-question';
import { linksOf } from './links';
import { Usefulness } from './usefulness';
import { whatCanBeAsked } from './what-can-be-asked';

const MAX_TABLES = 60;
/** How long many tables may take before others get their turn. */
const TURN_MS = 4;

/** The answer as a model writes it: SQL in a block, a chart in another, notes below; or `NO ANSWER:` and why. */
export function answerSqlTask(task: SqlTask): string {
  const answering = answered(task);
  for (;;) {
    const { done, value } = answering.next();
    if (done) return value;
  }
}

/** The same in short turns, since the main loop has others to serve. @throws the signal's reason. */
export async function answerSqlTaskInTurns(task: SqlTask, signal: AbortSignal): Promise<string> {
  const answering = answered(task);
  for (let began = performance.now(); ;) {
    const { done, value } = answering.next();
    if (done) return value;
    if (performance.now() - began < TURN_MS) continue;
    await new Promise(setImmediate);
    signal.throwIfAborted();
    began = performance.now();
  }
}

/** Pauses after each table. */
function* answered(task: SqlTask): Generator<undefined, string> {
  const language = languageOf(task.question);
  const dialect = dialectOf(task.dialect);
  const tables: DescribedTable[] = [];
  for (const table of task.tables.slice(0, MAX_TABLES)) {
    tables.push(describe(table, dialect));
    yield;
  }
  const read = yield* readAll(task.question, tables, dialect, language);
  if (read instanceof NotUnderstood) return `NO ANSWER: ${whatCanBeAsked(read, tables, language)}`;
  const chosen = choose(read);
  if (!chosen) {
    const fit = [...new Set(byFit(read).map(({ table }) => table))];
    return `NO ANSWER: ${whatCanBeAsked(reasonOf(read), fit, language)}`;
  }
  const { query, notes } = chosen;
  const { chart } = query;
  const drawn = chart ? `\n\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`` : '';
  const told = notes.map((note) => `\nNOTE: ${tellNote(note, language)}`).join('');
  return `\`\`\`sql\n${toSql(query, dialect)}\n\`\`\`${drawn}${told}`;
}

function* readAll(
  question: string,
  tables: readonly DescribedTable[],
  dialect: Dialect,
  language: Language,
): Generator<undefined, Attempt[] | NotUnderstood> {
  try {
    const wording = wordingOf(question, language);
    const links = linksOf(tables, dialect);
    const useful = new Usefulness(wording);
    const read: Attempt[] = [];
    for (const table of tables) {
      read.push(...attempts(wording, table, links, dialect, useful));
      yield;
    }
    return read;
  } catch (failure) {
    if (failure instanceof NotUnderstood) return failure;
    throw failure;
  }
}
