import type { StreamEvent } from '@app/contract';
import type { EventBatch } from './event-log';

/** Batches that a slow reader may have in hand; beyond it, it reads what it missed from the log. */
const MAX_BATCHES = 64;
/** How soon a reader looks by itself, should nobody have told it. */
const LOOK_MS = 5000;

/** What one reader is told of the message it follows: the batches themselves by this process, a hint by others. */
export class Tail {
  private batches: EventBatch[] = [];
  private unread = true;
  private wake?: () => void;

  /** The writer is in this process: no reader needs to ask the database for what it has just stored. */
  offer(batch: EventBatch): void {
    if (this.batches.length < MAX_BATCHES) this.batches.push(batch);
    else this.hint();
    this.wake?.();
  }

  /** There may be something in the log. */
  hint(): void {
    this.unread = true;
    this.batches = [];
    this.wake?.();
  }

  /** The batch that continues at `position`, if it was offered. */
  next(position: number): readonly StreamEvent[] | undefined {
    while (this.batches.length && this.batches[0]!.position < position) this.batches.shift();
    if (!this.batches.length) return undefined;
    if (this.batches[0]!.position === position) return this.batches.shift()!.events;
    this.hint();
    return undefined;
  }

  /** Whether the log has to be looked at; asked once for each look. */
  mustLook(): boolean {
    const { unread } = this;
    this.unread = false;
    return unread;
  }

  /** Until there may be something new. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.unread || this.batches.length) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(() => this.hint(), LOOK_MS);
      this.wake = done;
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }
}

/** The readers of this process, by message. */
export class Tails {
  private readonly byMessage = new Map<string, Set<Tail>>();

  open(messageId: string): Tail {
    const tail = new Tail();
    const tails = this.byMessage.get(messageId) ?? new Set();
    this.byMessage.set(messageId, tails.add(tail));
    return tail;
  }

  close(messageId: string, tail: Tail): void {
    const tails = this.byMessage.get(messageId);
    tails?.delete(tail);
    if (tails?.size === 0) this.byMessage.delete(messageId);
  }

  offer(batch: EventBatch): void {
    for (const tail of this.byMessage.get(batch.messageId) ?? []) tail.offer(batch);
  }

  hint(messageId: string): void {
    for (const tail of this.byMessage.get(messageId) ?? []) tail.hint();
  }

  hintAll(): void {
    for (const messageId of this.byMessage.keys()) this.hint(messageId);
  }
}
