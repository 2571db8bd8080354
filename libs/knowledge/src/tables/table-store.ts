import type { Caller } from '@app/access';
import type { ContextFilter } from '@app/contract';
import type { TableReport } from './table-report';

/** Port: the tables of live artifacts. */
export abstract class TableStore {
  /**
   * The tables that a filter lets through, in the order of their artifacts and of their place there; hidden ones too.
   * A collection that is not there, or is not the caller's, has none.
   *
   * @throws ArtifactNotReadyError for a listed artifact that is not there, is not complete or is not the caller's.
   * @throws InvalidRequestError for a condition that makes no sense.
   */
  abstract find(caller: Caller, filter: ContextFilter): Promise<StoredTable[]>;
}

export interface StoredTable {
  readonly id: string;
  /** The caller's artifact id. */
  readonly artifact: string;
  readonly collection: string;
  /** The artifact's file name. */
  readonly fileName: string;
  /**
   * Absolute path of the Parquet file. It never changes, and goes away when its artifact is replaced or deleted: who
   * finds it gone asks the store again.
   */
  readonly file: string;
  readonly report: TableReport;
}
