import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, ConnectionError } from './api-client';

const MAX_TRIES = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** The server is busy (429, 529), or something in front of it cannot reach it just now. */
const PASSING = new Set([429, 502, 503, 504, 529]);

/**
 * Runs a request that may be sent again, until it succeeds, fails for good or was tried five times.
 *
 * Waits as long as the server asks for, at most 30 seconds; else half a second, doubling, less a random part, so that
 * many clients do not come back at once.
 */
export async function withRetries<Result>(send: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      const passing = error instanceof ConnectionError || (error instanceof ApiError && PASSING.has(error.status));
      if (!passing || tries === MAX_TRIES) throw error;
      const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
      const pause = asked ?? FIRST_WAIT_MS * 2 ** (tries - 1) * (1 - Math.random() / 2);
      await wait(Math.min(pause, LONGEST_WAIT_MS), undefined, { signal });
    }
  }
}
