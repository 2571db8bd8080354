import { OverloadedError } from '@app/contract';
import { BodyBudget } from './body-budget';

const MiB = 1024 ** 2;
const NAMED = /MAX_BODIES_MB/;

/** Whether it is in by the time that all which can go on has gone on. */
async function isIn(admitted: Promise<unknown>): Promise<boolean> {
  let inside = false;
  void admitted.then(
    () => (inside = true),
    () => undefined,
  );
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  return inside;
}

describe('BodyBudget', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  // Three quarters are for large bodies: 12 MiB, of which each takes twice its size while it is read.
  const budget = () => new BodyBudget(16 * MiB);

  it('lets a large body in when there is room for it, in the order in which they came', async () => {
    const room = budget();
    const first = await room.admit(5 * MiB);
    const second = room.admit(4 * MiB);
    const third = room.admit(3 * MiB);
    expect([await isIn(second), await isIn(third)]).toEqual([false, false]);
    first.end();
    expect([await isIn(second), await isIn(third)]).toEqual([true, false]);
    (await second).parsed();
    expect(await isIn(third)).toBe(true);
  });

  it('frees what a body took once, however often it ends', async () => {
    const room = budget();
    const [first, second] = [await room.admit(3 * MiB), await room.admit(3 * MiB)];
    first.end();
    first.end();
    first.parsed();
    await room.admit(3 * MiB);
    expect(await isIn(room.admit(2 * MiB))).toBe(false);
    second.end();
  });

  it('never lets a small body wait behind large ones', async () => {
    const room = budget();
    await room.admit(6 * MiB);
    expect(await isIn(room.admit(6 * MiB))).toBe(false);
    expect(await isIn(room.admit(MiB))).toBe(true);
  });

  it('lets a body that is larger than all the room in alone', async () => {
    const room = budget();
    const huge = await room.admit(64 * MiB);
    const next = room.admit(2 * MiB);
    expect(await isIn(next)).toBe(false);
    huge.end();
    expect(await isIn(next)).toBe(true);
  });

  it('refuses one that waited too long, by the name of the setting, and lets in those behind it', async () => {
    const room = budget();
    await room.admit(4 * MiB);
    const late = room.admit(6 * MiB).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(30_000);
    const behind = room.admit(2 * MiB);
    expect(await isIn(behind)).toBe(false);
    await jest.advanceTimersByTimeAsync(30_000);
    const error = (await late) as OverloadedError;
    expect(error).toBeInstanceOf(OverloadedError);
    expect([error.message, error.retryAfter]).toEqual([expect.stringMatching(NAMED), expect.any(Number)]);
    expect(await isIn(behind)).toBe(true);
  });

  it('lets only so many wait', async () => {
    const room = budget();
    await room.admit(6 * MiB);
    const waiting = Array.from({ length: 512 }, () => room.admit(2 * MiB));
    await expect(room.admit(2 * MiB)).rejects.toThrow(NAMED);
    expect(await isIn(waiting[0]!)).toBe(false);
    void Promise.allSettled(waiting);
    await jest.advanceTimersByTimeAsync(60_000);
  });

  it('counts a body without a length as it comes, and refuses what there is no room for', async () => {
    const room = budget();
    const chunked = await room.admit(undefined);
    chunked.grow(5 * MiB);
    expect(await isIn(room.admit(2 * MiB))).toBe(false);
    const other = await room.admit(undefined);
    expect(() => other.grow(2 * MiB)).toThrow(NAMED);
    other.end();
    chunked.end();
    expect(await isIn(room.admit(2 * MiB))).toBe(true);
  });

  it('has room on the disk for those that come slowly, and refuses only them when that is full', async () => {
    const room = budget();
    const slow = Array.from({ length: 4 }, () => room.admitSlow(32 * MiB));
    expect(() => room.admitSlow(1)).toThrow(/came too slowly.*128 MiB.*MAX_BODIES_MB/);
    expect(await isIn(room.admit(6 * MiB))).toBe(true);
    slow[0]!.end();
    const chunked = room.admitSlow(31 * MiB);
    chunked.grow(MiB);
    expect(() => chunked.grow(1)).toThrow(/MAX_BODIES_MB/);
  });
});
