/**
 * The one place where a connection to an address from outside comes about (SEC-10, SEC-11).
 *
 * A `lookup` option would not do: it is never asked for IP literals. So the connector is ours: the policy resolves and
 * checks, and the socket is opened to the address that was checked. The name is kept for TLS and the Host header.
 */
import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { EgressError } from './egress-error';
import type { EgressPolicy } from './egress-policy';
import type { WireCount } from './wire-count';

/** Addresses of one name that are tried. */
const MAX_TRIES = 3;

export function guardedConnector(policy: EgressPolicy, timeoutMs: number, wire: WireCount): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  const tries = async (options: buildConnector.Options): Promise<Socket> => {
    const { protocol, hostname } = options;
    const target = policy.target(new URL(`${protocol}//${options.host ?? hostname}`));
    const late = Date.now() + timeoutMs;
    let failure: unknown;
    for (const address of (await within(policy.addresses(target), timeoutMs)).slice(0, MAX_TRIES)) {
      if (Date.now() >= late) break;
      try {
        const socket = await to(address);
        wire.follow(target.host, socket);
        return socket;
      } catch (error) {
        failure = error;
      }
    }
    throw failure ?? timeout();

    function to(address: string): Promise<Socket> {
      const servername = isIP(target.host) === 0 ? target.host : undefined;
      return new Promise((resolve, reject) => {
        connect({ ...options, hostname: address, port: String(target.port), servername }, (error, socket) =>
          socket ? resolve(socket) : reject(error as Error),
        );
      });
    }
  };
  return (options, callback) => {
    tries(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

const timeout = () => new EgressError('tool_timeout', 'the server could not be connected to in time.');

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(timeout()), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
