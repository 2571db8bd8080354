import { randomUUID } from 'node:crypto';
import { loadConfig } from '../config/config';
import { Notifications } from '../database/notifications';
import { openDatabase, type Database } from '../database/open-database';
import { createLogger } from '../logging/logger';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database';
import { eventually, settled } from '../../../../test/support/eventually';
import { JobQueue, type Job } from './job-queue';

const logger = createLogger({ logging: { level: 'silent' } });
/** In looks of `settled`: the queue looks by itself every two seconds. */
const LONGER_THAN_A_LOOK = 125;
const isAsLongAs =
  (sent: readonly unknown[]) =>
  ({ length }: readonly unknown[]) =>
    length >= sent.length;

/** A process with a queue of its own. */
async function open(url: string) {
  const database = await openDatabase(loadConfig({ DATABASE_URL: url }), { entities: [], migrations: [], logger });
  const notifications = await Notifications.start(database.dataSource, logger);
  const queue = await JobQueue.start(database.dataSource, { notifications, logger });
  const close = async () => {
    await queue.close();
    await notifications.close();
    await database.close();
  };
  return { database, queue, close };
}

describe('A job queue', () => {
  let test: TestDatabase;
  let database: Database;
  let queue: JobQueue;
  let close: () => Promise<void>;
  beforeEach(async () => {
    test = await createTestDatabase();
    ({ database, queue, close } = await open(test.url));
  });
  afterEach(async () => {
    await close();
    await test.drop();
  });

  const send = async (lane: string, id = randomUUID()) => {
    await queue.openLane('work', lane);
    await database.dataSource.transaction((transaction) => queue.send('work', [{ id, lane }], transaction));
    return id;
  };

  it('delivers what is sent, at once, in order, and once to two processes', async () => {
    const seen: string[] = [];
    const handler = async ({ id }: Job) => void seen.push(id);
    const other = await open(test.url);
    await queue.work('work', handler, { concurrency: 1, perLane: 1 });
    await other.queue.work('work', handler, { concurrency: 1, perLane: 1 });
    const sent: string[] = [];
    for (let at = 0; at < 20; at++) {
      sent.push(await send('a'));
      if (at < 3) expect(await eventually(() => [...seen], isAsLongAs(sent))).toEqual(sent);
    }
    await eventually(() => seen, isAsLongAs(sent));
    await settled(() => seen.length, LONGER_THAN_A_LOOK);
    expect([...seen].sort()).toEqual([...sent].sort());
    await other.close();
  });

  it('knows a job only when its transaction has committed', async () => {
    const seen: string[] = [];
    await queue.work('work', async ({ id }) => void seen.push(id), { concurrency: 4, perLane: 4 });
    await queue.openLane('work', 'a');
    const rolledBack = database.dataSource.transaction(async (transaction) => {
      await queue.send('work', [{ id: randomUUID(), lane: 'a' }], transaction);
      throw new Error('changed its mind');
    });
    await expect(rolledBack).rejects.toThrow('changed its mind');
    const kept = await send('a');
    await eventually(() => seen.includes(kept));
    await settled(() => seen.length, LONGER_THAN_A_LOOK);
    expect(seen).toEqual([kept]);
  });

  it('serves every lane while one has more than all hands can do', async () => {
    const seen: string[] = [];
    let letGo = () => undefined as void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    for (let at = 0; at < 30; at++) await send('busy');
    await queue.work(
      'work',
      async ({ lane }) => {
        seen.push(lane);
        if (lane === 'busy') await held;
      },
      { concurrency: 4, perLane: 2 },
    );
    try {
      await eventually(() => seen.length >= 2);
      await settled(() => seen.length);
      expect(seen).toEqual(['busy', 'busy']);
      await send('small');
      await send('other');
      const others = () => seen.filter((lane) => lane !== 'busy').sort();
      expect(await eventually(others, ({ length }) => length >= 2)).toEqual(['other', 'small']);
    } finally {
      letGo();
    }
  });

  it('begins nothing that was cancelled', async () => {
    const seen: string[] = [];
    const cancelled = await send('a');
    const kept = await send('a');
    await queue.cancel('work', { id: cancelled, lane: 'a' });
    await queue.work('work', async ({ id }) => void seen.push(id), { concurrency: 1, perLane: 1 });
    await eventually(() => seen.includes(kept));
    await settled(() => seen.length, LONGER_THAN_A_LOOK);
    expect(seen).toEqual([kept]);
  });

  it('delivers again what failed before it was acknowledged, and not what failed afterwards', async () => {
    const seen: string[] = [];
    const early = await send('a');
    const late = await send('a');
    await queue.work(
      'work',
      async ({ id, acknowledge }) => {
        seen.push(id);
        if (id === late) await acknowledge();
        if (id === late || seen.filter((one) => one === early).length === 1) throw new Error('failed');
      },
      { concurrency: 2, perLane: 2 },
    );
    await eventually(() => seen.length >= 3);
    await settled(() => seen.length, LONGER_THAN_A_LOOK);
    expect(seen.filter((id) => id === early)).toHaveLength(2);
    expect(seen.filter((id) => id === late)).toHaveLength(1);
  });

  it('goes on after all its connections were lost', async () => {
    const seen: string[] = [];
    await queue.work('work', async ({ id }) => void seen.push(id), { concurrency: 1, perLane: 1 });
    const first = await send('a');
    await eventually(() => seen.includes(first));
    await database.dataSource
      .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()')
      .catch(() => undefined);
    const later = await eventually(() => send('a').catch(() => undefined));
    await eventually(() => seen.includes(later!));
    // Also told at once again, not only when it looks by itself.
    const listening = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
    await eventually(async () => (await database.dataSource.query(listening)).length > 0);
    const told: number[] = [];
    for (let time = 0; time < 9; time++) {
      const sent = performance.now();
      const id = await send('a');
      await eventually(() => seen.includes(id), Boolean, { everyMs: 5 });
      told.push(performance.now() - sent);
    }
    // By itself it looks every two seconds: of nine, most would take longer than this.
    expect(told.filter((ms) => ms < 500).length).toBeGreaterThan(told.length / 2);
  });
});
