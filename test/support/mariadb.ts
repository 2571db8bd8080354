import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { Secret } from '@app/platform';
import type { Certificate } from './certificates';
import { holdPort, type HeldPort } from './ports';
import { throwAwayFolder } from './throw-away-folder';

const SERVERS = ['mariadbd', 'mysqld'];
const INSTALLERS = ['mariadb-install-db', 'mysql_install_db'];
/** In memory where that is possible: a data folder then takes half a second instead of four. */
const BASE = existsSync('/dev/shm') && writable('/dev/shm') ? '/dev/shm' : tmpdir();
/** As whom it runs when the tests are root's; `nobody` on Debian. */
const ACCOUNT = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
/** For one that starts: less than a test may take, which then says nothing of the reason. */
const PATIENCE_MS = 50_000;

export interface MariaDbOptions {
  readonly options?: readonly string[];
  readonly tls?: Certificate;
}

/** A throw-away MariaDB on a free port of this machine, whose `root` needs no password and may do everything. */
export class MariaDb {
  private constructor(
    readonly folder: string,
    private readonly held: HeldPort,
    private readonly options: readonly string[],
    private child: ChildProcess,
  ) {}

  get port(): number {
    return this.held.port;
  }

  /** Why there is none here; told in the output where tests are skipped for it. */
  static missing(): string | undefined {
    const there = [SERVERS, INSTALLERS, ['my_print_defaults']].every((names) => found(names).length > 0);
    return there ? undefined : 'MariaDB is not installed (Debian: mariadb-server-core, mariadb-client-core)';
  }

  static async start({ options = [], tls }: MariaDbOptions = {}): Promise<MariaDb> {
    const folder = await throwAwayFolder(BASE, 'mariadb');
    if (ACCOUNT.uid !== undefined) await chown(folder, ACCOUNT.uid, ACCOUNT.gid);
    execFileSync(
      found(INSTALLERS)[0]!,
      [
        ...['--no-defaults', `--datadir=${join(folder, 'data')}`, '--auth-root-authentication-method=normal'],
        ...['--skip-test-db', '--skip-name-resolve', '--innodb-log-file-size=4M', '--innodb-buffer-pool-size=8M'],
      ],
      { cwd: folder, stdio: 'pipe', env: { ...process.env, TMPDIR: folder }, ...ACCOUNT },
    );
    const all = [...options, ...(tls ? await tlsOptions(folder, tls) : [])];
    const held = await holdPort();
    const server = new MariaDb(folder, held, all, launch(folder, held.port, all));
    await server.ready();
    return server;
  }

  /** For an engine; `root` unless said otherwise. */
  target(database = '', user = 'root', password = '') {
    return { engine: 'mysql', host: '127.0.0.1', port: this.port, user, password: new Secret(password), database, tls: false } as const; // prettier-ignore
  }

  /** A connection of the test's own, to set things up and to look at what became of them. */
  connect(database?: string): Promise<Connection> {
    return createConnection({ host: '127.0.0.1', port: this.port, user: 'root', database, multipleStatements: true });
  }

  /** Runs statements one after the other, and gives the rows of the last. */
  async query(sql: string, database?: string): Promise<Record<string, unknown>[]> {
    const connection = await this.connect(database);
    try {
      const [rows] = await connection.query(sql);
      const last = Array.isArray(rows) && Array.isArray(rows[0]) ? rows.at(-1) : rows;
      return Array.isArray(last) ? (last as Record<string, unknown>[]) : [];
    } finally {
      await connection.end();
    }
  }

  async restart(): Promise<void> {
    await this.halt();
    this.child = launch(this.folder, this.port, this.options);
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.halt();
    this.held.release();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Stops it without a word to its clients. */
  async halt(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.kill('SIGKILL');
    await gone;
  }

  private async ready(): Promise<void> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      try {
        await (await this.connect()).end();
        return;
      } catch (error) {
        const ended = this.child.exitCode !== null || this.child.signalCode !== null;
        if (ended || patience.aborted) {
          const log = await readFile(join(this.folder, 'error.log'), 'utf8').catch(() => '');
          throw new Error(`MariaDB did not start: ${log.slice(-2000)}`, { cause: error });
        }
        await sleep(30);
      }
    }
  }
}

async function tlsOptions(folder: string, { key, certificate }: Certificate): Promise<string[]> {
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  await writeFile(files.key, key);
  await writeFile(files.cert, certificate);
  if (ACCOUNT.uid !== undefined) for (const file of Object.values(files)) await chown(file, ACCOUNT.uid, ACCOUNT.gid);
  return Object.entries(files).map(([name, file]) => `--ssl-${name}=${file}`);
}

function launch(folder: string, port: number, options: readonly string[]): ChildProcess {
  return spawn(
    found(SERVERS)[0]!,
    [
      ...['--no-defaults', `--datadir=${join(folder, 'data')}`, `--socket=${join(folder, 'socket')}`],
      ...[`--port=${port}`, '--bind-address=127.0.0.1', '--skip-name-resolve', `--pid-file=${join(folder, 'pid')}`],
      ...[`--log-error=${join(folder, 'error.log')}`, `--tmpdir=${folder}`, '--skip-log-bin', '--secure-file-priv='],
      ...['--innodb-buffer-pool-size=32M', '--innodb-log-file-size=4M', '--innodb-flush-log-at-trx-commit=0'],
      ...['--performance-schema=OFF', '--max-connections=200', ...options],
    ],
    { cwd: folder, stdio: 'ignore', ...ACCOUNT },
  );
}

function found(names: readonly string[]): string[] {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/usr/bin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name)).filter((file) => existsSync(file)));
}

function writable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
