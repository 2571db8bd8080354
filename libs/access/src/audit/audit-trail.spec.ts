import { createLogger, loadConfig, openDatabase, type Database } from '@app/platform';
import type { DataSource } from 'typeorm';
import { MIGRATIONS } from '../../../../migrations';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { eventually } from '../../../../test/support/eventually';
import type { Caller } from '../caller';
import { ACCESS_ENTITIES } from '../entities';
import { AuditTrail, type ToolCallRecord } from './audit-trail';

const DAY = 24 * 60 * 60 * 1000;
const call = (more: Partial<ToolCallRecord> = {}): ToolCallRecord => ({
  tool: 'web_fetch',
  target: 'web',
  verdict: 'allowed',
  bytes: 120,
  ms: 3.4,
  ...more,
});
const refused = call({ verdict: 'refused', token: 'egress_denied' });

describe('the audit of tool calls (SEC-140)', () => {
  let server: TestDatabase;
  let database: Database;
  let caller: Caller;
  let trail: AuditTrail;
  const warned: object[] = [];

  beforeAll(async () => {
    server = await createTestDatabase();
    database = await openDatabase(loadConfig({ DATABASE_URL: server.url }), {
      entities: ACCESS_ENTITIES,
      migrations: MIGRATIONS,
      logger: createLogger({ logging: { level: 'silent' } }),
    });
    const [{ id }] = await database.dataSource.query(`INSERT INTO organisations (name) VALUES ('acme') RETURNING id`);
    caller = { organisationId: id as string, organisation: 'acme', keyId: 'abcd1234', scopes: ['read'] };
  });
  afterAll(async () => {
    await database.close();
    await server.drop();
  });
  beforeEach(async () => {
    await database.dataSource.query('TRUNCATE tool_call_audit');
    warned.length = 0;
    trail = open();
  });
  afterEach(() => trail.close());

  const open = (dataSource: Pick<DataSource, 'query'> = database.dataSource) =>
    new AuditTrail({
      dataSource: dataSource as DataSource,
      retentionMs: DAY,
      logger: { warn: ((fields: object) => warned.push(fields)) as never },
    });
  const rows = () => database.dataSource.query<Record<string, unknown>[]>('SELECT * FROM tool_call_audit ORDER BY id');

  it('has a refused call before anybody is told, and what ran before it', async () => {
    expect(trail.record(caller, call())).toBeUndefined();
    await trail.record({ ...caller, keyId: undefined }, refused);
    expect(await rows()).toMatchObject([
      { organisation_id: caller.organisationId, key_id: 'abcd1234', tool: 'web_fetch', target: 'web', verdict: 'allowed', token: null, bytes: '120', ms: 3 },
      { key_id: null, verdict: 'refused', token: 'egress_denied' },
    ]); // prettier-ignore
  });

  it('has a call that ran soon, though nobody asks for it, and many of them', async () => {
    for (let n = 0; n < 1201; n++) void trail.record(caller, call({ bytes: n }));
    const all = await eventually(rows, ({ length }) => length >= 1201);
    expect(all.map(({ bytes }) => Number(bytes))).toEqual(Array.from({ length: 1201 }, (_, n) => n));
  });

  it('has what still waits when the server stops', async () => {
    void trail.record(caller, call());
    await trail.close();
    expect(await rows()).toHaveLength(1);
  });

  it('waits for a database that is away, without holding up a refusal, and loses none', async () => {
    let isAway = true;
    const flaky = {
      query: ((sql: string, parameters: unknown[]) =>
        isAway ? Promise.reject(new Error('away')) : database.dataSource.query(sql, parameters)) as DataSource['query'],
    };
    trail = open(flaky);
    void trail.record(caller, call());
    await trail.record(caller, refused);
    expect([await rows(), warned.length > 0]).toEqual([[], true]);
    isAway = false;
    await trail.record(caller, refused);
    expect((await rows()).map(({ verdict }) => verdict)).toEqual(['allowed', 'refused', 'refused']);
  });

  it('holds up one refusal for a database that does not answer, no others and no stop of the server, and keeps so many rows', async () => {
    const stuck: (() => void)[] = [];
    let isStuck = true;
    const silent = {
      query: (async (sql: string, parameters: unknown[]) => {
        if (isStuck) await new Promise<void>((resolve) => stuck.push(resolve));
        return database.dataSource.query(sql, parameters);
      }) as DataSource['query'],
    };
    trail = open(silent);
    await trail.record(caller, refused);
    // Each waits no longer than the test would.
    for (let n = 0; n < 100; n++) await trail.record(caller, refused);
    for (let n = 0; n < 11_000; n++) void trail.record(caller, call({ bytes: n }));
    await trail.close();
    isStuck = false;
    stuck.forEach((go) => go());
    await trail.flush();
    const kept = await rows();
    expect([kept.length, kept[0]!.verdict, Number(kept.at(-1)!.bytes)]).toEqual([10_101, 'refused', 10_999]);
  });

  it('keeps no more than so many rows for a database that stays away, and says how many were lost', async () => {
    let isAway = true;
    const flaky = {
      query: ((sql: string, parameters: unknown[]) =>
        isAway ? Promise.reject(new Error('away')) : database.dataSource.query(sql, parameters)) as DataSource['query'],
    };
    trail = open(flaky);
    for (let n = 0; n < 10_300; n++) void trail.record(caller, call({ bytes: n }));
    await trail.flush();
    isAway = false;
    await trail.flush();
    const kept = await rows();
    expect([kept.length, Number(kept[0]!.bytes)]).toEqual([10_000, 300]);
    expect(warned).toContainEqual({ rows: 300 });
  });

  it('forgets what is past its time', async () => {
    void trail.record(caller, call());
    await trail.flush();
    await database.dataSource.query(
      `INSERT INTO tool_call_audit (at, organisation_id, tool, target, verdict, bytes, ms)
        SELECT now() - interval '25 hours', $1, 'web_fetch', 'web', 'allowed', 1, 1 FROM generate_series(1, 5003)`,
      [caller.organisationId],
    );
    trail.start();
    expect(await eventually(rows, ({ length }) => length <= 1)).toHaveLength(1);
  });
});
