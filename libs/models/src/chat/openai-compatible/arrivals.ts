import type { EndpointResponse } from '@app/platform';
import { AnswerBody } from './answer-body';
import type { AnswerReader } from './answer-reader';
import { broken } from './model-server-errors';

/** Parts that may wait for a slow reader before the socket is paused. */
const MAX_WAITING_PARTS = 256;
/** How long the end of a body may lag behind the end of the answer, for its connection to be used again. */
const TAIL_MS = 1000;

/** The way from the socket into the answer: every network read is decoded and parsed when it comes. */
export class Arrivals {
  private readonly source: AnswerBody;
  private failure: unknown;
  private wake: (() => void) | undefined;

  /** @param waiting the parts that the answer has emitted and nobody has taken yet. */
  constructor(
    private readonly body: EndpointResponse['body'],
    private readonly answer: AnswerReader,
    waiting: readonly unknown[],
    signal: AbortSignal,
  ) {
    this.source = new AnswerBody(answer);
    body.on('data', (bytes: Buffer) => {
      this.attempt(() => this.source.read(bytes));
      if (waiting.length > MAX_WAITING_PARTS) body.pause();
    });
    body.on('end', () => this.attempt(() => this.source.end()));
    // An answer that has given its reason for ending is whole, however its connection ends.
    body.on('error', (error) =>
      this.attempt(
        () => answer.end(),
        () => (signal.aborted ? signal.reason : broken(error)),
      ),
    );
  }

  /**
   * Resolves when something has come; undefined when the answer is over. To be called with every part taken.
   *
   * @throws what `ChatModel.stream` says, or the signal's reason.
   */
  next(): Promise<void> | undefined {
    if (this.failure !== undefined) throw this.failure;
    if (this.answer.isDone) return undefined;
    if (this.body.isPaused()) this.body.resume();
    return new Promise((resolve) => (this.wake = resolve));
  }

  /** Closes the connection, or after a whole answer, leaves it for the next request. */
  close(): void {
    const { body } = this;
    if (!this.answer.isDone || this.failure !== undefined) body.destroy();
    else if (!body.closed) {
      body.resume();
      const timer = setTimeout(() => body.destroy(), TAIL_MS);
      body.once('close', () => clearTimeout(timer));
    }
  }

  private attempt(step: () => void, explain = (error: unknown) => error): void {
    // How much follows a failure depends on where the network has cut: none of it is read.
    if (this.failure !== undefined) return;
    try {
      step();
    } catch (error) {
      this.failure = explain(error);
    }
    this.wake?.();
  }
}
