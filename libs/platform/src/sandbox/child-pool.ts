/**
 * Work that may hang, eat memory or crash the process it runs in, in processes that can be killed (SEC-04).
 *
 * A child runs one job at a time and is used again until a job misbehaves or it has been idle for a while. It has a
 * minimal environment, none of our secrets, and dies with us. What the work is, the task's module knows; the pool
 * only knows how long it may take and how big it may get.
 */
import { OverloadedError } from '@app/contract';
import { Child } from './child';
import { TaskCrashedError, TaskTimeoutError } from './task-errors';

export interface ChildPoolOptions {
  /** Said in errors, and to people: `parser`. */
  readonly name: string;
  /** Absolute path of a module that exports `handle(payload)`; it may return a promise. */
  readonly task: string;
  /** Children at most. They are started when there is work for them. */
  readonly size: number;
  /** Resident memory a child may reach, in MiB. Its JavaScript heap gets three quarters of it. */
  readonly memoryMb: number;
  /** How long a job may run, in milliseconds, not counting its wait for a child. */
  readonly timeoutMs: number;
  /**
   * Processor time that a job may use, in milliseconds, however long a busy machine takes to give it. Where it cannot be
   * known (other than Linux) the clock counts. Default: whatever `timeoutMs` leaves it.
   */
  readonly cpuMs?: number;
  /** A child without work for so long is ended. Default: one minute. */
  readonly idleMs?: number;
  /**
   * Whether the task has no effects, so that a job whose child died under it may be run once more in another: unless
   * it died of its memory. Default: false. One that had not begun is always run again.
   */
  readonly repeatable?: boolean;
  /** Jobs that may wait for a child. One more is refused. Default: 1000. */
  readonly maxWaiting?: number;
}

export interface RunOptions {
  /** Ends the job: one that waits is forgotten, one that runs is killed. */
  readonly signal?: AbortSignal;
  /** Instead of the pool's. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly payload: unknown;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly forget: () => void;
  /** Whether it was given to a child before. */
  repeated: boolean;
}

export class ChildPool {
  private readonly waiting: Waiting[] = [];
  private readonly idle: Child[] = [];
  private readonly all = new Set<Child>();
  private closed = false;

  constructor(private readonly options: ChildPoolOptions) {}

  /**
   * Runs one job in a child.
   *
   * Rejects with what the task threw (a PlatformError stays one), `TaskTimeoutError`, `TaskCrashedError`, the
   * signal's reason, or `OverloadedError` when too many jobs wait already.
   */
  run<Result>(payload: unknown, { signal, timeoutMs = this.options.timeoutMs }: RunOptions = {}): Promise<Result> {
    return new Promise<unknown>((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.closed) throw new Error(`The ${this.options.name} pool is closed`);
      const { maxWaiting = 1000, name, size } = this.options;
      if (this.waiting.length >= maxWaiting && !this.idle.length && this.all.size >= size) {
        throw new OverloadedError(`The ${name} queue is full: ${maxWaiting} jobs are waiting. Try again shortly.`, {
          retryAfter: 1,
        });
      }
      const forget = () => {
        this.waiting.splice(this.waiting.indexOf(job), 1);
        reject(signal!.reason);
      };
      const job: Waiting = { payload, timeoutMs, signal, resolve, reject, forget, repeated: false };
      signal?.addEventListener('abort', forget, { once: true });
      this.waiting.push(job);
      this.dispatch();
    }) as Promise<Result>;
  }

  /** Kills what runs, refuses what waits, and resolves when every child is gone. */
  async close(): Promise<void> {
    this.closed = true;
    const reason = new Error(`The ${this.options.name} pool is closed`);
    for (const job of this.waiting.splice(0)) {
      job.signal?.removeEventListener('abort', job.forget);
      job.reject(reason);
    }
    await Promise.all([...this.all].map((child) => child.kill(reason)));
  }

  private dispatch(): void {
    while (this.waiting.length) {
      const child = this.takeIdle() ?? this.fork();
      if (!child) return;
      const job = this.waiting.shift()!;
      job.signal?.removeEventListener('abort', job.forget);
      void this.give(job, child);
    }
  }

  private async give(job: Waiting, child: Child): Promise<void> {
    const { payload, timeoutMs, signal, resolve, reject } = job;
    const abort = () => void child.kill(signal!.reason);
    const timer = setTimeout(() => void child.kill(new TaskTimeoutError(this.options.name, timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      resolve(await child.run(payload));
    } catch (error) {
      if (this.mayRepeat(job, child, error)) this.putBack(job);
      else reject(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (child.alive) this.rest(child);
      this.dispatch();
    }
  }

  private mayRepeat({ repeated, signal }: Waiting, child: Child, error: unknown): boolean {
    if (repeated || this.closed || signal?.aborted) return false;
    if (!(error instanceof TaskCrashedError) || error.reason === 'memory') return false;
    return this.options.repeatable === true || !child.started;
  }

  private putBack(job: Waiting): void {
    job.repeated = true;
    job.signal?.addEventListener('abort', job.forget, { once: true });
    this.waiting.unshift(job);
  }

  private rest(child: Child): void {
    this.idle.push(child);
    child.endAfter(this.options.idleMs ?? 60_000);
  }

  /** The one that worked last, so that children nobody needs stay idle and end. */
  private takeIdle(): Child | undefined {
    let child = this.idle.pop();
    while (child && !child.alive) child = this.idle.pop();
    return child;
  }

  private fork(): Child | undefined {
    if (this.closed || this.all.size >= this.options.size) return undefined;
    const child = new Child(this.options);
    this.all.add(child);
    void child.gone.then(() => {
      this.all.delete(child);
      const at = this.idle.indexOf(child);
      if (at >= 0) this.idle.splice(at, 1);
      this.dispatch();
    });
    return child;
  }
}
