/**
 * Port: what the index holds and nobody may see: revisions that were never published, were replaced, or belong to a
 * deleted artifact. It spans all organisations and shows nothing of them but ids.
 */
export abstract class RevisionJournal {
  /** Gives up revisions that are open. One that was published meanwhile stays. */
  abstract abandon(revisions: readonly string[]): Promise<void>;

  /** Gives up all that are open. Only at the start, when nobody can be writing. */
  abstract abandonAll(): Promise<void>;

  /** What is to leave the index. */
  abstract dead(): Promise<DeadRevision[]>;

  /** These have left the index. */
  abstract forget(revisions: readonly string[]): Promise<void>;

  /** Which of these revisions are artifacts. */
  abstract living(revisions: readonly string[]): Promise<string[]>;

  /** The ids of all collections. */
  abstract collections(): Promise<string[]>;
}

export interface DeadRevision {
  readonly revision: string;
  readonly collection: string;
  /** The collection itself is gone. */
  readonly dropped: boolean;
}
