import { OverloadedError, PlatformError } from '@app/contract';
import { isDatabaseDown } from '@app/platform';

/**
 * What was thrown, or what it means to a caller where that is more than "internal error": a database that cannot be
 * reached, while it restarts above all, is worth asking again.
 */
export function foreseen(thrown: unknown): unknown {
  if (thrown instanceof PlatformError || !isDatabaseDown(thrown)) return thrown;
  return new OverloadedError('The database cannot be reached at the moment. Try again shortly.', {
    retryAfter: 1,
    cause: thrown,
  });
}
