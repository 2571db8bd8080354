/** Host names to addresses: by the system, or by the servers that the operator names. */
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Every address of a name, once; the order is that of preference. Rejects, or gives none, for a name without any. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const DNS_TIMEOUT_MS = 2500;

/** By what the machine is set up with, its hosts file included. */
export const resolveBySystem: Resolve = async (name) => {
  const found = await lookup(name, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

/** @param servers addresses, with a port or without: `10.0.0.53`, `[fd00::53]:5353`. */
export function resolveByServers(servers: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  resolver.setServers(servers);
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    // What is no address would be resolved again by whoever connects.
    return found.filter((address) => isIP(address) !== 0);
  };
}
