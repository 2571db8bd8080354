import { CONFIG, LOGGER, type Config, type Logger } from '@app/platform';
import { Module } from '@nestjs/common';
import { ModelCatalog } from './catalog/model-catalog';
import { ServerModelCatalog } from './catalog/server-model-catalog';
import { BuiltInModel } from './chat/built-in/built-in-model';
import { findModelServer } from './chat/discovery';
import { ModelServer } from './chat/openai-compatible/model-server';
import { Embedder } from './embeddings/embedder';
import { LocalEmbedder } from './embeddings/local-embedder';
import { OpenAiEmbedder } from './embeddings/openai-embedder';
import { Tokenizer } from './tokens/tokenizer';

/** The chat models and the embedder, as the configuration chooses them. */
@Module({
  providers: [
    { provide: ModelCatalog, inject: [CONFIG, LOGGER], useFactory: openCatalog },
    { provide: Tokenizer, useFactory: () => new Tokenizer() },
    { provide: Embedder, inject: [CONFIG], useFactory: chooseEmbedder },
  ],
  exports: [ModelCatalog, Embedder, Tokenizer],
})
export class ModelsModule {}

async function openCatalog(config: Config, logger: Logger): Promise<ModelCatalog> {
  const {
    apiKey,
    name,
    contextTokens,
    maxOutputTokens,
    maxAnswerCharacters,
    maxImages,
    maxAudios,
    beginsThinking,
    connectMs,
    idleMs,
    maxConnections,
  } = config.model;
  const found = await findModelServer(config);
  if (found?.product) logger.info(`found a model server on this machine: ${found.product} at ${found.baseUrl}`);
  const server =
    found &&
    new ModelServer({
      baseUrl: found.baseUrl,
      // A key is for the server that it was given for, not for whatever listens on this machine.
      apiKey: found.product ? undefined : apiKey,
      connectMs,
      idleMs,
      maxConnections,
    });
  const catalog = new ServerModelCatalog({
    server,
    builtIn: new BuiltInModel(),
    defaultModel: name,
    contextTokens,
    maxOutputTokens,
    maxImages,
    maxAudios,
    maxAnswerCharacters,
    beginsThinking,
    logger,
  });
  await catalog.start();
  return catalog;
}

function chooseEmbedder({ embeddings, model }: Config): Embedder {
  const { baseUrl, apiKey, name, workers } = embeddings;
  if (baseUrl === undefined) return new LocalEmbedder(workers);
  if (name === undefined) {
    throw new Error(
      'The configuration is not valid:\nEMBEDDINGS_MODEL: must name a model of the server at EMBEDDINGS_BASE_URL',
    );
  }
  return new OpenAiEmbedder({ baseUrl, apiKey, model: name, connectMs: model.connectMs, idleMs: model.idleMs });
}
