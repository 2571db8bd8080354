/** PostgreSQL behind the port of databases (security §4). */
import { Deadline, raced } from '@app/platform';
import type { SqlDialect } from '@app/models';
import type { SecureContext } from 'node:tls';
import type { Catalog, CatalogWish, TableSample } from '../catalog';
import { ConnectionError } from '../connection-error';
import type {
  CheckedStatement,
  DatabaseEngine,
  DatabaseLimits,
  DatabaseOutcome,
  GuardScope,
  TableName,
  Verdict,
} from '../database-engine';
import type { GuardPool } from '../guard-pool';
import type { DatabaseTarget } from '../target';
import { PostgresConnection, type ConnectOptions, type Dial } from './connection';
import { readCatalog } from './read-catalog';
import { sampleTables } from './sample-tables';
import { trust } from './secure-socket';
import { runStatement } from './session';

export interface PostgresOptions {
  readonly dial: Dial;
  readonly guards: GuardPool;
  /** Certificate authorities of the operator, in PEM (SEC-54). */
  readonly ca?: string;
  readonly limits: { readonly connectMs: number };
}

const CATALOG_MS = 30_000;
/** For all tables that are asked for. */
const SAMPLE_MS = 5000;
const CATALOG_BYTES = 64 * 1024 * 1024;
const CATALOG_ROWS = 2_000_000;
/** Besides those of a result: what we ask on our own, and what was on its way when it was enough. */
const MORE_ROWS = 65_536;
/** Of one row, whose cells are cut afterwards. */
const MAX_ROW = 16 * 1024 * 1024;

export class PostgresEngine implements DatabaseEngine<DatabaseTarget> {
  private context: SecureContext | undefined;

  constructor(private readonly options: PostgresOptions) {}

  dialectOf(): SqlDialect {
    return 'PostgreSQL';
  }

  async readCatalog(target: DatabaseTarget, wish: CatalogWish, signal: AbortSignal): Promise<Catalog> {
    return this.reading(target, CATALOG_MS, signal, (connection) => readCatalog(connection, wish, CATALOG_MS));
  }

  async sample(target: DatabaseTarget, tables: readonly TableName[], signal: AbortSignal): Promise<TableSample[]> {
    const found: TableSample[] = [];
    const read = this.reading(target, SAMPLE_MS, signal, (connection) => sampleTables(connection, tables, found));
    await read.catch((error: unknown) => {
      // Time that ran out leaves what was read until then.
      if (signal.aborted || found.length === 0) throw error;
    });
    return found;
  }

  guard(sql: string, scope: GuardScope, signal: AbortSignal): Promise<Verdict> {
    return this.options.guards.check('postgres', sql, scope, signal);
  }

  run(
    target: DatabaseTarget,
    statement: CheckedStatement,
    limits: DatabaseLimits,
    signal: AbortSignal,
    tell?: (outcome: DatabaseOutcome) => void,
  ): Promise<DatabaseOutcome> {
    const row = Math.max(MAX_ROW, limits.bytes);
    return runStatement(
      target,
      statement,
      limits,
      this.connecting(limits.rows + MORE_ROWS, row, 4 * row + 2 * limits.bytes),
      signal,
      tell,
    );
  }

  /** Our own reading of catalogs and samples, within a limit of time. */
  private async reading<T>(
    target: DatabaseTarget,
    ms: number,
    signal: AbortSignal,
    read: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await PostgresConnection.open(
      target,
      this.connecting(CATALOG_ROWS, MAX_ROW, CATALOG_BYTES),
      signal,
    );
    const deadline = new Deadline(ms, signal);
    let atRest = false;
    try {
      const result = await raced(read(connection), deadline.signal);
      atRest = true;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      throw ConnectionError.failed(`reading the catalog: ${(error as Error).message}`);
    } finally {
      deadline.end();
      await (atRest ? connection.close() : connection.abandon());
    }
  }

  private connecting(rows: number, rowBytes: number, totalBytes: number): ConnectOptions {
    const { dial, ca, limits } = this.options;
    const trusted = () => (this.context ??= trust(ca));
    return { dial, trust: trusted, connectMs: limits.connectMs, rows, rowBytes, totalBytes };
  }
}
