/** Builds the worker from its configuration, and takes it down in the reverse order. */
import { ACCESS_ENTITIES } from '@app/access';
import { KNOWLEDGE_ENTITIES } from '@app/knowledge';
import { AsyncMessagesModule } from '@app/messages';
import { createLogger, openDatabase, tellUnknownSettings, type Config, type Logger } from '@app/platform';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MIGRATIONS } from '../../../migrations';
import { WorkerModule } from './worker.module';

/** How long answers in the making may go on once the worker is told to stop; container runtimes kill after 10 s. */
const DRAIN_MS = 6000;

export interface RunningWorker {
  readonly logger: Logger;
  /** Takes no more jobs, lets those in hand end, then closes everything. */
  stop(): Promise<void>;
}

/** @throws whatever kept it from starting; what had been opened is closed again. */
export async function bootWorker(config: Config): Promise<RunningWorker> {
  const logger = createLogger(config);
  tellUnknownSettings(config.unknownSettings, logger);
  if (!config.database.url) {
    throw new Error(
      'A worker needs DATABASE_URL, the same as the server has. With the embedded database, which belongs to one ' +
        'process, the server does the work itself (ASYNC_WORKER=on).',
    );
  }
  const database = await openDatabase(config, {
    entities: [...ACCESS_ENTITIES, ...KNOWLEDGE_ENTITIES],
    migrations: MIGRATIONS,
    logger,
  });
  let app: INestApplicationContext | undefined;
  try {
    const module = WorkerModule.forRoot({ config, logger, dataSource: database.dataSource });
    app = await NestFactory.createApplicationContext(module, { abortOnError: false, logger: false });
    const running = app;
    return {
      logger,
      stop: async () => {
        await running.get(AsyncMessagesModule).drain(DRAIN_MS);
        await running.close();
        await database.close();
      },
    };
  } catch (error) {
    await app?.close();
    await database.close();
    throw error;
  }
}
