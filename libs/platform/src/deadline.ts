import type { StopSignal } from './stop-signal';

/**
 * A signal that is aborted with another, or after some time. Not `AbortSignal.any` over `AbortSignal.timeout`: where
 * nobody else holds the latter, it may be collected before its time, and then never comes.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly follow = () => {
    this.controller.abort(this.outer?.reason);
    this.end();
  };

  constructor(
    ms: number,
    private readonly outer?: StopSignal,
    reason: () => Error = () => new Error('it took too long'),
  ) {
    this.timer = setTimeout(() => {
      this.controller.abort(reason());
      this.end();
    }, ms);
    if (outer?.aborted) this.follow();
    else outer?.addEventListener('abort', this.follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Once it is no longer needed. */
  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.follow);
  }
}

/**
 * A signal for one of many works that go on side by side under another one. Each listens, and Node takes more than ten
 * listeners of one signal for a leak, which it tells on the console.
 */
export const branchOf = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal]);

/** Settles as the promise does, or rejects when the signal is aborted. */
export function raced<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
