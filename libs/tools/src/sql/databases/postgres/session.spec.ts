import { Secret } from '@app/platform';
import {
  describePostgres,
  dialLoopback,
  startPostgres,
  type PostgresServer,
} from '../../../../../../test/support/postgres-server';
import type { DatabaseLimits } from '../database-engine';
import { GuardPool } from '../guard-pool';
import type { DatabaseTarget } from '../target';
import { PostgresEngine } from './postgres-engine';

const LIMITS: DatabaseLimits = { rows: 100, bytes: 1_000_000, cell: 32 * 1024, ms: 5000 };
const signal = () => new AbortController().signal;

describePostgres('a session', (version) => {
  let server: PostgresServer;
  const guards = new GuardPool({ workers: 1 });
  const engine = new PostgresEngine({ dial: dialLoopback, guards, limits: { connectMs: 5000 } });
  let target: DatabaseTarget;

  beforeAll(async () => {
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
    const client = await server.connect();
    await client.query(`CREATE TABLE pedidos (id int PRIMARY KEY, cliente text NOT NULL, total numeric(12,2))`);
    await client.query(`INSERT INTO pedidos SELECT n, 'c' || n, n * 1.5 FROM generate_series(1, 500) n`);
    await client.end();
  });

  afterAll(async () => {
    await guards.close();
    await server.stop();
  });

  const scope = { schemas: ['public'], routines: [] };

  it('answers a question that the guard has let pass', async () => {
    const verdict = await engine.guard('SELECT sum(total) AS total, count(*) FROM pedidos', scope, signal());
    if (verdict.kind !== 'passed') throw new Error(verdict.reason);
    expect(await engine.run(target, verdict.statement, LIMITS, signal())).toEqual({
      kind: 'rows',
      columns: [
        { name: 'total', type: 'numeric' },
        { name: 'count', type: 'bigint' },
      ],
      rows: [['187875.00', 500]],
      timeZone: 'UTC',
    });
  });

  it('tells its catalog', async () => {
    const catalog = await engine.readCatalog(
      target,
      { tables: true, views: true, functions: true, procedures: true, maxObjects: 5000 },
      signal(),
    );
    expect(catalog).toMatchObject({
      product: expect.stringContaining(`PostgreSQL ${version}`),
      schemas: ['public'],
      tables: [
        { name: 'pedidos', primaryKey: ['id'], columns: [{ name: 'id' }, { name: 'cliente' }, { name: 'total' }] },
      ],
    });
  });
});
