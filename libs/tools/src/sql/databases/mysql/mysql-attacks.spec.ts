import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Connection } from 'mysql2/promise';
import attacks from '../../../../../../test/fixtures/databases/mysql-attacks.json';
import honest from '../../../../../../test/fixtures/databases/mysql-honest.json';
import { MariaDb } from '../../../../../../test/support/mariadb';
import type { JsonValue } from '../../exact-value';
import type { DatabaseOutcome, Verdict } from '../database-engine';
import { GuardPool } from '../guard-pool';
import { MysqlEngine } from './mysql-engine';
import { guard } from './mysql-guard';
import { tellSkipped } from '../../../../../../test/support/skipped';

const reason = MariaDb.missing();
if (reason) tellSkipped(`attacks on a real MariaDB: ${reason}`);

const FIXTURES = join(__dirname, '../../../../../../test/fixtures/databases');
const LIMITS = { rows: 1000, bytes: 5 * 1024 ** 2, cell: 32 * 1024, ms: 30_000 };
const scope = {
  schemas: ['tienda', 'almacen'],
  routines: ['net_price', 'order_count'].map((name) => ({ schema: 'tienda', name })),
};
const never = new AbortController().signal;

(reason ? describe.skip : describe)('a MariaDB whose account may do everything', () => {
  let server: MariaDb;
  let admin: Connection;
  let trap: Server;
  let trapped = 0;
  let files: string;
  const guards = new GuardPool({ workers: 1 });
  const engine = new MysqlEngine({
    dial: async ({ host, port }) => connect(port, host),
    guards,
    limits: { connectMs: 30_000 },
  });

  const filled = (sql: string) =>
    sql.replaceAll('{folder}', files).replaceAll('{port}', String((trap.address() as { port: number }).port));

  const run = (sql: string) =>
    engine.run(server.target('tienda'), { sql, schemas: scope.schemas, calls: [] }, { ...LIMITS, ms: 300 }, never);

  /** What an attack could have changed: rows, definitions, accounts, settings, locks, sequences, files, connections. */
  async function state(): Promise<Record<string, unknown>> {
    const rows = async (sql: string) => (await admin.query({ sql, rowsAsArray: true }))[0] as unknown[][];
    const tables = await rows(
      `SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('tienda', 'almacen', 'secreto')
         AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') OR table_schema = 'mysql' AND table_name IN
         ('global_priv', 'db', 'proc', 'func', 'event', 'plugin', 'servers', 'roles_mapping', 'table_stats', 'column_stats')
       ORDER BY 1, 2`,
    );
    const list = tables.map(([schema, table]) => `\`${String(schema)}\`.\`${String(table)}\``);
    const settings = await rows('SHOW GLOBAL VARIABLES');
    return {
      sums: await rows(`CHECKSUM TABLE ${list.join(', ')}`),
      schemas: await rows('SHOW DATABASES'),
      views: await rows("SELECT table_name FROM information_schema.views WHERE table_schema = 'tienda'"),
      routines: await rows('SELECT name FROM mysql.proc ORDER BY db, name'),
      triggers: await rows("SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema <> 'sys'"),
      plugins: await rows('SELECT plugin_name, plugin_status FROM information_schema.plugins ORDER BY 1'),
      settings: settings.filter(([name]) => !/gtid|timestamp|^rand_seed/.test(String(name))),
      locks: await rows("SELECT IS_USED_LOCK('mine')"),
      sequence: await rows('SELECT next_not_cached_value FROM tienda.numbers'),
      slave: await rows('SHOW ALL SLAVES STATUS'),
      others: await rows('SELECT COUNT(*) > 40 FROM information_schema.processlist'),
      files: [...readdirSync(files), existsSync('/tmp/x')],
      logs: readdirSync(join(server.folder, 'data')).filter((name) => !/^(?:aria|ib|undo|ddl|multi)/.test(name)),
      trapped,
    };
  }

  beforeAll(async () => {
    server = await MariaDb.start();
    await server.query(readFileSync(join(FIXTURES, 'mysql-shop.sql'), 'utf8'));
    files = join(server.folder, 'files');
    await mkdir(files);
    await chmod(files, 0o777);
    trap = createServer((socket) => {
      trapped += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    admin = await server.connect();
  });

  afterAll(async () => {
    await admin?.end();
    trap?.close();
    await guards.close();
    await server?.stop();
  });

  it('is what the attacks work on when nothing stands before it', async () => {
    const before = await state();
    const free = await server.connect('tienda');
    for (const sql of [
      ...["SELECT 1 INTO OUTFILE '{folder}/free.txt'", 'SELECT NEXTVAL(numbers)', 'DELETE FROM ledger WHERE a = 2'],
      ...['SELECT writer()', 'SET GLOBAL max_connections = 199', 'CREATE TABLE gone (a INT)', "DO GET_LOCK('mine', 0)"],
    ]) {
      await free.query(filled(sql));
    }
    const after = await state();
    await free.end();
    expect(differences(before, after)).toEqual(
      expect.arrayContaining(['sums', 'settings', 'locks', 'sequence', 'files']),
    );
  });

  it('is as it was after every attack that all walls stand before', async () => {
    const before = await state();
    const ran: string[] = [];
    for (const sql of Object.values(attacks).flat().map(filled)) {
      const verdict = await engine.guard(sql, scope, never);
      if (verdict.kind === 'refused') continue;
      ran.push(sql);
      await engine.run(server.target('tienda'), verdict.statement, LIMITS, never);
    }
    expect(ran).toEqual([]);
    expect(await state()).toEqual(before);
  });

  it('is as it was after every attack that only the session stands before', async () => {
    const before = await state();
    const changed: string[] = [];
    const outcomes: Record<string, number> = {};
    for (const [group, statements] of Object.entries(attacks)) {
      for (const sql of statements.filter((text) => text.isWellFormed())) {
        const { kind } = await run(filled(sql)).catch((error: unknown) => ({ kind: String(error) }));
        outcomes[kind] = (outcomes[kind] ?? 0) + 1;
      }
      // What a session held goes with it, which is a moment after its end.
      const patience = AbortSignal.timeout(10_000);
      let parts = differences(before, await state());
      while (parts.length > 0 && !patience.aborted) parts = differences(before, await state());
      if (parts.length > 0) changed.push(`${group}: ${parts.join()}`);
    }
    expect(changed).toEqual([]);
    console.log(`The session alone: ${JSON.stringify(outcomes)}`);
  });

  it('lets no mixture of attacks and honest queries pass that the server reads in another way', async () => {
    const known = Object.values(attacks)
      .flat()
      .filter((sql) => sql.isWellFormed())
      .map(filled);
    const all = [...known, ...Object.values(honest['on MariaDB']).flat()];
    const mixed = mixtures(all, 4000);
    const wrong: unknown[] = [];
    const before = await state();
    let passed = 0;
    for (const sql of mixed) {
      const verdict = guard({ engine: 'mysql', sql, schemas: scope.schemas }) as Verdict;
      if (verdict.kind === 'refused' || verdict.statement.calls.length > 0) continue;
      passed += 1;
      const outcome = await engine.run(server.target('tienda'), verdict.statement, LIMITS, never);
      const told = JSON.stringify(outcome);
      // It gives rows or fails as a query: no other statement, no write, no other schema.
      if (outcome.kind === 'refused' || /S3CR3T|"1792 /.test(told)) wrong.push({ sql, told });
    }
    expect(wrong).toEqual([]);
    expect(passed).toBeGreaterThan(100);
    expect(await state()).toEqual(before);
  });

  it('runs no function of the database that writes, or reads with the rights of its owner, whatever its name', async () => {
    const before = await state();
    const reasons = async (sql: string) => {
      const routines = ['writer', 'as_owner', 'liar', 'net_price', 'sleep'].map((name) => ({ schema: 'tienda', name }));
      const verdict = await engine.guard(sql, { ...scope, routines }, never);
      if (verdict.kind === 'refused') return verdict.token;
      const outcome = await engine.run(server.target('tienda'), verdict.statement, LIMITS, never);
      return outcome.kind === 'refused' ? outcome.token : outcome.kind === 'failed' ? outcome.message : outcome.kind;
    };
    expect(await reasons('SELECT ANY_VALUE(id) FROM customers')).toBe('any_value');
    expect(await reasons('SELECT writer()')).toBe('writer');
    expect(await reasons('SELECT as_owner()')).toBe('as_owner');
    expect(await reasons('SELECT liar()')).toBe('1792 (25006): The session may only read.');
    expect(await reasons('SELECT SLEEP(1)')).toBe('SLEEP');
    expect(await reasons('SELECT net_price(121, 0.21)')).toBe('rows');
    expect(await state()).toEqual(before);
  });

  it('answers honest queries with what the server itself says', async () => {
    const plain = await server.connect('tienda');
    await plain.query("SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'");
    const wrong: unknown[] = [];
    for (const sql of Object.values(honest['on MariaDB']).flat()) {
      const verdict = await engine.guard(sql, scope, never);
      const outcome: DatabaseOutcome =
        verdict.kind === 'passed'
          ? await engine.run(server.target('tienda'), verdict.statement, LIMITS, never)
          : { ...verdict };
      const [expected] = (await plain.query({
        sql,
        rowsAsArray: true,
        typeCast: (field) => (field.type === 'GEOMETRY' ? field.buffer() : field.string('utf8')),
      })) as unknown as [(string | Buffer | null)[][]];
      const told = outcome.kind === 'rows' ? outcome.rows : outcome;
      const right =
        outcome.kind === 'rows' &&
        outcome.rows.length === expected.length &&
        outcome.rows.every((row, i) => same(row, expected[i]!));
      if (!right) wrong.push({ sql, told, expected });
    }
    await plain.end();
    expect(wrong).toEqual([]);
  });
});

const differences = (one: Record<string, unknown>, other: Record<string, unknown>): string[] =>
  Object.keys(one).filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));

/** Statements with a few of their parts taken out, put in from others, or changed for those; the same ones each time. */
function mixtures(statements: readonly string[], count: number): string[] {
  let seed = 20_261_201;
  const below = (limit: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return Math.floor((seed / 2_147_483_647) * limit);
  };
  const parts = statements.map((sql) => sql.match(/\s+|`[^`]*`|'(?:[^'\\]|\\.)*'|[\w$]+|[^]/gu) ?? []);
  const anyOf = () => parts[below(parts.length)]!;
  return Array.from({ length: count }, () => {
    const mixed = [...anyOf()];
    for (let times = 1 + below(2); times > 0; times--) {
      const other = anyOf();
      const from = below(other.length);
      mixed.splice(below(mixed.length + 1), below(3), ...other.slice(from, from + below(7)));
    }
    return mixed.join('');
  });
}

/** Whether a row says what the text protocol says, which writes all things in another way. */
function same(told: readonly JsonValue[], expected: readonly (string | Buffer | null)[]): boolean {
  return (
    told.length === expected.length &&
    told.every((value, i) => {
      const text = expected[i] ?? null;
      if (text === null || value === null) return text === value;
      if (Buffer.isBuffer(text)) return value === `0x${text.toString('hex')}`;
      if (typeof value === 'number') return Math.abs(Number(text) - value) <= 1e-6 * Math.max(1, Math.abs(value));
      if (typeof value === 'object') return JSON.stringify(value) === JSON.stringify(JSON.parse(text));
      return value === text || `"${String(value)}"` === text || value === `0x${Buffer.from(text).toString('hex')}`;
    })
  );
}
