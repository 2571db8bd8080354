/**
 * A PostgreSQL of our own: made on the first start, started with us, started again when it dies, stopped with us.
 *
 * One server, one Unix socket, no port and no password: the socket lies in the cluster's folder, which only the
 * server's account (and root) can enter.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, symlink, chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/logger';
import { findBinaries } from './binaries';
import { lockFolder } from './folder-lock';
import {
  clearLeftovers,
  DATABASE,
  initialiseCluster,
  PostgresProcess,
  ROLE,
  type Account,
  type Cluster,
} from './postgres-process';

const MAJOR = '18';
/** Between the name of a cluster's folder and a random one, while it is being made. */
const HALF_MADE = '.new-';
/** `nobody`, where nothing else is known. */
const UNPRIVILEGED: Account = { uid: 65_534, gid: 65_534 };
/** Socket paths end at 104 bytes on macOS, 108 on Linux. */
const MAX_SOCKET_PATH = 100;
/** Recovery after a crash reads at most what two checkpoints lie apart. */
const START_MS = 300_000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;
const STABLE_MS = 60_000;

export interface EmbeddedPostgresOptions {
  /** PostgreSQL's data directory. Made when it is missing; its parent belongs to one process at a time. */
  readonly folder: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Default: true. Tests give up what a loss of power would take. */
  readonly durable?: boolean;
}

export class EmbeddedPostgres {
  private stopping = new AbortController();
  private readonly supervision: Promise<void>;

  private constructor(
    private server: PostgresProcess,
    private readonly cluster: Cluster,
    private readonly logger: EmbeddedPostgresOptions['logger'],
    private readonly unlock: () => Promise<void>,
    private readonly socket: SocketFolder,
  ) {
    this.supervision = this.supervise();
  }

  /**
   * @throws FolderInUseError when another process of ours has the folder.
   * @throws Error saying what to do when there are no binaries, or the folder cannot be used.
   */
  static async start({ folder, logger, durable = true }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    const unlock = await lockFolder(`${folder}.lock`);
    try {
      const account = await chooseAccount(folder);
      const cluster = { folder, account, durable, binaries: await findBinaries(account !== undefined) };
      await prepareFolder(cluster);
      const server = await launch(cluster);
      const socket = await socketFolder(folder);
      return new EmbeddedPostgres(server, cluster, logger, unlock, socket);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** As `DATABASE_URL` would say it. */
  get url(): string {
    return urlOf(this.socket.path);
  }

  /** Stops the server and lets the folder go. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.server.stop();
    await this.supervision;
    await this.socket.release();
    await this.unlock();
  }

  private async supervise(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    for (;;) {
      const since = Date.now();
      const how = await this.server.ended;
      if (this.stopping.signal.aborted) return;
      if (Date.now() - since > STABLE_MS) retryMs = FIRST_RETRY_MS;
      this.logger.warn({ how }, 'PostgreSQL has ended; starting it again');
      while (!(await this.restart())) {
        if (this.stopping.signal.aborted) return;
        await sleep(retryMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
      this.logger.info('PostgreSQL is back');
    }
  }

  private async restart(): Promise<boolean> {
    try {
      this.server = await launch(this.cluster);
    } catch (error) {
      this.logger.warn({ err: error }, 'PostgreSQL could not be started again yet');
      return false;
    }
    if (this.stopping.signal.aborted) await this.server.stop();
    return true;
  }
}

interface SocketFolder {
  readonly path: string;
  release(): Promise<void>;
}

/** The folder of the socket, by a name that is short enough for one. */
export async function socketFolder(folder: string): Promise<SocketFolder> {
  const nothing = () => Promise.resolve();
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= MAX_SOCKET_PATH) return { path: folder, release: nothing };
  const holder = await mkdtemp(join(tmpdir(), 'toolwright-'));
  const path = join(holder, 's');
  await symlink(folder, path);
  return { path, release: () => rm(holder, { recursive: true, force: true }) };
}

/** `localhost` is there because a URL needs a host; the socket's folder is what counts. */
export const urlOf = (folder: string) =>
  `postgresql://${ROLE}@localhost/${DATABASE}?host=${encodeURIComponent(folder)}`;

/** Whoever owns the cluster runs it. Only root can be somebody else. */
async function chooseAccount(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(folder).catch(() => undefined);
  return owner?.uid ? { uid: owner.uid, gid: owner.gid } : UNPRIVILEGED;
}

/** Leaves a cluster of our version in the folder, with nobody at work in it. */
async function prepareFolder(cluster: Cluster): Promise<void> {
  await clearHalfMade(cluster.folder);
  const version = await readVersion(cluster.folder);
  if (version === undefined) {
    if (await holdsAnything(cluster.folder)) {
      throw new Error(
        `${cluster.folder} is no folder of PostgreSQL (it has no PG_VERSION), and not empty. Move it away, restore a ` +
          'backup there, or choose another DATA_DIR.',
      );
    }
    return makeCluster(cluster);
  }
  if (version !== MAJOR) {
    throw new Error(
      `${cluster.folder} was made by PostgreSQL ${version}, and this is ${MAJOR}. Dump it with the old version and ` +
        'restore it here, or choose another DATA_DIR.',
    );
  }
  await clearLeftovers(cluster.folder);
}

async function readVersion(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new Error(`${folder} belongs to another account. Start as that account, or as root.`, { cause: error });
  }
}

async function holdsAnything(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Aside and then renamed, so that a start that is cut off leaves no half of a cluster. */
async function makeCluster(cluster: Cluster): Promise<void> {
  const { folder, account } = cluster;
  const making = `${folder}${HALF_MADE}${randomUUID()}`;
  try {
    await mkdir(making, { mode: 0o700 });
    if (account) await chown(making, account.uid, account.gid);
    await initialiseCluster({ ...cluster, folder: making });
    await rename(making, folder);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
  if (cluster.durable) await sync(dirname(folder));
}

/** Of a start that was killed, whether or not there is a cluster by now. */
async function clearHalfMade(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${basename(folder)}${HALF_MADE}`)) {
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/**
 * The processes of a server that was killed go one by one, each when it next looks up. Until the last has gone, the
 * new server refuses to share their memory.
 */
async function launch(cluster: Cluster): Promise<PostgresProcess> {
  for (let attempt = 1; ; attempt++) {
    await clearLeftovers(cluster.folder);
    try {
      return await PostgresProcess.start(cluster, { timeoutMs: START_MS });
    } catch (error) {
      if (attempt === 20 || !/shared memory block .* is still in use/.test(String(error))) throw error;
      await sleep(250);
    }
  }
}
