/** Who may fetch now: so many at once for an organisation, one at a time for a host (SEC-20). The others wait. */
import { EgressError } from './egress-error';

export interface TurnLimits {
  readonly atOncePerOrganisation: number;
  readonly waitingPerOrganisation: number;
}

type Release = () => void;

class Places {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(
    private readonly most: number,
    private readonly maxWaiting: number,
  ) {}

  async take(key: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const taken = this.taken.get(key) ?? 0;
    if (taken < this.most) this.taken.set(key, taken + 1);
    else await this.wait(key, signal);
    return () => this.leave(key);
  }

  private wait(key: string, signal: AbortSignal): Promise<void> {
    const queue = this.waiting.get(key) ?? [];
    if (queue.length >= this.maxWaiting) {
      throw new EgressError('limit_exceeded', `${this.maxWaiting} fetches are waiting already. Try again in a moment.`);
    }
    this.waiting.set(key, queue);
    return new Promise((resolve, reject) => {
      const gone = () => {
        queue.splice(queue.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      const go = () => {
        signal.removeEventListener('abort', gone);
        resolve();
      };
      signal.addEventListener('abort', gone, { once: true });
      queue.push(go);
    });
  }

  private leave(key: string): void {
    const next = this.waiting.get(key)?.shift();
    if (next) return next();
    this.waiting.delete(key);
    const taken = (this.taken.get(key) ?? 1) - 1;
    if (taken > 0) this.taken.set(key, taken);
    else this.taken.delete(key);
  }
}

export class EgressTurns {
  private readonly organisations: Places;
  private readonly hosts: Places;

  constructor({ atOncePerOrganisation, waitingPerOrganisation }: TurnLimits) {
    this.organisations = new Places(atOncePerOrganisation, waitingPerOrganisation);
    // Whoever waits for a host has a place of its organisation, so there are never many.
    this.hosts = new Places(1, 10_000);
  }

  /** Runs the work when the organisation has a place. Rejects with the signal's reason if that comes first. */
  forOrganisation<T>(organisation: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return withPlace(this.organisations, organisation, signal, work);
  }

  /** Runs the work when nobody else is at the host. Whoever calls it has a place of its organisation already. */
  atHost<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return withPlace(this.hosts, host, signal, work);
  }
}

async function withPlace<T>(places: Places, key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const leave = await places.take(key, signal);
  try {
    return await work();
  } finally {
    leave();
  }
}
