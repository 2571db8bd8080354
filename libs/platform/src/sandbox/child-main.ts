/**
 * A child of a ChildPool: loads the task's module once, then runs one job at a time.
 *
 * It says `ready` by answering; it stops when the pool hangs up. Signals sent to the whole process group (Ctrl-C, a
 * service manager) are left to the parent, which may still want the answer.
 */
import { createRequire } from 'node:module';
import type { Job, Outcome, Started } from './wire';

type Handle = (payload: unknown) => unknown;

const handle = loadTask(process.argv[2]!);
handle.catch(() => undefined);

process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(0));
process.on('message', (job: Job) => {
  const { user, system } = process.cpuUsage();
  process.send!({ kind: 'started', cpuMs: (user + system) / 1000 } satisfies Started);
  void answer(job);
});

async function answer({ payload }: Job): Promise<void> {
  const outcome = await run(payload);
  try {
    process.send!(outcome);
  } catch (error) {
    process.send!(describe(error));
  }
}

async function run(payload: unknown): Promise<Outcome> {
  try {
    return { kind: 'result', value: await (await handle)(payload) };
  } catch (error) {
    return describe(error);
  }
}

async function loadTask(file: string): Promise<Handle> {
  // Not import(): that would not go through the hooks of `-r`, which is how sources are run as they are.
  const task = createRequire(file)(file) as { handle?: Handle };
  if (!task.handle) throw new Error(`${file} does not export handle(payload)`);
  return task.handle;
}

/** By its fields, not its class: a child should not have to load the contract to fail. */
function describe(error: unknown): Outcome {
  if (!(error instanceof Error)) return { kind: 'failure', failure: { name: 'Error', message: String(error) } };
  if ('type' in error && 'explanation' in error) {
    const { name, type, explanation, code, retryAfter, errorCode } = error as never;
    return { kind: 'refusal', refusal: { name, type, explanation, code, retryAfter, errorCode } };
  }
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { kind: 'failure', failure: { name, message, stack, ...(typeof code === 'string' && { code }) } };
}
