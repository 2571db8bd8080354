/**
 * Where the databases may be that requests name (SEC-42, SEC-54; architecture §6, decision 9).
 *
 * | where | local profile | server profile |
 * | --- | --- | --- |
 * | this machine | yes | by an entry for that one host and port |
 * | link-local, metadata, our own services | by an entry for that one host and port | the same |
 * | private networks | by an entry, which may be a network | the same |
 * | public, with verified TLS | yes | by an entry, which may be a network |
 * | public, without | no | no |
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AllowList } from './allow-list';
import { EgressError } from './egress-error';
import { isPublic } from './egress-policy';
import type { OwnServices } from './own-services';
import type { Resolve } from './resolver';

export interface DatabasePolicyOptions {
  readonly profile: 'local' | 'server';
  readonly allow: AllowList;
  readonly own: OwnServices;
  readonly resolve: Resolve;
  /** The setting that holds the list, for the words of a refusal. */
  readonly setting: string;
}

export interface DatabasePlace {
  /** A name or an address as URLs write it, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether TLS is spoken, chain and name verified. */
  readonly tls: boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks of machines that are ours, or of those that know us. */
const PRIVATE = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
/** Where clouds tell a machine its secrets; the well-known one is link-local. */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192']);

export class DatabasePolicy {
  constructor(private readonly options: DatabasePolicyOptions) {}

  /**
   * The addresses that a database may be reached at; whoever connects does so to one of them. One that may not be
   * refuses all of them (SEC-12).
   *
   * @throws EgressError `egress_denied`, in the same words for a name that nobody knows; `connection_failed` for one
   *   that the operator's list has.
   */
  async addresses(place: DatabasePlace): Promise<readonly string[]> {
    const { host, port } = place;
    const isNamed = this.options.allow.hasName(host, port);
    const found = isIP(host) !== 0 ? [host] : await this.options.resolve(host).catch(() => []);
    if (found.length === 0) {
      throw isNamed ? new EgressError('connection_failed', 'the name has no address.') : this.refused();
    }
    for (const address of found) await this.check(address, isNamed, place);
    return found;
  }

  private async check(address: string, isNamed: boolean, { port, tls }: DatabasePlace): Promise<void> {
    if (isIP(address) === 0) throw this.refused();
    const { allow, own, resolve, profile } = this.options;
    const checked = ipaddr.process(address);
    const isListed = isNamed || allow.hasAddress(checked, port, { exact: true });
    const isOwn = () => own.hasAddress(address, port, resolve, { guesses: false });
    if (!isListed && (METADATA.has(checked.toString()) || (await isOwn()))) throw this.refused();
    if (isLoopback(checked)) {
      if (!isListed && profile !== 'local') throw this.refused();
    } else if (isPublic(checked)) {
      if (!isListed && profile !== 'local' && !allow.hasAddress(checked, port)) throw this.refused();
      if (!tls) throw this.unprotected();
    } else if (PRIVATE.has(checked.range())) {
      if (!isListed && !allow.hasAddress(checked, port)) throw this.refused();
    } else if (!isListed) throw this.refused();
  }

  private refused(): EgressError {
    const others =
      this.options.profile === 'local' ? 'Any but one on this machine and a public one with TLS needs' : 'It needs';
    return denied(
      'this database may not be reached from here: its host is not known, or its address is not allowed. ' +
        `${others} an entry for its host and port in the setting ${this.options.setting}.`,
    );
  }

  private unprotected(): EgressError {
    return denied('a database in a public network is reached with verified TLS only: set ssl to true.');
  }
}

const isLoopback = (address: Address): boolean => address.range() === 'loopback';

const denied = (words: string) => new EgressError('egress_denied', words);
