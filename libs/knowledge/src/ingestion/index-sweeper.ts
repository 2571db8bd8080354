import type { DeadRevision, RevisionJournal } from '../artifacts/revision-journal';
import type { TableFiles } from '../tables/table-files';
import type { ChunkIndex } from '../index/chunk-index';

const RETRY_MS = 5000;

/**
 * Makes the index and the tables forget what the journal calls dead. Nobody waits for it: what is dead is not found anyway. What
 * fails is tried again, now and at the next start.
 */
export class IndexSweeper {
  /** What is being written right now; its records may still arrive, so it is too early to remove them. */
  private readonly open = new Set<string>();
  private readonly abandoned = new Set<string>();
  private running: Promise<void> | undefined;
  private again = false;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly journal: RevisionJournal,
    private readonly index: ChunkIndex,
    private readonly tables: TableFiles,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A revision is about to be written. */
  opened(revision: string): void {
    this.open.add(revision);
  }

  /** Nothing more is written for it. Unless it was published, it is dead; if it was, what it replaced is. */
  closed(revision: string, { published }: { readonly published: boolean }): void {
    this.open.delete(revision);
    if (!published) this.abandoned.add(revision);
    this.kick();
  }

  /** Something has died. */
  kick(): void {
    clearTimeout(this.retry);
    this.sweep().catch((error: unknown) => {
      this.onError(error);
      if (this.stopped) return;
      clearTimeout(this.retry);
      this.retry = setTimeout(() => this.kick(), RETRY_MS).unref();
    });
  }

  /** Resolves when everything that was dead at the call has left the index. */
  sweep(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    this.again = true;
    this.running ??= this.run();
    return this.running;
  }

  /**
   * Takes up what a killed server left behind. Only before the first ingest: revisions that are open by then belong to
   * nobody.
   */
  async recover(): Promise<void> {
    await this.journal.abandonAll();
    const known = new Set(await this.journal.collections());
    for (const collection of await this.index.collections()) {
      if (!known.has(collection)) await this.index.drop(collection);
    }
    await this.sweep();
    await this.tables.recover((revisions) => this.journal.living(revisions));
  }

  /** Starts nothing more, and waits for what runs. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.running?.catch(() => {});
  }

  private async run(): Promise<void> {
    try {
      while (this.again) {
        this.again = false;
        const given = [...this.abandoned];
        if (given.length > 0) await this.journal.abandon(given);
        for (const revision of given) this.abandoned.delete(revision);
        for (let dead = await this.dead(); dead.length > 0; dead = await this.dead()) await this.bury(dead);
      }
    } finally {
      this.running = undefined;
    }
  }

  private async dead(): Promise<DeadRevision[]> {
    return (await this.journal.dead()).filter(({ revision }) => !this.open.has(revision));
  }

  private async bury(dead: readonly DeadRevision[]): Promise<void> {
    for (const collection of new Set(dead.map((each) => each.collection))) {
      const revisions = dead.filter((each) => each.collection === collection);
      const ids = revisions.map(({ revision }) => revision);
      if (revisions.some(({ dropped }) => dropped)) await this.index.drop(collection);
      else await this.index.removeRevisions(collection, ids);
      await this.tables.remove(ids);
      await this.journal.forget(ids);
    }
  }
}
