/** MySQL and MariaDB behind `database_query` (security §4, SEC-48, SEC-49). */
import { Deadline } from '@app/platform';
import type { SqlDialect } from '@app/models';
import type { Catalog, CatalogWish, TableSample } from '../catalog';
import type {
  CheckedStatement,
  DatabaseEngine,
  DatabaseLimits,
  DatabaseOutcome,
  GuardScope,
  TableName,
  Verdict,
} from '../database-engine';
import { ConnectionError } from '../connection-error';
import type { Dial } from '../databases';
import type { GuardPool } from '../guard-pool';
import type { DatabaseTarget } from '../target';
import { readCatalog } from './catalog-reader';
import { MysqlClient, TooMuch } from './mysql-client';
import { beginReading, runStatement } from './read-only-session';
import { sampleTables } from './sampler';

export interface MysqlEngineOptions {
  readonly dial: Dial;
  readonly guards: Pick<GuardPool, 'check'>;
  readonly limits: { readonly connectMs: number };
  /** Certificate authorities of the operator, in PEM. */
  readonly ca?: string;
}

/** After the server's own limit, which it may not know or not keep. */
const KILL_AFTER_MS = 250;
/** For a statement that was killed to end. */
const END_MS = 1500;
/** From the server in one session: a result of many long cells that are cut. */
const MAX_BYTES = 64 * 1024 ** 2;
const CATALOG_BYTES = 128 * 1024 ** 2;
const CATALOG_MS = 60_000;
const SAMPLE_MS = 5000;

export class MysqlEngine implements DatabaseEngine<DatabaseTarget> {
  constructor(private readonly options: MysqlEngineOptions) {}

  dialectOf({ product }: Catalog): SqlDialect {
    return product.startsWith('MariaDB') ? 'MariaDB' : 'MySQL';
  }

  async readCatalog(target: DatabaseTarget, wish: CatalogWish, signal: AbortSignal): Promise<Catalog> {
    return this.within(target, CATALOG_MS, CATALOG_BYTES, signal, (client) => readCatalog(client, target, wish));
  }

  async sample(target: DatabaseTarget, tables: readonly TableName[], signal: AbortSignal): Promise<TableSample[]> {
    if (tables.length === 0) return [];
    const found: TableSample[] = [];
    // What was found in time is worth having.
    await this.within(target, SAMPLE_MS, MAX_BYTES, signal, (client) => sampleTables(client, tables, found)).catch(
      (error: unknown) => {
        if (signal.aborted || found.length === 0) throw error;
      },
    );
    return found;
  }

  guard(sql: string, scope: GuardScope, signal: AbortSignal): Promise<Verdict> {
    return this.options.guards.check('mysql', sql, scope, signal);
  }

  async run(
    target: DatabaseTarget,
    statement: CheckedStatement,
    limits: DatabaseLimits,
    signal: AbortSignal,
  ): Promise<DatabaseOutcome> {
    const [database = target.database] = statement.schemas;
    const client = await this.open({ ...target, database }, MAX_BYTES, signal);
    let deadline: Deadline | undefined;
    try {
      const timeZone = await this.begin(client, { ms: limits.ms, rows: limits.rows }, signal);
      deadline = new Deadline(limits.ms + KILL_AFTER_MS, signal);
      const late = deadline.signal;
      const running = runStatement(client, statement, limits, timeZone);
      const outcome = await client.within(late, running).catch(async (error: unknown) => {
        if (!late.aborted) throw error;
        await this.kill(target, client, running);
        signal.throwIfAborted();
        return { kind: 'stopped', limit: 'time' } as const;
      });
      if (client.isOpen)
        await client.within(AbortSignal.timeout(END_MS), client.ask('ROLLBACK')).catch(() => undefined);
      // Hung up on after enough rows: the server would notice only when it next writes.
      else if (outcome.kind === 'rows') await this.kill(target, client);
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ConnectionError) throw error;
      if (!(error instanceof TooMuch)) throw ConnectionError.failed('the connection was lost');
      await this.kill(target, client);
      return { kind: 'stopped', limit: 'memory' };
    } finally {
      deadline?.end();
      void client.close();
    }
  }

  /**
   * Ends the session, over a connection of its own: the first hears nothing while it works. Not the statement alone,
   * since the session may just be between two.
   */
  private async kill(target: DatabaseTarget, client: MysqlClient, running?: Promise<unknown>): Promise<void> {
    const patience = AbortSignal.timeout(END_MS);
    try {
      const killer = await this.open({ ...target, database: '' }, MAX_BYTES, patience);
      await killer.within(patience, killer.ask(`KILL CONNECTION ${client.thread}`)).finally(() => void killer.close());
      if (running) await client.within(patience, running);
    } catch {
      // It ended with an error, as it should, or not at all, and is left alone with its closed connection.
    } finally {
      client.destroy();
    }
  }

  /** Something of ours over a session of its own. @throws ConnectionError; the signal's reason. */
  private async within<Result>(
    target: DatabaseTarget,
    ms: number,
    maxBytes: number,
    signal: AbortSignal,
    work: (client: MysqlClient) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.open(target, maxBytes, signal);
    const deadline = new Deadline(this.options.limits.connectMs + ms, signal);
    try {
      await this.begin(client, { ms }, signal);
      return await client.within(deadline.signal, work(client));
    } catch (error) {
      client.destroy();
      signal.throwIfAborted();
      throw error instanceof ConnectionError ? error : ConnectionError.failed('the connection was lost, or slow');
    } finally {
      deadline.end();
      void client.close();
    }
  }

  private open(target: DatabaseTarget, maxBytes: number, signal: AbortSignal): Promise<MysqlClient> {
    const { dial, ca, limits } = this.options;
    return MysqlClient.open(target, { dial, ca, connectMs: limits.connectMs, maxBytes }, signal);
  }

  private async begin(
    client: MysqlClient,
    limits: { ms: number; rows?: number },
    signal: AbortSignal,
  ): Promise<string> {
    const deadline = new Deadline(this.options.limits.connectMs, signal);
    try {
      return await client.within(deadline.signal, beginReading(client, limits));
    } catch (error) {
      client.destroy();
      signal.throwIfAborted();
      throw error instanceof ConnectionError ? error : ConnectionError.failed('the session could not be set up');
    } finally {
      deadline.end();
    }
  }
}
