import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from './database';
import { throwAwayFolder } from './throw-away-folder';

/** What a server is started by. */
export const MAIN = join(__dirname, '../../dist/apps/api/src/main.js');
const READY_WITHIN_MS = 45_000;
const STOPPED_WITHIN_MS = 25_000;

const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'];

/** What a process needs to run at all; nothing of the machine's own settings gets into a test. */
export const inherited = (): Record<string, string> =>
  Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]!]] : [])));

export interface StartOptions {
  /** Settings of the server, over those that a test needs. `DATABASE_URL: ''` is the embedded database. */
  readonly env?: Readonly<Record<string, string>>;
  /** Keep the data of an earlier server, for tests of restarts. Who gives them cleans them up. */
  readonly dataDir?: string;
  readonly database?: TestDatabase;
}

export interface TestServer {
  /** The root, without a slash at its end. */
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly database: TestDatabase;
  /** From the start of the process to "ready", in ms. */
  readonly bootMs: number;
  /** All that it has said so far, on both streams. */
  output(): string;
  /** A request to it, by path. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A POST of a JSON body. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  /** As an operator does; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** As nobody should; leaves data and database behind for the next start. */
  kill(): Promise<void>;
}

/**
 * The real server, built, as a process of its own on a free port, with a fresh database and data folder.
 *
 * @throws Error with the server's last words when it does not get ready.
 */
export async function startServer({ env = {}, ...kept }: StartOptions = {}): Promise<TestServer> {
  const database = kept.database ?? (await createTestDatabase());
  const dataDir = kept.dataDir ?? (await throwAwayFolder(tmpdir(), 'e2e'));
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    cwd: dataDir,
    env: {
      ...inherited(),
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      MODEL_DISCOVERY: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const cleanUp = async () => {
    if (!kept.database) await database.drop();
    if (!kept.dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  let url: string;
  try {
    url = await readyAt(child, (text) => (output += text));
  } catch (error) {
    child.kill('SIGKILL');
    await exited;
    await cleanUp();
    throw error;
  }
  const request = (path: string, init?: RequestInit) => fetch(`${url}${path}`, init);
  return {
    url,
    pid: child.pid!,
    dataDir,
    database,
    bootMs: performance.now() - started,
    output: () => output,
    fetch: request,
    post: (path, body, init = {}) =>
      request(path, {
        ...init,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
        body: JSON.stringify(body),
      }),
    stop: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
      child.kill('SIGTERM');
      const code = await exited;
      clearTimeout(timer);
      await cleanUp();
      return code;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * Starts a server that is expected not to start; resolves to its exit code, what it said, and what it left in its folder.
 *
 * @param first said to the shell before, as `ulimit -f 64`.
 */
export async function failToStart(
  env: Readonly<Record<string, string>>,
  { first = ':' }: { readonly first?: string } = {},
): Promise<{ code: number | null; said: string; left: string[] }> {
  const dataDir = await throwAwayFolder(tmpdir(), 'e2e');
  const child = spawn('/bin/sh', ['-c', `${first}; exec "$0" "$@"`, process.execPath, MAIN], {
    cwd: dataDir,
    env: { ...inherited(), DATA_DIR: dataDir, PORT: '0', MODEL_DISCOVERY: 'off', ...env },
  });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const left = await readdir(dataDir);
  await rm(dataDir, { recursive: true, force: true });
  return { code, said, left };
}

/** Reads the server's output until it names the address at which it is ready. */
function readyAt(child: ChildProcess, keep: (text: string) => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`The server ${why}. It said:\n${said.trim() || '(nothing)'}`));
    };
    const timer = setTimeout(() => fail('did not get ready in time'), READY_WITHIN_MS);
    const read = (chunk: Buffer) => {
      said = keep(chunk.toString());
      const ready = / is ready at (http:\S+)/.exec(said);
      if (!ready) return;
      clearTimeout(timer);
      resolve(ready[1]!);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => fail(`could not be run: ${error.message}`));
    child.once('exit', (code) => fail(`ended with code ${code}`));
  });
}
