import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

/** A server of ours and what answers behind it. */
export interface World {
  readonly builtIn: boolean;
  readonly server: TestServer;
  readonly key: string;
  /** Holds the answers that the test wrote; the built-in model answers by itself, and never asks for them. */
  readonly model: FakeModelServer;
}

export const BEHIND = ['a model server', 'the built-in model'] as const;

/** Answers in the making that the key of the server in front of a model server may have at once. */
export const MOST_AT_ONCE = 4;

export async function createWorld(behind: (typeof BEHIND)[number]): Promise<World> {
  const builtIn = behind === 'the built-in model';
  const model = await FakeModelServer.start({
    models: [{ id: 'big-model', max_model_len: 32_000, capabilities: ['vision'] }, { id: 'other/model:7b' }],
  });
  const server = await startServer({
    env: builtIn
      ? {}
      : {
          OPENAI_BASE_URL: model.baseUrl,
          PROFILE: 'server',
          MAX_MESSAGE_BODY_MB: '1',
          MAX_STREAMS_PER_KEY: String(MOST_AT_ONCE),
        },
  });
  const key = /shown only once: (\S+)/.exec(server.output())?.[1] ?? 'anything';
  const value = 'The warranty of the HydroScan pump lasts 36 months from the day of delivery.';
  const ingested = await server.post(
    '/v1/artifacts/ingest',
    { artifact: 'manual', collection: 'docs', input: { type: 'text', value } },
    { headers: { 'x-api-key': key } },
  );
  if (!ingested.ok) throw new Error(await ingested.text());
  return { builtIn, server, key, model };
}

export async function endWorld({ server, model }: World): Promise<void> {
  await server.stop();
  await model.stop();
}
