import { ChildPool } from '@app/platform';
import type { Chart } from './chart';

const DRAW_MS = 10_000;
const START_MS = 30_000;
const MEMORY_MB = 384;

/** Draws charts in a process of their own: rows may be many, and the library is large. */
export class ChartPainter {
  private readonly pool = new ChildPool({
    name: 'chart',
    task: require.resolve('./draw-chart.task'),
    size: 1,
    memoryMb: MEMORY_MB,
    timeoutMs: DRAW_MS,
    repeatable: true,
  });

  /**
   * The chart as an SVG document.
   * @throws TaskTimeoutError, TaskCrashedError, OverloadedError; the signal's reason.
   */
  async draw(chart: Chart, signal?: AbortSignal): Promise<string> {
    await this.pool.run({ warm: true }, { signal, timeoutMs: START_MS });
    return this.pool.run<string>(chart, { signal });
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
