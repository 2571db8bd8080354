/** A PostgreSQL of a test's own, which it may do anything to: the embedded one, or Debian's 15 where it is installed. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Secret } from '@app/platform';
import type { DatabaseTarget } from '../../libs/tools/src/sql/databases/target';
import { findBinaries } from '../../libs/platform/src/database/binaries';
import { holdPort } from './ports';
import { throwAwayFolder } from './throw-away-folder';
import { tellSkipped } from './skipped';

export type PostgresVersion = '15' | '18';

const DEBIAN = '/usr/lib/postgresql/15/bin';
/** For one that starts: less than a test may take, which then says nothing of the reason. */
const PATIENCE_MS = 50_000;
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

export interface PostgresServerOptions {
  /** How users other than over the test's own socket prove who they are. */
  readonly auth?: 'trust' | 'scram-sha-256' | 'md5' | 'password';
  readonly encoding?: string;
  /** PEM; with them the server offers TLS. */
  readonly tls?: { readonly key: string; readonly certificate: string };
  readonly settings?: Readonly<Record<string, string>>;
}

export interface PostgresServer {
  readonly version: PostgresVersion;
  readonly folder: string;
  readonly port: number;
  readonly superuser: string;
  /** A connection that nothing restricts, as superuser unless told otherwise. */
  connect(database?: string, user?: string): Promise<Client>;
  restart(): Promise<void>;
  /** Ends the server at once, as if its machine had gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Why there is no server of a version here, if there is none. */
export const postgresMissing = (version: PostgresVersion): string | undefined =>
  version === '15' && !existsSync(join(DEBIAN, 'postgres')) ? `${DEBIAN} is not installed` : undefined;

/** `describe` over each version that is here; a version that is not is skipped, and the output says why. */
export function describePostgres(
  title: string,
  tests: (version: PostgresVersion) => void,
  versions: readonly PostgresVersion[] = ['18', '15'],
): void {
  for (const version of versions) {
    const missing = postgresMissing(version);
    if (missing) {
      tellSkipped(`${title} on PostgreSQL ${version}: ${missing}`);
      describe.skip(`${title} on PostgreSQL ${version}`, () => tests(version));
    } else describe(`${title} on PostgreSQL ${version}`, () => tests(version));
  }
}

export async function startPostgres(
  version: PostgresVersion,
  options: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const account = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const bin = version === '15' ? DEBIAN : dirname((await findBinaries(account !== undefined)).postgres);
  const holder = await throwAwayFolder(tmpdir(), `pg${version}`);
  const folder = join(holder, 'data');
  await mkdir(folder, { mode: 0o700 });
  if (account) {
    await chown(holder, account.uid, account.gid);
    await chown(folder, account.uid, account.gid);
  }
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      ...['-D', folder, '-U', 'super', '-A', 'trust', '-N', '--no-instructions'],
      ...['-E', options.encoding ?? 'UTF8', '--locale=C'],
    ],
    { ...account, env, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  await configure(folder, options, account);
  const { port, release } = await holdPort();
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: `${port}`,
    unix_socket_directories: holder,
    fsync: 'off',
    ...options.settings,
  };
  const args = ['-D', folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(join(bin, 'postgres'), args, { ...account, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)));
    const patience = AbortSignal.timeout(PATIENCE_MS);
    while (!(await answers())) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`PostgreSQL ended: ${said}`);
      if (patience.aborted) throw new Error(`PostgreSQL does not answer: ${said}`);
      await sleep(50);
    }
    return child;
  };
  const open = async (database = 'postgres', user = 'super'): Promise<Client> => {
    const client = new Client({ host: holder, port, user, database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const answers = () =>
    open().then(
      async (client) => {
        await client.end();
        return true;
      },
      () => false,
    );
  let child = await launch();
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    version,
    folder,
    port,
    superuser: 'super',
    connect: open,
    restart: async () => {
      await end('SIGINT');
      child = await launch();
    },
    kill: () => end('SIGQUIT'),
    stop: async () => {
      await end('SIGQUIT');
      release();
      await rm(holder, { recursive: true, force: true });
    },
  };
}

async function configure(
  folder: string,
  { auth = 'trust', tls }: PostgresServerOptions,
  account?: typeof UNPRIVILEGED,
): Promise<void> {
  await writeFile(join(folder, 'pg_hba.conf'), `local all all trust\nhost all all 127.0.0.1/32 ${auth}\n`);
  if (!tls) return;
  for (const [name, content] of [
    ['server.key', tls.key],
    ['server.crt', tls.certificate],
  ] as const) {
    const file = join(folder, name);
    await writeFile(file, content, { mode: 0o600 });
    if (account) await chown(file, account.uid, account.gid);
  }
  await writeFile(join(folder, 'postgresql.auto.conf'), `ssl = on\n`);
}

/** A plain way to dial a target, without a policy. */
export const dialLoopback = async ({ port }: { readonly port: number }) => {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect');
  return socket;
};

/** The server as a request would name it. */
export const targetOn = (server: PostgresServer, over: Partial<DatabaseTarget> = {}): DatabaseTarget => ({
  engine: 'postgres',
  host: '127.0.0.1',
  port: server.port,
  user: server.superuser,
  password: new Secret('none'),
  database: 'postgres',
  tls: false,
  ...over,
});
