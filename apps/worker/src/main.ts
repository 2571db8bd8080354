/** The process of a worker: claims jobs until it is told to stop. It listens to nobody. */
import 'reflect-metadata';
import { loadConfig, readEnvironment, whyNotStarted } from '@app/platform';
import { bootWorker, type RunningWorker } from './boot';

/** What does not stop by itself within this time is left behind. */
const STOP_WITHIN_MS = 20_000;

async function main(): Promise<void> {
  const config = loadConfig(readEnvironment(), 'worker');
  const worker = await bootWorker(config).catch((error: unknown) => {
    throw new Error(whyNotStarted(error, config), { cause: error });
  });
  stopOnSignal(worker);
  process.stdout.write(
    `Toolwright worker is ready: ${config.async.concurrency} async messages at once, data in ${config.dataDir}\n`,
  );
}

function stopOnSignal(worker: RunningWorker): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    worker.logger.info({ signal }, 'Stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    worker.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        worker.logger.error({ err: error }, 'The worker did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`The worker could not start. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
