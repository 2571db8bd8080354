/**
 * `npm run bench:retrieval`: how well the right passage is found in real books.
 *
 * Ingests two Debian books in English and Spanish into one collection, where books and languages compete, asks each
 * question in every mode of `POST /v1/primitives/search`, and tells how often and how high the passage that answers
 * comes. The books' text and PDF editions go to a collection of their own, to see that they are read.
 */
import type { Chunk } from '@app/contract';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ApiClient } from '../client/api-client';
import { connect, CONNECTION_USAGE, countOf, readArguments, runCommand } from '../client/command-line';
import { ingestFolder } from '../client/ingest-folder';
import { ProgressDisplay } from '../client/progress';
import { layOutBooks } from './debian-books';
import { startServer, type ServerProcess } from './processes';
import { answers, readQuestions, sortOutQuestions, type Question } from './retrieval-questions';
import { printTable } from './table';

const USAGE = `Usage: npm run bench:retrieval -- [options]

Asks 40 questions about real books, each in two wordings, and tells how often the passage that answers is found.

  --data-dir DIR     keep the ingested books there, and use them again the next time
  --workers N        embedder workers of the server that is started (default 2)
  --only-html        leave out the text and PDF editions, which are only ingested
  --verbose          tell the questions whose passage was not among the first five
${CONNECTION_USAGE}

Without --url a server is started on its embedded engines, and stopped afterwards.`;

const COLLECTION = 'bench-books';
const OTHER_COLLECTION = 'bench-books-other-formats';
const LIMIT = 10;
const MAX_LIMIT = 100;
const MODES = ['semantic', 'keyword', 'hybrid'] as const;

/** The least share of all the questions whose passage hybrid search puts among the first five. */
const GOAL = 0.85;

type Mode = (typeof MODES)[number];

void runCommand(USAGE, async (signal) => {
  const { values } = readArguments({
    'data-dir': { type: 'string' },
    workers: { type: 'string' },
    'only-html': { type: 'boolean' },
    verbose: { type: 'boolean' },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-books-'));
  let server: ServerProcess | undefined;
  try {
    const books = await layOutBooks(folder);
    if (values.url === undefined) {
      server = await startServer({
        env: { EMBEDDER_WORKERS: String(countOf('workers', values.workers, 2, 64)), PARSER_WORKERS: '2' },
        dataDir: values['data-dir'] && resolve(values['data-dir']),
      });
    }
    const client = connect({ ...values, url: server?.url ?? values.url });
    let failures = await ingest(client, books.html, COLLECTION, signal);
    if (!values['only-html']) failures += await ingest(client, books.other, OTHER_COLLECTION, signal);
    const reached = await measure(client, books.html, { verbose: values.verbose === true, signal });
    return reached && failures === 0 ? 0 : 1;
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Returns how many files failed. */
async function ingest(client: ApiClient, folder: string, collection: string, signal: AbortSignal): Promise<number> {
  const display = new ProgressDisplay(process.stdout);
  const { outcomes, notTried, stoppedBy } = await ingestFolder(client, folder, {
    collection,
    concurrency: 4,
    maxFileBytes: 48 * 1024 * 1024,
    signal,
    onProgress: (progress, outcome) => display.show(progress, outcome),
  });
  display.clear();
  const of = (wanted: string) => outcomes.filter(({ status }) => status === wanted);
  const chunks = outcomes.reduce((sum, { chunks: more = 0 }) => sum + more, 0);
  const rate = chunks > 0 ? `, ${(chunks / display.seconds).toFixed(1)} chunks/s` : '';
  console.log(
    `${collection}: ${of('ingested').length} files ingested (${chunks} chunks in ${display.seconds.toFixed(0)} s${rate}), ` +
      `${of('unchanged').length} there already, ${of('failed').length} failed`,
  );
  for (const { path, reason } of of('failed')) console.log(`  ${path}: ${reason}`);
  if (notTried > 0) console.log(`  ${notTried} not tried: ${(stoppedBy as Error).message}`);
  return of('failed').length + notTried;
}

interface MeasureOptions {
  readonly verbose: boolean;
  readonly signal: AbortSignal;
}

/** Returns whether the goal is reached. */
async function measure(client: ApiClient, corpus: string, { verbose, signal }: MeasureOptions): Promise<boolean> {
  const { asked, unfounded } = await sortOutQuestions(corpus, await readQuestions());
  console.log(`\n${asked.length} questions; the passage of each occurs in the books.`);
  for (const { question } of unfounded) console.log(`  Not counted, its passage is not in the books: ${question}`);

  const misses: Miss[] = [];
  const plain = await ask(client, asked, 'question', misses, signal);
  const reworded = await ask(client, asked, 'reworded', misses, signal);
  const head = ['language', 'mode', 'hit@1', 'hit@5', `MRR@${LIMIT}`];
  const cells = ({ language, mode, top1, top5, reciprocal }: Score) => [
    language,
    mode,
    percent(top1),
    percent(top5),
    reciprocal.toFixed(3),
  ];
  const judged = (score: Score) => score.language === 'both' && score.mode === 'hybrid';
  const reached = (score: Score) => !judged(score) || score.top5 >= GOAL;
  const verdict = (score: Score) => (judged(score) ? (reached(score) ? 'ok' : 'NOT OK') : '');
  console.log('\nAsked as a user would ask it:');
  printTable(
    [...head, `goal: ${percent(GOAL)}`],
    plain.map((score) => [...cells(score), verdict(score)]),
  );
  console.log('\nAsked in words that the passage avoids:');
  printTable(head, reworded.map(cells));
  if (verbose) await tellMisses(client, misses, signal);
  return plain.every(reached);
}

interface Score {
  readonly language: Question['language'] | 'both';
  readonly mode: Mode;
  /** Share of the questions whose passage came first, and among the first five. */
  readonly top1: number;
  readonly top5: number;
  /** Mean of one over the passage's place. */
  readonly reciprocal: number;
}

interface Miss {
  readonly mode: Mode;
  readonly question: Question;
  readonly text: string;
}

async function ask(
  client: ApiClient,
  asked: readonly Question[],
  wording: 'question' | 'reworded',
  misses: Miss[],
  signal: AbortSignal,
): Promise<Score[]> {
  const scores: Score[] = [];
  const all = new Map<Mode, number[]>(MODES.map((mode) => [mode, []]));
  for (const language of ['en', 'es'] as const) {
    const questions = asked.filter((question) => question.language === language);
    for (const mode of MODES) {
      const ranks: number[] = [];
      for (const question of questions) {
        const text = question[wording];
        const rank = await rankOf(client, question, { mode, text, limit: LIMIT }, signal);
        ranks.push(rank);
        if (rank > 5) misses.push({ mode, question, text });
      }
      scores.push(scoreOf(language, mode, ranks));
      all.get(mode)!.push(...ranks);
    }
  }
  return [...scores, ...MODES.map((mode) => scoreOf('both', mode, all.get(mode)!))];
}

function scoreOf(language: Score['language'], mode: Mode, ranks: readonly number[]): Score {
  const share = (wanted: (rank: number) => boolean) => ranks.filter(wanted).length / ranks.length;
  return {
    language,
    mode,
    top1: share((rank) => rank === 1),
    top5: share((rank) => rank <= 5),
    reciprocal: ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length,
  };
}

async function tellMisses(client: ApiClient, misses: readonly Miss[], signal: AbortSignal): Promise<void> {
  console.log('\nNot among the first five:');
  for (const { mode, question, text } of misses) {
    const rank = await rankOf(client, question, { mode, text, limit: MAX_LIMIT }, signal);
    const itself = { mode: 'hybrid' as const, text: question.snippets[0]!, limit: MAX_LIMIT };
    const kept = rank < Infinity || (await rankOf(client, question, itself, signal)) < Infinity;
    const where =
      rank < Infinity ? `place ${rank}` : kept ? `not in the first ${MAX_LIMIT}` : 'no chunk holds the passage';
    console.log(`  ${question.language} ${mode.padEnd(8)} ${where.padEnd(26)} ${text}  [${question.file}]`);
  }
}

interface Search {
  readonly mode: Mode;
  readonly text: string;
  readonly limit: number;
}

/** The place of the first passage that answers, from 1; Infinity when none is there. */
async function rankOf(
  client: ApiClient,
  question: Question,
  { mode, text, limit }: Search,
  signal: AbortSignal,
): Promise<number> {
  const common = { context_filter: { collection: COLLECTION }, limit };
  const body = {
    semantic: { type: 'semantic_search', text, ...common },
    keyword: { type: 'keywords_search', keywords: [text], ...common },
    hybrid: { type: 'hybrid_search', text, keywords: [text], ...common },
  }[mode];
  const { data } = await client.post<{ readonly data: readonly Chunk[] }>('/v1/primitives/search', body, signal);
  const place = data.findIndex((chunk) => answers(question, chunk.text));
  return place === -1 ? Infinity : place + 1;
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
