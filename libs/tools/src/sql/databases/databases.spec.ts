import type { Caller } from '@app/access';
import { sqlDatabase } from '../../../../../test/support/sql-database';
import type { DatabaseEngine, DatabaseOutcome } from './database-engine';
import { Databases } from './databases';
import { QuerySlots } from './query-slots';

const LIMITS = { rows: 1, bytes: 1, cell: 1, ms: 1 };
const ROWS: DatabaseOutcome = { kind: 'rows', columns: [], rows: [[1]], timeZone: 'UTC' };
const STATEMENT = { sql: 'SELECT 1', schemas: [], calls: [] };
const signal = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a statement of an open database', () => {
  it('is answered when its rows are there, and keeps its turn until its session has ended', async () => {
    const ends: (() => void)[] = [];
    const engine: Pick<DatabaseEngine, 'run'> = {
      run: async (_, __, ___, ____, tell) => {
        tell!(ROWS);
        await new Promise<void>((resolve) => ends.push(resolve));
        return ROWS;
      },
    };
    const slots = new QuerySlots({ perOrganisation: 4, perTarget: 1, waitMs: 60_000 });
    const log = { warn: () => undefined };
    const databases = new Databases({ engines: { postgres: engine as DatabaseEngine }, slots, maxObjects: 10, log });
    const open = databases.open({ organisationId: 'o' } as Caller, sqlDatabase({}));
    expect(await open.run(STATEMENT, LIMITS, signal)).toBe(ROWS);
    const second = open.run(STATEMENT, LIMITS, signal);
    await settled();
    expect(ends).toHaveLength(1);
    ends[0]!();
    expect(await second).toBe(ROWS);
    expect(ends).toHaveLength(2);
  });
});
