/**
 * Run in a network namespace of its own, where every address is ours: servers at port 80 of public and of private
 * addresses, names for them, and fetches through the guard. Prints what each fetch came to, and who was connected to.
 */
import { createServer } from 'node:http';
import { AllowList } from '../../libs/platform/src/egress/allow-list';
import { EgressPolicy } from '../../libs/platform/src/egress/egress-policy';
import { OwnServices } from '../../libs/platform/src/egress/own-services';
import { resolveByServers } from '../../libs/platform/src/egress/resolver';
import { WebClient } from '../../libs/platform/src/egress/web-client';
import { FakeDns } from './fake-dns';

const connections: Record<string, number> = {};

async function listen(host: string): Promise<void> {
  const server = createServer(({ url = '/' }, response) => {
    const target = decodeURIComponent(url.slice(1));
    if (target === '') response.end('page');
    else response.writeHead(302, { location: target }).end();
  });
  server.on('connection', ({ localAddress = '' }) => {
    const address = localAddress.replace(/^::ffff:/, '');
    connections[address] = (connections[address] ?? 0) + 1;
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(80, host, resolve));
}

async function main(urls: readonly string[]): Promise<void> {
  await listen('::');
  let turn = 0;
  const dns = await FakeDns.start({
    'public.example.com': ['93.184.215.14'],
    'six.example.com': ['2606:2800:21f:cb07::1'],
    'both.example.com': ['2606:2800:21f:cb07::1', '93.184.215.14'],
    'private.example.com': ['10.9.8.7'],
    'metadata.example.com': ['169.254.169.254'],
    'mixed.example.com': ['93.184.215.14', '10.9.8.7'],
    'unique.example.com': ['fd00::7'],
    // Public when it is looked at, private from then on.
    'rebinding.example.com': () => (turn++ === 0 ? ['93.184.215.14'] : ['10.9.8.7']),
  });
  const resolve = resolveByServers([dns.server]);
  const policy = new EgressPolicy({ allow: new AllowList([]), own: new OwnServices(), resolve, setting: 'WEB_ALLOW' });
  const client = new WebClient({ policy, userAgent: 'test' });
  const limits = { maxWireBytes: 1e6, maxDecodedBytes: 1e6, totalMs: 5000, settings: { size: '', time: '' } };
  const outcomes: Record<string, string> = {};
  for (const url of urls) {
    const signal = new AbortController().signal;
    outcomes[url] = await client.fetch({ url, organisationId: 'o', limits, signal }).then(
      ({ body }) => Buffer.from(body).toString(),
      (error: { token?: string; message: string }) => error.token ?? error.message,
    );
  }
  process.stdout.write(JSON.stringify({ outcomes, connections }));
  process.exit(0);
}

void main(process.argv.slice(2));
