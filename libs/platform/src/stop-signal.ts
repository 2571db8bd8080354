/**
 * What an answer in the making needs of an AbortSignal, at a tenth of its cost.
 *
 * Making a real one takes Node longer than reading the body of a small request, and listening to it as long again. Most
 * answers only pass it on; who has to hand a real one to somebody else's code gets it by `abortSignalOf`.
 */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The controller and its signal in one; who is given the signal sees no more than that. */
export class Stopper implements StopSignal {
  aborted = false;
  reason: unknown;
  private listeners: readonly (() => void)[] = NOBODY;
  private real: AbortController | undefined;

  get signal(): StopSignal {
    return this;
  }

  /** Once: what comes later changes nothing. */
  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const { listeners } = this;
    this.listeners = NOBODY;
    this.real?.abort(reason);
    for (const listener of listeners) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** As with an AbortSignal, who listens too late hears nothing; and nobody hears it twice. */
  addEventListener(_: 'abort', listener: () => void): void {
    if (!this.aborted && !this.listeners.includes(listener)) this.listeners = [...this.listeners, listener];
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const left = this.listeners.filter((each) => each !== listener);
    this.listeners = left.length > 0 ? left : NOBODY;
  }

  /** A real signal that is aborted with this one. */
  get abortSignal(): AbortSignal {
    if (!this.real) {
      this.real = new AbortController();
      if (this.aborted) this.real.abort(this.reason);
    }
    return this.real.signal;
  }
}

const NOBODY: readonly (() => void)[] = [];

/** The signal itself, or where it is a light one, a real one that is aborted with it. */
export function abortSignalOf(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  if (signal instanceof Stopper) return signal.abortSignal;
  throw new TypeError('Neither an AbortSignal nor a Stopper');
}
