import type { BodyReader, EndpointStream, StopSignal } from '@app/platform';
import { AnswerBody } from './answer-body';
import type { AnswerReader } from './answer-reader';
import { broken } from './model-server-errors';
import type { WaitingParts } from './waiting-parts';

/** Parts that may wait for a slow reader before the socket is paused. */
const MAX_WAITING_PARTS = 256;
/** How long the end of a body may lag behind the end of the answer, for its connection to be used again. */
const TAIL_MS = 1000;
/** How long the counts of tokens may lag behind the reason for ending; a server that says no more is not waited for. */
const COUNTS_MS = 5000;

/** The way from the socket into the answer: every network read is decoded and parsed when it comes. */
export class Arrivals implements BodyReader {
  private readonly source: AnswerBody;
  private hasEnded = false;
  private failure: unknown;
  /** There is one while somebody waits for the next part. */
  private wake: (() => void) | undefined;
  private paused = false;
  private tail: NodeJS.Timeout | undefined;
  private counts: NodeJS.Timeout | undefined;

  /** @param waiting what the answer adds its parts to. */
  constructor(
    private readonly stream: EndpointStream,
    private readonly answer: AnswerReader,
    private readonly waiting: WaitingParts,
    private readonly signal: StopSignal,
  ) {
    this.source = new AnswerBody(answer);
    stream.read(this);
  }

  data(bytes: Buffer): void {
    // How much follows a failure depends on where the network has cut: none of it is read.
    if (this.failure !== undefined) return;
    try {
      this.source.read(bytes);
      if (this.wake) this.waiting.offer();
    } catch (error) {
      this.failure = error;
    }
    if (this.answer.hasEnding && !this.answer.isDone) this.counts ??= setTimeout(() => this.stopWaiting(), COUNTS_MS);
    if (this.waiting.length > MAX_WAITING_PARTS) {
      this.paused = true;
      this.stream.pause();
    }
    if (this.waiting.length > 0 || this.answer.isDone || this.failure !== undefined) this.tell();
  }

  end(): void {
    this.over(() => this.source.end());
  }

  /** An answer that has given its reason for ending is whole, however its connection ends. */
  failed(error: unknown): void {
    this.over(() => this.answer.end(), this.signal.aborted ? this.signal.reason : broken(error));
  }

  /**
   * Resolves when something has come; undefined when the answer is over. To be called with every part taken.
   *
   * @throws what `ChatModel.stream` says, or the signal's reason.
   */
  next(): Promise<void> | undefined {
    if (this.failure !== undefined) throw this.failure;
    if (this.answer.isDone) return undefined;
    const coming = new Promise<void>((resolve) => (this.wake = resolve));
    if (this.paused) {
      this.paused = false;
      // What has piled up in the socket, the end too, may come before this returns.
      this.stream.resume();
    }
    return coming;
  }

  /** Closes the connection, or after a whole answer, leaves it for the next request. */
  close(): void {
    clearTimeout(this.counts);
    if (this.hasEnded) return;
    if (!this.answer.isDone || this.failure !== undefined) return this.stream.destroy();
    this.stream.resume();
    this.tail = setTimeout(() => this.stream.destroy(), TAIL_MS);
  }

  private stopWaiting(): void {
    this.stream.destroy();
    this.end();
  }

  private over(step: () => void, instead?: unknown): void {
    this.hasEnded = true;
    clearTimeout(this.tail);
    clearTimeout(this.counts);
    if (this.failure !== undefined) return;
    try {
      step();
    } catch (error) {
      this.failure = instead ?? error;
    }
    this.tell();
  }

  private tell(): void {
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }
}
