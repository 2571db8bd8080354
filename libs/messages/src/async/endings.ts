/** The one statement that ends messages, whoever ends them: the run, the caller, or upkeep. */
import { PlatformError, toErrorBody } from '@app/contract';
import type { DataSource, EntityManager } from 'typeorm';

/** Told the id of every message that has ended or was removed. */
export const ENDED_CHANNEL = 'toolwright_async_ended';

export type EndStatus = 'completed' | 'cancelled' | 'error';

export interface Ended {
  readonly id: string;
  readonly organisationId: string;
}

/**
 * Ends the messages that fit the condition and have not ended: status, wiped request, and for `error` the last event,
 * all at once.
 *
 * @param where SQL over `async_messages m`, with parameters from $4 on.
 */
export async function endMessages(
  database: DataSource | EntityManager,
  { status, error }: { readonly status: EndStatus; readonly error?: unknown },
  where: string,
  parameters: readonly unknown[],
): Promise<Ended[]> {
  const event = status === 'error' ? JSON.stringify([toErrorBody(error)]) : null;
  return database.query<Ended[]>(
    `WITH ended AS (
        UPDATE async_messages m SET status = $1, error_message = $2, request = NULL,
          event_count = event_count + CASE WHEN $3::text IS NULL THEN 0 ELSE 1 END,
          updated_at = clock_timestamp(), completed_at = clock_timestamp()
        WHERE m.status IN ('pending', 'processing') AND (${where})
        RETURNING m.id, m.organisation_id, m.event_count
      ), told AS (
        INSERT INTO async_message_events (message_id, position, organisation_id, events)
        SELECT id, event_count - 1, organisation_id, $3 FROM ended WHERE $3::text IS NOT NULL
      )
      SELECT id, organisation_id AS "organisationId", pg_notify('${ENDED_CHANNEL}', id::text) FROM ended`,
    [status, status === 'error' ? wordsOf(error) : null, event, ...parameters],
  );
}

const wordsOf = (error: unknown) => (error instanceof PlatformError ? error.message : 'Internal error');
