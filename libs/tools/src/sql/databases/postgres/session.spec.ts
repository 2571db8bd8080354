import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  describePostgres,
  dialLoopback,
  startPostgres,
  targetOn,
  type PostgresServer,
} from '../../../../../../test/support/postgres-server';
import { ConnectionError } from '../connection-error';
import type { DatabaseLimits, DatabaseOutcome } from '../database-engine';
import { GuardPool } from '../guard-pool';
import type { DatabaseTarget } from '../target';
import { PostgresEngine } from './postgres-engine';

/** A statement that nobody ended would run longer than it is waited for to be gone. */
const LIMITS: DatabaseLimits = { rows: 100, bytes: 1_000_000, cell: 1000, ms: 60_000 };
const GONE_WITHIN_MS = 20_000;

describePostgres('a session', (version) => {
  let server: PostgresServer;
  let witness: Client;
  let target: DatabaseTarget;
  const guards = new GuardPool({ workers: 1 });
  const engine = new PostgresEngine({ dial: dialLoopback, guards, limits: { connectMs: 30_000 } });

  beforeAll(async () => {
    server = await startPostgres(version);
    target = targetOn(server);
    witness = await server.connect();
    await witness.query(`CREATE TABLE pedidos (id int PRIMARY KEY, cliente text NOT NULL, total numeric(12,2))`);
    await witness.query(`INSERT INTO pedidos SELECT n, 'c' || n, n * 1.5 FROM generate_series(1, 500) n`);
  });

  afterAll(async () => {
    await guards.close();
    await witness.end().catch(() => undefined);
    await server.stop();
  });

  /** Not guarded: the session stands alone. */
  const run = (sql: string, limits: Partial<DatabaseLimits> = {}, signal = new AbortController().signal) =>
    engine.run(target, { sql, schemas: ['public'], calls: [] }, { ...LIMITS, ...limits }, signal);
  const rowsOf = (outcome: DatabaseOutcome) => (outcome.kind === 'rows' ? outcome.rows : outcome);
  /** Each with what it is at, so that a failure tells. */
  const running = async (): Promise<readonly unknown[]> =>
    (
      await witness.query(
        `SELECT state, wait_event, backend_type, query, now() - backend_start AS age, now() - state_change AS since
           FROM pg_stat_activity WHERE application_name = 'toolwright'`,
      )
    ).rows;

  /** One look decides: a server may still be opening a connection whose caller has gone, and close it at once. */
  async function gone(): Promise<void> {
    const patience = AbortSignal.timeout(GONE_WITHIN_MS);
    let left = await running();
    while (left.length > 0 && !patience.aborted) {
      await sleep(20);
      left = await running();
    }
    expect(left).toEqual([]);
  }

  async function isAt(words: string): Promise<void> {
    const at = `SELECT FROM pg_stat_activity WHERE application_name = 'toolwright' AND state = 'active' AND query = $1`;
    while ((await witness.query(at, [words])).rowCount === 0) await sleep(10);
  }

  it('gives the rows with their columns, types and time zone, and leaves nothing behind', async () => {
    expect(await run('SELECT sum(total) AS total, count(*), min(cliente)::varchar(20) FROM pedidos')).toEqual({
      kind: 'rows',
      columns: [
        { name: 'total', type: 'numeric' },
        { name: 'count', type: 'bigint' },
        { name: 'min', type: 'character varying(20)' },
      ],
      rows: [['187875.00', 500, 'c1']],
      timeZone: 'UTC',
    });
    await gone();
  });

  it('tells its rows before it has ended', async () => {
    const order: unknown[] = [];
    const statement = { sql: 'SELECT 1', schemas: ['public'], calls: [] };
    const tell = (outcome: DatabaseOutcome) => order.push(rowsOf(outcome));
    await engine.run(target, statement, LIMITS, new AbortController().signal, tell);
    order.push('ended');
    expect(order).toEqual([[[1]], 'ended']);
    await gone();
  });

  it('stops at the rows, the bytes and the length of a text that are allowed', async () => {
    const rows = await run('SELECT id FROM pedidos ORDER BY id');
    expect(rows).toMatchObject({ cutBy: 'rows' });
    expect(rowsOf(rows)).toHaveLength(100);
    const exactly = await run('SELECT id FROM pedidos ORDER BY id LIMIT 100');
    expect(exactly).not.toHaveProperty('cutBy');
    const bytes = await run(`SELECT repeat('x', 900) FROM pedidos`, { bytes: 5000 });
    expect(bytes).toMatchObject({ cutBy: 'bytes' });
    expect(rowsOf(bytes)).toHaveLength(5);
    expect(await run(`SELECT repeat('ñ', 2000)`)).toMatchObject({ cutBy: 'cell', rows: [[`${'ñ'.repeat(1000)}…`]] });
    await gone();
  });

  it('fetches no more of ten million rows than it gives', async () => {
    expect(await run('SELECT n FROM generate_series(1, 10000000) n')).toMatchObject({ cutBy: 'rows' });
    await gone();
  });

  it('ends over a row that is too large to take', async () => {
    const outcome = await run(`SELECT repeat('x', 200000000)`);
    expect(outcome).toEqual({ kind: 'stopped', limit: 'memory' });
    await gone();
  });

  it('ends a statement at its limit of time, on the server too', async () => {
    expect(await run('SELECT pg_sleep(60)', { ms: 300 })).toEqual({ kind: 'stopped', limit: 'time' });
    // Of its own accord too, where the statement took the limit away from the server.
    const freed = `SELECT set_config('statement_timeout', '0', false), pg_sleep(60)`;
    expect(await run(freed, { ms: 300 })).toEqual({ kind: 'stopped', limit: 'time' });
    await gone();
  });

  it('ends a statement whose caller goes away, on the server too', async () => {
    const caller = new AbortController();
    const answer = run('SELECT pg_sleep(60)', {}, caller.signal).catch((error: unknown) => error);
    await isAt('SELECT pg_sleep(60)');
    caller.abort(new Error('gone'));
    expect(await answer).toMatchObject({ message: 'gone' });
    await gone();
  });

  it('waits a while for a lock of another session, and says so', async () => {
    const other = await server.connect();
    await other.query('BEGIN');
    await other.query('LOCK TABLE pedidos IN ACCESS EXCLUSIVE MODE');
    expect(await run('SELECT count(*) FROM pedidos', { ms: 4000 })).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^55P03: another session holds a lock/),
    });
    await other.end();
    await gone();
  });

  it.each([
    ['SELECT nada FROM pedidos', '42703: there is no such column: nada.'],
    [`SELECT 'ñ€😀', p."Nada de Nada" FROM pedidos p`, '42703: there is no such column: p."Nada de Nada".'],
    ['SELECT * FROM nada', '42P01: there is no such table or view: nada.'],
    ['SELECT nada(1)', '42883: there is no such function or operator for these types of arguments: nada.'],
    [`SELECT 1 WHERE 'a' + 1 > 0`, '22P02: a text cannot be read as a value of the type it is used as.'],
    ['SELECT 1/0', '22012: division by zero.'],
    ['SELEC 1', '42601: syntax error: SELEC.'],
    [
      'SELECT cliente, count(*) FROM pedidos',
      '42803: a column must be in GROUP BY or in an aggregate, or an aggregate stands where none may: cliente.',
    ],
  ])('tells of %s without the words of the server', async (sql, message) => {
    expect(await run(sql)).toEqual({ kind: 'failed', message });
  });

  it('does not tell data by an error', async () => {
    const outcome = await run(`SELECT CAST(cliente || ' S3CR3T' AS int) FROM pedidos`);
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(JSON.stringify(outcome)).not.toMatch(/S3CR3T|c1/);
  });

  it('runs one statement, and none that gives no rows', async () => {
    expect(await run('SELECT 1; SELECT 2')).toMatchObject({ kind: 'failed', message: expect.stringMatching(/^42601/) });
    for (const sql of ['COMMIT', 'SET ROLE super', 'DO $$ BEGIN END $$', `COPY pedidos TO '/tmp/x'`, '']) {
      expect(await run(sql)).toMatchObject({ kind: 'refused', reason: 'it gives no rows' });
    }
  });

  it('reads texts by the standard, whatever the role is set to', async () => {
    await witness.query(`ALTER ROLE super SET standard_conforming_strings = off`);
    await witness.query(`ALTER ROLE super SET DateStyle = 'German'`);
    expect(await run(`SELECT 'a\\', date '2024-02-01' AS b`)).toMatchObject({ rows: [['a\\', '2024-02-01']] });
    await witness.query(`ALTER ROLE super RESET ALL`);
  });

  it('keeps the time zone of the role, and tells it', async () => {
    await witness.query(`ALTER ROLE super SET TimeZone = 'Europe/Madrid'`);
    const outcome = await run(`SELECT timestamptz '2024-07-01 10:00Z'`);
    expect(outcome).toMatchObject({ rows: [['2024-07-01 12:00:00+02']], timeZone: 'Europe/Madrid' });
    await witness.query(`ALTER ROLE super RESET ALL`);
  });

  it('reads databases in other encodings', async () => {
    await witness.query(`CREATE DATABASE latina ENCODING 'LATIN1' TEMPLATE template0`);
    const statement = (sql: string) => ({ sql, schemas: ['public'], calls: [] });
    const ask = (sql: string) =>
      engine.run({ ...target, database: 'latina' }, statement(sql), LIMITS, new AbortController().signal);
    expect(await ask(`SELECT 'ñandú' AS "año", chr(241)`)).toMatchObject({
      columns: [{ name: 'año' }, {}],
      rows: [['ñandú', 'ñ']],
    });
    expect(await ask(`SELECT '€'`)).toMatchObject({ kind: 'failed', message: expect.stringMatching(/^22P05/) });
  });

  it('works for a role that may do next to nothing', async () => {
    await witness.query(`CREATE ROLE lector LOGIN`);
    await witness.query(`GRANT SELECT ON pedidos TO lector`);
    const as = { ...target, user: 'lector' };
    const statement = { sql: 'SELECT count(*) FROM pedidos', schemas: ['public'], calls: [] };
    expect(await engine.run(as, statement, LIMITS, new AbortController().signal)).toMatchObject({ rows: [[500]] });
    const forbidden = { ...statement, sql: 'SELECT * FROM pg_authid' };
    expect(await engine.run(as, forbidden, LIMITS, new AbortController().signal)).toEqual({
      kind: 'failed',
      message: '42501: the database user has no permission for an object that the statement uses.',
    });
  });

  it('leaves nothing running, whenever the caller goes', async () => {
    for (let ms = 0; ms <= 60; ms += 4) {
      const caller = new AbortController();
      const answer = run('SELECT count(*) FROM generate_series(1, 10000000) a, pedidos b', {}, caller.signal);
      await Promise.all([sleep(ms).then(() => caller.abort(new Error('gone'))), answer.catch(() => undefined)]);
      await gone();
    }
  }, 180_000);

  it('says that the database is gone where its server goes away, and finds it again', async () => {
    const answer = run('SELECT pg_sleep(60)').catch((error: unknown) => error);
    await isAt('SELECT pg_sleep(60)');
    await server.kill();
    expect(await answer).toBeInstanceOf(ConnectionError);
    expect(await run('SELECT 1').catch((error: unknown) => error)).toMatchObject({ token: 'connection_failed' });
    await server.restart();
    witness = await server.connect();
    expect(await run('SELECT 1')).toMatchObject({ rows: [[1]] });
  });
});
