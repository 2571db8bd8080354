/** Clients as they come from their registries, unchanged, against the running server. */
import { aiSdk } from './ai-sdk';
import { anthropicSdkOne, anthropicSdkZero } from './anthropic-sdk';
import type { Client, Driver } from './client';
import { langchain } from './langchain';
import { python, whyNoPython } from './python';
import { answers, failures, lists, tools, type Stage } from './scenarios';
import { BEHIND, createWorld, endWorld, type World } from './world';

const noPython = whyNoPython();
if (noPython) console.warn(`The Python client is not tried: ${noPython}. TEST_PYTHON names one that has it.`);

const DRIVERS: Driver[] = [anthropicSdkOne, anthropicSdkZero, aiSdk, langchain, ...(noPython ? [] : [python])];

describe.each(BEHIND)('clients with %s (§clients)', (behind) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(behind);
  });
  afterAll(() => endWorld(world));

  describe.each(DRIVERS.map((driver) => [driver.name, driver] as const))('%s', (_, driver) => {
    let client: Client;
    beforeAll(async () => {
      client = await driver.open({ url: world.server.url, key: world.key });
    });
    afterAll(() => client.close?.());

    afterEach(() => {
      const unasked = world.model.unasked;
      world.model.forget();
      // Otherwise the client asked less often than the scenario says.
      if (!world.builtIn) expect(unasked).toBe(0);
    });

    const stage: Stage = {
      driver,
      builtIn: behind === 'the built-in model',
      get world() {
        return world;
      },
      get client() {
        return client;
      },
    };
    answers(stage);
    tools(stage);
    failures(stage);
    if (driver.lists) lists(stage);
  });
});
