/**
 * Ports for servers that have to be told theirs before they take it.
 *
 * One that was found free by taking it and letting it go may be somebody else's a moment later: another test's, or
 * that of any connection that goes out. So these lie below those that the system gives away on its own, and are held
 * among all processes of the tests by a name that only one of them can have, and that goes with its process.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ListenOptions, type Server } from 'node:net';

export interface HeldPort {
  readonly port: number;
  /** Lets another test have it. */
  release(): void;
}

const LOWEST = 10_240;

export async function holdPort(): Promise<HeldPort> {
  for (;;) {
    const port = randomInt(LOWEST, firstOfSystem());
    // Not a file: what is left of a process that was killed would keep the port from all others.
    const held = process.platform === 'linux' ? await listening({ path: `\0toolwright-test-port-${port}` }) : 'nothing';
    if (!held) continue;
    const release = () => held !== 'nothing' && held.close();
    const tried = await listening({ port, host: '127.0.0.1' });
    if (!tried) {
      release();
      continue;
    }
    tried.close();
    await once(tried, 'close');
    if (held !== 'nothing') held.unref();
    return { port, release };
  }
}

/** Where the system's own choice begins. */
function firstOfSystem(): number {
  try {
    const [first = ''] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/);
    if (Number(first) > LOWEST + 1000) return Number(first);
  } catch {
    // Not Linux.
  }
  return 32_768;
}

async function listening(at: ListenOptions): Promise<Server | undefined> {
  const server = createServer();
  try {
    server.listen(at);
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}
