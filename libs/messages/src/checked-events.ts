import type { StreamEvent } from '@app/contract';
import { StreamRules } from './stream-rules';

export interface CheckedEventsOptions {
  /** Turns an event that has passed into what the caller's dialect writes. */
  readonly written?: (event: StreamEvent) => StreamEvent;
  /** Called when nothing comes any more, however it ended; maybe twice, where it ended while it was being opened. */
  readonly onOver?: () => void;
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
