import { InvalidRequestError, OverloadedError } from '@app/contract';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { foreseen } from '../foreseen';
import { ChildPool, type ChildPoolOptions } from './child-pool';
import { eventually } from '../../../../test/support/eventually';
import { TaskCrashedError, TaskTimeoutError } from './task-errors';

const pools: ChildPool[] = [];

function pool(options: Partial<ChildPoolOptions> = {}): ChildPool {
  const made = new ChildPool({
    name: 'test',
    task: require.resolve('../../../../test/support/child-pool-task'),
    size: 1,
    memoryMb: 400,
    timeoutMs: 20_000,
    ...options,
  });
  pools.push(made);
  return made;
}

afterEach(() => Promise.all(pools.splice(0).map((each) => each.close())));

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('ChildPool', () => {
  it('answers from another process, which it keeps for the next job', async () => {
    const children = pool();
    const first = await children.run<number>({ do: 'pid' });
    expect(first).not.toBe(process.pid);
    expect(await children.run({ do: 'pid' })).toBe(first);
  });

  it('carries typed arrays there and back as what they are', async () => {
    const bytes = new Uint8Array([1, 2, 255]);
    const floats = new Float32Array([0.5, -1]);
    const back = await pool().run<{ bytes: Uint8Array; floats: Float32Array }>({ do: 'echo', bytes, floats });
    expect(back.bytes).toBeInstanceOf(Uint8Array);
    expect([...back.bytes]).toEqual([1, 2, 255]);
    expect(Object.prototype.toString.call(back.floats)).toBe('[object Float32Array]');
    expect([...back.floats]).toEqual([0.5, -1]);
  });

  it('runs at most `size` jobs at a time, and every job that was given', async () => {
    const children = pool({ size: 2 });
    const spans = await Promise.all(
      Array.from({ length: 6 }, () => children.run<[number, number]>({ do: 'sleep', ms: 50 })),
    );
    const atOnce = spans.map(([start]) => spans.filter(([from, to]) => from <= start && start < to).length);
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(2);
    expect(spans).toHaveLength(6);
  });

  it('throws what a task throws: a refusal as a refusal, anything else by its name and message', async () => {
    const children = pool();
    const refused = await children.run({ do: 'refuse' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidRequestError);
    expect(refused).toMatchObject({ explanation: 'unsupported_file: no', code: 'ODD', errorCode: 'odd' });
    await expect(children.run({ do: 'fail' })).rejects.toMatchObject({ name: 'RangeError', message: 'out of range' });
    expect(await children.run({ do: 'pid' })).toEqual(expect.any(Number));
  });

  it.each([
    ['the system', { message: 'write', code: 'ENOSPC' }],
    ['an engine', { message: 'IO Error: Could not write file "x.parquet": No space left on device' }],
    ['Node', { message: 'ENOSPC: no space left on device, write' }],
  ])('throws a full disk that a task meets as a full disk, as %s tells it', async (_, thrown) => {
    const failure: unknown = await pool()
      .run({ do: 'fill', ...thrown })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject(thrown);
    expect(foreseen(failure)).toBeInstanceOf(OverloadedError);
  });

  it('says so when the task cannot be loaded', async () => {
    await expect(pool({ task: '/no/such/task.js' }).run({})).rejects.toThrow('/no/such/task.js');
  });

  it('kills a job that never ends, in time, and works on', async () => {
    const children = pool();
    const before = await children.run<number>({ do: 'pid' });
    await expect(children.run({ do: 'spin' }, { timeoutMs: 300 })).rejects.toBeInstanceOf(TaskTimeoutError);
    await eventually(() => !isAlive(before));
    expect(await children.run({ do: 'pid' })).not.toBe(before);
  });

  describe('a limit of processor time', () => {
    it('ends a job that computes without end', async () => {
      const error = await pool({ cpuMs: 50 })
        .run({ do: 'spin' })
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'TaskTimeoutError', message: expect.stringContaining('50 ms of processor') });
    });

    it('does not count the time in which others have the processor, nor what earlier jobs and the start have used', async () => {
      const children = pool({ cpuMs: 250 });
      for (let time = 0; time < 3; time++) {
        expect(await children.run({ do: 'compute', ms: 150 })).toEqual(expect.any(Number));
      }
      expect(await children.run({ do: 'sleep', ms: 1000 })).toEqual([expect.any(Number), expect.any(Number)]);
    });
  });

  it('kills a job that takes memory outside the heap, and one that fills the heap', async () => {
    // Time is not to be what ends them, on a machine that is busy.
    const children = pool({ memoryMb: 300, timeoutMs: 50_000 });
    for (const memory of ['buffers', 'heap']) {
      const error = await children.run({ do: memory }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TaskCrashedError);
      expect(error).toMatchObject({ reason: 'memory' });
    }
    expect(await children.run({ do: 'pid' })).toEqual(expect.any(Number));
  });

  it('survives a child that ends under its job', async () => {
    const children = pool();
    await expect(children.run({ do: 'exit' })).rejects.toMatchObject({ name: 'TaskCrashedError', reason: 'exit' });
    expect(await children.run({ do: 'pid' })).toEqual(expect.any(Number));
  });

  it('gives no job to a child that was killed while it had nothing to do', async () => {
    const children = pool();
    for (let time = 0; time < 5; time++) {
      const pid = await children.run<number>({ do: 'pid' });
      process.kill(pid, 'SIGKILL');
      // At once, and a little later: the death is not known yet, or only that nobody listens there.
      if (time % 2 === 1) await sleep(time);
      expect(await children.run<number>({ do: 'pid' })).not.toBe(pid);
    }
  });

  describe('a job whose child is killed from outside', () => {
    let folder: string;
    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'toolwright-pool-'))));
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    /** While it is at the job, which it would never end. */
    const killed = async (children: ChildPool) => {
      const begun = join(folder, 'begun');
      const pid = await children.run<number>({ do: 'pid' });
      const outcome = children.run({ do: 'endTheSecondTime', begun }).catch((error: unknown) => error);
      await eventually(() => existsSync(begun));
      process.kill(pid, 'SIGKILL');
      return outcome;
    };

    it('is run once more where the task has no effects', async () => {
      expect(await killed(pool({ repeatable: true }))).toBe('ended');
    });

    it('fails where it has', async () => {
      expect(await killed(pool())).toMatchObject({ name: 'TaskCrashedError', reason: 'killed' });
    });

    it('fails the second time', async () => {
      const children = pool({ repeatable: true });
      await expect(children.run({ do: 'exit' })).rejects.toMatchObject({ reason: 'exit' });
      await expect(children.run({ do: 'killItself' })).rejects.toMatchObject({ reason: 'killed' });
      expect(await children.run({ do: 'pid' })).toEqual(expect.any(Number));
    });
  });

  it('stops a running job when its caller goes away, whatever it is doing', async () => {
    const children = pool();
    const pid = await children.run<number>({ do: 'pid' });
    const caller = new AbortController();
    const job = children.run({ do: 'spin' }, { signal: caller.signal });
    await sleep(100);
    caller.abort(new Error('gone'));
    await expect(job).rejects.toThrow('gone');
    await eventually(() => !isAlive(pid));
  });

  it('forgets a waiting job whose caller goes away, at once', async () => {
    const children = pool({ maxWaiting: 1 });
    const running = children.run({ do: 'sleep', ms: 400 });
    const caller = new AbortController();
    const waiting = children.run({ do: 'pid' }, { signal: caller.signal });
    caller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const next = children.run({ do: 'pid' });
    await running;
    expect(await next).toEqual(expect.any(Number));
  });

  it('refuses what its queue has no room for', async () => {
    const children = pool({ maxWaiting: 1 });
    const jobs = [children.run({ do: 'sleep', ms: 300 }), children.run({ do: 'sleep', ms: 1 })];
    await expect(children.run({ do: 'pid' })).rejects.toBeInstanceOf(OverloadedError);
    await Promise.all(jobs);
  });

  it('ends children that have nothing to do', async () => {
    const children = pool({ idleMs: 200 });
    const pid = await children.run<number>({ do: 'pid' });
    await eventually(() => !isAlive(pid));
    expect(await children.run({ do: 'pid' })).not.toBe(pid);
  });

  it('hands nothing of our environment to a child but what it needs to run', async () => {
    process.env.OPENAI_API_KEY = 'S3CR3T';
    try {
      const environment = await pool().run<Record<string, string>>({ do: 'environment' });
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(['PATH', 'NODE_OPTIONS']));
      expect(JSON.stringify(environment)).not.toContain('S3CR3T');
    } finally {
      delete process.env.OPENAI_API_KEY;
    }
  });

  it('leaves no child behind when the process that has the pool is killed, whatever they do', async () => {
    const parent = fork(require.resolve('../../../../test/support/child-pool-process'));
    const [child] = (await once(parent, 'message')) as [number];
    expect(isAlive(child)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(() => !isAlive(child));
  });

  it('refuses what waits and kills what runs when it is closed', async () => {
    const children = pool();
    const jobs = [children.run({ do: 'spin' }), children.run({ do: 'pid' })];
    const settled = Promise.allSettled(jobs);
    await sleep(50);
    await children.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(children.run({ do: 'pid' })).rejects.toThrow('closed');
  });
});
