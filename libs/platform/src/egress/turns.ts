/**
 * Who may fetch now: so many at once for an organisation, one at a time for a host (SEC-20). The others wait.
 *
 * A host is spared by the whole server, whoever asks; so that no organisation waits for all that another one wants of a
 * host, they take turns at it.
 */
import { EgressError } from './egress-error';

export interface TurnLimits {
  readonly atOncePerOrganisation: number;
  readonly waitingPerOrganisation: number;
  /** How long one may wait for its turn at a host, in milliseconds. */
  readonly atHostMs: number;
}

type Release = () => void;
type Go = () => void;

interface PlaceLimits {
  readonly most: number;
  readonly maxWaiting: number;
}

class Places {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly limits: PlaceLimits) {}

  /** @param asker those of the others that wait have their turns between its own. */
  async take(key: string, asker: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    const taken = this.taken.get(key) ?? 0;
    if (taken < this.limits.most) this.taken.set(key, taken + 1);
    else await this.wait(key, asker, signal);
    return () => this.leave(key, asker);
  }

  private wait(key: string, asker: string, signal: AbortSignal): Promise<void> {
    const { maxWaiting } = this.limits;
    const queue = this.waiting.get(key) ?? new Waiting();
    if (queue.size >= maxWaiting) {
      throw new EgressError('limit_exceeded', `${maxWaiting} fetches are waiting already. Try again in a moment.`);
    }
    this.waiting.set(key, queue);
    return new Promise((resolve, reject) => {
      const gone = () => {
        queue.forget(asker, go);
        reject(signal.reason as Error);
      };
      const go = () => {
        signal.removeEventListener('abort', gone);
        resolve();
      };
      signal.addEventListener('abort', gone, { once: true });
      queue.add(asker, go);
    });
  }

  private leave(key: string, asker: string): void {
    const next = this.waiting.get(key)?.next(asker);
    if (next) return next();
    this.waiting.delete(key);
    const taken = (this.taken.get(key) ?? 1) - 1;
    if (taken > 0) this.taken.set(key, taken);
    else this.taken.delete(key);
  }
}

/** Those that wait for one place: each asker in its order, the askers in turn. */
class Waiting {
  size = 0;
  /** Whoever is served goes to the end. */
  private readonly byAsker = new Map<string, Go[]>();

  add(asker: string, go: Go): void {
    const own = this.byAsker.get(asker);
    if (own) own.push(go);
    else this.byAsker.set(asker, [go]);
    this.size++;
  }

  forget(asker: string, go: Go): void {
    const own = this.byAsker.get(asker)!;
    own.splice(own.indexOf(go), 1);
    if (own.length === 0) this.byAsker.delete(asker);
    this.size--;
  }

  /** @param served who has just had a turn: another one comes first. */
  next(served: string): Go | undefined {
    let [asker] = this.byAsker.keys();
    if (asker === served) {
      this.toTheEnd(served);
      [asker] = this.byAsker.keys();
    }
    if (asker === undefined) return undefined;
    this.size--;
    const go = this.byAsker.get(asker)!.shift();
    this.toTheEnd(asker);
    return go;
  }

  private toTheEnd(asker: string): void {
    const own = this.byAsker.get(asker)!;
    this.byAsker.delete(asker);
    if (own.length > 0) this.byAsker.set(asker, own);
  }
}

export class EgressTurns {
  private readonly organisations: Places;
  private readonly hosts: Places;

  constructor(private readonly limits: TurnLimits) {
    this.organisations = new Places({ most: limits.atOncePerOrganisation, maxWaiting: limits.waitingPerOrganisation });
    // Whoever waits for a host has a place of its organisation, so there are never many.
    this.hosts = new Places({ most: 1, maxWaiting: 10_000 });
  }

  /** Runs the work when the organisation has a place. Rejects with the signal's reason if that comes first. */
  forOrganisation<T>(organisation: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return withPlace(() => this.organisations.take(organisation, organisation, signal), work);
  }

  /**
   * Runs the work when nobody else is at the host. Whoever calls it has a place of its organisation already.
   *
   * @throws EgressError where the others take too long.
   */
  atHost<T>(host: string, organisation: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return withPlace(() => this.host(host, organisation, signal), work);
  }

  private async host(host: string, organisation: string, signal: AbortSignal): Promise<Release> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(this.tooLong()), this.limits.atHostMs);
    const gone = () => late.abort(signal.reason);
    signal.addEventListener('abort', gone, { once: true });
    try {
      signal.throwIfAborted();
      return await this.hosts.take(host, organisation, late.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', gone);
    }
  }

  private tooLong(): EgressError {
    const seconds = this.limits.atHostMs / 1000;
    return new EgressError(
      'tool_timeout',
      `a host is asked for one thing at a time, and others have been at this one for ${seconds} s. Try again in a moment.`,
    );
  }
}

async function withPlace<T>(take: () => Promise<Release>, work: () => Promise<T>): Promise<T> {
  const leave = await take();
  try {
    return await work();
  } finally {
    leave();
  }
}
