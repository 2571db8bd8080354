import { setTimeout as pause } from 'node:timers/promises';

/** As much as a test leaves (`testTimeout`) that is to end with words of its own. A machine may be very busy. */
const PATIENCE_MS = 45_000;

export interface EventuallyOptions {
  /** Told when it does not come about, beside what was seen last. */
  readonly what?: () => string;
  readonly patienceMs?: number;
  /** Between two looks. */
  readonly everyMs?: number;
}

/**
 * Looks until what it sees is enough, and hands that out: a test decides by the very look that has ended its wait.
 *
 * @throws Error with what was seen last, when it is still not enough.
 */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  isEnough: (seen: Seen) => boolean = Boolean,
  { what, patienceMs = PATIENCE_MS, everyMs = 20 }: EventuallyOptions = {},
): Promise<Seen> {
  for (const end = Date.now() + patienceMs; ; await pause(everyMs)) {
    const seen = await look();
    if (isEnough(seen)) return seen;
    if (Date.now() > end) {
      const last = seen instanceof Response ? `status ${seen.status}` : JSON.stringify(seen)?.slice(0, 1000);
      throw new Error(`Not within ${patienceMs} ms; seen last: ${last}. ${what?.() ?? ''}`);
    }
  }
}

/** What a look sees that has not changed for a while: where nothing tells that something has come to rest. */
export async function settled<Seen>(look: () => Seen, looks = 10): Promise<Seen> {
  let last = look();
  let same = 0;
  return eventually(
    () => {
      const now = look();
      same = now === last ? same + 1 : 0;
      return (last = now);
    },
    () => same >= looks,
  );
}
