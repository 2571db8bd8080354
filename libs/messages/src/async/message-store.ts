import type { Caller } from '@app/access';
import {
  InvalidRequestError,
  NotFoundError,
  OverloadedError,
  PlatformError,
  type AsyncMessageStatus,
} from '@app/contract';
import type { JobQueue } from '@app/platform';
import type { DataSource, EntityManager } from 'typeorm';
import { ENDED_CHANNEL, endMessages } from './endings';

/** A message to be answered. */
export interface NewMessage {
  /** Ours, never shown: a name may be used again when its message was removed. */
  readonly id: string;
  /** The caller's `message_id`. */
  readonly name: string;
  /** The request, sealed. */
  readonly request: Buffer;
  readonly facts: AsyncMessageStatus['metadata'];
}

export interface QueueLimits {
  readonly maxWaiting: number;
  readonly maxWaitingPerOrganisation: number;
  readonly maxKeptPerOrganisation: number;
}

/** One after another they come in, so that limits hold and a name is taken once. */
const START_LOCK = 7_015_003;
const BUSY_SECONDS = 5;
const UTC = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The rows of async messages. A message of another organisation is one that does not exist (SEC-108). */
export class MessageStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly queueName: string,
  ) {}

  /**
   * Stores the message and its job, both or neither.
   *
   * @throws InvalidRequestError when the name is in use; PlatformError 429 or 529 when too many are waiting (SEC-124).
   */
  async start({ organisationId, keyId }: Caller, message: NewMessage, limits: QueueLimits): Promise<void> {
    await this.queue.openLane(this.queueName, organisationId);
    await this.dataSource.transaction(async (database) => {
      await database.query('SELECT pg_advisory_xact_lock($1)', [START_LOCK]);
      await refuseIfFull(database, organisationId, limits);
      const [made] = await database.query<{ id: string }[]>(
        `INSERT INTO async_messages (id, organisation_id, name, key_id, request, facts) VALUES ($1, $2, $3, $4, $5, $6)
          ON CONFLICT (organisation_id, name) DO NOTHING RETURNING id`,
        [message.id, organisationId, message.name, keyId ?? null, message.request, message.facts],
      );
      if (!made) throw new InvalidRequestError('Stream with this message_id already exists');
      await evict(database, organisationId, limits.maxKeptPerOrganisation);
      await this.queue.send(this.queueName, { id: message.id, lane: organisationId, transaction: database });
    });
  }

  /** @throws NotFoundError */
  async find({ organisationId }: Caller, name: string): Promise<{ id: string; status: AsyncMessageStatus }> {
    const [row] = await this.dataSource.query<{ id: string; status: AsyncMessageStatus }[]>(
      `SELECT id, json_build_object('message_id', name, 'status', status, 'created_at', ${UTC('created_at')},
          'updated_at', ${UTC('updated_at')}, 'completed_at', ${UTC('completed_at')}, 'error_message', error_message,
          'stream_type', 'chat_completion', 'metadata', facts) AS status
        FROM async_messages WHERE organisation_id = $1 AND name = $2`,
      [organisationId, name],
    );
    if (!row) throw unknownMessage(name);
    return row;
  }

  /** Begins a message that is waiting, once. Its stored request is wiped: nobody answers it a second time. */
  async claim(id: string, worker: string): Promise<Buffer | undefined> {
    const [row] = await this.dataSource.query<{ request: Buffer }[]>(
      `WITH waiting AS (
          SELECT id, request FROM async_messages WHERE id = $1 AND status = 'pending' FOR UPDATE
        ), claimed AS (
          UPDATE async_messages m SET status = 'processing', worker = $2, request = NULL, updated_at = clock_timestamp()
          FROM waiting WHERE m.id = waiting.id RETURNING m.id
        )
        SELECT request FROM waiting JOIN claimed USING (id)`,
      [id, worker],
    );
    return row?.request;
  }

  /** A message that has ended keeps its status. @throws NotFoundError */
  async cancel(caller: Caller, name: string): Promise<void> {
    const { id } = await this.find(caller, name);
    const [ended] = await endMessages(this.dataSource, { status: 'cancelled' }, 'm.id = $4', [id]);
    if (ended) await this.dropJob(ended.id, ended.organisationId);
  }

  /** The message, its events and its job. @throws NotFoundError */
  async remove({ organisationId }: Caller, name: string): Promise<void> {
    const [removed] = await this.dataSource.query<{ id: string }[]>(
      `WITH removed AS (DELETE FROM async_messages WHERE organisation_id = $1 AND name = $2 RETURNING id)
        SELECT id, pg_notify('${ENDED_CHANNEL}', id::text) FROM removed`,
      [organisationId, name],
    );
    if (!removed) throw unknownMessage(name);
    await this.dropJob(removed.id, organisationId);
  }

  /** The claim is what counts: a job that is left finds nothing to do. */
  private async dropJob(id: string, lane: string): Promise<void> {
    await this.queue.cancel(this.queueName, { id, lane }).catch(() => undefined);
  }
}

export const unknownMessage = (name: string) =>
  new NotFoundError(`Stream with message_id ${name.slice(0, 200)} not found`);

async function refuseIfFull(database: EntityManager, organisationId: string, limits: QueueLimits): Promise<void> {
  const [waiting] = await database.query<[{ ours: number; all: number }]>(
    `SELECT count(*)::int AS all, (count(*) FILTER (WHERE organisation_id = $1))::int AS ours
      FROM async_messages WHERE status = 'pending'`,
    [organisationId],
  );
  const { maxWaiting, maxWaitingPerOrganisation } = limits;
  if (waiting.ours >= maxWaitingPerOrganisation) {
    throw new PlatformError(
      'rate_limit_error',
      `limit_exceeded: ${maxWaitingPerOrganisation} messages of this organisation are waiting, the most at once ` +
        '(MAX_ASYNC_WAITING_PER_ORG).',
      { retryAfter: BUSY_SECONDS },
    );
  }
  if (waiting.all >= maxWaiting) {
    throw new OverloadedError(
      `limit_exceeded: ${maxWaiting} messages are waiting, the most at once (MAX_ASYNC_WAITING).`,
      { retryAfter: BUSY_SECONDS },
    );
  }
}

/** Beyond what an organisation may keep, the oldest finished ones go (SEC-123). */
async function evict(database: EntityManager, organisationId: string, most: number): Promise<void> {
  await database.query(
    `DELETE FROM async_messages WHERE id IN (
        SELECT id FROM async_messages WHERE organisation_id = $1 AND completed_at IS NOT NULL ORDER BY updated_at DESC
        OFFSET greatest(0, $2::int - (SELECT count(*)::int FROM async_messages
          WHERE organisation_id = $1 AND status IN ('pending', 'processing'))))`,
    [organisationId, most],
  );
}
