/**
 * Server-sent events for the Messages API.
 *
 * Written by hand because Nest's `@Sse()` is made for GET, numbers its events and sends errors as plain text; ours
 * answers a POST with typed events and typed errors. What one event costs here is paid a thousand times a second:
 * events that are there at the same moment leave in one write, and all streams share one timer.
 */
import { PlatformError, toErrorBody, type CompletionEvent, type StreamEvent } from '@app/contract';
import type { EventSink } from '@app/messages';
import { foreseen } from '@app/platform';
import type { FastifyReply } from 'fastify';
import { noteCutOff } from './absent-callers';
import type { Answer } from './answers';
import { StreamClock, type Ticking } from './stream-clock';
import { StreamedBody } from './streamed-body';

/** How long a caller waits for the first event before the status is committed, in ms. */
const COMMIT_AFTER_MS = 10_000;
/** Silence after which a ping goes out, in ticks of the clock, which are seconds. */
const PING_TICKS = 15;
/** Events that came at once leave together, up to about this many characters. */
const MAX_BATCH = 16_384;

const PING = frame({ type: 'ping' });

export type SentEvent = StreamEvent | CompletionEvent;

/** Events of which some may come past the iteration, into the stream itself. */
export type SentEvents = AsyncIterator<SentEvent, void> & { directTo?(sink: EventSink): void };

export interface SendOptions {
  readonly answer: Answer;
  readonly clock: StreamClock;
  /** How long a caller may read nothing before the stream is cut (SEC-120). */
  readonly stalledReaderMs: number;
  readonly requestId: string;
  /** How long the first event may take until the status is committed, in ms. Default: 10 s. */
  readonly commitAfterMs?: number;
  /** Told of every failure that could not become a status any more. */
  readonly onError: (error: unknown) => void;
}

/**
 * Writes the events as they come, at the caller's pace, until they end, fail or the caller is gone.
 *
 * @throws what the first event threw, as long as nothing has been sent: it becomes an HTTP status (architecture §6,
 *   decision 2). Whatever fails later becomes one `error` event, after which the stream ends.
 */
export async function sendEvents(
  reply: FastifyReply,
  events: SentEvents,
  { answer, clock, stalledReaderMs, requestId, onError, commitAfterMs = COMMIT_AFTER_MS }: SendOptions,
): Promise<void> {
  let next = events.next();
  if (await settles(next, commitAfterMs)) await next;

  const stalledTicks = Math.max(1, Math.ceil(stalledReaderMs / StreamClock.TICK_MS));
  const stream = new EventStream(reply, answer, stalledTicks);
  clock.add(stream);
  events.directTo?.(stream);
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) break;
      stream.send(value);
      if (stream.blocked) await stream.drained();
      if (answer.signal.aborted) throw answer.signal.reason;
      next = events.next();
    }
  } catch (thrown) {
    const error = foreseen(answer.why(thrown));
    if (answer.signal.aborted && !(error instanceof PlatformError)) return;
    onError(error);
    stream.fail(error, requestId);
  } finally {
    clock.remove(stream);
    stream.end();
    // Lets the generators behind it close what they hold; it has heard the signal, so this does not wait for a model.
    events.return?.().catch(() => undefined);
  }
}

/** Whether the promise settles, either way, within `ms`. */
async function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

class EventStream implements EventSink, Ticking {
  private readonly response: FastifyReply['raw'];
  private readonly body: StreamedBody;
  private batch = '';
  private flushing = false;
  private silentTicks = 0;
  private stalled = false;
  private wake?: () => void;
  /** The caller reads slower than the model writes: nothing more is to be sent until `drained`. */
  blocked = false;

  constructor(
    reply: FastifyReply,
    private readonly answer: Answer,
    private readonly stalledTicks: number,
  ) {
    // What the hooks have set so far, the request id above all, belongs to this response too.
    const headers = reply.getHeaders();
    reply.hijack();
    this.response = reply.raw;
    this.response.writeHead(200, {
      ...(headers as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    this.body = new StreamedBody(this.response);
    this.response.on('drain', this.unblock);
    this.response.on('close', this.unblock);
  }

  send(event: SentEvent): void {
    this.batch += frame(event);
    if (this.batch.length > MAX_BATCH) this.flush();
    // After the microtasks: events that the generators have ready now are appended before this runs.
    else if (!this.flushing) {
      this.flushing = true;
      process.nextTick(this.flush);
    }
  }

  /** What comes past the iteration comes alone: nothing else is about to be sent with it. */
  sendNow(event: SentEvent): void {
    this.batch += frame(event);
    this.flush();
  }

  /** The last event. What went wrong, in the contract's words. */
  fail(error: unknown, requestId: string): void {
    this.batch += `event: error\ndata: ${JSON.stringify(toErrorBody(error, requestId))}\n\n`;
  }

  end(): void {
    this.response.off('drain', this.unblock);
    this.response.off('close', this.unblock);
    if (this.stalled) this.cutOff();
    else this.body.end(this.batch);
    this.batch = '';
  }

  private cutOff(): void {
    noteCutOff(this.response);
    this.response.destroy();
  }

  /** Until the caller has read what was written, or is gone. */
  async drained(): Promise<void> {
    if (this.blocked && !this.answer.signal.aborted) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  tick(): void {
    // Sent ahead: before its turn on the connection nobody can read it, or wonder about its silence.
    if (!this.response.socket) return;
    this.silentTicks += 1;
    if (this.blocked) {
      if (this.silentTicks < this.stalledTicks) return;
      this.stalled = true;
      this.answer.abort(new Error('The caller has stopped reading'));
      this.unblock();
    } else if (this.silentTicks >= PING_TICKS) {
      this.batch += PING;
      this.flush();
    }
  }

  private readonly flush = (): void => {
    this.flushing = false;
    if (this.batch === '') return;
    this.blocked = !this.body.write(this.batch);
    this.batch = '';
    this.silentTicks = 0;
  };

  private readonly unblock = (): void => {
    this.blocked = false;
    this.silentTicks = 0;
    this.wake?.();
    this.wake = undefined;
  };
}

function frame(event: SentEvent): string {
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta' && !event.delta.citations) {
    // Nearly all events are this one. It is written as JSON.stringify would, at a sixth of the cost.
    return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${event.index},"block_id":"${event.block_id}","delta":{"type":"text_delta","text":${JSON.stringify(event.delta.text)}}}\n\n`;
  }
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
