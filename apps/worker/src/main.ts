/** The process of a worker: claims jobs until it is told to stop. It listens to nobody. */
import 'reflect-metadata';
import { loadConfig, readEnvironment, stopOnSignal, whyNotStarted } from '@app/platform';
import { bootWorker } from './boot';

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

main().catch((error: unknown) => {
  process.stderr.write(`The worker could not start. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
