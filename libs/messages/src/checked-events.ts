import type { StreamEvent } from '@app/contract';
import { StreamRules } from './stream-rules';

const OVER = { done: true, value: undefined } as const;

/**
 * The events of an answer, each held against the rules of the stream just before it leaves.
 *
 * An iterator rather than one more generator around the others: this is the hot path.
 */
export class CheckedEvents implements AsyncIterableIterator<StreamEvent> {
  private readonly rules = new StreamRules();
  private events: AsyncIterator<StreamEvent> | undefined;
  private isOver = false;

  /**
   * @param open begins the answer, on the first `next()`.
   * @param written turns an event that has passed into what the caller's dialect writes.
   */
  constructor(
    private readonly open: () => Promise<AsyncIterator<StreamEvent>>,
    private readonly written: (event: StreamEvent) => StreamEvent = (event) => event,
  ) {}

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
    await this.events?.return?.();
    return OVER;
  }
}
