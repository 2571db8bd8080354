/**
 * The processes of a benchmark: the server under test, the fake model server, the baseline and the clients.
 *
 * With two cores and `taskset`, whoever is measured has core 0 for itself and all helpers share core 1. Whatever was
 * started is killed when the benchmark ends, however it ends.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const READY_WITHIN_MS = 60_000;
const STOPPED_WITHIN_MS = 20_000;

/** What a process needs to run at all; the settings of the person's own server stay out. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ'];

export type Core = 'measured' | 'helpers';

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Said above the table. */
export const machine = () =>
  `${availableParallelism()} cores, Node ${process.versions.node}, ` +
  (canPin ? 'the measured process pinned to one core' : 'without taskset: nothing is pinned');

const started = new Set<ChildProcess>();
process.once('exit', () => started.forEach((child) => child.kill('SIGKILL')));

function launch(
  script: string,
  args: readonly string[],
  options: { core?: Core; env?: NodeJS.ProcessEnv; flags?: readonly string[]; ipc: boolean },
) {
  const node = [process.execPath, ...(options.flags ?? []), join(__dirname, script), ...args];
  const pinned = options.core && canPin ? ['taskset', '-c', options.core === 'measured' ? '0' : '1', ...node] : node;
  const child = spawn(pinned[0]!, pinned.slice(1), {
    env: {
      ...Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
      ...options.env,
    },
    cwd: tmpdir(),
    stdio: options.ipc ? ['ignore', 'inherit', 'inherit', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
}

export interface Helper {
  readonly port: number;
  readonly pid: number;
  stop(): void;
}

/** Starts a helper that listens, such as `fake-model.js`. */
export async function startHelper(script: string, core: Core, ...args: readonly string[]): Promise<Helper> {
  const child = launch(script, args, { core, ipc: true });
  const { port } = await message<{ port: number }>(child, script);
  return { port, pid: child.pid!, stop: () => child.kill('SIGKILL') };
}

/** Runs a client to its end. @throws Error with what it met. */
export async function runClient<Task, Result>(script: string, task: Task): Promise<Result> {
  const child = launch(script, [JSON.stringify(task)], { core: 'helpers', ipc: true });
  const { result, error } = await message<{ result?: Result; error?: string }>(child, script);
  if (error !== undefined || result === undefined) throw new Error(error ?? `${script} found nothing`);
  return result;
}

function message<Body>(child: ChildProcess, script: string): Promise<Body> {
  return new Promise((resolve, reject) => {
    child.once('message', (body) => resolve(body as Body));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${script} ended with code ${code}`)));
  });
}

export interface ServerOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly core?: Core;
  /** Kept when given; otherwise a new one that goes away with the server. */
  readonly dataDir?: string;
}

export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** From the start of the process until it says that it is ready. */
  readonly bootMs: number;
  stop(): Promise<void>;
}

/** The flags of Node with which `npm start` runs the server. */
function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return (
    scripts.start
      .match(/ --\S+(?= .*dist\/apps)/g)
      ?.map((flag) => flag.trim())
      .filter((flag) => flag !== '--silent') ?? []
  );
}

/** The real server on its embedded engines. @throws Error with its last words when it does not get ready. */
export async function startServer({ env, core, dataDir }: ServerOptions = {}): Promise<ServerProcess> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'toolwright-bench-')));
  const began = performance.now();
  const child = launch('../../apps/api/src/main.js', [], {
    core,
    ipc: false,
    flags: flagsOfStart(),
    env: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', MODEL_DISCOVERY: 'off', ...env },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    const url = await readyAt(child);
    return { url, port: Number(new URL(url).port), pid: child.pid!, bootMs: performance.now() - began, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readyAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`The server ${why}. It said:\n${said.trim() || '(nothing)'}`));
    };
    const timer = setTimeout(() => fail('did not get ready in time'), READY_WITHIN_MS);
    const read = (text: Buffer) => {
      said = (said + text.toString()).slice(-8000);
      const address = /is ready at (http:\S+)/.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => fail(`ended with code ${code}`));
  });
}

/** Processor time of a process with all its threads, in seconds, to the hundredth. */
export function cpuSeconds(pid: number): number {
  // The second field is the program's name in brackets, which may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  const TICKS_PER_SECOND = 100;
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The same of a process and those it started, as long as they run. */
export const familyCpuSeconds = (pid: number): number =>
  familyOf(pid).reduce((sum, member) => sum + cpuSeconds(member), 0);

/** Memory of a process and those it started, in MB, pages that several share counted once (PSS). */
export function memoryMb(pid: number): number {
  return familyOf(pid).reduce((sum, member) => sum + pssMb(member), 0);
}

function pssMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024;
}

function familyOf(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const parent = Number(readFileSync(`/proc/${name}/stat`, 'latin1').split(') ')[1]!.split(' ')[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
    } catch {
      // It ended while we looked.
    }
  }
  const family = (member: number): number[] => [member, ...(parents.get(member) ?? []).flatMap(family)];
  return family(pid);
}
