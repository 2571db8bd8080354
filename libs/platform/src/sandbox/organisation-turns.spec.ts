import { OverloadedError } from '@app/contract';
import { OrganisationTurns } from './organisation-turns';

const turnsOf = (atOnce: number, maxWaiting?: number) =>
  new OrganisationTurns({ jobs: 'queries', atOnce, setting: 'SQL_QUERIES_PER_ORG', maxWaiting });

/** Work that ends when it is told to. */
function held() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  const end = async () => {
    ends.shift()!();
    await new Promise(setImmediate);
  };
  return { begun, work, end };
}

describe('OrganisationTurns', () => {
  it('lets so many of one organisation run at once, the next as one ends, and others all the same', async () => {
    const turns = turnsOf(2);
    const { begun, work, end } = held();
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => turns.run('a', work(name)));
    const other = turns.run('b', work('b1'));
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await end();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (let left = 4; left > 0; left--) await end();
    expect([await Promise.all(all), await other]).toEqual([['a1', 'a2', 'a3', 'a4'], 'b1']);
  });

  it('passes the place on when work fails, or its caller leaves while it waits', async () => {
    const turns = turnsOf(1);
    const failing = turns.run('a', () => Promise.reject(new Error('no')));
    const gone = new AbortController();
    const left = turns.run('a', () => Promise.resolve(1), gone.signal);
    const last = turns.run('a', () => Promise.resolve(2));
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(failing).rejects.toThrow('no');
    expect(await last).toBe(2);
    expect(await turns.run('a', () => Promise.resolve(3))).toBe(3);
  });

  it('refuses what it has no room for, and names the setting', async () => {
    const turns = turnsOf(1, 1);
    const { work, end } = held();
    const jobs = [turns.run('a', work('a1')), turns.run('a', work('a2'))];
    const refused = await turns.run('a', work('a3')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OverloadedError);
    expect(refused).toMatchObject({ explanation: expect.stringMatching(/^limit_exceeded: .*SQL_QUERIES_PER_ORG/) });
    await end();
    await end();
    await Promise.all(jobs);
  });
});
