/**
 * `npm run demo`: the whole product on this machine, in under a minute and with no network.
 *
 * Starts the real server on its embedded engines, ingests `samples/` and asks eight questions through the public API, one of
 * them about a web page that the demo serves itself, one about a database that it makes.
 * Checks every answer itself: the exit code is 0 only if all of them hold what they should.
 */
import type { Message } from '@app/contract';
import { join } from 'node:path';
import { Answer } from './client/answer';
import { ApiClient } from './client/api-client';
import { runCommand } from './client/command-line';
import { ingestFolder } from './client/ingest-folder';
import { counted } from './client/progress';
import { questionAbout } from './client/question';
import { serveDemoPage } from './demo-page';
import { openDemoDatabase, type DemoDatabase } from './demo-database';
import {
  DATABASE_QUESTION,
  DECLINES,
  DEMO_QUESTIONS,
  pageQuestion,
  TABLE_QUESTION,
  type DemoQuestion,
} from './demo-questions';
import { DemoServer } from './demo-server';

const COLLECTION = 'demo';
const SAMPLES = join(__dirname, '../../samples');
const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const styled = (code: number) => (text: string) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = styled(1);
const dim = styled(2);
const green = styled(32);
const red = styled(31);

void runCommand('Usage: npm run demo', async (signal) => {
  const startedAt = performance.now();
  const elapsed = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
  console.log(`${bold('Toolwright demo')}: the real server on its embedded engines, with sample documents.`);
  console.log('The built-in extractive model answers, because no model server is configured: it quotes sentences');
  console.log('of the documents and makes none up. A real model plugs in with OPENAI_BASE_URL.\n');

  const page = await serveDemoPage();
  let server: DemoServer | undefined;
  let database: DemoDatabase | undefined;
  try {
    // Loopback is closed to the web tools; this one page is opened for this run.
    server = await DemoServer.start(signal, { WEB_ALLOW: page.allow });
    console.log(`${green('✓')} server ready at ${server.url} ${dim(`(${elapsed(startedAt)})`)}`);
    const client = new ApiClient({ url: new URL(server.url) });
    await ingestSamples(client, signal, elapsed);

    const problems: string[] = [];
    for (const [index, question] of DEMO_QUESTIONS.entries()) {
      console.log(`\n${bold(`${index + 1}. ${question.question}`)} ${dim(`(${question.note})`)}`);
      const answer = await ask(client, question, signal);
      for (const { number, file, place } of answer.sources) console.log(dim(`   [${number}] ${file}, ${place}`));
      const problem = problemWith(answer, question);
      if (problem) {
        console.log(red(`   ✗ ${problem}`));
        problems.push(`question ${index + 1}: ${problem}`);
      }
    }
    database = await openDemoDatabase(join(server.folder, 'data'));
    const further = [
      { ...pageQuestion(page.url), tool: 'web_fetch', body: aboutPage },
      { ...TABLE_QUESTION, tool: 'tabular_analysis', body: aboutTable },
      { ...DATABASE_QUESTION, tool: 'database_query', body: aboutDatabase(database) },
    ];
    for (const [index, { question, note, fact, tool, body }] of further.entries()) {
      const number = DEMO_QUESTIONS.length + index + 1;
      console.log(`\n${bold(`${number}. ${question}`)} ${dim(`(${note})`)}`);
      const { calls, text } = await askOne(
        client,
        { ...body, messages: [{ role: 'user', content: question }] },
        signal,
      );
      if (calls.includes(tool) && fact.test(text)) continue;
      console.log(red(`   ✗ ${tool} was not called, or its result is not right`));
      problems.push(`question ${number}: ${tool} was not called, or its result is not right`);
    }
    console.log();
    if (problems.length > 0) throw new Error(`The demo failed.\n${problems.join('\n')}`);
    console.log(`${green('✓')} all eight answers are as they should be ${dim(`(${elapsed(startedAt)} in all)`)}`);
    console.log('Next: `npm start`, then `npm run ingest -- FOLDER --collection NAME`; the README has a tour.');
    return 0;
  } finally {
    page.close();
    await database?.close();
    await server?.stop();
  }
});

async function ingestSamples(client: ApiClient, signal: AbortSignal, elapsed: (since: number) => string) {
  const startedAt = performance.now();
  const { outcomes, stoppedBy } = await ingestFolder(client, SAMPLES, {
    collection: COLLECTION,
    concurrency: 2,
    maxFileBytes: 48 * 1024 * 1024,
    signal,
    onProgress: () => {},
  });
  if (stoppedBy) throw stoppedBy as Error;
  const failed = outcomes.filter(({ status }) => status !== 'ingested');
  if (outcomes.length === 0 || failed.length > 0) {
    throw new Error(
      `The samples were not ingested: ${failed.map(({ path, reason }) => `${path}: ${reason}`).join('; ')}`,
    );
  }
  const chunks = outcomes.reduce((sum, outcome) => sum + (outcome.chunks ?? 0), 0);
  console.log(
    `${green('✓')} ${counted(outcomes.length, 'document')} ingested, ${counted(chunks, 'chunk')} ` +
      dim(`(${elapsed(startedAt)})`),
  );
}

/** Prints the answer, as it comes where it is streamed, and returns it. */
async function ask(client: ApiClient, { question, streamed, forced }: DemoQuestion, signal: AbortSignal) {
  const body = {
    ...questionAbout(question, { collection: COLLECTION }),
    ...(forced && { tool_choice: { type: 'tool', name: 'semantic_search' } }),
  };
  if (!streamed) {
    const answer = Answer.of(await client.post<Message>('/v1/messages', body, signal));
    console.log(indented(`   ${answer.text}`));
    return answer;
  }
  const answer = new Answer();
  process.stdout.write('   ');
  for await (const event of client.stream('/v1/messages', { ...body, stream: true }, signal)) {
    process.stdout.write(indented(answer.read(event)));
  }
  process.stdout.write('\n');
  return answer;
}

const aboutPage = { tools: ['web_extract_v1'] };
const aboutTable = {
  tools: ['tabular_analysis_v1'],
  tool_context: [
    { type: 'ingested_artifact', context_filter: { collection: COLLECTION, artifacts: [TABLE_QUESTION.artifact] } },
  ],
};
const aboutDatabase = ({ connectionString }: DemoDatabase) => ({
  tools: ['database_query_v1'],
  tool_context: [{ type: 'sql_database', connection_string: connectionString }],
});

async function askOne(client: ApiClient, body: object, signal: AbortSignal): Promise<Answer> {
  const answer = Answer.of(await client.post<Message>('/v1/messages', body, signal));
  console.log(indented(`   ${answer.text}`));
  return answer;
}

const indented = (text: string) => text.replaceAll('\n', '\n   ');

/** What is wrong with an answer; undefined if nothing is. */
function problemWith(answer: Answer, { expected, forced }: DemoQuestion): string | undefined {
  const { text, sources, calls, stopReason } = answer;
  if (stopReason !== 'end_turn') return `the answer stopped by ${stopReason}`;
  if (forced && !calls.includes('semantic_search')) return 'the forced tool was not called';
  if (!expected) {
    if (sources.length > 0) return 'it cites a passage, although the documents do not answer the question';
    return DECLINES.test(text) ? undefined : 'it does not say that the documents do not answer the question';
  }
  if (!expected.fact.test(text)) return `it does not say ${expected.fact.source.replaceAll('\\b', '')}`;
  if (!sources.some(({ file }) => file === expected.file)) return `it does not cite ${expected.file}`;
  if (sources.some(({ place }) => place === '')) return 'a citation leads to neither a page nor a heading';
  return undefined;
}
