/**
 * The walls of PostgreSQL on real servers, as superuser, so that nothing but they can say no: all together, and the
 * session with the guard taken away. What became of the database, its server, its files and a canary is read back.
 */
import { Secret } from '@app/platform';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { types, type Client, type CustomTypesConfig } from 'pg';
import {
  describePostgres,
  dialLoopback,
  startPostgres,
  type PostgresServer,
} from '../../../../../../test/support/postgres-server';
import type { DatabaseLimits, DatabaseOutcome } from '../database-engine';
import { GuardPool } from '../guard-pool';
import type { DatabaseTarget } from '../target';
import { PostgresEngine } from './postgres-engine';

const FIXTURES = join(__dirname, '../../../../../../test/fixtures/databases');
const read = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');
const list = (name: string) => JSON.parse(read(name)) as string[];

const LIMITS: DatabaseLimits = { rows: 1000, bytes: 5_000_000, cell: 32 * 1024, ms: 30_000 };
const signal = new AbortController().signal;

/** Contents of every table, and what else of a server an attack may have changed. */
const STATE = `
  SELECT jsonb_build_object(
    'tables', (SELECT jsonb_object_agg(c.oid::regclass,
        (xpath('/table/row/h/text()', query_to_xml(format(
          'SELECT md5(coalesce(string_agg(x::text, E''\\n'' ORDER BY x::text), '''')) AS h FROM %s x', c.oid::regclass),
          false, false, '')))[1]::text)
      FROM pg_class c WHERE c.relkind IN ('r', 'm', 'p') AND c.relnamespace::regnamespace::text IN ('public', 'secreto')),
    'objects', (SELECT md5(string_agg(o, ',' ORDER BY o)) FROM (
      SELECT 'class ' || oid || relname || relkind::text || coalesce(relacl::text, '') AS o FROM pg_class
       WHERE relpersistence <> 't'
      UNION ALL SELECT 'proc ' || oid || proname || md5(prosrc) FROM pg_proc
      UNION ALL SELECT 'attribute ' || attrelid || attname FROM pg_attribute
      UNION ALL SELECT 'schema ' || oid || nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'
      UNION ALL SELECT 'role ' || rolname || rolsuper || coalesce(rolpassword, '') FROM pg_authid
      UNION ALL SELECT 'role setting ' || setrole || setdatabase || setconfig::text FROM pg_db_role_setting
      UNION ALL SELECT 'database ' || datname FROM pg_database
      UNION ALL SELECT 'extension ' || extname FROM pg_extension
      UNION ALL SELECT 'description ' || objoid || description FROM pg_description
      UNION ALL SELECT 'policy ' || polname FROM pg_policy
      UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger
      UNION ALL SELECT 'event trigger ' || evtname FROM pg_event_trigger
      UNION ALL SELECT 'publication ' || pubname FROM pg_publication
      UNION ALL SELECT 'subscription ' || subname FROM pg_subscription
      UNION ALL SELECT 'server ' || srvname FROM pg_foreign_server
      UNION ALL SELECT 'statistics ' || stxname FROM pg_statistic_ext
      UNION ALL SELECT 'tablespace ' || spcname FROM pg_tablespace
      UNION ALL SELECT 'large object ' || loid || md5(data) FROM pg_largeobject
      UNION ALL SELECT 'sequence ' || last_value || is_called FROM numeros) x)
  )::text AS state`;

/** Effects that no transaction can undo. */
const BEYOND = `
  SELECT jsonb_build_object(
    'settings', (SELECT md5(string_agg(coalesce(name, '') || coalesce(setting, ''), ',' ORDER BY seqno))
                   FROM pg_show_all_file_settings()),
    'reloaded', pg_conf_load_time(),
    'slots', (SELECT count(*) FROM pg_replication_slots),
    'origins', (SELECT count(*) FROM pg_replication_origin),
    'prepared', (SELECT count(*) FROM pg_prepared_xacts),
    'locks', (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'),
    'statistics', (SELECT stats_reset FROM pg_stat_database WHERE datname = current_database())
  )::text AS beyond`;

describePostgres('the walls', (version) => {
  let server: PostgresServer;
  let folder: string;
  let canary: Server;
  let reached = 0;
  let target: DatabaseTarget;
  /** Looks on from outside, and is itself something to be ended. */
  let witness: Client;
  const notices: string[] = [];
  const guards = new GuardPool({ workers: 1 });
  const engine = new PostgresEngine({ dial: dialLoopback, guards, limits: { connectMs: 30_000 } });
  const scope = {
    schemas: ['public'],
    routines: [
      ...[
        'neto',
        'pg_sleep',
        'query_to_xml',
        'con_resto',
        'con_resto_de_resto',
        'con_sorteo',
        'con_igual',
        'con_trampa',
      ],
      ...['con_fecha', 'da_raro', 'saca_raro', 'filas_raras', 'raro'],
    ].map((name) => ({ schema: 'public', name })),
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'walls-'));
    await chmod(folder, 0o777);
    canary = createServer((socket) => {
      reached++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    server = await startPostgres(version);
    target = {
      engine: 'postgres',
      host: '127.0.0.1',
      port: server.port,
      user: server.superuser,
      password: new Secret('none'),
      database: 'postgres',
      tls: false,
    };
    witness = await server.connect();
    await witness.query('CREATE DATABASE tienda');
    const shop = await server.connect('tienda');
    await shop.query(read('postgres-shop.sql'));
    await shop.end();
    await witness.query(read('postgres-shop.sql'));
    await witness.query(read('postgres-traps.sql'));
    witness.on('notification', ({ channel }) => notices.push(channel));
    await witness.query('LISTEN canal');
  });

  afterAll(async () => {
    await guards.close();
    await witness?.end().catch(() => undefined);
    await server?.stop();
    canary?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const aimed = (sql: string) =>
    sql.replaceAll('{folder}', folder).replaceAll('{port}', String((canary.address() as AddressInfo).port));
  const stateOf = async () => (await witness.query(STATE)).rows[0].state as string;
  const beyond = async () => ({
    server: (await witness.query(BEYOND)).rows[0].beyond as string,
    files: await readdir(folder),
    reached,
    notices: [...notices],
  });

  /** Through all walls; what passes the guard is run. */
  async function ask(sql: string, database = 'postgres'): Promise<DatabaseOutcome> {
    const verdict = await engine.guard(sql, scope, signal);
    return verdict.kind === 'passed' ? engine.run({ ...target, database }, verdict.statement, LIMITS, signal) : verdict;
  }

  it('together refuse every attack, and nothing has changed', async () => {
    const before = [await stateOf(), await beyond()];
    const answered: string[] = [];
    const attacks = [...list('postgres-attacks.json'), ...list('postgres-traps.json')].map(aimed);
    for (const sql of attacks) {
      const outcome = await ask(sql);
      if (outcome.kind !== 'refused') answered.push(`${sql} -> ${JSON.stringify(outcome)}`);
    }
    expect(answered).toEqual([]);
    expect(attacks.length).toBeGreaterThanOrEqual(200);
    expect([await stateOf(), await beyond()]).toEqual(before);
  });

  it('together answer every honest question, as the server does without them', async () => {
    const plain = await server.connect('tienda');
    await plain.query(`SET IntervalStyle = 'postgres'`);
    const wrong: unknown[] = [];
    let compared = 0;
    for (const sql of list('postgres-honest.json')) {
      const direct = await plain
        .query<unknown[]>({ text: sql, rowMode: 'array', types: AS_WRITTEN as CustomTypesConfig })
        .catch((error: Error) => error);
      const outcome = await ask(sql, 'tienda');
      // What this version of the server does not know, it does not know through us either.
      if (direct instanceof Error) {
        if (outcome.kind !== 'failed') wrong.push([sql, direct.message, outcome]);
        continue;
      }
      compared++;
      const expected = direct.rows;
      const found = outcome.kind === 'rows' ? outcome.rows : outcome;
      if (leaves(found) !== leaves(expected)) wrong.push([sql, leaves(expected), leaves(found)]);
    }
    await plain.end();
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(100);
  });

  it('let the function of a user be called by its whole name, where the server has one of that name', async () => {
    expect(await ask(`SELECT public.pg_sleep('x')`)).toMatchObject({ rows: [['x']] });
    expect(await ask(`SELECT pg_sleep('30')`)).toMatchObject({ kind: 'refused', token: 'pg_sleep' });
    expect(await ask(`SELECT public.pg_sleep(30)`)).toMatchObject({ kind: 'failed' });
  });

  it('together let a text be joined where nothing in sight has a cast that does more', async () => {
    for (const sql of [
      `SELECT nombre || '!' FROM clientes ORDER BY id LIMIT 1`,
      `SELECT id || '', id::text, to_jsonb(id), json_agg(nombre) FROM clientes GROUP BY id ORDER BY id LIMIT 1`,
      `SELECT con_fecha() || '', con_fecha(1)`,
    ]) {
      expect([sql, await ask(sql)]).toMatchObject([sql, { kind: 'rows' }]);
    }
  });

  it('the session alone stops every write, whatever the statement is', async () => {
    const before = await stateOf();
    const outside = await beyond();
    const ended: string[] = [];
    const attacks = [...list('postgres-attacks.json'), ...list('postgres-traps.json')].map(aimed);
    // A sleep is one, wherever it stands, and NUL cannot be sent as text at all.
    const telling = attacks.filter((sql, i) => !sql.includes('\0') && (!sql.includes('pg_sleep(30)') || i % 9 === 0));
    for (const sql of telling) {
      const statement = { sql, schemas: ['public'], calls: [] };
      await engine
        .run(target, statement, { ...LIMITS, ms: 150 }, signal)
        .catch((error: Error) => ended.push(`${sql}: ${error.message}`));
    }
    // Some end the session, and the witness with it.
    witness = await server.connect();
    expect(await stateOf()).toEqual(before);
    // What no transaction holds back is for the guard alone to stop: files, connections and signals of the server.
    const after = await beyond();
    expect(ended).toEqual([expect.stringContaining('pg_terminate_backend')]);
    expect(after.files).toEqual(['out.txt']);
    expect(after.reached).toBeGreaterThan(outside.reached);
  }, 180_000);
});

/** As the driver reads values, but for times and documents, which it would round. */
const AS_WRITTEN = {
  getTypeParser: (oid: number, format: never) =>
    [1082, 1083, 1114, 1184, 1186, 1266].includes(oid)
      ? (text: string) => text
      : [114, 3802].includes(oid)
        ? (text: string) => JSON.parse(text.replace(/(?<=[[:,]\s*|^)-?\d[\d.eE+-]*(?=\s*[,\]}]|$)/g, '"$&"')) as unknown
        : types.getTypeParser(oid, format),
};

/** All values in their order, whatever holds them: the driver leaves arrays of some types as texts. */
function leaves(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (typeof value === 'string') {
    if (/^\{.*\}$/s.test(value) && !value.includes(':')) return leaves(value.slice(1, -1).split(','));
    return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
  }
  if (Array.isArray(value)) return value.map(leaves).join(' | ');
  if (typeof value === 'object') {
    return Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => `${name}=${leaves(inner)}`)
      .join(' | ');
  }
  return leaves(String(value));
}
