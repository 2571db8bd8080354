/** A script in a network namespace of its own, in which `lo` has public and private addresses alike. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const FOUR = ['93.184.215.14/32', '10.9.8.7/32', '169.254.169.254/32', '192.168.1.1/32', '100.64.0.1/32'];
const SIX = ['2606:2800:21f:cb07::1/128', 'fd00::7/128', 'fe80::7/128'];

/** Runs a file of this folder. @returns what it printed, as JSON. */
export function inNamespace<Result>(script: string, args: readonly string[]): Result {
  const setUp = [
    'ip link set lo up',
    ...FOUR.map((address) => `ip addr add ${address} dev lo`),
    ...SIX.map((address) => `ip -6 addr add ${address} dev lo nodad`),
    'exec "$@"',
  ].join(' && ');
  const node = [process.execPath, '-r', join(__dirname, 'ts-register.cjs'), join(__dirname, script)];
  const { stdout, stderr } = spawnSync('unshare', ['-n', 'sh', '-c', setUp, 'sh', ...node, ...args], {
    encoding: 'utf8',
    timeout: 50_000,
  });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as Result;
}

/** Why there can be none here; undefined where there can. Needs root, `unshare` and `ip`. */
export function noNamespace(): string | undefined {
  if (process.platform !== 'linux') return 'it is Linux only.';
  if (process.getuid?.() !== 0) return 'only root may make one.';
  const { status, stderr, error } = spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up'], { encoding: 'utf8' });
  if (error) return 'it needs the command unshare (util-linux).';
  return status === 0 ? undefined : `${stderr.trim() || 'it cannot be made'} (unshare and iproute2 are needed).`;
}
