import type { Caller } from '@app/access';
import { OverloadedError, PlatformError, type MessagesRequest } from '@app/contract';
import { isDatabaseDown, isStorageFull, type Job, type Logger, type Sealer } from '@app/platform';
import type { MessagesService } from '../messages.service';
import { StreamRuleError } from '../stream-rules';
import type { Dialect } from '../visible-events';
import type { EventLog } from './event-log';
import type { MessageStore } from './message-store';
import { Recorder, RunOverError, type RecorderLimits } from './recorder';

/** What is sealed while a message waits: all that its answer needs. */
export interface SealedRequest {
  readonly caller: Caller;
  readonly request: MessagesRequest;
  readonly dialect: Dialect;
}

export interface AnswerRunsParts {
  /** This process, as rows name it. */
  readonly worker: string;
  readonly messages: MessagesService;
  readonly log: EventLog;
  readonly store: MessageStore;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly limits: RecorderLimits;
}

interface Run {
  readonly controller: AbortController;
  claimed: boolean;
}

/** After being called off, a run gets so long to write that down. */
const END_MS = 2000;

/** The messages that this process is answering. Each is a reader of `MessagesService.answer`, into the event log. */
export class AnswerRuns {
  private readonly running = new Map<string, Run>();
  private emptied?: () => void;

  constructor(private readonly parts: AnswerRunsParts) {}

  /** Ids of the messages that are being answered here. */
  get ids(): string[] {
    return [...this.running].flatMap(([id, { claimed }]) => (claimed ? [id] : []));
  }

  /** Answers the message of a job, if it is still waiting. Never twice: what fails in the middle ends as `error`. */
  async handle({ id, acknowledge }: Job): Promise<void> {
    const run: Run = { controller: new AbortController(), claimed: false };
    this.running.set(id, run);
    try {
      const sealed = await this.parts.store.claim(id, this.parts.worker);
      if (!sealed) return;
      run.claimed = true;
      // Not waited for: should it be lost, the next delivery finds nothing to claim.
      void acknowledge();
      await this.answer(id, sealed, run.controller);
    } finally {
      this.running.delete(id);
      if (this.running.size === 0) this.emptied?.();
    }
  }

  /** Whether the message is being answered here, or just about to be. */
  has(id: string): boolean {
    return this.running.has(id);
  }

  /** The message was cancelled, removed or ended by somebody else: the model and the tools stop. */
  over(id: string): void {
    this.running.get(id)?.controller.abort(new RunOverError());
  }

  /** Waits up to `ms` for the runs, then ends those that are left as `error`. No new ones may come. */
  async drain(ms: number): Promise<void> {
    await this.empty(ms);
    for (const { controller } of this.running.values()) {
      controller.abort(new OverloadedError('The server was stopped while it answered this message. Send it again.'));
    }
    await this.empty(END_MS);
  }

  private async answer(id: string, sealed: Buffer, controller: AbortController): Promise<void> {
    const { log, limits, messages, sealer } = this.parts;
    const { signal } = controller;
    const recorder = new Recorder(log, id, limits, (error) => controller.abort(error));
    try {
      const { caller, request, dialect } = JSON.parse(sealer.open(sealed, id)) as SealedRequest;
      for await (const event of messages.answer(caller, request, { dialect, signal })) await recorder.add(event);
      await recorder.flush();
      await log.end(id, { status: 'completed' });
    } catch (thrown) {
      const error = foreseen(signal.aborted ? signal.reason : thrown);
      // Whoever ended it has written down how.
      if (error instanceof RunOverError) return;
      this.tell(id, error);
      await recorder.flush().catch(() => undefined);
      await log.end(id, { status: 'error', error });
    }
  }

  private tell(messageId: string, error: unknown): void {
    const words = 'An async message ended in an error';
    if (error instanceof PlatformError && !(error instanceof StreamRuleError))
      this.parts.logger.warn({ err: error, messageId }, words);
    else this.parts.logger.error({ err: error, messageId }, words);
  }

  private async empty(ms: number): Promise<void> {
    if (this.running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.emptied = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function foreseen(thrown: unknown): unknown {
  if (isStorageFull(thrown)) {
    return new OverloadedError(
      'The server has no room left to write to. Its operator has to make some in DATA_DIR, or where DATABASE_URL points.',
      {
        cause: thrown,
      },
    );
  }
  if (!isDatabaseDown(thrown)) return thrown;
  return new OverloadedError('The database could not be reached while this message was answered. Send it again.', {
    cause: thrown,
  });
}
