import { setMaxListeners } from 'node:events';
import { QuerySlots } from './query-slots';

describe('turns at databases (SEC-58)', () => {
  const open = new AbortController().signal;
  setMaxListeners(0, open);
  const slots = (waitMs = 60_000) => new QuerySlots({ perOrganisation: 4, perTarget: 2, waitMs });

  /** Work that is under way until it is let go. */
  function held(all: QuerySlots, organisation: string, target: string, signal = open) {
    let letGo!: () => void;
    let isRunning = false;
    const until = new Promise<void>((resolve) => (letGo = resolve));
    const done = all.hold(organisation, target, signal, () => ((isRunning = true), until));
    done.catch(() => undefined);
    return { done, isRunning: () => isRunning, end: async () => (letGo(), done) };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const running = async (works: readonly { isRunning: () => boolean }[]) => {
    await settled();
    return works.map((work) => work.isRunning());
  };

  it('are two at one target, and the next has the first that is free', async () => {
    const all = slots();
    const works = [1, 2, 3, 4].map((n) => held(all, `o${n}`, 't'));
    expect(await running(works)).toEqual([true, true, false, false]);
    await works[1]!.end();
    expect(await running(works)).toEqual([true, true, true, false]);
    await works[0]!.end();
    expect(await running(works)).toEqual([true, true, true, true]);
  });

  it('are four of one organisation, whatever the targets', async () => {
    const all = slots();
    const works = [1, 2, 3, 4, 5].map((n) => held(all, 'o', `t${n}`));
    const other = held(all, 'other', 't1');
    expect(await running([...works, other])).toEqual([true, true, true, true, false, true]);
    await works[2]!.end();
    expect(await running(works)).toEqual([true, true, true, true, true]);
  });

  it('are not held up by those who wait for another target', async () => {
    const all = slots();
    const busy = ['t', 't', 't', 't', 't'].map((target) => held(all, 'o', target));
    const quick = held(all, 'o', 'quick');
    expect(await running([...busy, quick])).toEqual([true, true, false, false, false, true]);
  });

  it('go to two where one who leaves was in the way of both', async () => {
    const all = slots();
    const [first] = [
      held(all, 'o', 't'),
      held(all, 'p', 't'),
      held(all, 'o', 'u'),
      held(all, 'o', 'v'),
      held(all, 'o', 'w'),
    ];
    const waiting = [held(all, 'o', 'x'), held(all, 'q', 't')];
    expect(await running(waiting)).toEqual([false, false]);
    await first!.end();
    expect(await running(waiting)).toEqual([true, true]);
  });

  it('are given back by work that fails, and given up by those who leave', async () => {
    const all = slots();
    await expect(all.hold('o', 't', open, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    const works = [held(all, 'o', 't'), held(all, 'o', 't')];
    const gone = new AbortController();
    const leaver = held(all, 'o', 't', gone.signal);
    const last = held(all, 'o', 't');
    gone.abort(new Error('gone'));
    await expect(leaver.done).rejects.toThrow('gone');
    await works[0]!.end();
    expect(await running([leaver, last])).toEqual([false, true]);
    await expect(all.hold('o', 't', gone.signal, () => Promise.resolve())).rejects.toThrow('gone');
    await works[1]!.end();
    await last.end();
    expect(await running([held(all, 'o', 't'), held(all, 'o', 't')])).toEqual([true, true]);
  });

  it('are waited for no longer than is allowed, and by no more than may', async () => {
    const all = slots(20);
    const works = [held(all, 'o', 't'), held(all, 'o', 't')];
    await expect(held(all, 'o', 't').done).rejects.toThrow(
      /^limit_exceeded: .*DATABASE_WAIT_SECONDS.*DATABASE_CONNECTIONS/,
    );
    const patient = slots();
    const crowd = Array.from({ length: 503 }, () => held(patient, 'o', 't'));
    await expect(crowd[502]!.done).rejects.toThrow(/^limit_exceeded: 500 queries wait/);
    expect(await running([held(patient, 'other', 'u')])).toEqual([true]);
    await works[0]!.end();
    expect(await running([held(all, 'o', 't')])).toEqual([true]);
    for (const work of crowd.slice(0, 502)) void work.end();
    await Promise.all(crowd.slice(0, 502).map(({ done }) => done));
  });
});
