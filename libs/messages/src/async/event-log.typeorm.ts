import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamEvent } from '@app/contract';
import { isDatabaseDown, type Notifications } from '@app/platform';
import type { DataSource } from 'typeorm';
import { ENDED_CHANNEL, endMessages } from './endings';
import { EventLog, type Ending, type EventBatch } from './event-log';
import { Tails } from './tail';

/** Told `<writer> <message id> …` of every batch. */
const EVENTS_CHANNEL = 'toolwright_async_events';
/** What goes into one statement: a notification holds about so many ids. */
const MAX_BATCHES = 200;
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Between two statements: a thousand messages that speak a word each then share a few of them. */
const PAUSE_MS = 20;
/** How long a write waits for a database that is restarting. */
const PATIENCE_MS = 15_000;
/** What a reader takes at once: so many batches, and no more after so many characters. */
const PAGE = 16;
const PAGE_CHARACTERS = 1024 * 1024;

interface Pending {
  readonly batch: EventBatch;
  readonly json: string;
  readonly settle: (written: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** EventLog as rows in PostgreSQL, one for each batch, with LISTEN/NOTIFY to wake the readers of other processes. */
export class TypeOrmEventLog extends EventLog {
  private readonly tails = new Tails();
  private readonly unlisten: Promise<() => void>[];
  private pending: Pending[] = [];
  private writing?: Promise<void>;

  /** @param writer the process that answers, a UUID. */
  constructor(
    private readonly dataSource: DataSource,
    notifications: Notifications,
    private readonly writer: string,
  ) {
    super();
    this.unlisten = [
      notifications.listen(ENDED_CHANNEL, (id) => (id ? this.tails.hint(id) : this.tails.hintAll())),
      notifications.listen(EVENTS_CHANNEL, (told) => {
        const [from, ...ids] = told?.split(' ') ?? [];
        if (from === undefined) this.tails.hintAll();
        else if (from !== writer) for (const id of ids) this.tails.hint(id);
      }),
    ];
  }

  append(batch: EventBatch): Promise<boolean> {
    return new Promise((settle, fail) => {
      this.pending.push({ batch, json: JSON.stringify(batch.events), settle, fail });
      this.writing ??= this.writeAll();
    });
  }

  async end(messageId: string, { status, error }: Ending): Promise<void> {
    await patiently(() =>
      endMessages(this.dataSource, { status, error }, `m.id = $4 AND m.worker = $5 AND m.status = 'processing'`, [
        messageId,
        this.writer,
      ]),
    );
  }

  async *follow(messageId: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void> {
    const tail = this.tails.open(messageId);
    try {
      for (let position = 0; ; signal.throwIfAborted()) {
        const offered = tail.next(position);
        if (offered) {
          position += offered.length;
          yield* offered;
        } else if (tail.mustLook()) {
          const stored = await this.page(messageId, position);
          position += stored.length;
          if (stored.length) {
            tail.hint();
            yield* stored;
          } else if (await this.isOver(messageId, position)) return;
        } else await tail.wait(signal);
      }
    } finally {
      this.tails.close(messageId, tail);
    }
  }

  async close(): Promise<void> {
    await this.writing;
    for (const unlisten of this.unlisten) (await unlisten)();
  }

  private async writeAll(): Promise<void> {
    while (this.pending.length) {
      const batches = this.take();
      try {
        const written = await patiently(() => this.write(batches));
        for (const { batch, settle } of batches) {
          const ours = written.has(batch.messageId);
          if (ours) this.tails.offer(batch);
          settle(ours);
        }
      } catch (error) {
        for (const { fail } of batches) fail(error);
      }
      await sleep(PAUSE_MS);
    }
    this.writing = undefined;
  }

  private take(): Pending[] {
    let size = 0;
    let count = 0;
    for (const { json } of this.pending) {
      if (count > 0 && (count === MAX_BATCHES || size + json.length > MAX_CHARACTERS)) break;
      size += json.length;
      count += 1;
    }
    return this.pending.splice(0, count);
  }

  /** Written twice, should nobody know whether the first time counted, it is the same. */
  private async write(batches: readonly Pending[]): Promise<Set<string>> {
    const rows = await this.dataSource.query<{ ids: string[] }[]>(
      `WITH batch AS (
          SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::text[]) AS b (id, position, count, events)
        ), fenced AS (
          UPDATE async_messages m SET event_count = b.position + b.count, updated_at = clock_timestamp()
          FROM batch b WHERE m.id = b.id AND m.worker = $5 AND m.status = 'processing'
          RETURNING m.id, m.organisation_id, b.position, b.events
        ), stored AS (
          INSERT INTO async_message_events (message_id, position, organisation_id, events)
          SELECT id, position, organisation_id, events FROM fenced ON CONFLICT DO NOTHING
        )
        SELECT array_agg(id) AS ids, pg_notify('${EVENTS_CHANNEL}', concat($6::text, ' ', string_agg(id::text, ' ')))
        FROM fenced HAVING count(*) > 0`,
      [
        batches.map(({ batch }) => batch.messageId),
        batches.map(({ batch }) => batch.position),
        batches.map(({ batch }) => batch.events.length),
        batches.map(({ json }) => json),
        this.writer,
        this.writer,
      ],
    );
    return new Set(rows[0]?.ids);
  }

  private async page(messageId: string, position: number): Promise<StreamEvent[]> {
    const rows = await this.dataSource.query<{ events: string }[]>(
      `SELECT events FROM (
          SELECT position, events, sum(length(events)) OVER (ORDER BY position) - length(events) AS before
          FROM (
            SELECT position, events FROM async_message_events WHERE message_id = $1 AND position >= $2
            ORDER BY position LIMIT ${PAGE}
          ) AS batches
        ) AS page WHERE before < ${PAGE_CHARACTERS} ORDER BY position`,
      [messageId, position],
    );
    return rows.flatMap(({ events }) => JSON.parse(events) as StreamEvent[]);
  }

  private async isOver(messageId: string, position: number): Promise<boolean> {
    const [row] = await this.dataSource.query<{ ended: boolean; event_count: number }[]>(
      'SELECT completed_at IS NOT NULL AS ended, event_count FROM async_messages WHERE id = $1',
      [messageId],
    );
    return row === undefined || (row.ended && position >= row.event_count);
  }
}

/** A database that restarts is worth waiting for: the model has spoken, and will not say it again. */
async function patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(250)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseDown(error) || Date.now() > end) throw error;
    }
  }
}
