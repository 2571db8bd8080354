/** The process: starts the server, says so, and stops it on a signal. */
import 'reflect-metadata';
import { KeyService } from '@app/access';
import { PlatformError } from '@app/contract';
import { ModelCatalog, type ChatModelInfo } from '@app/models';
import { loadConfig, readEnvironment, stopOnSignal, whyNotStarted } from '@app/platform';
import { banner } from './banner';
import { bootServer } from './boot';

async function main(): Promise<void> {
  const config = loadConfig(readEnvironment());
  const server = await bootServer(config).catch((error: unknown) => {
    throw new Error(whyNotStarted(error, config), { cause: error });
  });
  stopOnSignal(server);
  const bootstrapKey = config.profile === 'server' ? await server.app.get(KeyService).ensureBootstrapKey() : undefined;
  const model = modelOrWhyNone(server.app.get(ModelCatalog));
  process.stdout.write(banner({ config, url: server.url, model, bootstrapKey }));
}

/** A model server may come up after this one. */
function modelOrWhyNone(catalog: ModelCatalog): ChatModelInfo | PlatformError {
  try {
    return catalog.resolve().info;
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`Toolwright could not start. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
