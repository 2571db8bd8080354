import { PlatformError, type StreamEvent } from '@app/contract';
import type { EventLog } from './event-log';

export interface RecorderLimits {
  readonly maxEvents: number;
  readonly maxEventBytes: number;
}

/** A run waits for the log when it is so far ahead of it. */
const MAX_AHEAD_BYTES = 256 * 1024;

/** The message is no longer this run's: it was cancelled, removed, or given up as lost. */
export class RunOverError extends Error {}

/** Writes one run into the log. What is said while a batch is being stored becomes the next one. */
export class Recorder {
  private waiting: StreamEvent[] = [];
  private ahead = 0;
  private position = 0;
  private count = 0;
  private bytes = 0;
  private writing?: Promise<void>;
  private failure?: unknown;

  /** @param onFailure told at once when nothing can be written any more, so that the model need not speak on. */
  constructor(
    private readonly log: EventLog,
    private readonly messageId: string,
    private readonly limits: RecorderLimits,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** @throws RunOverError; PlatformError over a limit (SEC-123); what the log throws. */
  async add(event: StreamEvent): Promise<void> {
    const bytes = Buffer.byteLength(JSON.stringify(event));
    const { maxEvents, maxEventBytes } = this.limits;
    if (this.count >= maxEvents) throw overLimit(`${maxEvents} events`, 'MAX_ASYNC_EVENTS');
    if (this.bytes + bytes > maxEventBytes) throw overLimit(`${maxEventBytes / 1024 ** 2} MiB`, 'MAX_ASYNC_EVENTS_MB');
    this.count += 1;
    this.bytes += bytes;
    this.ahead += bytes;
    this.waiting.push(event);
    this.begin();
    if (this.ahead > MAX_AHEAD_BYTES) await this.flush();
  }

  /** Until everything that was added is stored. @throws as `add`. */
  async flush(): Promise<void> {
    while (this.waiting.length || this.writing) {
      if (this.waiting.length) this.begin();
      await this.writing;
    }
    if (this.failure) throw this.failure;
  }

  private begin(): void {
    if (this.failure) throw this.failure;
    this.writing ??= this.write();
  }

  private async write(): Promise<void> {
    try {
      while (this.waiting.length) {
        const events = this.waiting;
        this.waiting = [];
        this.ahead = 0;
        const { messageId, position } = this;
        if (!(await this.log.append({ messageId, position, events }))) throw new RunOverError();
        this.position += events.length;
      }
    } catch (error) {
      this.failure = error;
      this.waiting = [];
      this.onFailure(error);
    } finally {
      // In the same step as the last look at what waits: nothing can slip in between.
      this.writing = undefined;
    }
  }
}

const overLimit = (most: string, setting: string) =>
  new PlatformError(
    'invalid_request_error',
    `limit_exceeded: an async message holds at most ${most} (${setting}). Ask for a shorter answer.`,
  );
