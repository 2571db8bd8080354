/** A PostgreSQL of the benchmark's own on a port of loopback, from the binaries that come with the product. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { findBinaries } from '../../libs/platform/src/database/binaries';

const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
const USER = 'bench';

export interface BenchPostgres {
  readonly port: number;
  readonly url: string;
  connect(): Promise<Client>;
  stop(): Promise<void>;
}

export async function benchPostgres(): Promise<BenchPostgres> {
  const account = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const bin = dirname((await findBinaries(account !== undefined)).postgres);
  const holder = await mkdtemp(join(tmpdir(), 'toolwright-bench-pg-'));
  const folder = join(holder, 'data');
  await mkdir(folder, { mode: 0o700 });
  for (const each of account ? [holder, folder] : []) await chown(each, account!.uid, account!.gid);
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', folder, '-U', USER, '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C'],
    {
      ...account,
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: holder, fsync: 'off' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', folder, ...flags], { ...account, stdio: 'ignore' });
  const kill = () => server.kill('SIGQUIT');
  process.once('exit', kill);
  const url = `postgresql://${USER}:x@127.0.0.1:${port}/postgres`;
  const connect = async () => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  for (let tries = 0; ; tries++) {
    const client = await connect().catch(() => undefined);
    await client?.end();
    if (client) break;
    if (tries > 200) throw new Error('PostgreSQL does not answer');
    await wait(50);
  }
  return {
    port,
    url,
    connect,
    stop: async () => {
      process.off('exit', kill);
      const ended = once(server, 'exit');
      kill();
      await ended;
      await rm(holder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
