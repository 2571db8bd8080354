import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '../../../test/support/eventually';
import { Deadline, raced } from './deadline';

describe('Deadline', () => {
  it('comes, though nobody holds it but who listens', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let came = 0;
    const outer = new AbortController();
    for (let i = 0; i < 50; i++) {
      new Deadline(50, outer.signal).signal.addEventListener('abort', () => came++, { once: true });
    }
    collect();
    expect(
      await eventually(
        () => came,
        (seen) => seen >= 50,
      ),
    ).toBe(50);
  });

  it('comes with the signal it follows, for its reason, and no more once it has ended', () => {
    const outer = new AbortController();
    const one = new Deadline(60_000, outer.signal);
    const ended = new Deadline(60_000, outer.signal);
    ended.end();
    outer.abort(new Error('gone'));
    expect(one.signal.reason).toEqual(new Error('gone'));
    expect(ended.signal.aborted).toBe(false);
    expect(new Deadline(60_000, outer.signal).signal.aborted).toBe(true);
    one.end();
  });

  it('ends what waits for something that never comes', async () => {
    const deadline = new Deadline(10, undefined, () => new Error('late'));
    await expect(raced(new Promise(() => undefined), deadline.signal)).rejects.toThrow('late');
    await expect(raced(Promise.resolve(1), new AbortController().signal)).resolves.toBe(1);
  });
});
