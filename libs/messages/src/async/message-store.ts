import type { Caller } from '@app/access';
import { NotFoundError, type AsyncMessageStatus } from '@app/contract';
import type { JobQueue } from '@app/platform';
import type { DataSource } from 'typeorm';
import { ENDED_CHANNEL, endMessages } from './endings';
import { Intake, type IntakeLimits, type NewMessage } from './intake';

const UTC = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The rows of async messages. A message of another organisation is one that does not exist (SEC-108). */
export class MessageStore {
  private readonly intake: Intake;

  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly queueName: string,
    limits: IntakeLimits,
  ) {
    this.intake = new Intake({ dataSource, queue, queueName, limits });
  }

  /**
   * Stores the message and its job, both or neither.
   *
   * @throws InvalidRequestError when the name is in use; PlatformError 429 or 529 when too many are waiting (SEC-124).
   */
  start(caller: Caller, message: NewMessage): Promise<void> {
    return this.intake.add(caller, message);
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
