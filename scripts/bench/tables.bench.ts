import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { median, type Benchmark, type Figure } from './figure';
import { startServer } from './processes';
import { scriptedModel } from './scripted-model';

const ROWS = 200_000;
const RUNS = 15;
const WARM_UP = 8;
const GOAL = { ratio: 1.2, ms: 60 };
const QUERY_SECONDS = 3;
const MODELS_MS = 50;

const QUERIES = {
  'a sum by group': 'SELECT region, sum(amount) AS total, count(*) AS n FROM sales GROUP BY region ORDER BY region',
  'a ranking by window':
    'SELECT * FROM (SELECT product, m, total, rank() OVER (PARTITION BY m ORDER BY total DESC) AS place FROM ' +
    '(SELECT product, month(day) AS m, sum(amount) AS total FROM sales GROUP BY ALL)) WHERE place <= 3 ORDER BY m, place',
};
const RUNAWAY = 'SELECT count(*) FROM sales a, sales b WHERE a.amount * b.amount = 7.0001';

/** Questions over tables: the whole tool against the same SQL in DuckDB alone, and a query that does not end. */
export const tables: Benchmark = {
  name: 'tables',
  async run() {
    const model = await scriptedModel();
    const dataDir = await mkdtemp(join(tmpdir(), 'toolwright-bench-tables-'));
    const server = await startServer({
      dataDir,
      env: { OPENAI_BASE_URL: model.url, SQL_SECONDS: String(QUERY_SECONDS) },
    });
    try {
      await ingest(server.url);
      const ask = async (sql: string): Promise<{ ms: number; is_error: boolean; text: string }> => {
        model.sql = sql;
        const began = performance.now();
        const answer = await post(`${server.url}/v1/tools/tabular-data-analysis`, { query: 'bench' });
        return { ms: performance.now() - began, is_error: answer.is_error, text: answer.content[0].text };
      };
      const file = await parquetIn(join(dataDir, 'tables'));
      const bare = await bareDuckDb(file);
      const figures: Figure[] = [];
      for (const [name, sql] of Object.entries(QUERIES)) figures.push(await compare(name, sql, ask, bare));
      figures.push(...(await runaway(ask, `${server.url}/v1/models`)));
      return figures;
    } finally {
      await server.stop();
      model.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    }
  },
};

type Ask = (sql: string) => Promise<{ ms: number; is_error: boolean; text: string }>;

/** In turns, so that both meet the same machine. */
async function compare(name: string, sql: string, ask: Ask, bare: (sql: string) => Promise<number>): Promise<Figure> {
  const times: { tool: number; bare: number }[] = [];
  for (let run = -WARM_UP; run < RUNS; run++) {
    const { ms, is_error, text } = await ask(sql);
    if (is_error) throw new Error(text);
    const alone = await bare(sql);
    if (run >= 0) times.push({ tool: ms, bare: alone });
  }
  const [tool, alone] = [median(times.map((time) => time.tool)), median(times.map((time) => time.bare))];
  return {
    name: `tables: ${name}, ${ROWS} rows`,
    measured: `${tool.toFixed(0)} ms by the tool, ${alone.toFixed(0)} ms in DuckDB alone`,
    goal: `at most +20 % and +${GOAL.ms} ms`,
    ok: tool <= alone * GOAL.ratio + GOAL.ms,
  };
}

async function runaway(ask: Ask, models: string): Promise<Figure[]> {
  const latencies: number[] = [];
  let running = true;
  const watch = (async () => {
    while (running) {
      const began = performance.now();
      await (await fetch(models)).text();
      latencies.push(performance.now() - began);
      await wait(10);
    }
  })();
  const { ms, is_error, text } = await ask(RUNAWAY);
  running = false;
  await watch;
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? NaN;
  const isStopped = is_error && /^sql_timeout/.test(text);
  return [
    {
      name: 'tables: a query that does not end',
      measured: `${isStopped ? 'stopped' : 'NOT stopped'} after ${(ms / 1000).toFixed(1)} s`,
      goal: `${QUERY_SECONDS} s + 2 s`,
      ok: isStopped && ms <= (QUERY_SECONDS + 2) * 1000,
    },
    {
      name: 'tables: GET /v1/models meanwhile',
      measured: `p99 ${p99.toFixed(0)} ms of ${latencies.length}`,
      goal: `under ${MODELS_MS} ms`,
      ok: p99 < MODELS_MS,
    },
  ];
}

/** One connection with the same limits, its view open: what is left is the query. */
async function bareDuckDb(file: string): Promise<(sql: string) => Promise<number>> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '256MB' });
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW sales AS FROM read_parquet('${file}')`);
  return async (sql) => {
    const began = performance.now();
    (await connection.runAndReadAll(sql)).getRows();
    return performance.now() - began;
  };
}

async function ingest(url: string): Promise<void> {
  const regions = ['north', 'south', 'east', 'west'];
  const lines = ['id,region,product,amount,day'];
  for (let i = 0; i < ROWS; i++) {
    const day = new Date(Date.UTC(2024, 0, 1 + (i % 366))).toISOString().slice(0, 10);
    lines.push(`${i},${regions[(i * 7) % 4]},product ${(i * 31) % 50},${((i * 13) % 9973) / 100},${day}`);
  }
  const value = Buffer.from(lines.join('\n')).toString('base64');
  await post(`${url}/v1/artifacts/ingest`, {
    artifact: 'sales',
    input: { type: 'file', value },
    metadata: { file_name: 'sales.csv' },
  });
}

async function post(url: string, body: object): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ context_filter: {}, ...body }),
  });
  const answer: any = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer).slice(0, 300));
  return answer;
}

async function parquetIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const file = names.find((name) => name.endsWith('.parquet'));
  if (!file) throw new Error(`There is no table in ${names.join(', ')}`);
  return join(folder, file);
}
