/**
 * What an outbound request may reach (SEC-10 to SEC-15).
 *
 * Two looks: at the URL, before anything is resolved, and at every address of its name, before anything is connected.
 * Whoever connects does so to an address that `addresses` has returned, and looks nothing up again.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AllowList } from './allow-list';
import { EgressError } from './egress-error';
import type { OwnServices } from './own-services';
import type { Resolve } from './resolver';

export interface Target {
  readonly url: URL;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

export interface EgressPolicyOptions {
  readonly allow: AllowList;
  readonly own: OwnServices;
  readonly resolve: Resolve;
  /** The setting that holds the list, for the words of a refusal. */
  readonly setting: string;
}

const PUBLIC_PORTS = [80, 443, 8080, 8443];
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** Names that stand for machines nearby, whatever they resolve to (SEC-14). */
const NEARBY = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|localdomain|home\.arpa)$/;
export const MAX_URL = 8192;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

export class EgressPolicy {
  constructor(private readonly options: EgressPolicyOptions) {}

  /** @throws EgressError `egress_denied` for a URL that is refused whatever its name resolves to. */
  target(text: string | URL): Target {
    const url = parse(text);
    if (!(url.protocol in DEFAULT_PORTS)) throw denied('only http:// and https:// addresses are fetched.');
    if (url.username !== '' || url.password !== '')
      throw denied('an address with a user name or password is not fetched.');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port) || DEFAULT_PORTS[url.protocol]!;
    const { allow, own, setting } = this.options;
    if (allow.hasName(host, port)) return { url, host, port };
    if (host.endsWith('.')) throw denied('a host name that ends in a dot is not fetched.');
    if (own.hasName(host, port)) throw this.refused(host);
    if (!PUBLIC_PORTS.includes(port) && !allow.hasPort(port)) {
      throw denied(`port ${port} is not fetched from; ports are ${PUBLIC_PORTS.join(', ')} and those in ${setting}.`);
    }
    if (isIP(host) === 0 && NEARBY.test(host)) throw this.refused(host);
    return { url, host, port };
  }

  /**
   * The addresses that a target may be reached at. One that may not be refuses all of them: a name with a good and a
   * bad address is not half good (SEC-12).
   *
   * @throws EgressError `egress_denied`, in the same words for a name that nobody knows.
   */
  async addresses({ host, port }: Target): Promise<readonly string[]> {
    const { allow, resolve } = this.options;
    const found = isIP(host) !== 0 ? [host] : await resolve(host).catch(() => []);
    if (found.length === 0) throw this.refused(host);
    if (allow.hasName(host, port)) return found;
    for (const address of found) if (!(await this.allows(address, port))) throw this.refused(host);
    return found;
  }

  private async allows(address: string, port: number): Promise<boolean> {
    if (isIP(address) === 0) return false;
    const { allow, own, resolve } = this.options;
    const checked = ipaddr.process(address);
    if (allow.hasAddress(checked, port, { exact: true })) return true;
    if (await own.hasAddress(address, port, resolve)) return false;
    return (isPublic(checked) && PUBLIC_PORTS.includes(port)) || allow.hasAddress(checked, port);
  }

  private refused(host: string): EgressError {
    return denied(
      `${host} does not lead to a public web server: no such name, or not public. ` +
        `An operator may allow a host and port of the own network (setting ${this.options.setting}).`,
    );
  }
}

/** Whether anybody on the internet could have this address (SEC-10); `process` has unwrapped mapped forms. */
export function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6);
}

function parse(text: string | URL): URL {
  if (typeof text !== 'string') return text;
  if (text.length > MAX_URL) throw denied(`the address has ${text.length} characters, at most ${MAX_URL} are taken.`);
  if (!URL.canParse(text)) throw denied('that is not a web address. It begins with http:// or https://.');
  return new URL(text);
}

const denied = (words: string) => new EgressError('egress_denied', words);
