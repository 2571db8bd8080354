import type { Logger } from './logging/logger';

/** What does not stop by itself within this time is left behind. */
const STOP_WITHIN_MS = 20_000;
/** A terminal that is closed tells a process twice, a supervisor may send two signals at once: that is one wish. */
const SAME_WISH_MS = 1000;

/** A process that runs until it is told to stop. */
export interface Running {
  readonly logger: Pick<Logger, 'info' | 'error'>;
  stop(): Promise<void>;
}

/**
 * Stops on a signal, then ends the process: with code 0, or with 1 where that failed or took too long. Who asks again,
 * later, does not want to wait: it ends at once.
 */
export function stopOnSignal(running: Running): void {
  let since: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (since !== undefined) {
      if (performance.now() - since > SAME_WISH_MS) process.exit(1);
      return;
    }
    since = performance.now();
    running.logger.info({ signal }, 'Stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        running.logger.error({ err: error }, 'It did not stop cleanly');
        process.exit(1);
      },
    );
  };
  // SIGHUP: the terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
}
