/** PostgreSQL behind the port of databases (security §4). */
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
import { PostgresConnection, raced, type ConnectOptions, type Dial } from './connection';
import { readCatalog } from './read-catalog';
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
const CATALOG_BYTES = 64 * 1024 * 1024;
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

  async sample(_target: DatabaseTarget, _tables: readonly TableName[], _signal: AbortSignal): Promise<TableSample[]> {
    return [];
  }

  guard(sql: string, scope: GuardScope, signal: AbortSignal): Promise<Verdict> {
    return this.options.guards.check('postgres', sql, scope, signal);
  }

  run(
    target: DatabaseTarget,
    statement: CheckedStatement,
    limits: DatabaseLimits,
    signal: AbortSignal,
  ): Promise<DatabaseOutcome> {
    const row = Math.max(MAX_ROW, limits.bytes);
    return runStatement(target, statement, limits, this.connecting(row, 4 * row + 2 * limits.bytes), signal);
  }

  /** Our own reading of catalogs and samples, within a limit of time. */
  private async reading<T>(
    target: DatabaseTarget,
    ms: number,
    signal: AbortSignal,
    read: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await PostgresConnection.open(target, this.connecting(MAX_ROW, CATALOG_BYTES), signal);
    let atRest = false;
    try {
      const result = await raced(read(connection), AbortSignal.any([signal, AbortSignal.timeout(ms)]));
      atRest = true;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      throw ConnectionError.failed(`reading the catalog: ${(error as Error).message}`);
    } finally {
      if (!atRest) await connection.cancel();
      await connection.close();
    }
  }

  private connecting(rowBytes: number, totalBytes: number): ConnectOptions {
    const { dial, ca, limits } = this.options;
    const trusted = () => (this.context ??= trust(ca));
    return { dial, trust: trusted, connectMs: limits.connectMs, rowBytes, totalBytes };
  }
}
