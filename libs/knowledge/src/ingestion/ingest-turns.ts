/**
 * Whose turn it is to be ingested (SEC-126).
 *
 * An organisation has at most four documents in work, and the server sixteen: each of them takes memory for its bytes,
 * its text and its passages. The others wait with nothing but what came in, and of that there is a limit too. Turns go
 * round the organisations, so that a single document does not wait behind another organisation's hundred.
 */
import { OverloadedError } from '@app/contract';

const MiB = 1024 * 1024;
const AT_ONCE = 16;
const AT_ONCE_PER_ORGANISATION = 4;
/** Of what may wait; the rest is for the others. */
const SHARE_OF_ONE = 0.75;
/** What waits takes at least so much, however small it is. */
const LEAST_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 5;

interface Counts {
  working: number;
  /** Of those that came when there was no place for them. */
  waitingBytes: number;
}

interface Organisation extends Counts {
  /** Ingests that are in work, that wait, and that are about to do one of both. */
  present: number;
  readonly queue: (() => void)[];
}

/** One ingest's place, to be left by `end` whatever happens. */
export interface IngestTurn {
  /** Resolves when it is its turn. Rejects with the signal's reason. */
  begin(signal: AbortSignal): Promise<void>;
  end(): void;
}

export class IngestTurns {
  /** In the order in which they get the next turn. */
  private readonly organisations = new Map<string, Organisation>();
  private readonly all: Counts = { working: 0, waitingBytes: 0 };

  /** @param maxWaitingBytes of all that waits; one organisation may have three quarters of it. */
  constructor(private readonly maxWaitingBytes: number) {}

  /**
   * @param bytes what it keeps in memory while it waits.
   * @throws OverloadedError naming the setting where it would have to wait and there is no room for it.
   */
  admit(organisationId: string, bytes: number): IngestTurn {
    const organisation = this.organisations.get(organisationId) ?? newcomer();
    const size = this.hasPlace(organisation) ? 0 : Math.max(bytes, LEAST_BYTES);
    if (size > 0 && !this.hasRoom(organisation, size)) throw tooMuchWaiting(this.maxWaitingBytes);
    this.organisations.set(organisationId, organisation);
    organisation.present++;
    this.count(organisation, { working: 0, waitingBytes: size });
    let state: 'waiting' | 'working' | 'over' = 'waiting';
    const start = () => {
      state = 'working';
      this.count(organisation, { working: 1, waitingBytes: -size });
    };
    const end = () => {
      if (state === 'over') return;
      this.count(
        organisation,
        state === 'working' ? { working: -1, waitingBytes: 0 } : { working: 0, waitingBytes: -size },
      );
      state = 'over';
      organisation.present--;
      if (organisation.present === 0) this.organisations.delete(organisationId);
      this.next();
    };
    return { begin: (signal) => this.begin(organisation, start, signal), end };
  }

  /** Whether one more would be in work at once, were all that are here already. */
  private hasPlace({ present }: Organisation): boolean {
    if (present >= AT_ONCE_PER_ORGANISATION) return false;
    let taken = 0;
    for (const other of this.organisations.values()) taken += Math.min(other.present, AT_ONCE_PER_ORGANISATION);
    return taken < AT_ONCE;
  }

  private hasRoom({ waitingBytes }: Organisation, size: number): boolean {
    if (this.all.waitingBytes + size > this.maxWaitingBytes) return false;
    return waitingBytes + size <= this.maxWaitingBytes * SHARE_OF_ONE;
  }

  private begin(organisation: Organisation, start: () => void, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = () => {
        organisation.queue.splice(organisation.queue.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', leave);
        start();
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      organisation.queue.push(go);
      this.next();
    });
  }

  private next(): void {
    for (const [id, organisation] of this.organisations) {
      if (this.all.working >= AT_ONCE) return;
      if (organisation.working >= AT_ONCE_PER_ORGANISATION || organisation.queue.length === 0) continue;
      organisation.queue.shift()!();
      // To the end of the map, where this loop comes by again after the others.
      this.organisations.delete(id);
      this.organisations.set(id, organisation);
    }
  }

  private count(organisation: Organisation, by: Counts): void {
    for (const counts of [this.all, organisation]) {
      counts.working += by.working;
      counts.waitingBytes += by.waitingBytes;
    }
  }
}

const newcomer = (): Organisation => ({ present: 0, working: 0, waitingBytes: 0, queue: [] });

const tooMuchWaiting = (maxBytes: number) =>
  new OverloadedError(
    `Too many documents are waiting to be ingested: ${maxBytes / MiB} MiB may wait, three quarters of it for one organisation (setting MAX_WAITING_INGEST_MB). Try again in a moment.`,
    { retryAfter: RETRY_AFTER_SECONDS },
  );
