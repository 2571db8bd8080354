import { OverloadedError, PlatformError } from '@app/contract';
import { isDatabaseDown } from './database/database-errors';
import { isStorageFull } from './storage-full';

/**
 * What was thrown, or what it means to a caller where that is more than "internal error": a database that cannot be
 * reached, while it restarts above all, is worth asking again, and what a full disk keeps from being written is for the
 * operator to mend.
 */
export function foreseen(thrown: unknown): unknown {
  if (thrown instanceof PlatformError) return thrown;
  if (isStorageFull(thrown)) {
    return new OverloadedError(
      'The server has no room left to write to. Its operator has to make some in DATA_DIR, or where DATABASE_URL points; then try again.',
      { cause: thrown },
    );
  }
  if (!isDatabaseDown(thrown)) return thrown;
  return new OverloadedError('The database cannot be reached at the moment. Try again shortly.', {
    retryAfter: 1,
    cause: thrown,
  });
}
