import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AccessModule, KeyService } from '@app/access';
import { CONFIG, JobQueue, LOGGER, Notifications, Sealer, type Config, type Logger } from '@app/platform';
import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { MessagesModule } from '../messages.module';
import { MessagesService } from '../messages.service';
import { AnswerRuns } from './answer-runs';
import { AsyncMessages } from './async-messages';
import { ENDED_CHANNEL } from './endings';
import { EventLog } from './event-log';
import { TypeOrmEventLog } from './event-log.typeorm';
import { MessageStore } from './message-store';
import { ReaderPlaces } from './reader-places';
import { Upkeep } from './upkeep';

/** Names this process in rows that it is writing. */
const WORKER = Symbol('WORKER');
const QUEUE = Symbol('QUEUE');

/** Async messages: what the API needs to take and show them, and what answers them where that is wanted. */
@Module({
  imports: [AccessModule, MessagesModule],
  providers: [
    { provide: WORKER, useFactory: () => randomUUID() },
    {
      provide: Notifications,
      inject: [DataSource, LOGGER],
      useFactory: (dataSource: DataSource, logger: Logger) => Notifications.start(dataSource, logger),
    },
    {
      provide: JobQueue,
      inject: [DataSource, Notifications, LOGGER],
      useFactory: (dataSource: DataSource, notifications: Notifications, logger: Logger) =>
        JobQueue.start(dataSource, { notifications, logger }),
    },
    { provide: Sealer, inject: [CONFIG], useFactory: openSealer },
    // Who holds another key could not read the request.
    { provide: QUEUE, inject: [Sealer], useFactory: ({ keyId }: Sealer) => `answers_${keyId}` },
    {
      provide: EventLog,
      inject: [DataSource, Notifications, WORKER],
      useFactory: (dataSource: DataSource, notifications: Notifications, worker: string) =>
        new TypeOrmEventLog(dataSource, notifications, worker),
    },
    {
      provide: MessageStore,
      inject: [DataSource, JobQueue, QUEUE, CONFIG],
      useFactory: (dataSource: DataSource, queue: JobQueue, name: string, config: Config) =>
        new MessageStore(dataSource, queue, name, config.async),
    },
    {
      provide: ReaderPlaces,
      inject: [DataSource, WORKER],
      useFactory: (dataSource: DataSource, worker: string) => new ReaderPlaces(dataSource, worker),
    },
    {
      provide: AsyncMessages,
      inject: [MessageStore, EventLog, Sealer, ReaderPlaces],
      useFactory: (store: MessageStore, log: EventLog, sealer: Sealer, places: ReaderPlaces) =>
        new AsyncMessages(store, log, sealer, places),
    },
    {
      provide: AnswerRuns,
      inject: [WORKER, MessagesService, EventLog, MessageStore, Sealer, LOGGER, CONFIG],
      useFactory: (
        worker: string,
        messages: MessagesService,
        log: EventLog,
        store: MessageStore,
        sealer: Sealer,
        logger: Logger,
        config: Config,
      ) => new AnswerRuns({ worker, messages, log, store, sealer, logger, limits: config.async }),
    },
    {
      provide: Upkeep,
      inject: [DataSource, KeyService, AnswerRuns, WORKER, CONFIG, LOGGER],
      useFactory: (
        dataSource: DataSource,
        keys: KeyService,
        runs: AnswerRuns,
        worker: string,
        { async: { retentionMs } }: Config,
        logger: Logger,
      ) => new Upkeep({ dataSource, keys, runs, worker, retentionMs, logger }),
    },
  ],
  exports: [AsyncMessages],
})
export class AsyncMessagesModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Notifications) private readonly notifications: Notifications,
    @Inject(JobQueue) private readonly queue: JobQueue,
    @Inject(QUEUE) private readonly queueName: string,
    @Inject(EventLog) private readonly log: TypeOrmEventLog,
    @Inject(AnswerRuns) private readonly runs: AnswerRuns,
    @Inject(Upkeep) private readonly upkeep: Upkeep,
    @Inject(ReaderPlaces) private readonly places: ReaderPlaces,
  ) {}

  async onModuleInit(): Promise<void> {
    const { async, database } = this.config;
    await this.upkeep.start({ alone: database.url === undefined });
    await this.notifications.listen(ENDED_CHANNEL, (id) => id && this.runs.over(id));
    if (!async.worker) return;
    const { concurrency } = async;
    await this.queue.work(this.queueName, (job) => this.runs.handle(job), {
      concurrency,
      perLane: Math.ceil(concurrency / 2),
    });
  }

  /** Begins no more answers, waits up to `ms` for those in the making, and ends the rest as `error`. */
  async drain(ms: number): Promise<void> {
    this.queue.stop();
    await this.runs.drain(ms);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.drain(0);
    this.places.close();
    await this.upkeep.stop();
    await this.log.close();
    await this.queue.close();
    await this.notifications.close();
  }
}

async function openSealer({ dataDir, role }: Config): Promise<Sealer> {
  try {
    return await Sealer.open(join(dataDir, 'async.key'), { create: role === 'server' });
  } catch (error) {
    if (role === 'server') throw error;
    throw new Error(`DATA_DIR (${dataDir}) must be the folder of the server, which has to have been started once.`, {
      cause: error,
    });
  }
}
