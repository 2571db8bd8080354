/** The operator's list of targets beyond the public web: `10.1.0.0/16:80`, `[fd00::/8]:443`, `wiki.corp:8090`. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface AllowEntry {
  readonly port: number;
  /** A host name that is allowed, at whatever address it has. */
  readonly name?: string;
  readonly network?: readonly [address: Address, bits: number];
}

const ENTRY = /^(?:\[([0-9a-f:./]{2,60})\]|([^[\]:\s]{1,253})):(\d{1,5})$/i;
const NAME = /^(?!.*\.\.)[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?$/;

/** @returns undefined for what is no entry. */
export function parseAllowEntry(text: string): AllowEntry | undefined {
  const [, bracketed, plain, digits] = ENTRY.exec(text) ?? [];
  const host = (bracketed ?? plain)?.toLowerCase();
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  if (ipaddr.isValidCIDR(host)) return { port, network: ipaddr.parseCIDR(host) };
  if (ipaddr.isValid(host)) {
    const address = ipaddr.process(host);
    return { port, network: [address, address.kind() === 'ipv4' ? 32 : 128] };
  }
  return bracketed === undefined && NAME.test(host) && !/^[\d.]+$/.test(host) ? { port, name: host } : undefined;
}

export class AllowList {
  constructor(private readonly entries: readonly AllowEntry[]) {}

  hasPort(port: number): boolean {
    return this.entries.some((entry) => entry.port === port);
  }

  hasName(name: string, port: number): boolean {
    return this.entries.some((entry) => entry.name === name && entry.port === port);
  }

  /** @param exact only an entry for that one address counts, not a network around it (SEC-15). */
  hasAddress(address: Address, port: number, { exact = false } = {}): boolean {
    return this.entries.some(({ network, port: listed }) => {
      if (!network || listed !== port || network[0].kind() !== address.kind()) return false;
      if (exact && network[1] < (address.kind() === 'ipv4' ? 32 : 128)) return false;
      return (address as ipaddr.IPv6).match(network as [ipaddr.IPv6, number]);
    });
  }
}
