import { OverloadedError, type Chunk } from '@app/contract';
import { abortSignalOf, type StopSignal } from '@app/platform';
import type { ToolBox, ToolCall, ToolResult } from '@app/tools';

/** Calls that run at the same moment, and calls of one whole turn (SEC-125). */
const MAX_AT_ONCE = 4;
export const MAX_CALLS = 20;

/**
 * The server's tool calls of one model call: started as they come, at most four at once, handed out as they finish.
 *
 * `ToolBox.run` never rejects, so a run that nobody awaits yet cannot bring the process down.
 */
export class ToolRuns {
  private readonly waiting: ToolCall[] = [];
  private readonly finished: ToolResult[] = [];
  private running = 0;
  private wake: (() => void) | undefined;

  constructor(
    private readonly toolBox: ToolBox,
    private readonly options: { signal: StopSignal; parallel: boolean; cite?: (chunk: Chunk) => string },
  ) {}

  start(call: ToolCall): void {
    this.waiting.push(call);
    this.pump();
  }

  /** A call that is not run, and why. */
  refuse(call: ToolCall, why: string): void {
    this.running++;
    void this.toolBox.refuse(call, why).then((result) => this.done(result));
  }

  /** A result that is there already. */
  answer(result: ToolResult): void {
    this.finished.push(result);
  }

  /** Every result, in the order of completion. Ends when all calls that were started have one. */
  async *results(): AsyncGenerator<ToolResult> {
    for (;;) {
      const result = this.finished.shift();
      if (result) yield result;
      else if (this.running === 0) return;
      else await this.next();
    }
  }

  private pump(): void {
    const { signal, parallel, cite } = this.options;
    while (this.running < (parallel ? MAX_AT_ONCE : 1)) {
      const call = this.waiting.shift();
      if (!call) return;
      this.running++;
      void this.toolBox.run(call, abortSignalOf(signal), cite).then((result) => this.done(result));
    }
  }

  private done(result: ToolResult): void {
    this.running--;
    this.finished.push(result);
    this.pump();
    this.wake?.();
  }

  private next(): Promise<void> {
    const { signal } = this.options;
    return new Promise((resolve, reject) => {
      const gone = () => reject(signal.reason ?? new OverloadedError('The request was cancelled.'));
      if (signal.aborted) return gone();
      signal.addEventListener('abort', gone, { once: true });
      this.wake = () => {
        signal.removeEventListener('abort', gone);
        resolve();
      };
    });
  }
}
