/** Who may be at a database now: so many of one organisation, so many at one target (SEC-58). The others wait. */
import { ToolError } from '../../tool';

export interface SlotLimits {
  readonly perOrganisation: number;
  readonly perTarget: number;
  /** How long one may wait. */
  readonly waitMs: number;
}

interface Waiting {
  readonly organisation: string;
  readonly target: string;
  readonly go: () => void;
}

/** Of one organisation, that may wait at once. */
const MAX_WAITING = 500;

export class QuerySlots {
  private readonly held = new Map<string, number>();
  private readonly waiting: Waiting[] = [];

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Runs the work when both the organisation and the target have a place; whoever waits for one target holds up nobody
   * who wants another.
   *
   * @throws ToolError `limit_exceeded` where that takes too long; the signal's reason; what the work throws.
   */
  async hold<T>(organisation: string, target: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (!this.isFree(organisation, target)) await this.wait(organisation, target, signal);
    else this.take(organisation, target);
    try {
      return await work();
    } finally {
      this.leave(organisation, target);
    }
  }

  private wait(organisation: string, target: string, signal: AbortSignal): Promise<void> {
    const { perOrganisation, perTarget, waitMs } = this.limits;
    const mine = this.waiting.filter((other) => other.organisation === organisation).length;
    if (mine >= MAX_WAITING) throw new ToolError(`limit_exceeded: ${MAX_WAITING} queries wait already.`);
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        settle();
      };
      const give = (reason: unknown) => {
        this.waiting.splice(this.waiting.indexOf(place), 1);
        end(() => reject(reason as Error));
      };
      const abort = () => give(signal.reason);
      const late = () =>
        give(
          new ToolError(
            `limit_exceeded: no turn within ${waitMs / 1000} seconds (DATABASE_WAIT_SECONDS); ${perOrganisation} queries of ` +
              `an organisation (DATABASE_QUERIES_PER_ORG) and ${perTarget} at a database (DATABASE_CONNECTIONS) run at once.`,
          ),
        );
      const place: Waiting = { organisation, target, go: () => end(resolve) };
      const timer = setTimeout(late, waitMs).unref();
      signal.addEventListener('abort', abort, { once: true });
      this.waiting.push(place);
    });
  }

  private isFree(organisation: string, target: string): boolean {
    const { perOrganisation, perTarget } = this.limits;
    return this.count(`o ${organisation}`) < perOrganisation && this.count(`t ${target}`) < perTarget;
  }

  private take(organisation: string, target: string): void {
    for (const key of [`o ${organisation}`, `t ${target}`]) this.held.set(key, this.count(key) + 1);
  }

  private leave(organisation: string, target: string): void {
    for (const key of [`o ${organisation}`, `t ${target}`]) {
      const left = this.count(key) - 1;
      if (left > 0) this.held.set(key, left);
      else this.held.delete(key);
    }
    // Two may go at once: one for the place of the organisation, one for that of the target.
    for (let next = this.next(); next; next = this.next()) {
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.take(next.organisation, next.target);
      next.go();
    }
  }

  /** The longest waiting of those who can go. */
  private next(): Waiting | undefined {
    return this.waiting.find((place) => this.isFree(place.organisation, place.target));
  }

  private count(key: string): number {
    return this.held.get(key) ?? 0;
  }
}
