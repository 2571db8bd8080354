/**
 * Jobs on the PostgreSQL that is there anyway: pg-boss keeps them, this hands them out.
 *
 * A queue has lanes, one for each organisation that uses it, and gives every lane its share of the free hands: a lane
 * with a hundred jobs cannot keep another's first one waiting. A job that is sent in a transaction exists if, and only
 * if, that commits. It is delivered at least once; a handler that has made sure by its own means says so by
 * `acknowledge`, and the job is over for the queue while its work goes on.
 */
import PgBoss from 'pg-boss';
import type { DataSource, EntityManager } from 'typeorm';
import { connectionStringOf } from '../database/connection-string';
import { reasonOf } from '../database/database-errors';
import type { Notifications } from '../database/notifications';
import type { Logger } from '../logging/logger';

export interface Job {
  readonly id: string;
  readonly lane: string;
  /** No second delivery is needed. Without it the job counts as done when the handler is. */
  acknowledge(): Promise<void>;
}

export type JobHandler = (job: Job) => Promise<void>;

export interface NewJob {
  /** A UUID of the sender's. */
  readonly id: string;
  readonly lane: string;
  /** Of the jobs that wait in a lane, those with a higher one are begun first. Default: 0. */
  readonly priority?: number;
}

export interface WorkOptions {
  /** Handlers at once in this process. */
  readonly concurrency: number;
  /** Of them, for one lane. */
  readonly perLane: number;
}

const SCHEMA = 'toolwright_jobs';
const CHANNEL = 'toolwright_jobs';
/** How soon a job is found of which nobody was told. */
const POLL_MS = 2000;
/** An unacknowledged job is delivered again after this long, so often. */
const DELIVERY = { expireInSeconds: 60, retryLimit: 3, retryDelay: 1 } as const;

export class JobQueue {
  private readonly lanes = new Map<string, Promise<void>>();
  private readonly workers: QueueWorker[] = [];

  private constructor(
    private readonly boss: PgBoss,
    private readonly dataSource: DataSource,
    private readonly notifications: Notifications,
  ) {}

  /**
   * Makes pg-boss's own schema where it is missing. Its connections are few and not those of the requests.
   *
   * @throws Error that says why the database cannot be used, without its URL.
   */
  static async start(
    dataSource: DataSource,
    { notifications, logger }: { notifications: Notifications; logger: Pick<Logger, 'warn'> },
  ): Promise<JobQueue> {
    const boss = new PgBoss({
      connectionString: connectionStringOf(dataSource),
      application_name: 'toolwright-jobs',
      max: 3,
      schema: SCHEMA,
      schedule: false,
      maintenanceIntervalSeconds: 30,
      archiveCompletedAfterSeconds: 60,
      deleteAfterMinutes: 60,
    });
    boss.on('error', (error) => logger.warn({ reason: reasonOf(error) ?? error.name }, 'the job queue met an error'));
    try {
      await boss.start();
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined);
      throw new Error(`The job queue cannot use the database: ${reasonOf(error) ?? 'it failed'}.`, { cause: error });
    }
    return new JobQueue(boss, dataSource, notifications);
  }

  /** The lane is there afterwards; making it is no part of a transaction. */
  async openLane(name: string, lane: string): Promise<void> {
    const queue = queueOf(name, lane);
    const made = this.lanes.get(queue) ?? this.boss.createQueue(queue);
    this.lanes.set(queue, made);
    await made.catch((error) => {
      this.lanes.delete(queue);
      throw error;
    });
  }

  /**
   * The jobs exist when the transaction commits.
   *
   * @param jobs whose lanes are open.
   */
  async send(name: string, jobs: readonly NewJob[], transaction: EntityManager): Promise<void> {
    if (jobs.length === 0) return;
    const db = {
      executeSql: async (text: string, values: unknown[]) => ({ rows: await transaction.query(text, values) }),
    };
    await this.boss.insert(
      jobs.map(({ id, lane, priority = 0 }) => ({ id, name: queueOf(name, lane), priority, ...DELIVERY })),
      { db },
    );
    await this.notifications.notify(CHANNEL, name, transaction);
  }

  /** A job that nobody has begun is not begun any more. Others are let be. */
  async cancel(name: string, { id, lane }: NewJob): Promise<void> {
    await this.openLane(name, lane);
    await this.boss.cancel(queueOf(name, lane), id);
  }

  /** From now on jobs of this name are handed to the handler, in each lane by priority and then oldest first. */
  async work(name: string, handler: JobHandler, options: WorkOptions): Promise<void> {
    const worker = new QueueWorker(this.boss, this.dataSource, { name, handler, ...options });
    this.workers.push(worker);
    await this.notifications.listen(CHANNEL, (told) => {
      if (told === undefined || told === name) worker.look();
    });
    worker.look();
  }

  /** Takes no more jobs. What is being handled goes on. */
  stop(): void {
    for (const worker of this.workers) worker.stop();
  }

  async close(): Promise<void> {
    this.stop();
    await Promise.all(this.workers.map((worker) => worker.idle()));
    await this.boss.stop({ graceful: false });
  }
}

interface Waiting {
  readonly lane: string;
  readonly jobs: number;
}

class QueueWorker {
  private readonly running = new Map<string, number>();
  private readonly acknowledgements = new Set<Promise<void>>();
  private readonly timer = setInterval(() => this.look(), POLL_MS).unref();
  private looking: Promise<void> = Promise.resolve();
  private handing = false;
  private again = false;
  private stopped = false;

  constructor(
    private readonly boss: PgBoss,
    private readonly dataSource: DataSource,
    private readonly queue: WorkOptions & { readonly name: string; readonly handler: JobHandler },
  ) {}

  /** Something may be waiting. */
  look(): void {
    if (this.stopped) return;
    this.again = true;
    if (!this.handing) this.looking = this.handOut();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  /** Until nothing of it needs the queue's connections. */
  async idle(): Promise<void> {
    await this.looking;
    await Promise.all(this.acknowledgements);
  }

  private async handOut(): Promise<void> {
    this.handing = true;
    while (this.again && !this.stopped && this.free() > 0) {
      this.again = false;
      // A database that is away is asked again by the timer.
      for (const { lane, jobs } of await this.waiting().catch(() => [])) {
        if (!this.stopped) await this.fetch(lane, jobs);
      }
    }
    this.handing = false;
  }

  private async fetch(lane: string, jobs: number): Promise<void> {
    const queue = queueOf(this.queue.name, lane);
    const batchSize = Math.min(jobs, this.free(), this.queue.perLane - this.inLane(lane));
    if (batchSize < 1) return;
    for (const { id } of (await this.boss.fetch(queue, { batchSize }).catch(() => null)) ?? []) {
      this.running.set(lane, this.inLane(lane) + 1);
      void this.handle(lane, id);
    }
  }

  /** Lanes with something to do, those that have least in hand first, each with its share of the free hands. */
  private async waiting(): Promise<Waiting[]> {
    const prefix = queueOf(this.queue.name, '');
    const rows = await this.dataSource.query<{ name: string; jobs: number }[]>(
      `SELECT name, count(*)::int AS jobs FROM ${SCHEMA}.job
        WHERE starts_with(name, $1) AND state < 'active' AND start_after < now() GROUP BY name ORDER BY min(created_on)`,
      [prefix],
    );
    const share = Math.max(1, Math.floor(this.free() / Math.max(1, rows.length)));
    const lanes = rows.map(({ name, jobs }) => ({ lane: name.slice(prefix.length), jobs }));
    if (lanes.some(({ lane, jobs }) => jobs > share && this.inLane(lane) + share < this.queue.perLane))
      this.again = true;
    return lanes
      .map(({ lane, jobs }) => ({ lane, jobs: Math.min(jobs, share) }))
      .sort((one, other) => this.inLane(one.lane) - this.inLane(other.lane));
  }

  private async handle(lane: string, id: string): Promise<void> {
    const queue = queueOf(this.queue.name, lane);
    let acknowledged: Promise<void> | undefined;
    const acknowledge = () => (acknowledged ??= this.tracked(this.boss.complete(queue, id)));
    try {
      await this.queue.handler({ id, lane, acknowledge });
      await acknowledge();
    } catch {
      // What went wrong is the handler's to tell. The queue delivers again, now or when the delivery expires.
      if (!acknowledged) await this.tracked(this.boss.fail(queue, id));
    } finally {
      this.running.set(lane, this.inLane(lane) - 1);
      if (this.inLane(lane) === 0) this.running.delete(lane);
      this.look();
    }
  }

  /** An acknowledgement that is lost means another delivery, which the handler has to stand anyway. */
  private tracked(sent: Promise<void>): Promise<void> {
    const settled = sent.catch(() => undefined).finally(() => this.acknowledgements.delete(settled));
    this.acknowledgements.add(settled);
    return settled;
  }

  private free(): number {
    let busy = 0;
    for (const count of this.running.values()) busy += count;
    return this.queue.concurrency - busy;
  }

  private inLane(lane: string): number {
    return this.running.get(lane) ?? 0;
  }
}

const queueOf = (name: string, lane: string) => `${name}_${lane}`;
