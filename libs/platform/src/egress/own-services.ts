/**
 * The services that this installation itself is made of: the database, the model servers, the API (SEC-15). A fetch
 * reaches none of them, even in a network that the operator allows, unless that very host and port is listed.
 */
import { networkInterfaces } from 'node:os';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config/config';
import type { Resolve } from './resolver';

interface Service {
  readonly host: string;
  readonly port: number;
  /** Not in the configuration, but likely to be there. */
  readonly isGuess?: boolean;
}

const RESOLVED_FOR_MS = 60_000;
/** Where a model server is looked for on this machine, and where our own PostgreSQL and its like listen by default. */
const LOOPBACK_PORTS = [11434, 1234, 8000, 8080, 5432];
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export class OwnServices {
  private readonly services: Service[] = [];
  private readonly resolved = new Map<string, { readonly at: number; readonly addresses: Promise<string[]> }>();

  /** All that the configuration names. */
  static of({ model, embeddings, database, http }: Config): OwnServices {
    const own = new OwnServices();
    for (const url of [model.baseUrl, embeddings.baseUrl]) if (url !== undefined) own.addUrl(url);
    if (database.url) own.addUrl(database.url.reveal(), 5432);
    for (const port of LOOPBACK_PORTS) own.services.push({ host: '127.0.0.1', port, isGuess: true });
    if (http.port !== 0) own.add(http.host, http.port);
    for (const name of http.hosts) own.add(name, http.port);
    return own;
  }

  /** A service on all addresses of this machine is added with the host `0.0.0.0` or `::`. */
  add(host: string, port: number): void {
    this.services.push({ host: host.toLowerCase().replace(/^\[|\]$/g, ''), port });
  }

  addUrl(text: string, defaultPort = 443): void {
    if (!URL.canParse(text)) return;
    const { protocol, hostname, port } = new URL(text);
    this.add(hostname, Number(port) || (DEFAULT_PORTS[protocol] ?? defaultPort));
  }

  hasName(name: string, port: number): boolean {
    return this.services.some((service) => service.host === name && service.port === port);
  }

  /** @param guesses whether what only may be one of them counts, too. */
  async hasAddress(address: string, port: number, resolve: Resolve, { guesses = true } = {}): Promise<boolean> {
    const wanted = normal(address);
    for (const service of this.services) {
      if (service.port !== port || (service.isGuess && !guesses)) continue;
      if ((await this.addressesOf(service.host, resolve)).includes(wanted)) return true;
    }
    return false;
  }

  private async addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
    if (host === 'localhost' || (isIP(host) !== 0 && ipaddr.process(host).range() !== 'unicast')) {
      // Whatever listens on one loopback address, or on all, is taken to be reachable by every name of this machine.
      const range = host === 'localhost' ? 'loopback' : ipaddr.process(host).range();
      if (range === 'loopback' || range === 'unspecified') return machineAddresses();
    }
    if (isIP(host) !== 0) return [normal(host)];
    const known = this.resolved.get(host);
    if (known && Date.now() - known.at < RESOLVED_FOR_MS) return known.addresses;
    const addresses = resolve(host).then(
      (found) => found.map(normal),
      () => [],
    );
    this.resolved.set(host, { at: Date.now(), addresses });
    return addresses;
  }
}

/** All loopback addresses are one: whoever listens on all of them is reached by each. */
function normal(address: string): string {
  const processed = ipaddr.process(address);
  return processed.range() === 'loopback' ? '127.0.0.1' : processed.toString();
}

function machineAddresses(): string[] {
  const found = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  return ['127.0.0.1', ...found.map((address) => normal(address.split('%')[0]!))];
}
