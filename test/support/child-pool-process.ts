import { ChildPool } from '../../libs/platform/src/sandbox/child-pool';

/** A process whose pool has one child, which is busy for ever; tells its parent which. */
async function main(): Promise<void> {
  const task = require.resolve('./child-pool-task');
  const pool = new ChildPool({ name: 'test', task, size: 1, memoryMb: 400, timeoutMs: 60_000 });
  const child = await pool.run<number>({ do: 'pid' });
  void pool.run({ do: 'spin' });
  setTimeout(() => process.send!(child), 100);
}

void main();
