/**
 * The guard on real addresses at real ports: a network namespace in which `lo` has public and private addresses alike.
 * Needs root, `unshare` and `ip`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ADDRESSES = ['93.184.215.14/32', '10.9.8.7/32', '169.254.169.254/32', '192.168.1.1/32', '100.64.0.1/32'];
const SIX = ['2606:2800:21f:cb07::1/128', 'fd00::7/128', 'fe80::7/128'];
const SUPPORT = join(__dirname, '../../../../test/support');

const reason = whyNot();
if (reason) console.log(`Skipped: the guard in a network namespace: ${reason}`);

(reason ? it.skip : it)('reaches public addresses by name, and no other by any way', () => {
  const to = (target: string) => `http://public.example.com/${encodeURIComponent(target)}`;
  const reached = [
    'http://public.example.com/',
    'http://93.184.215.14/',
    'http://six.example.com/',
    'http://[2606:2800:21f:cb07::1]/',
    'http://both.example.com/',
    'http://rebinding.example.com/',
    to('http://six.example.com/'),
  ];
  const refused = [
    'http://private.example.com/', 'http://metadata.example.com/', 'http://mixed.example.com/', 'http://unique.example.com/',
    'http://10.9.8.7/', 'http://169.254.169.254/latest/', 'http://192.168.1.1/', 'http://100.64.0.1/', 'http://127.0.0.1/',
    'http://[::1]/', 'http://[fd00::7]/', 'http://[fe80::7]/', 'http://[::ffff:10.9.8.7]/', 'http://[64:ff9b::a09:807]/',
    'http://0xa090807/', 'http://168363015/', 'http://10.591879/', 'http://0/', 'http://localhost/', 'http://private.example.com./',
    to('http://10.9.8.7/'), to('http://metadata.example.com/'), to('http://169.254.169.254/'), to('//[::1]/'), to('http://2852039166/'),
  ]; // prettier-ignore
  const { outcomes, connections } = inNamespace([...reached, ...refused]);
  expect(outcomes).toEqual({
    ...Object.fromEntries(reached.map((url) => [url, 'page'])),
    ...Object.fromEntries(refused.map((url) => [url, 'egress_denied'])),
  });
  const others = Object.keys(connections).filter(
    (address) => !/^(?:93\.184\.215\.14|2606:2800:21f:cb07::1)$/.test(address),
  );
  expect(others).toEqual([]);
  expect(Object.keys(connections)).toHaveLength(2);
});

function inNamespace(urls: readonly string[]) {
  const setUp = [
    'ip link set lo up',
    ...ADDRESSES.map((address) => `ip addr add ${address} dev lo`),
    ...SIX.map((address) => `ip -6 addr add ${address} dev lo nodad`),
    'exec "$@"',
  ].join(' && ');
  const node = [process.execPath, '-r', join(SUPPORT, 'ts-register.cjs'), join(SUPPORT, 'namespace-web.ts')];
  const { stdout, stderr } = spawnSync('unshare', ['-n', 'sh', '-c', setUp, 'sh', ...node, ...urls], {
    encoding: 'utf8',
    timeout: 50_000,
  });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as { outcomes: Record<string, string>; connections: Record<string, number> };
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'it is Linux only.';
  if (process.getuid?.() !== 0) return 'only root may make one.';
  const { status, stderr, error } = spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up'], { encoding: 'utf8' });
  if (error) return 'it needs the command unshare (util-linux).';
  return status === 0 ? undefined : `${stderr.trim() || 'it cannot be made'} (unshare and iproute2 are needed).`;
}
