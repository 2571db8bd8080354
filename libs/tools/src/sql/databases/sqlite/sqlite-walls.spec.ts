/** Each wall of SQLite with the others removed: what the guard lets pass, and what the engine does to a text as it is. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mutatedStatements } from '../../../../../../test/support/mutated-statements';
import { runQuery } from './run-query';
import { loadSqlJs } from './sql-js';
import { SqliteEngine } from './sqlite-engine';
import { guard } from './sqlite-guard';

const LIMITS = { rows: 1000, bytes: 5 * 1024 * 1024, cell: 32 * 1024, ms: 2000 };
const signal = new AbortController().signal;
const fixture = async (name: string) =>
  JSON.parse(await readFile(join(__dirname, '../../../../../../test/fixtures/databases', name), 'utf8')) as string[];

let folder: string;
let engine: SqliteEngine;
let attacks: string[];
let honest: string[];

const SHOP = `
  CREATE TABLE clients (id INTEGER PRIMARY KEY, "Full Name" TEXT NOT NULL, kind TEXT, data TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, client INTEGER REFERENCES clients (id), total NUMERIC, made TEXT);
  CREATE VIEW totals AS SELECT client, SUM(total) AS total FROM orders GROUP BY client;
  INSERT INTO clients VALUES (1, 'Niño', 'big', '{"address":{"city":"León"}}'), (2, 'Ana', 'small', NULL);
  INSERT INTO orders (client, total, made) VALUES (1, 10.5, '2026-01-05'), (2, 0.5, '2026-02-01');`;

/** Names and contents of all files that an attack could have left or changed. */
async function stateOf(): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const lines = files.map(async ({ parentPath, name }) => {
    const hash = createHash('sha256')
      .update(await readFile(join(parentPath, name)))
      .digest('hex');
    return `${join(parentPath, name)} ${hash}`;
  });
  return (await Promise.all(lines)).sort().join('\n');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sqlite-walls-'));
  await mkdir(join(folder, 'files'));
  const { Database } = await loadSqlJs();
  for (const [file, sql] of [
    ['files/shop.db', SHOP],
    ['secret.db', "CREATE TABLE s (v TEXT); INSERT INTO s VALUES ('S3CR3T')"],
  ] as const) {
    const made = new Database() as InstanceType<typeof Database> & { export(): Uint8Array };
    made.run(sql);
    await writeFile(join(folder, file), made.export());
    made.close();
  }
  engine = new SqliteEngine({
    guards: { check: () => Promise.reject(new Error('not here')) },
    settings: { sqliteDir: join(folder, 'files'), sqliteBytes: 10 * 1024 * 1024 },
    limits: { workers: 2, memoryMb: 128 },
  });
  [attacks, honest] = await Promise.all([fixture('sqlite-attacks.json'), fixture('sqlite-honest.json')]);
}, 60_000);

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (sql: string, ms = LIMITS.ms) =>
  engine.run({ engine: 'sqlite', path: 'shop.db' }, { sql, schemas: ['main'], calls: [] }, { ...LIMITS, ms }, signal);

async function runAll(statements: readonly string[], ms = LIMITS.ms) {
  const outcomes = [];
  for (const sql of statements) outcomes.push({ sql, outcome: await run(sql, ms) });
  return outcomes;
}

describe('the walls of SQLite', () => {
  it('have enough to stand against', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(200);
    expect(honest.length).toBeGreaterThanOrEqual(100);
  });

  it('the guard alone: refuses every attack', () => {
    const passed = attacks.filter((sql) => guard({ sql, schemas: ['main'] }).kind === 'passed');
    expect(passed).toEqual([]);
  });

  it('the guard: refuses no honest query, and the engine runs each', async () => {
    const refused = honest.filter((sql) => guard({ sql, schemas: ['main'] }).kind === 'refused');
    expect(refused).toEqual([]);
    expect((await runAll(honest, 30_000)).filter(({ outcome }) => outcome.kind !== 'rows')).toEqual([]);
  }, 60_000);

  it('the guard: lets nothing pass, of statements that are mixed, that the engine would read otherwise', async () => {
    const { Database } = await loadSqlJs();
    const database = new Database();
    database.run(SHOP);
    const passed = [...mutatedStatements([...honest, ...attacks], 15_000)].filter(
      (sql) => guard({ sql, schemas: ['main'] }).kind === 'passed',
    );
    const outcomes = passed.map((sql) => ({ sql, ...runQuery(database, sql, { ...LIMITS, rows: 1 }) }));
    expect(outcomes.filter(({ kind }) => kind === 'rows').length).toBeGreaterThan(500);
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toEqual([]);
    database.close();
  });

  it('the engine alone: no attack has an effect or sees the catalog', async () => {
    const before = await stateOf();
    const outcomes = await runAll(attacks);
    expect(await stateOf()).toBe(before);
    const seen = ({ outcome }: { outcome: unknown }) => /S3CR3T|CREATE TABLE|root:/.test(JSON.stringify(outcome));
    expect(outcomes.filter(seen)).toEqual([]);
    const rows = await run('SELECT COUNT(*), MIN(kind) FROM clients', 30_000);
    expect(rows).toMatchObject({ rows: [[2, 'big']] });
  }, 120_000);

  it('the engine alone: runs nothing that does more than read', async () => {
    const effects = attacks.filter((sql) =>
      /^(?:INSERT|UPDATE|DELETE|DROP|CREATE|ALTER|ATTACH|VACUUM|PRAGMA \w+ =)/i.test(sql),
    );
    expect(effects.length).toBeGreaterThan(50);
    expect((await runAll(effects)).filter(({ outcome }) => outcome.kind === 'rows')).toEqual([]);
  }, 60_000);
});
