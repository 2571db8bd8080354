import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { AbstractLogger, DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import type { Config } from '../config/config';
import type { Logger } from '../logging/logger';
import { isDatabaseDown, reasonOf } from './database-errors';
import { EmbeddedPostgres, socketFolder, urlOf } from './embedded-postgres';
import { isStorageFull } from '../storage-full';
import { FolderInUseError } from './folder-lock';

export interface Database {
  readonly dataSource: DataSource;
  /** Closes the connections, and stops the server if it is ours. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  readonly entities: Function[];
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
  readonly migrations: Function[];
  readonly logger: Logger;
  /** Use the embedded server of the process that has the data folder, instead of refusing. For commands. */
  readonly join?: boolean;
}

/** How long a server of ours may take to answer for the first time. */
const PATIENCE_MS = 30_000;
/** The same of one at DATABASE_URL, which may be started beside us, but may as well be an address with a mistake. */
const PATIENCE_ELSEWHERE_MS = 9500;
/** How long a connection may take to come about while we wait for the first. */
const CONNECT_MS = 4000;
const MIGRATION_LOCK = 7_015_001;

/**
 * The database, ready for work: at `DATABASE_URL`, else embedded in the data folder. Migrations that are pending have
 * run, one process at a time.
 *
 * @throws Error that says what to do, without the URL.
 */
export async function openDatabase(
  { dataDir, database }: Pick<Config, 'dataDir' | 'database'>,
  options: DatabaseOptions,
): Promise<Database> {
  const server = database.url ? given(database.url.reveal()) : await embedded(join(dataDir, 'postgres'), options);
  try {
    await migrate(server, options);
    const dataSource = await new DataSource(mainOptions(server.url, options)).initialize();
    return {
      dataSource,
      close: async () => {
        await dataSource.destroy();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    if (!database.url || isStorageFull(error)) throw error;
    // Without its cause, which may name what is in the URL (SEC-135).
    throw new Error(
      `The database at DATABASE_URL cannot be used: ${reasonOf(error) ?? unknownReason(error)}. Correct DATABASE_URL, or mend that there.`,
    );
  }
}

class EncodingError extends Error {}

const unknownReason = (error: unknown): string =>
  error instanceof EncodingError
    ? error.message
    : `it failed (${(error as { code?: string }).code ?? (error as Error).name})`;

interface Server {
  readonly url: string;
  readonly patienceMs: number;
  stop(): Promise<void>;
}

const given = (url: string): Server => ({
  url,
  patienceMs: PATIENCE_ELSEWHERE_MS,
  stop: () => Promise.resolve(),
});

async function embedded(folder: string, { logger, join }: DatabaseOptions): Promise<Server> {
  try {
    const server = await EmbeddedPostgres.start({ folder, logger });
    return { url: server.url, patienceMs: PATIENCE_MS, stop: () => server.stop() };
  } catch (error) {
    if (!join || !(error instanceof FolderInUseError)) throw error;
    const socket = await socketFolder(folder);
    return { url: urlOf(socket.path), patienceMs: PATIENCE_MS, stop: () => socket.release() };
  }
}

/** On connections of its own, which may take their time. */
async function migrate({ url, patienceMs }: Server, { migrations, logger }: DatabaseOptions): Promise<void> {
  const dataSource = new DataSource({
    ...connection(logger),
    migrations,
    extra: { connectionString: url, max: 2, connectionTimeoutMillis: CONNECT_MS },
  });
  await patiently(() => dataSource.initialize(), patienceMs);
  try {
    const guard = dataSource.createQueryRunner();
    await checkEncoding(guard);
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const done = await dataSource.runMigrations({ transaction: 'each' });
    for (const { name } of done) logger.info({ migration: name }, 'database migrated');
    await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await guard.release();
  } finally {
    await dataSource.destroy();
  }
}

/** Others cannot hold every character; SQL_ASCII takes them as they come. It would show only once somebody sent one. */
async function checkEncoding(runner: QueryRunner): Promise<void> {
  const [row] = (await runner.query('SHOW server_encoding')) as { server_encoding: string }[];
  const encoding = row?.server_encoding ?? '';
  if (!['UTF8', 'SQL_ASCII'].includes(encoding)) {
    throw new EncodingError(`its encoding is ${encoding}, and texts need UTF8 (CREATE DATABASE … ENCODING 'UTF8')`);
  }
}

/** A database that is being started beside us may need a moment. The last attempt ends within `patienceMs`. */
async function patiently<Result>(attempt: () => Promise<Result>, patienceMs: number): Promise<Result> {
  const end = Date.now() + patienceMs - CONNECT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDatabaseDown(error) || Date.now() > end) throw error;
      await sleep(250);
    }
  }
}

function mainOptions(url: string, { entities, logger }: DatabaseOptions): DataSourceOptions {
  return {
    ...connection(logger),
    entities,
    extra: {
      connectionString: url,
      max: 20,
      idleTimeoutMillis: 60_000,
      // Also how long a query may wait for one of the connections.
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 60_000,
      // For a server that is no longer there to keep its own time.
      query_timeout: 60_000,
    },
  };
}

/** TypeORM prints the driver's words about a failed migration whatever `logging` says; who fails is told by `openDatabase`. */
class SilentLogger extends AbstractLogger {
  protected override writeLog(): void {
    return;
  }
}

function connection(logger: Logger) {
  return {
    type: 'postgres',
    applicationName: 'toolwright',
    synchronize: false,
    logging: false,
    logger: new SilentLogger(),
    poolErrorHandler: (error: Error) =>
      logger.warn({ reason: reasonOf(error) ?? error.name }, 'a database connection was lost'),
  } as const;
}
