/**
 * The places of the readers of each message, counted over all processes (SEC-123).
 *
 * A place is a row, and its key makes it one reader's, so that no lock is needed. Places of a process that has died are
 * freed with the rest that it leaves behind (`upkeep.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from '@app/contract';
import { isDatabaseDown } from '@app/platform';
import type { DataSource } from 'typeorm';

/** At once, of one message. */
const MAX_READERS = 10;
/** Two readers may reach for one place; the second tries another. */
const MAX_TRIES = 20;
/** Between two tries to give a place back to a database that is down. */
const RETRY_MS = 1000;

export class ReaderPlaces {
  private closed = false;

  /** @param process the one that reads, a UUID. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly process: string,
  ) {}

  /**
   * @returns what frees the place again.
   * @throws PlatformError 429 when the message has ten readers already.
   */
  async take(messageId: string): Promise<() => void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const [row] = await this.dataSource.query<{ free: number; place: number | null }[]>(
        `WITH free AS (
            SELECT place FROM generate_series(1, ${MAX_READERS}) AS place WHERE NOT EXISTS (
              SELECT FROM async_message_readers r WHERE r.message_id = $1::uuid AND r.place = place.place)
          ), taken AS (
            INSERT INTO async_message_readers (message_id, place, process)
            SELECT $1::uuid, place, $2::uuid FROM free ORDER BY random() LIMIT 1 ON CONFLICT DO NOTHING RETURNING place
          )
          SELECT count(*)::int AS free, (SELECT place FROM taken) AS place FROM free`,
        [messageId, this.process],
      );
      const place = row?.place;
      if (place != null) return () => void this.free(messageId, place);
      if (!row?.free) break;
    }
    throw new PlatformError(
      'rate_limit_error',
      `limit_exceeded: this message has ${MAX_READERS} readers, the most at once.`,
    );
  }

  close(): void {
    this.closed = true;
  }

  private async free(messageId: string, place: number): Promise<void> {
    for (; !this.closed; await sleep(RETRY_MS, undefined, { ref: false })) {
      try {
        await this.dataSource.query(
          'DELETE FROM async_message_readers WHERE message_id = $1 AND place = $2 AND process = $3',
          [messageId, place, this.process],
        );
        return;
      } catch (error) {
        if (!isDatabaseDown(error)) return;
      }
    }
  }
}
