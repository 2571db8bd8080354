/**
 * Heavy jobs of one organisation: so many at once, the others wait (SEC-126). An organisation that asks for hundreds
 * gets no more of a pool of processes than another one that asks for a few.
 */
import { OverloadedError } from '@app/contract';

export interface OrganisationTurnsOptions {
  /** What the jobs are, in the plural, as errors say it. */
  readonly jobs: string;
  /** Of one organisation. */
  readonly atOnce: number;
  /** The setting of `atOnce`. */
  readonly setting: string;
  /** Of one organisation (SEC-124). Default: 100. */
  readonly maxWaiting?: number;
}

interface Organisation {
  running: number;
  readonly waiting: (() => void)[];
}

const RETRY_AFTER_SECONDS = 5;

export class OrganisationTurns {
  private readonly organisations = new Map<string, Organisation>();

  constructor(private readonly options: OrganisationTurnsOptions) {}

  /**
   * Runs the work when the organisation has a place for it, in the order of the calls.
   *
   * @throws OverloadedError where too many wait; the signal's reason, also while it waits; what the work throws.
   */
  async run<T>(organisationId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const organisation = this.organisations.get(organisationId) ?? { running: 0, waiting: [] };
    this.organisations.set(organisationId, organisation);
    if (organisation.running < this.options.atOnce) organisation.running++;
    else await this.wait(organisation, signal);
    try {
      return await work();
    } finally {
      // Its place is handed on as it is.
      const next = organisation.waiting.shift();
      if (next) next();
      else if (--organisation.running === 0) this.organisations.delete(organisationId);
    }
  }

  private wait({ waiting }: Organisation, signal?: AbortSignal): Promise<void> {
    const { jobs, atOnce, setting, maxWaiting = 100 } = this.options;
    if (waiting.length >= maxWaiting) {
      throw new OverloadedError(
        `limit_exceeded: ${maxWaiting} ${jobs} of this organisation are waiting; ${atOnce} run at once (setting ${setting}). Try again in a moment.`,
        { retryAfter: RETRY_AFTER_SECONDS },
      );
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal!.reason);
      };
      const go = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(go);
    });
  }
}
