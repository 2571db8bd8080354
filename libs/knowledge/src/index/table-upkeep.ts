import { setTimeout as sleep } from 'node:timers/promises';
import { Index, type Table } from '@lancedb/lancedb';

/** To build an index takes many seconds, more than a server has to stop. */
const STOP_MS = 3000;

export interface UpkeepPolicy {
  /** A table is looked at when it has not been written to for this long, in milliseconds … */
  readonly quietMs: number;
  /** … or when this long has passed since the first write that is not seen to yet. */
  readonly latestMs: number;
  /** Below this many rows, every vector is compared: exact, and as fast as an index. */
  readonly indexedFrom: number;
  /** Rows that no index covers are scanned in each search; this many are let be, or this part of the table. */
  readonly freshRows: number;
  readonly freshPart: number;
  /** Files of a table before they are merged. */
  readonly fragments: number;
  /** Earlier versions of a table serve searches that are under way; afterwards their files go. */
  readonly keepVersionsMs: number;
}

const POLICY: UpkeepPolicy = {
  quietMs: 1000,
  latestMs: 15_000,
  indexedFrom: 5000,
  freshRows: 2000,
  freshPart: 0.03,
  fragments: 48,
  keepVersionsMs: 40_000,
};

/**
 * Keeps LanceDB tables quick: builds and extends their indexes, merges small files, drops old versions. Runs in the
 * background some time after a write, one table at a time, and never while a request waits for it. Whatever it has
 * not got to yet costs a search some milliseconds, and no hits.
 */
export class TableUpkeep {
  private readonly due = new Map<string, { timer: NodeJS.Timeout; readonly since: number }>();
  private readonly policy: UpkeepPolicy;
  private running: Promise<void> = Promise.resolve();
  private busy = 0;
  private stopped = false;

  constructor(
    private readonly table: (collection: string) => Promise<Table | undefined>,
    private readonly onError: (error: unknown) => void,
    policy: Partial<UpkeepPolicy> = {},
  ) {
    this.policy = { ...POLICY, ...policy };
  }

  wrote(collection: string): void {
    const { quietMs, latestMs } = this.policy;
    const since = this.due.get(collection)?.since ?? Date.now();
    this.schedule(collection, Math.max(0, Math.min(quietMs, since + latestMs - Date.now())), since);
  }

  forget(collection: string): void {
    clearTimeout(this.due.get(collection)?.timer);
    this.due.delete(collection);
  }

  /** Starts nothing more, and waits a little for what runs; to cut that off does no harm. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const collection of [...this.due.keys()]) this.forget(collection);
    const patience = new AbortController();
    await Promise.race([this.running, sleep(STOP_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    patience.abort();
  }

  async settled(): Promise<void> {
    while (this.due.size > 0 || this.busy > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private schedule(collection: string, delay: number, since = Date.now()): void {
    if (this.stopped) return;
    clearTimeout(this.due.get(collection)?.timer);
    const timer = setTimeout(() => {
      this.due.delete(collection);
      this.busy += 1;
      this.running = this.running
        .then(() => this.lookAfter(collection))
        .catch(this.onError)
        .finally(() => (this.busy -= 1));
    }, delay);
    timer.unref();
    this.due.set(collection, { timer, since });
  }

  private async lookAfter(collection: string): Promise<void> {
    const table = this.stopped ? undefined : await this.table(collection);
    if (!table) return;
    const rows = await table.countRows();
    const indices = await table.listIndices();
    if (rows >= this.policy.indexedFrom && !indices.some(({ columns }) => columns.includes('vector'))) {
      await table.createIndex('vector', { config: vectorIndex(rows) });
      await table.createIndex('revision', { config: Index.btree() });
    }
    if (!(await this.worthwhile(table, rows))) return;
    await table.optimize({ cleanupOlderThan: new Date(Date.now() - this.policy.keepVersionsMs) });
  }

  private async worthwhile(table: Table, rows: number): Promise<boolean> {
    const { indexedFrom, freshRows, freshPart, fragments } = this.policy;
    const words = (await table.listIndices()).find(({ columns }) => columns.includes('terms'));
    const fresh = words?.numUnindexedRows ?? 0;
    // Without a graph of vectors to extend it takes milliseconds.
    if (rows < indexedFrom) return fresh > 0;
    if (fresh >= Math.max(freshRows, rows * freshPart)) return true;
    return (await table.stats()).fragmentStats.numFragments > fragments;
  }
}

/** One graph as long as it is built in reasonable memory; a few beyond that. */
const vectorIndex = (rows: number) =>
  Index.hnswSq({ distanceType: 'cosine', numPartitions: Math.max(1, Math.round(rows / 500_000)) });
