import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Benchmark } from './figure';
import { startServer } from './processes';

const ROUNDS = 3;
const GOAL_NEW_SECONDS = 8;
const GOAL_EXISTING_SECONDS = 3;

/** From the start of the process until it says that it is ready, and is. */
export const boot: Benchmark = {
  name: 'boot',
  async run() {
    const fresh: number[] = [];
    const existing: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const dataDir = await mkdtemp(join(tmpdir(), 'toolwright-bench-'));
      try {
        fresh.push(await bootSeconds(dataDir));
        existing.push(await bootSeconds(dataDir));
      } finally {
        await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
      }
    }
    return [
      figure('boot to ready, new data folder', fresh, GOAL_NEW_SECONDS),
      figure('boot to ready, existing data folder', existing, GOAL_EXISTING_SECONDS),
    ];
  },
};

async function bootSeconds(dataDir: string): Promise<number> {
  const server = await startServer({ dataDir });
  try {
    const { status } = await fetch(`${server.url}/health/ready`);
    if (status !== 200) throw new Error(`The server says that it is ready, and /health/ready answers ${status}`);
    return server.bootMs / 1000;
  } finally {
    await server.stop();
  }
}

function figure(name: string, seconds: readonly number[], goal: number) {
  const middle = median(seconds);
  return {
    name,
    measured: `${middle.toFixed(2)} s (${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)})`,
    goal: `at most ${goal} s`,
    ok: middle <= goal,
  };
}
