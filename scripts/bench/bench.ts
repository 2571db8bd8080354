/**
 * `npm run bench`: the speeds that were promised, each against a baseline of the same run.
 *
 * Everything is on loopback and stops by itself. Ratios hold on a busy machine better than times do; run it on an idle
 * one all the same.
 */
import { boot } from './boot.bench';
import { countTokens } from './count-tokens.bench';
import { databases } from './databases.bench';
import { embedding } from './embedding.bench';
import type { Benchmark, Figure } from './figure';
import { hybridSearch } from './hybrid-search.bench';
import { memory } from './memory.bench';
import { machine } from './processes';
import { requests } from './requests.bench';
import { rules } from './rules.bench';
import { background, chunkCost, streams } from './streams.bench';
import { printTable } from './table';
import { tablesImport } from './tables-import.bench';
import { web } from './web.bench';
import { tables } from './tables.bench';

const BENCHMARKS: readonly Benchmark[] = [
  requests,
  chunkCost,
  rules,
  streams,
  background,
  countTokens,
  hybridSearch,
  embedding,
  tables,
  boot,
  memory,
  web,
  tablesImport,
  databases,
];

/** What one benchmark may take; on an idle machine none needs half of it. */
const LONGEST_MS = 240_000;

const USAGE = `Usage: npm run bench -- [NAME...]

Names: ${BENCHMARKS.map(({ name }) => name).join(', ')}. None: all of them.`;

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.find((wanted) => !BENCHMARKS.some(({ name }) => name === wanted));
  if (unknown !== undefined) {
    console.error(unknown === '--help' ? USAGE : `There is no benchmark named ${unknown}.\n\n${USAGE}`);
    return unknown === '--help' ? 0 : 2;
  }
  console.log(machine());
  const figures: Figure[] = [];
  for (const benchmark of BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    process.stderr.write(`${benchmark.name} …\n`);
    figures.push(
      ...(await within(benchmark.longestMs ?? LONGEST_MS, benchmark).catch((error: unknown) => [
        failed(benchmark.name, error),
      ])),
    );
  }
  printTable(
    ['', 'measured', 'goal', ''],
    figures.map(({ name, measured, goal = '', ok }) => [
      name,
      measured,
      goal,
      ok === undefined ? '' : ok ? 'ok' : 'NOT OK',
    ]),
  );
  return figures.some(({ ok }) => ok === false) ? 1 : 0;
}

/** One that stands still is left behind: the process ends when the others are done. */
function within(ms: number, benchmark: Benchmark): Promise<Figure[]> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`not done within ${ms / 1000} s`)), ms).unref();
  });
  return Promise.race([benchmark.run(), late]);
}

const failed = (name: string, error: unknown): Figure => ({
  name,
  measured: error instanceof Error ? error.message : String(error),
  goal: 'to run',
  ok: false,
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

void main(process.argv.slice(2)).then((code) => process.exit(code));
