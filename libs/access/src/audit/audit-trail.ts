/**
 * What callers had tools do, for whoever has to answer for it (SEC-140).
 *
 * Rows of calls that ran are written together, a quarter of a second late at most: a kill of the server loses those. A
 * call that was refused is in the database before its refusal leaves: an attack shows even where it ends the server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@app/platform';
import type { DataSource } from 'typeorm';
import type { Caller } from '../caller';
import type { Verdict } from './tool-call.entity';

export interface ToolCallRecord {
  readonly tool: string;
  readonly target: string;
  readonly verdict: Verdict;
  readonly token?: string;
  readonly bytes: number;
  readonly ms: number;
}

export interface AuditTrailOptions {
  readonly dataSource: DataSource;
  readonly retentionMs: number;
  readonly logger: Pick<Logger, 'warn'>;
}

type Row = ToolCallRecord & { readonly at: Date; readonly organisationId: string; readonly keyId?: string };

const FLUSH_MS = 250;
/** A refusal waits no longer for its row; the row is written when the database is back. */
const PATIENCE_MS = 2000;
/** Rows of one statement. */
const BATCH = 500;
/** Rows that wait for a database that is away; of more, the oldest are lost, and the log says how many. */
const MAX_WAITING = 10_000;
const EXPIRE_EVERY_MS = 60 * 60 * 1000;
const EXPIRE_BATCH = 5000;

export class AuditTrail {
  private waiting: Row[] = [];
  private lost = 0;
  private timer: NodeJS.Timeout | undefined;
  private expiry: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  /** The write that has not begun yet: it takes whatever is added until then. */
  private next: Promise<void> | undefined;
  /** Whether the last write failed; the next is then left to the timer, or to a refusal. */
  private isAway = false;
  /** Whether a refusal has waited in vain: the next ones do not, until a write has ended. */
  private isStuck = false;

  constructor(private readonly options: AuditTrailOptions) {}

  /** Removes what is past its time, now and every hour. */
  start(): void {
    const expire = () => this.expire().catch((error: unknown) => this.warn(error, 'old rows of the audit stay'));
    void expire();
    this.expiry = setInterval(expire, EXPIRE_EVERY_MS).unref();
  }

  /** Never throws. @returns a promise to wait for where the row has to be there before the call is answered. */
  record({ organisationId, keyId }: Caller, call: ToolCallRecord): Promise<void> | undefined {
    this.waiting.push({ ...call, at: new Date(), organisationId, keyId });
    if (this.waiting.length >= MAX_WAITING + BATCH) this.keepSome();
    if (call.verdict === 'refused') return this.written();
    if (this.waiting.length >= BATCH && !this.isAway) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
    return undefined;
  }

  /** Writes what waits. Never rejects: what cannot be written goes on waiting. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.next ??= this.writing = this.writing.then(() => {
      this.next = undefined;
      return this.write();
    });
    return this.next;
  }

  /** What a database takes that does not answer is lost with it: the server has to stop. */
  async close(): Promise<void> {
    clearInterval(this.expiry);
    await this.written();
    clearTimeout(this.timer);
  }

  /** Until all that waits is written, or until it has taken too long. */
  private async written(): Promise<void> {
    const flushed = this.flush();
    if (this.isStuck) return;
    const patience = new AbortController();
    const late = sleep(PATIENCE_MS, true, { ref: false, signal: patience.signal }).catch(() => false);
    this.isStuck = (await Promise.race([flushed.then(() => false), late])) || this.isStuck;
    patience.abort();
  }

  private async write(): Promise<void> {
    while (this.waiting.length > 0) {
      const rows = this.waiting.splice(0, BATCH);
      try {
        await this.insert(rows);
        this.isAway = this.isStuck = false;
      } catch (error) {
        this.isAway = true;
        this.isStuck = false;
        this.waiting.unshift(...rows);
        this.keepSome();
        this.warn(error, 'the audit of tool calls cannot be written and waits');
        this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS * 20).unref();
        return;
      }
    }
    if (this.lost > 0) this.options.logger.warn({ rows: this.lost }, 'rows of the audit were lost with the database');
    this.lost = 0;
  }

  private async insert(rows: readonly Row[]): Promise<void> {
    await this.options.dataSource.query(
      `INSERT INTO tool_call_audit (at, organisation_id, key_id, tool, target, verdict, token, bytes, ms)
        SELECT * FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
          $8::bigint[], $9::int[])`,
      [
        rows.map(({ at }) => at.toISOString()),
        rows.map(({ organisationId }) => organisationId),
        rows.map(({ keyId }) => keyId ?? null),
        rows.map(({ tool }) => tool),
        rows.map(({ target }) => target),
        rows.map(({ verdict }) => verdict),
        rows.map(({ token }) => token ?? null),
        rows.map(({ bytes }) => bytes),
        rows.map(({ ms }) => Math.round(ms)),
      ],
    );
  }

  private keepSome(): void {
    const tooMany = this.waiting.length - MAX_WAITING;
    if (tooMany <= 0) return;
    this.lost += tooMany;
    this.waiting.splice(0, tooMany);
  }

  private async expire(): Promise<void> {
    for (let removed = EXPIRE_BATCH; removed === EXPIRE_BATCH;) {
      const [, count] = (await this.options.dataSource.query(
        `DELETE FROM tool_call_audit WHERE id IN (SELECT id FROM tool_call_audit
          WHERE at < clock_timestamp() - $1 * interval '1 ms' ORDER BY at LIMIT ${EXPIRE_BATCH})`,
        [this.options.retentionMs],
      )) as [unknown, number];
      removed = count;
    }
  }

  private warn(error: unknown, words: string): void {
    this.options.logger.warn({ err: error }, words);
  }
}
