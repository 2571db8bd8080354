/**
 * Run in a network namespace of its own, where every address is ours: servers at port 5432 of public and of private
 * addresses, names for them, and dialing through the guard. Prints what each came to, and who was connected to.
 */
import { createServer } from 'node:net';
import { parseAllowEntry, AllowList } from '../../libs/platform/src/egress/allow-list';
import { DatabaseDialer } from '../../libs/platform/src/egress/database-dialer';
import { DatabasePolicy } from '../../libs/platform/src/egress/database-policy';
import { OwnServices } from '../../libs/platform/src/egress/own-services';
import { resolveByServers } from '../../libs/platform/src/egress/resolver';
import { readConnectionString } from '../../libs/tools/src/sql/databases/connection-string';
import { FakeDns } from './fake-dns';

interface Ask {
  readonly profile: 'local' | 'server';
  readonly allow: readonly string[];
  /** Ports on loopback that are ours. */
  readonly own: readonly number[];
  /** What stands between `@` and `/` of a connection string; with `+tls` behind it, TLS is wanted. */
  readonly places: readonly string[];
}

const connections: Record<string, number> = {};

async function listen(port: number): Promise<void> {
  const server = createServer((socket) => {
    const address = `${(socket.localAddress ?? '').replace(/^::ffff:/, '')} ${port}`;
    connections[address] = (connections[address] ?? 0) + 1;
    socket.on('error', () => undefined).end();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '::', resolve));
}

async function main(asks: readonly Ask[]): Promise<void> {
  await listen(5432);
  await listen(6000);
  let turn = 0;
  const dns = await FakeDns.start({
    'public.example.com': ['93.184.215.14'],
    'private.example.com': ['10.9.8.7'],
    'metadata.example.com': ['169.254.169.254'],
    'loop.example.com': ['127.0.0.1'],
    'mixed.example.com': ['93.184.215.14', '10.9.8.7'],
    'unique.example.com': ['fd00::7'],
    // Public when it is looked at, private from then on.
    'rebinding.example.com': () => (turn++ === 0 ? ['93.184.215.14'] : ['10.9.8.7']),
  });
  const resolve = resolveByServers([dns.server]);
  const told = [];
  for (const { profile, allow, own, places } of asks) {
    const ours = new OwnServices();
    for (const port of own) ours.add('127.0.0.1', port);
    turn = 0;
    const list = new AllowList(allow.map((entry) => parseAllowEntry(entry)!));
    const policy = new DatabasePolicy({ profile, allow: list, own: ours, resolve, setting: 'DATABASE_ALLOW' });
    const dialer = new DatabaseDialer(policy, 1000);
    const outcomes: Record<string, string> = {};
    for (const place of places) {
      const [host, tls] = place.split('+');
      try {
        const target = readConnectionString(`postgresql://ro:pw@${host}/erp`, tls !== undefined);
        if (target.engine === 'sqlite') throw new Error('not a place');
        (await dialer.dial(target, new AbortController().signal)).destroy();
        outcomes[place] = 'connected';
      } catch (error) {
        outcomes[place] = (error as { token?: string }).token ?? String(error);
      }
    }
    await new Promise((settled) => setTimeout(settled, 20));
    told.push({ outcomes, connections: { ...connections } });
    for (const address of Object.keys(connections)) delete connections[address];
  }
  process.stdout.write(JSON.stringify(told));
  process.exit(0);
}

void main(JSON.parse(process.argv[2]!) as Ask[]);
