import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Secret } from '@app/platform';
import { Client } from 'pg';
import { guard as mysqlGuard } from '../../libs/tools/src/sql/databases/mysql/mysql-guard';
import { guard as postgresGuard } from '../../libs/tools/src/sql/databases/postgres/postgres-guard';
import { PostgresEngine } from '../../libs/tools/src/sql/databases/postgres/postgres-engine';
import { GuardPool } from '../../libs/tools/src/sql/databases/guard-pool';
import type { StatementGuard } from '../../libs/tools/src/sql/databases/guard.task';
import type { DatabaseTarget, EngineName } from '../../libs/tools/src/sql/databases/target';
import { benchPostgres, type BenchPostgres } from './bench-postgres';
import { median, type Benchmark, type Figure } from './figure';
import { startServer } from './processes';
import { scriptedModel } from './scripted-model';

const TABLES = 500;
const ROWS = 500_000;
const RUNS = 21;
const WARM_UP = 5;
const GOAL = { ratio: 1.2, ms: 30 };
const GUARD_MS = 2;
const GUARD_RUNS = 200;
const PARALLEL = 100;
const CONNECTIONS = 2;

const QUERIES = {
  'one row by its key': 'SELECT * FROM sale WHERE id = 4711',
  'a sum by group': 'SELECT region, sum(amount) AS total, count(*) AS n FROM sale GROUP BY region ORDER BY region',
  '1,000 rows': 'SELECT id, region, amount, sold_at FROM sale ORDER BY id LIMIT 1000',
};

/** As models write them, from the plainest to those with everything. */
const STATEMENTS = [
  'SELECT count(*) FROM sale',
  "SELECT region, sum(amount) AS total FROM sale WHERE sold_at >= '2024-01-01' GROUP BY region ORDER BY total DESC LIMIT 5",
  "SELECT p.name, avg(s.amount) FROM sale s JOIN product p ON p.id = s.product_id LEFT JOIN city c ON c.id = s.city_id WHERE c.name IN ('León', 'Porto') AND p.price BETWEEN 1 AND 20 GROUP BY p.name HAVING count(*) > 3",
  "WITH monthly AS (SELECT extract(month FROM sold_at) AS m, sum(amount) AS total FROM sale GROUP BY 1), ranked AS (SELECT m, total, rank() OVER (ORDER BY total DESC) AS place, lag(total) OVER (ORDER BY m) AS previous FROM monthly) SELECT m, total, place, total - previous AS growth, CASE WHEN total > previous THEN 'up' ELSE 'down' END AS trend FROM ranked WHERE place <= 6 ORDER BY m",
  "SELECT region, count(DISTINCT city_id) AS cities, sum(CASE WHEN amount > 100 THEN amount ELSE 0 END) AS large, coalesce(round(avg(amount), 2), 0) AS mean FROM sale WHERE product_id IN (SELECT id FROM product WHERE price > (SELECT avg(price) FROM product)) AND NOT EXISTS (SELECT 1 FROM sale_return r WHERE r.sale_id = sale.id) GROUP BY region UNION ALL SELECT 'all', count(DISTINCT city_id), sum(amount), avg(amount) FROM sale ORDER BY 1",
];

/** Questions to a database: its guard, its schema, the whole tool against pg alone, and many at once. */
export const databases: Benchmark = {
  name: 'databases',
  async run() {
    const figures = [await guardCost('postgres', postgresGuard), await guardCost('mysql', mysqlGuard)];
    const postgres = await benchPostgres();
    const model = await scriptedModel();
    const server = await startServer({
      env: {
        OPENAI_BASE_URL: model.url,
        DATABASE_QUERY: 'on',
        DATABASE_ALLOW: `127.0.0.1:${postgres.port}`,
        DATABASE_CONNECTIONS: String(CONNECTIONS),
        DATABASE_QUERIES_PER_ORG: String(PARALLEL),
        DATABASE_WAIT_SECONDS: '60',
      },
    });
    try {
      await fill(postgres);
      const ask = asker(server.url, postgres.url, (sql) => (model.sql = sql));
      figures.push(...(await introspection(ask, postgres)));
      for (const [name, sql] of Object.entries(QUERIES)) figures.push(await compare(name, sql, ask, postgres));
      figures.push(await parallel(ask, postgres));
      return figures;
    } finally {
      await server.stop();
      model.stop();
      await postgres.stop();
    }
  },
};

type Ask = (sql: string, schema?: string, question?: string) => Promise<number>;

/** Processor time of one statement, in the process that reads it. */
async function guardCost(engine: EngineName, guard: StatementGuard): Promise<Figure> {
  const costs: number[] = [];
  for (const sql of STATEMENTS) {
    const read = async (times: number) => {
      for (let run = 0; run < times; run++) {
        const verdict = await guard({ engine, sql, schemas: ['public'] });
        if (verdict.kind !== 'passed') throw new Error(`${verdict.token}: ${verdict.reason}\n${sql}`);
      }
    };
    await read(GUARD_RUNS);
    const before = process.cpuUsage();
    await read(GUARD_RUNS);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000 / GUARD_RUNS);
  }
  const longest = Math.max(...costs);
  return {
    name: `databases: the guard of ${engine}, a statement`,
    measured: `${median(costs).toFixed(2)} ms of processor time, ${longest.toFixed(2)} ms for the longest`,
    goal: `at most ${GUARD_MS} ms`,
    ok: longest <= GUARD_MS,
  };
}

async function introspection(ask: Ask, postgres: BenchPostgres): Promise<Figure[]> {
  const sql = 'SELECT 1 AS one';
  const [met, unmet] = ['How many order headers are there by status?', 'How many sailors are there by rank?'];
  const read = await catalogs(postgres);
  // The first statement of all starts processes; it is asked of a schema that has nothing but the sales.
  await ask(sql, 'small');
  const cold = await ask(sql, 'public', met);
  const warm: number[] = [];
  for (let run = 0; run < RUNS; run++) warm.push(await ask(sql, 'public', met));
  const vectors = await ask(sql, 'public', unmet);
  const bare = await timed(async () => {
    const client = await postgres.connect();
    await client.query(sql);
    await client.end();
  });
  return [
    read,
    {
      name: `databases: a first question to ${TABLES} tables`,
      measured: `${cold.toFixed(0)} ms: catalog, words of the names, samples, card, SQL`,
    },
    {
      name: 'databases: the next, with its catalog known',
      measured: `${median(warm).toFixed(0)} ms; connecting and asking by pg alone ${bare.toFixed(0)} ms`,
    },
    {
      name: 'databases: the first with a word that meets no table',
      measured: `${vectors.toFixed(0)} ms: the embedder starts, and vectors of ${TABLES} names`,
    },
  ];
}

/** The catalog alone, by the engine. */
async function catalogs({ port }: BenchPostgres): Promise<Figure> {
  const guards = new GuardPool({ workers: 1 });
  const dial = async () => {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    return socket;
  };
  const engine = new PostgresEngine({ dial, guards, limits: { connectMs: 5000 } });
  const password = new Secret('x');
  const target = {
    engine: 'postgres',
    host: '127.0.0.1',
    port,
    user: 'bench',
    password,
    database: 'postgres',
    tls: false,
  };
  const wish = { schemas: ['public'], tables: true, views: true, functions: true, procedures: true, maxObjects: 5000 };
  const signal = new AbortController().signal;
  const times: number[] = [];
  try {
    for (let run = 0; run < RUNS; run++) {
      times.push(
        await timed(async () => {
          const { tables } = await engine.readCatalog(target as DatabaseTarget, wish, signal);
          if (tables.length !== TABLES) throw new Error(`${tables.length} tables were read`);
        }),
      );
    }
  } finally {
    await guards.close();
  }
  return {
    name: `databases: the catalog of ${TABLES} tables`,
    measured: `${times[0]!.toFixed(0)} ms the first time, ${median(times).toFixed(0)} ms then`,
  };
}

/** In turns, so that both meet the same machine. */
async function compare(name: string, sql: string, ask: Ask, postgres: BenchPostgres): Promise<Figure> {
  const times: { tool: number; bare: number; open: number }[] = [];
  const client = await postgres.connect();
  try {
    for (let run = -WARM_UP; run < RUNS; run++) {
      const tool = await ask(sql, 'small');
      const bare = await timed(async () => {
        const fresh = await postgres.connect();
        await fresh.query(sql);
        await fresh.end();
      });
      const open = await timed(() => client.query(sql));
      if (run >= 0) times.push({ tool, bare, open });
    }
  } finally {
    await client.end();
  }
  const [tool, bare, open] = [
    median(times.map((time) => time.tool)),
    median(times.map((time) => time.bare)),
    median(times.map((time) => time.open)),
  ];
  return {
    name: `databases: ${name}, ${ROWS} rows`,
    measured: `${tool.toFixed(0)} ms by the tool, ${bare.toFixed(0)} ms by pg that connects, ${open.toFixed(0)} ms on an open connection`,
    goal: `at most +${((GOAL.ratio - 1) * 100).toFixed(0)} % and +${GOAL.ms} ms`,
    ok: tool <= bare * GOAL.ratio + GOAL.ms,
  };
}

/** Many questions at once: the most connections that the database has seen of them. */
async function parallel(ask: Ask, postgres: BenchPostgres): Promise<Figure> {
  const watcher = await postgres.connect();
  let running = true;
  let most = 0;
  const watch = (async () => {
    while (running) {
      const { rows } = await watcher.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
      );
      most = Math.max(most, rows[0]!.n);
      await wait(2);
    }
  })();
  const took = await timed(() =>
    Promise.all(Array.from({ length: PARALLEL }, () => ask(QUERIES['a sum by group'], 'small'))),
  );
  running = false;
  await watch;
  await watcher.end();
  return {
    name: `databases: ${PARALLEL} questions to one target at once`,
    measured: `all answered in ${(took / 1000).toFixed(1)} s over ${most} connections at most`,
    goal: `${CONNECTIONS} connections`,
    ok: most > 0 && most <= CONNECTIONS,
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Asks through the tool's own route. @throws Error where it is not answered with rows. */
const asker =
  (url: string, database: string, script: (sql: string) => void): Ask =>
  async (sql, schema = 'public', query = 'How many sales were there per region?') => {
    script(sql);
    const artifacts = [{ type: 'sql_database', connection_string: database, schema }];
    const began = performance.now();
    const response = await fetch(`${url}/v1/tools/database-query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, artifacts }),
    });
    const answer: any = await response.json();
    const ms = performance.now() - began;
    if (!response.ok || answer.is_error || !answer.content[0].text.startsWith('```sql')) {
      throw new Error(JSON.stringify(answer).slice(0, 500));
    }
    return ms;
  };

/** A schema with what is queried, and one with very many tables. */
async function fill(postgres: BenchPostgres): Promise<void> {
  const client: Client = await postgres.connect();
  try {
    await client.query('CREATE SCHEMA small');
    await client.query('ALTER ROLE CURRENT_USER SET search_path = small, public');
    await client.query(
      `CREATE TABLE small.sale AS SELECT i AS id, 'region ' || i % 7 AS region, (i % 9973 / 100.0)::numeric(12, 2) AS amount,
         timestamptz '2024-01-01' + i * interval '1 minute' AS sold_at FROM generate_series(1, ${ROWS}) i`,
    );
    await client.query('ALTER TABLE small.sale ADD PRIMARY KEY (id)');
    const nouns = 'order invoice customer product stock ticket shipment payment contract visit'.split(' ');
    const parts = 'header line note status price contact image audit draft target'.split(' ');
    const statements = Array.from({ length: TABLES }, (_, i) => {
      const [noun, part] = [nouns[i % 10]!, parts[Math.floor(i / 10) % 10]!];
      const name = `${noun}_${part}_${Math.floor(i / 100)}`;
      const parent = i < 10 ? '' : `, ${noun}_id bigint REFERENCES ${noun}_${parts[0]}_0`;
      return (
        `CREATE TABLE ${name} (id bigint PRIMARY KEY, name text, status text, amount numeric(12, 2), created_at timestamptz, ` +
        `city text, quantity integer, data jsonb${parent}); COMMENT ON TABLE ${name} IS 'The ${part} of each ${noun}';`
      );
    });
    await client.query(statements.join('\n'));
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}
