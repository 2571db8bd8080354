/** PostgreSQL's programs as processes of ours: make a cluster, run a server on it, find one that was left running. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsWithParent } from '../sandbox/parent-death';
import type { Binaries } from './binaries';
import { commandLine, workingFolder } from './running-process';

/** Whom PostgreSQL runs as when we are root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Cluster {
  /** PostgreSQL's data directory. */
  readonly folder: string;
  readonly binaries: Binaries;
  readonly account?: Account;
  /** Whether what was committed survives a loss of power. Off in tests only. */
  readonly durable: boolean;
}

/** The role and the database that every cluster of ours has from the beginning. */
export const ROLE = 'toolwright';
export const DATABASE = 'postgres';

const SETTINGS = {
  // No network at all: one socket, in a folder that only its owner can enter.
  listen_addresses: '',
  unix_socket_directories: '.',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements hold what callers sent. They are reported to whoever sent them.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
};
/** A thousand files: to ask for their file system once is several times quicker than to ask for each. */
const SYNC_METHOD = process.platform === 'linux' ? 'syncfs' : 'fsync';
const WAY_OUT = 'Mend that, or set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of yours.';
/** What is still in a pipe when its process has ended comes within this time, or not at all. */
const LAST_WORDS_MS = 2000;
const MARK = 'toolwright.data_folder';

/** Makes a cluster in an empty folder. */
export async function initialiseCluster(cluster: Cluster): Promise<void> {
  const child = start(cluster, cluster.binaries.initdb, [
    ...['--username', ROLE, '--auth', 'trust', '--encoding', 'UTF8', '--locale', 'C'],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    cluster.durable ? `--sync-method=${SYNC_METHOD}` : '--no-sync',
  ]);
  const output = lastWords(child);
  const { code, how } = await ended(child);
  if (code !== 0) throw new Error(`PostgreSQL could not make its data folder (${how}): ${await output()} ${WAY_OUT}`);
}

/** A server that has said it is ready. */
export class PostgresProcess {
  /** Resolves, with how it ended, when the server is gone. */
  readonly ended: Promise<string>;

  private constructor(private readonly child: ChildProcess) {
    this.ended = ended(child).then(({ how }) => how);
  }

  /** @throws Error with the server's last words when it ends instead of becoming ready. */
  static async start(cluster: Cluster, options: { timeoutMs: number }): Promise<PostgresProcess> {
    const settings = {
      ...SETTINGS,
      fsync: cluster.durable ? 'on' : 'off',
      recovery_init_sync_method: SYNC_METHOD,
      [MARK]: cluster.folder,
    };
    const child = start(
      cluster,
      cluster.binaries.postgres,
      Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    );
    const words = lastWords(child);
    const server = new PostgresProcess(child);
    const failed = server.ended.then(async (how) => {
      throw new Error(`PostgreSQL did not start (${how}): ${await words()} ${WAY_OUT}`);
    });
    failed.catch(() => undefined);
    const patience = AbortSignal.timeout(options.timeoutMs);
    while (!(await Promise.race([failed, saysReady(cluster.folder, child.pid!)]))) {
      if (patience.aborted) {
        await server.stop();
        throw new Error(`PostgreSQL was not ready within ${options.timeoutMs} ms: ${await words()} ${WAY_OUT}`);
      }
      await sleep(15);
    }
    return server;
  }

  /** Open transactions are rolled back, the rest is written down. Harder means only when that does not help. */
  async stop(): Promise<void> {
    if (this.child.pid === undefined) return;
    await stopProcess(this.child.pid, () => this.child.exitCode !== null || this.child.signalCode !== null);
    await this.ended;
  }
}

/**
 * Makes way in a cluster's folder: stops a server of ours that outlived its parent, and removes what a killed one
 * left behind, whose process number may be another process by now.
 *
 * @throws Error when a PostgreSQL that we did not start works there.
 */
export async function clearLeftovers(folder: string): Promise<void> {
  const file = join(folder, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  const words = commandLine(pid);
  if (words?.includes(`${MARK}=${folder}`)) {
    await stopProcess(pid, () => !commandLine(pid)?.includes(`${MARK}=${folder}`));
  } else if (words && /^postgres$/.test(basename(words[0]!)) && (workingFolder(pid) ?? folder) === folder) {
    throw new Error(`Another PostgreSQL (process ${pid}) uses ${folder}. Stop it first.`);
  }
  await rm(file, { force: true });
  await rm(join(folder, '.s.PGSQL.5432.lock'), { force: true });
}

/** Fast, immediate, killed: each for as long as it is given. */
async function stopProcess(pid: number, isGone: () => boolean): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const patience = AbortSignal.timeout(patienceMs);
    while (!patience.aborted) {
      if (isGone()) return;
      await sleep(15);
    }
  }
}

function start({ folder, account }: Cluster, program: string, args: readonly string[]): ChildProcess {
  // By where it works, the server finds its folder even when its account may not enter the folders above.
  const data = account && process.platform === 'linux' ? '/proc/self/cwd' : folder;
  const { file, args: all } = endsWithParent({ file: program, args: ['-D', data, ...args] }, 'INT');
  return spawn(file, all, {
    cwd: folder,
    ...account,
    // Out of the terminal's reach: Ctrl-C is for us, who let requests end before the database goes.
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function ended(child: ChildProcess): Promise<{ code: number | null; how: string }> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, how: signal ? `signal ${signal}` : `exit code ${code}` }));
    child.once('error', (error) => resolve({ code: null, how: error.message }));
  });
}

/** Keeps the pipes flowing, and what came through them last that tells of trouble. */
function lastWords(child: ChildProcess): () => Promise<string> {
  let words = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-2000)));
  }
  const complete = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return async () => {
    await Promise.race([complete, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    return complaint(words);
  };
}

/** What the programs of PostgreSQL mark as trouble, or else their last line. */
function complaint(words: string): string {
  const lines = words.trim().split('\n');
  const marked = lines.flatMap((line) => /(?:FATAL|PANIC|ERROR|HINT|error|hint): +(.+)$/.exec(line)?.[1] ?? []);
  return (marked.length > 0 ? marked : lines.slice(-1)).map((line) => line.replace(/(?<=\w)$/, '.')).join(' ');
}

/** The server writes its state into the eighth line of its pid file. */
async function saysReady(folder: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}
