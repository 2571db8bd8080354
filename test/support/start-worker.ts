import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { inherited, type TestServer } from './start-server';

const MAIN = join(__dirname, '../../dist/apps/worker/src/main.js');
const READY_WITHIN_MS = 45_000;

export interface TestWorker {
  output(): string;
  /** As an operator does; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** As nobody should. */
  kill(): Promise<void>;
}

/**
 * The real worker, built, as a process of its own beside a server.
 *
 * @throws Error with its last words when it does not get ready.
 */
export async function startWorker(
  server: Pick<TestServer, 'dataDir' | 'database'>,
  env: Readonly<Record<string, string>> = {},
): Promise<TestWorker> {
  const child = spawn(process.execPath, [MAIN], {
    cwd: server.dataDir,
    env: {
      ...inherited(),
      DATA_DIR: server.dataDir,
      DATABASE_URL: server.database.url,
      MODEL_DISCOVERY: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`The worker ${why}. It said:\n${output.trim()}`));
    const timer = setTimeout(() => fail('did not get ready in time'), READY_WITHIN_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!/worker is ready/.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', (code) => fail(`ended with code ${code}`));
    void exited.then(() => clearTimeout(timer));
  }).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return { output: () => output, stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) };
}
