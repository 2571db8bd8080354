import type { StreamEvent } from '@app/contract';
import { StreamRules } from './stream-rules';

export interface CheckedEventsOptions {
  /** Turns an event that has passed into what the caller's dialect writes. */
  readonly written?: (event: StreamEvent) => StreamEvent;
  /** Called when nothing comes any more, however it ended; maybe twice, where it ended while it was being opened. */
  readonly onOver?: () => void;
}

/** Where events go that need not be waited for. */
export interface EventSink {
  /** Whether nothing more is to be sent for now. */
  readonly blocked: boolean;
  sendNow(event: StreamEvent): void;
}

const OVER = { done: true, value: undefined } as const;

/**
 * The events of an answer, each held against the rules of the stream just before it leaves.
 *
 * An iterator rather than one more generator around the others: this is the hot path.
 */
export class CheckedEvents implements AsyncIterableIterator<StreamEvent> {
  private readonly rules = new StreamRules();
  private readonly written: (event: StreamEvent) => StreamEvent;
  private readonly onOver: () => void;
  private events: AsyncIterator<StreamEvent> | undefined;
  private sink: EventSink | undefined;
  private isOver = false;

  /**
   * @param open begins the answer, on the first `next()`.
   */
  constructor(
    private readonly open: () => Promise<AsyncIterator<StreamEvent>>,
    { written = (event) => event, onOver = () => undefined }: CheckedEventsOptions = {},
  ) {
    this.written = written;
    this.onOver = onOver;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** From now on, what can be told while `next()` is waited for goes into the sink instead of coming out of here. */
  directTo(sink: EventSink): void {
    this.sink = sink;
  }

  /** Whether an event that is told now would be taken. */
  get listens(): boolean {
    return this.sink !== undefined && !this.sink.blocked && !this.isOver;
  }

  /**
   * Sends an event past the iteration. To be called only while `next()` is waited for, with every event before it taken.
   *
   * @returns false when it has to go through the iteration.
   * @throws StreamRuleError
   */
  readonly tell = (event: StreamEvent): boolean => {
    if (!this.listens) return false;
    this.rules.pass(event);
    this.sink!.sendNow(this.written(event));
    return true;
  };

  /** @throws what the answer throws, and PlatformError `api_error` when it breaks a rule. */
  async next(): Promise<IteratorResult<StreamEvent, undefined>> {
    if (this.isOver) return OVER;
    try {
      this.events ??= await this.open();
      if (this.isOver) return await this.return();
      const { done, value } = await this.events.next();
      if (done) {
        this.isOver = true;
        this.onOver();
        this.rules.end();
        return OVER;
      }
      this.rules.pass(value);
      return { done: false, value: this.written(value) };
    } catch (error) {
      await this.return().catch(() => undefined);
      throw error;
    }
  }

  /** Lets what is behind the answer close what it holds. */
  async return(): Promise<IteratorResult<StreamEvent, undefined>> {
    this.isOver = true;
    this.onOver();
    await this.events?.return?.();
    return OVER;
  }
}
