import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyService } from '@app/access';
import { OverloadedError, PlatformError } from '@app/contract';
import { isDatabaseDown, type Logger } from '@app/platform';
import type { DataSource } from 'typeorm';
import type { AnswerRuns } from './answer-runs';
import { endMessages } from './endings';

export interface UpkeepParts {
  readonly dataSource: DataSource;
  readonly keys: KeyService;
  readonly runs: AnswerRuns;
  readonly worker: string;
  readonly retentionMs: number;
  readonly logger: Logger;
}

const BEAT_MS = 2000;
/** A process that has not been seen for this long is gone, and what it was answering with it. */
const DEAD_MS = 10_000;
/** How often what is past its time is removed; sooner where it is kept for seconds. */
const EXPIRE_MS = 60_000;
/** Messages that go in one statement. */
const BATCH = 500;

const LOST = new OverloadedError('The server that answered this message has ended. Send it again.');
const REVOKED = new PlatformError('authentication_error', 'The API key of this message is no longer valid.');
const LATE = new OverloadedError('This message has waited too long (ASYNC_RETENTION_SECONDS). Send it again.');

/** Ends what nobody else will: messages of processes that died, of keys that were revoked, and those past their time. */
export class Upkeep {
  private readonly stopping = new AbortController();
  private beating: Promise<void> = Promise.resolve();
  private nextExpiry = 0;

  constructor(private readonly parts: UpkeepParts) {}

  /**
   * Sees to everything once, then goes on in the background.
   *
   * @param alone nobody else works on this database: whatever was being answered is lost.
   */
  async start({ alone }: { alone: boolean }): Promise<void> {
    if (alone) await this.parts.dataSource.query('DELETE FROM async_workers');
    await this.beat();
    this.beating = this.goOn();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.beating;
    const { dataSource, worker } = this.parts;
    await dataSource
      .query(
        `WITH gone AS (DELETE FROM async_workers WHERE id = $1) DELETE FROM async_message_readers WHERE process = $1`,
        [worker],
      )
      .catch(() => undefined);
  }

  private async goOn(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await sleep(BEAT_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await this.beat().catch((error: unknown) => {
        if (!isDatabaseDown(error)) this.parts.logger.warn({ err: error }, 'upkeep of async messages failed');
      });
    }
  }

  private async beat(): Promise<void> {
    await this.beSeen();
    await this.compareRuns();
    await this.giveUpLost();
    await this.endRevoked();
    if (Date.now() >= this.nextExpiry) {
      await this.expire();
      this.nextExpiry = Date.now() + Math.min(EXPIRE_MS, this.parts.retentionMs / 2);
    }
  }

  private async beSeen(): Promise<void> {
    await this.parts.dataSource.query(
      `INSERT INTO async_workers (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
      [this.parts.worker],
    );
  }

  /** What runs here but has ended elsewhere is stopped; what is ours by its row but does not run is lost. */
  private async compareRuns(): Promise<void> {
    const { dataSource, runs, worker } = this.parts;
    const before = runs.ids;
    const rows = await dataSource.query<{ id: string }[]>(
      `SELECT id FROM async_messages WHERE worker = $1 AND status = 'processing'`,
      [worker],
    );
    const ours = new Set(rows.map(({ id }) => id));
    for (const id of before) if (!ours.has(id)) runs.over(id);
    const lost = [...ours].filter((id) => !runs.has(id));
    if (lost.length) await this.lose(`m.id = ANY($4) AND m.worker = $5 AND m.status = 'processing'`, [lost, worker]);
  }

  private async giveUpLost(): Promise<void> {
    const { dataSource } = this.parts;
    await dataSource.query(`DELETE FROM async_workers WHERE seen_at < clock_timestamp() - $1 * interval '1 ms'`, [
      DEAD_MS,
    ]);
    await this.lose(`m.status = 'processing' AND NOT EXISTS (SELECT FROM async_workers w WHERE w.id = m.worker)`, []);
    await dataSource.query(
      'DELETE FROM async_message_readers r WHERE NOT EXISTS (SELECT FROM async_workers w WHERE w.id = r.process)',
    );
  }

  private async lose(where: string, parameters: readonly unknown[]): Promise<void> {
    const lost = await endMessages(this.parts.dataSource, { status: 'error', error: LOST }, where, parameters);
    if (lost.length) this.parts.logger.warn({ messages: lost.length }, 'async messages were lost with their server');
  }

  /** SEC-118. */
  private async endRevoked(): Promise<void> {
    const { dataSource, keys } = this.parts;
    const rows = await dataSource.query<{ key_id: string }[]>(
      `SELECT DISTINCT key_id FROM async_messages WHERE status IN ('pending', 'processing') AND key_id IS NOT NULL`,
    );
    const unusable = rows.length ? await keys.unusable(rows.map(({ key_id }) => key_id)) : [];
    if (unusable.length)
      await endMessages(dataSource, { status: 'error', error: REVOKED }, 'm.key_id = ANY($4)', [unusable]);
  }

  private async expire(): Promise<void> {
    const { dataSource, retentionMs } = this.parts;
    const old = `m.updated_at < clock_timestamp() - $4 * interval '1 ms'`;
    await endMessages(dataSource, { status: 'error', error: LATE }, `m.status = 'pending' AND ${old}`, [
      Math.max(retentionMs, EXPIRE_MS),
    ]);
    for (let removed = BATCH; removed === BATCH;) {
      const rows = await dataSource.query<unknown[]>(
        `WITH removed AS (DELETE FROM async_messages WHERE id IN (
            SELECT id FROM async_messages m WHERE completed_at IS NOT NULL
              AND updated_at < clock_timestamp() - $1 * interval '1 ms'
              -- Whoever is reading it reads to the end.
              AND NOT EXISTS (SELECT FROM async_message_readers r WHERE r.message_id = m.id) LIMIT ${BATCH}) RETURNING id)
          SELECT id FROM removed`,
        [retentionMs],
      );
      removed = rows.length;
    }
  }
}
