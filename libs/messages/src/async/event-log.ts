import type { StreamEvent } from '@app/contract';

/** Events of one message that were said one after another. */
export interface EventBatch {
  readonly messageId: string;
  /** Of the first one, in the message: 0 for `message_start`. */
  readonly position: number;
  readonly events: readonly StreamEvent[];
}

/** How a run ended. `error` becomes the last event of the message. */
export interface Ending {
  readonly status: 'completed' | 'error';
  readonly error?: unknown;
}

/**
 * What was said in each async message: written by the one that answers it, read from the start by anybody, any number
 * of times, while it grows and afterwards (messages-api §11).
 *
 * Everything that is written is fenced: it counts only while the message is being answered, and by this writer. What
 * was cancelled, removed or given up stays as it is (SEC-130).
 */
export abstract class EventLog {
  /** @returns whether the message is still this writer's; if not, nothing was written. */
  abstract append(batch: EventBatch): Promise<boolean>;

  /** Ends the message, unless it has ended in another way by now. */
  abstract end(messageId: string, ending: Ending): Promise<void>;

  /**
   * All events from the first on, then those to come, until the message has ended or is gone.
   *
   * @throws the signal's reason.
   */
  abstract follow(messageId: string, signal: AbortSignal): AsyncGenerator<StreamEvent, void>;
}
