import type { Caller } from '@app/access';
import { Secret } from '@app/platform';
import { inspect } from 'node:util';
import type { Catalog, CatalogWish, TableSample } from './catalog';
import { CatalogCache } from './catalog-cache';
import { ConnectionError } from './connection-error';
import { KeptReadings } from './kept-readings';
import type { DatabaseTarget } from './target';

const ANA = { organisationId: 'ana' } as Caller;
const BOB = { organisationId: 'bob' } as Caller;
const TARGET: DatabaseTarget = {
  engine: 'postgres',
  host: 'db.example',
  port: 5432,
  user: 'ro',
  password: new Secret('S3CR3T-one'),
  database: 'erp',
  tls: true,
};
const WISH: CatalogWish = { tables: true, views: true, functions: true, procedures: true, maxObjects: 100 };
const CATALOG: Catalog = {
  product: 'PostgreSQL 15.20',
  timeZone: 'UTC',
  schemas: ['public'],
  tables: [],
  routines: [],
  truncated: false,
};

describe('CatalogCache', () => {
  let now = 0;
  let reads = 0;
  const never = new AbortController().signal;
  const cache = () => new CatalogCache(300_000, () => now);
  const read = () => Promise.resolve({ ...CATALOG, product: `reading ${++reads}` });
  beforeEach(() => {
    now = 1000;
    reads = 0;
  });

  it('reads a catalog once until its time is over', async () => {
    const kept = cache();
    await kept.catalog(ANA, TARGET, WISH, read, never);
    now += 299_999;
    expect((await kept.catalog(ANA, TARGET, WISH, read, never)).product).toBe('reading 1');
    now += 2;
    expect((await kept.catalog(ANA, TARGET, WISH, read, never)).product).toBe('reading 2');
  });

  it.each([
    ['another organisation', BOB, TARGET, WISH],
    ['another password', ANA, { ...TARGET, password: new Secret('S3CR3T-two') }, WISH],
    ['another user', ANA, { ...TARGET, user: 'rw' }, WISH],
    ['another port', ANA, { ...TARGET, port: 5433 }, WISH],
    ['a connection without TLS', ANA, { ...TARGET, tls: false }, WISH],
    ['another wish', ANA, TARGET, { ...WISH, schemas: ['hr'] }],
  ])('reads for itself for %s', async (_, caller, target, wish) => {
    const kept = cache();
    await kept.catalog(ANA, TARGET, WISH, read, never);
    expect((await kept.catalog(caller, target, wish, read, never)).product).toBe('reading 2');
  });

  it('keeps nothing of the credentials where they can be read (SEC-135)', async () => {
    const kept = cache();
    await kept.catalog(ANA, TARGET, WISH, read, never);
    const shown = inspect(kept, { depth: 20, showHidden: true });
    expect(shown).toContain('reading 1');
    expect(shown).not.toContain('S3CR3T');
    expect(shown).not.toContain('db.example');
  });

  it('forgets what it is told to', async () => {
    const kept = cache();
    await kept.catalog(ANA, TARGET, WISH, read, never);
    kept.forget(ANA, TARGET, WISH);
    expect((await kept.catalog(ANA, TARGET, WISH, read, never)).product).toBe('reading 2');
  });

  it('keeps no failure', async () => {
    const kept = cache();
    const fail = () => Promise.reject(ConnectionError.failed('down'));
    await expect(kept.catalog(ANA, TARGET, WISH, fail, never)).rejects.toThrow(ConnectionError);
    expect((await kept.catalog(ANA, TARGET, WISH, read, never)).product).toBe('reading 1');
  });

  it('asks for the samples that it has not, and remembers which tables have none', async () => {
    const kept = cache();
    const asked: string[][] = [];
    const sample = (tables: readonly { schema: string; name: string }[]): Promise<TableSample[]> => {
      asked.push(tables.map(({ name }) => name));
      return Promise.resolve(
        tables.filter(({ name }) => name !== 'locked').map((table) => ({ ...table, columns: [] })),
      );
    };
    const tables = (...names: string[]) => names.map((name) => ({ schema: 'public', name }));
    await kept.samples(ANA, TARGET, tables('orders', 'locked'), sample, never);
    const found = await kept.samples(ANA, TARGET, tables('orders', 'locked', 'items'), sample, never);
    expect(found.map(({ name }) => name)).toEqual(['orders', 'items']);
    expect(asked).toEqual([['orders', 'locked'], ['items']]);
  });
});

describe('KeptReadings', () => {
  const limits = { ageMs: 1000, entries: 3, bytes: 100, share: 60 };
  const never = new AbortController().signal;
  const kept = () =>
    new KeptReadings<string>(
      limits,
      (value) => value.length,
      () => 0,
    );

  /** A reading that the test ends. */
  function reading() {
    let end!: (value: string) => void;
    let fail!: (error: Error) => void;
    const value = new Promise<string>((resolve, reject) => ((end = resolve), (fail = reject)));
    const state = { calls: 0, signal: undefined as AbortSignal | undefined };
    const read = (signal: AbortSignal) => {
      state.calls++;
      state.signal = signal;
      return value;
    };
    return { read, end, fail, state };
  }

  it('reads once for all who ask at the same time', async () => {
    const { read, end, state } = reading();
    const readings = kept();
    const all = [1, 2, 3].map(() => readings.get('o', 'k', read, never));
    await Promise.resolve();
    end('found');
    expect(await Promise.all(all)).toEqual(['found', 'found', 'found']);
    expect(state.calls).toBe(1);
  });

  it('lets one go without the others', async () => {
    const { read, end, state } = reading();
    const readings = kept();
    const impatient = new AbortController();
    const [gone, stays] = [readings.get('o', 'k', read, impatient.signal), readings.get('o', 'k', read, never)];
    await Promise.resolve();
    impatient.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    expect(state.signal!.aborted).toBe(false);
    end('found');
    expect(await stays).toBe('found');
  });

  it('gives the reading up when all are gone, and begins anew for the next', async () => {
    const { read, state } = reading();
    const readings = kept();
    const impatient = new AbortController();
    const gone = readings.get('o', 'k', read, impatient.signal);
    await Promise.resolve();
    impatient.abort(new Error('left'));
    await expect(gone).rejects.toThrow('left');
    expect(state.signal!.aborted).toBe(true);
    expect(await readings.get('o', 'k', () => Promise.resolve('again'), never)).toBe('again');
  });

  it('tells all who wait of a failure, and tries again for the next', async () => {
    const { read, fail } = reading();
    const readings = kept();
    const all = Promise.allSettled([1, 2].map(() => readings.get('o', 'k', read, never)));
    await Promise.resolve();
    fail(new Error('down'));
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await readings.get('o', 'k', () => Promise.resolve('up'), never)).toBe('up');
  });

  it('does not keep what was being read when it was told to forget', async () => {
    const { read, end } = reading();
    const readings = kept();
    const old = readings.get('o', 'k', read, never);
    await Promise.resolve();
    readings.forget('o', 'k');
    end('old');
    expect(await old).toBe('old');
    expect(readings.peek('o', 'k')).toBeUndefined();
  });

  it('holds so many at most, and lets go of what was not asked for longest', () => {
    const readings = kept();
    for (const key of ['a', 'b', 'c']) readings.put(key, key, key);
    expect(readings.peek('a', 'a')).toBe('a');
    readings.put('d', 'd', 'd');
    expect(readings.size).toBe(3);
    expect(readings.peek('b', 'b')).toBeUndefined();
    expect(readings.peek('a', 'a')).toBe('a');
  });

  it('lets nobody push out others with more than their share', () => {
    const readings = kept();
    readings.put('bob', 'k', 'x'.repeat(20));
    readings.put('ana', '1', 'y'.repeat(30));
    readings.put('ana', '2', 'y'.repeat(30));
    expect(readings.peek('bob', 'k')).toBeDefined();
    expect(readings.peek('ana', '1')).toBeUndefined();
    readings.put('ana', '3', 'y'.repeat(70));
    expect(readings.peek('ana', '3')).toBeUndefined();
  });
});
