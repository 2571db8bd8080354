import { setTimeout as wait } from 'node:timers/promises';
import { embed } from './embedding.bench';
import type { Benchmark } from './figure';
import { memoryMb, startServer } from './processes';

const SETTLE_MS = 3000;

/** Memory of the idle server with all its processes, before the embedder is first needed and after. */
export const memory: Benchmark = {
  name: 'memory',
  async run() {
    const server = await startServer();
    try {
      await wait(SETTLE_MS);
      const before = memoryMb(server.pid);
      await embed(server.url, 0, 8);
      await wait(SETTLE_MS);
      const after = memoryMb(server.pid);
      return [
        { name: 'memory idle, before the first embedding', measured: `${before.toFixed(0)} MB` },
        {
          name: 'memory idle, after the first embedding',
          measured: `${after.toFixed(0)} MB, ${(after / before).toFixed(1)}×`,
        },
      ];
    } finally {
      await server.stop();
    }
  },
};
