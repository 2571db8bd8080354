/**
 * Whose key it is.
 *
 * Keys that were good a moment ago are good without asking the database. Bad ones ask each time, whether their id
 * exists or not, so that the time an answer takes tells nothing about ids.
 */
import { timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { Caller, Scope } from '../caller';
import { hashOf, keyIdOf } from './key-format';

/** With the time of the question, less than the five seconds after which a revoked key must be useless (SEC-110). */
const FRESH_MS = 4000;
const MAX_REMEMBERED = 10_000;
const NO_HASH = Buffer.alloc(32);
const NO_ID = '        ';

/** One row in any case: a key that does not exist costs what one costs that does. */
const LOOK_UP = `
  SELECT k.id, k.hash, k.scopes, k.expires_at, k.revoked_at, k.organisation_id, o.name AS organisation
  FROM (VALUES ($1)) AS asked (id)
  LEFT JOIN api_keys k ON k.id = asked.id
  LEFT JOIN organisations o ON o.id = k.organisation_id`;

/** All null when there is no such key. */
interface KeyRow {
  readonly id: string | null;
  readonly hash: Buffer | null;
  readonly scopes: Scope[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly organisation_id: string;
  readonly organisation: string;
}

interface Remembered {
  readonly caller: Caller;
  readonly freshUntil: number;
}

export class KeyRing {
  /** By hash: the ring holds no key either. Good ones only. */
  private readonly remembered = new Map<string, Remembered>();
  private readonly asking = new Map<string, Promise<Caller | 'invalid' | 'expired'>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly now: () => number,
  ) {}

  async find(credential: string): Promise<Caller | 'invalid' | 'expired'> {
    const hash = hashOf(credential);
    const name = hash.toString('base64');
    const fresh = this.freshByName(name);
    if (fresh) return fresh;
    // A thousand streams that begin at once ask once.
    const asked = this.asking.get(name) ?? this.ask(credential, hash, name);
    this.asking.set(name, asked);
    return asked.finally(() => this.asking.delete(name));
  }

  /** Whose it is, if it was good a moment ago. */
  fresh(credential: string): Caller | undefined {
    return this.freshByName(hashOf(credential).toString('base64'));
  }

  /** Whether the credential was good when last looked at. */
  knows(credential: string): boolean {
    return this.remembered.has(hashOf(credential).toString('base64'));
  }

  private freshByName(name: string): Caller | undefined {
    const remembered = this.remembered.get(name);
    return remembered && remembered.freshUntil > this.now() ? remembered.caller : undefined;
  }

  private async ask(credential: string, hash: Buffer, name: string): Promise<Caller | 'invalid' | 'expired'> {
    const asked = this.now();
    const [key] = await this.dataSource.query<[KeyRow]>(LOOK_UP, [keyIdOf(credential) ?? NO_ID]);
    const same = timingSafeEqual(key.hash ?? NO_HASH, hash);
    if (!key.id || !same || key.revoked_at) {
      this.remembered.delete(name);
      return 'invalid';
    }
    const expires = key.expires_at?.getTime() ?? Infinity;
    if (expires <= asked) {
      this.remembered.delete(name);
      return 'expired';
    }
    const { organisation_id: organisationId, organisation, id: keyId, scopes } = key;
    const caller = { organisationId, organisation, keyId, scopes };
    this.remember(name, { caller, freshUntil: Math.min(asked + FRESH_MS, expires) });
    return caller;
  }

  private remember(name: string, entry: Remembered): void {
    this.remembered.delete(name);
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
    this.remembered.set(name, entry);
  }
}
