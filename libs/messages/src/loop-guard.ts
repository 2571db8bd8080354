import type { ToolCall, ToolResult } from '@app/tools';

/** The same calls with the same results so often are a circle, not progress (SEC-125). */
const MAX_REPEATS = 3;
/** No new model call is begun after this long. */
const MAX_TURN_MS = 10 * 60 * 1000;

/** Ends a turn that goes in circles or takes too long, keeping what was said so far. */
export class LoopGuard {
  private readonly deadline = performance.now() + MAX_TURN_MS;
  private readonly seen = new Map<string, number>();
  private repeats = 0;

  mayGoOn(): boolean {
    return this.repeats < MAX_REPEATS && performance.now() < this.deadline;
  }

  saw(calls: readonly ToolCall[], results: readonly ToolResult[]): void {
    for (const { id, name, input } of calls) {
      const result = results.find(({ tool_use_id }) => tool_use_id === id);
      const pair = JSON.stringify([name, input, result?.content]);
      const times = (this.seen.get(pair) ?? 0) + 1;
      this.seen.set(pair, times);
      this.repeats = Math.max(this.repeats, times);
    }
  }
}
