/**
 * How messages come in: those that arrive while a transaction is under way share the next one. Its lock makes limits
 * hold and a name be taken once, also between processes, and whoever waits for it holds no connection.
 */
import type { Caller } from '@app/access';
import { InvalidRequestError, OverloadedError, PlatformError, type AsyncMessageStatus } from '@app/contract';
import type { JobQueue, NewJob } from '@app/platform';
import type { DataSource, EntityManager } from 'typeorm';

/** A message to be answered. */
export interface NewMessage {
  /** Ours, never shown: a name may be used again when its message was removed. */
  readonly id: string;
  /** The caller's `message_id`. */
  readonly name: string;
  /** The request, sealed. */
  readonly request: Buffer;
  readonly facts: AsyncMessageStatus['metadata'];
  /** Among the messages of its organisation that wait, higher ones come first. */
  readonly priority: number;
}

export interface IntakeLimits {
  readonly maxWaiting: number;
  readonly maxWaitingPerOrganisation: number;
  readonly maxKeptPerOrganisation: number;
}

export interface IntakeParts {
  readonly dataSource: DataSource;
  readonly queue: JobQueue;
  readonly queueName: string;
  readonly limits: IntakeLimits;
}

interface Arrival {
  readonly caller: Caller;
  readonly message: NewMessage;
  readonly settle: (refusal?: PlatformError) => void;
  readonly fail: (error: unknown) => void;
}

const LOCK = 7_015_003;
const MAX_BATCH = 200;
const MAX_BATCH_BYTES = 32 * 1024 * 1024;
const BUSY_SECONDS = 5;

export class Intake {
  private readonly arriving: Arrival[] = [];
  private working = false;

  constructor(private readonly parts: IntakeParts) {}

  /** @throws InvalidRequestError when the name is in use; PlatformError 429 or 529 when too many are waiting. */
  add(caller: Caller, message: NewMessage): Promise<void> {
    return new Promise((resolve, fail) => {
      const settle = (refusal?: PlatformError) => (refusal ? fail(refusal) : resolve());
      this.arriving.push({ caller, message, settle, fail });
      if (!this.working) void this.work();
    });
  }

  private async work(): Promise<void> {
    this.working = true;
    while (this.arriving.length) {
      const arrivals = this.take();
      try {
        const refused = await this.store(arrivals);
        for (const arrival of arrivals) arrival.settle(refused.get(arrival));
      } catch (error) {
        for (const { fail } of arrivals) fail(error);
      }
    }
    this.working = false;
  }

  private take(): Arrival[] {
    let bytes = 0;
    let count = 0;
    for (const { message } of this.arriving) {
      bytes += message.request.length;
      if (count === MAX_BATCH || (count > 0 && bytes > MAX_BATCH_BYTES)) break;
      count += 1;
    }
    return this.arriving.splice(0, count);
  }

  private async store(arrivals: readonly Arrival[]): Promise<Map<Arrival, PlatformError>> {
    const { dataSource, queue, queueName, limits } = this.parts;
    const organisations = [...new Set(arrivals.map(({ caller }) => caller.organisationId))];
    for (const organisation of organisations) await queue.openLane(queueName, organisation);
    return dataSource.transaction(async (database) => {
      await database.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
      const room = await Room.measure(database, limits);
      const refused = new Map<Arrival, PlatformError>();
      for (const arrival of arrivals) {
        const refusal = room.take(arrival.caller.organisationId);
        if (refusal) refused.set(arrival, refusal);
      }
      const stored = await insert(
        database,
        arrivals.filter((arrival) => !refused.has(arrival)),
      );
      const jobs: NewJob[] = [];
      for (const arrival of arrivals) {
        if (refused.has(arrival)) continue;
        const { id, priority } = arrival.message;
        if (stored.has(id)) jobs.push({ id, lane: arrival.caller.organisationId, priority });
        else refused.set(arrival, new InvalidRequestError('Stream with this message_id already exists'));
      }
      await evict(database, organisations, limits.maxKeptPerOrganisation);
      await queue.send(queueName, jobs, database);
      return refused;
    });
  }
}

/** Places that are free in the queue (SEC-124). */
class Room {
  private constructor(
    private readonly waiting: Map<string, number>,
    private readonly limits: IntakeLimits,
  ) {}

  static async measure(database: EntityManager, limits: IntakeLimits): Promise<Room> {
    const rows = await database.query<{ organisation: string; waiting: number }[]>(
      `SELECT organisation_id AS organisation, count(*)::int AS waiting FROM async_messages WHERE status = 'pending'
        GROUP BY organisation_id`,
    );
    return new Room(new Map(rows.map(({ organisation, waiting }) => [organisation, waiting])), limits);
  }

  /** @returns why there is none. */
  take(organisation: string): PlatformError | undefined {
    const { maxWaiting, maxWaitingPerOrganisation } = this.limits;
    const ours = this.waiting.get(organisation) ?? 0;
    const retry = { retryAfter: BUSY_SECONDS };
    if (ours >= maxWaitingPerOrganisation) {
      const text =
        `limit_exceeded: ${maxWaitingPerOrganisation} messages of this organisation are waiting, the most at once ` +
        '(MAX_ASYNC_WAITING_PER_ORG).';
      return new PlatformError('rate_limit_error', text, retry);
    }
    let all = 0;
    for (const count of this.waiting.values()) all += count;
    if (all >= maxWaiting) {
      const text = `limit_exceeded: ${maxWaiting} messages are waiting, the most at once (MAX_ASYNC_WAITING).`;
      return new OverloadedError(text, retry);
    }
    this.waiting.set(organisation, ours + 1);
    return undefined;
  }
}

/** @returns the ids of those whose name was free. */
async function insert(database: EntityManager, arrivals: readonly Arrival[]): Promise<Set<string>> {
  const rows = await database.query<{ id: string }[]>(
    `INSERT INTO async_messages (id, organisation_id, name, key_id, request, facts)
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bytea[], $6::jsonb[])
      ON CONFLICT (organisation_id, name) DO NOTHING RETURNING id`,
    [
      arrivals.map(({ message }) => message.id),
      arrivals.map(({ caller }) => caller.organisationId),
      arrivals.map(({ message }) => message.name),
      arrivals.map(({ caller }) => caller.keyId ?? null),
      arrivals.map(({ message }) => message.request),
      arrivals.map(({ message }) => JSON.stringify(message.facts)),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Beyond what an organisation may keep, the oldest finished ones go (SEC-123). */
async function evict(database: EntityManager, organisations: readonly string[], most: number): Promise<void> {
  await database.query(
    `WITH busy AS (
        SELECT organisation_id, count(*) AS messages FROM async_messages
        WHERE organisation_id = ANY($1) AND status IN ('pending', 'processing') GROUP BY organisation_id
      ), finished AS (
        SELECT id, organisation_id, row_number() OVER (PARTITION BY organisation_id ORDER BY updated_at DESC) AS place
        FROM async_messages WHERE organisation_id = ANY($1) AND completed_at IS NOT NULL
      )
      DELETE FROM async_messages WHERE id IN (
        SELECT id FROM finished LEFT JOIN busy USING (organisation_id) WHERE place > $2 - coalesce(messages, 0))`,
    [organisations, most],
  );
}
