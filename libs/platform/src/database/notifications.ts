/** PostgreSQL's LISTEN and NOTIFY: what one process tells the others, on one connection that comes back by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Logger } from '../logging/logger';
import { connectionStringOf } from './connection-string';
import { reasonOf } from './database-errors';

/** Told each payload; undefined when some may have been missed, so that the listener looks for itself. */
export type Listener = (payload: string | undefined) => void;

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

export class Notifications {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly stopping = new AbortController();
  private client?: Client;
  private supervision: Promise<void> = Promise.resolve();

  private constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** @throws what keeps the first connection from being made. */
  static async start(dataSource: DataSource, logger: Pick<Logger, 'warn'>): Promise<Notifications> {
    const notifications = new Notifications(dataSource, logger);
    const { lost } = await notifications.connect();
    notifications.supervision = notifications.supervise(lost);
    return notifications;
  }

  /** @returns what ends it. Payloads are told in the order of their commits. */
  async listen(channel: string, listener: Listener): Promise<() => void> {
    const known = this.listeners.get(channel);
    if (known) known.add(listener);
    else {
      this.listeners.set(channel, new Set([listener]));
      // While the connection is away, the next one listens to it from its start.
      await this.client?.query(`LISTEN ${quoted(channel)}`).catch(() => undefined);
    }
    return () => this.listeners.get(channel)?.delete(listener);
  }

  /** @param database the transaction with which it is told; at once where there is none. Payload: under 8,000 bytes. */
  async notify(channel: string, payload: string, database: DataSource | EntityManager = this.dataSource) {
    await database.query('SELECT pg_notify($1, $2)', [channel, payload]);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.client?.end().catch(() => undefined);
    await this.supervision;
  }

  private async supervise(lost: Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    for (let retryMs = FIRST_RETRY_MS; ;) {
      await lost;
      if (signal.aborted) return;
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        ({ lost } = await this.connect());
        retryMs = FIRST_RETRY_MS;
        for (const listeners of this.listeners.values()) for (const listener of listeners) listener(undefined);
      } catch (error) {
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
        this.logger.warn({ reason: reasonOf(error) ?? 'unknown' }, 'cannot listen to the database yet');
        lost = Promise.resolve();
      }
    }
  }

  private async connect(): Promise<Connected> {
    const client = new Client({
      connectionString: connectionStringOf(this.dataSource),
      application_name: 'toolwright-listen',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    const lost = new Promise<void>((resolve) => client.once('end', () => resolve()).once('error', () => resolve()));
    client.on('error', () => undefined);
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.listeners.get(channel) ?? []) listener(payload ?? '');
    });
    await client.connect();
    this.client = client;
    for (const channel of this.listeners.keys()) await client.query(`LISTEN ${quoted(channel)}`);
    return { lost };
  }
}

interface Connected {
  /** Resolves when the connection is gone. */
  readonly lost: Promise<void>;
}

const quoted = (channel: string) => `"${channel.replaceAll('"', '""')}"`;
