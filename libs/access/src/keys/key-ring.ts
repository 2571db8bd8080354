/**
 * Whose key it is.
 *
 * Keys that were good a moment ago are good without asking the database. Bad ones ask each time, whether their id
 * exists or not, so that the time an answer takes tells nothing about ids.
 */
import { timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { Caller } from '../caller';
import { ApiKey } from './api-key.entity';
import { hashOf, keyIdOf } from './key-format';

/** With the time of the question, less than the five seconds after which a revoked key must be useless (SEC-110). */
const FRESH_MS = 4000;
const MAX_REMEMBERED = 10_000;
const NO_HASH = Buffer.alloc(32);
const NO_ID = '        ';

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
    const remembered = this.remembered.get(name);
    if (remembered && remembered.freshUntil > this.now()) return remembered.caller;
    // A thousand streams that begin at once ask once.
    const asked = this.asking.get(name) ?? this.ask(credential, hash, name);
    this.asking.set(name, asked);
    return asked.finally(() => this.asking.delete(name));
  }

  /** Whether the credential was good when last looked at. */
  knows(credential: string): boolean {
    return this.remembered.has(hashOf(credential).toString('base64'));
  }

  private async ask(credential: string, hash: Buffer, name: string): Promise<Caller | 'invalid' | 'expired'> {
    const asked = this.now();
    const key = await this.dataSource
      .getRepository(ApiKey)
      .findOne({ where: { id: keyIdOf(credential) ?? NO_ID }, relations: { organisation: true } });
    const same = timingSafeEqual(key?.hash ?? NO_HASH, hash);
    if (!key || !same || key.revokedAt) {
      this.remembered.delete(name);
      return 'invalid';
    }
    const expires = key.expiresAt?.getTime() ?? Infinity;
    if (expires <= asked) {
      this.remembered.delete(name);
      return 'expired';
    }
    const { organisation } = key;
    const caller = {
      organisationId: organisation.id,
      organisation: organisation.name,
      keyId: key.id,
      scopes: key.scopes,
    };
    this.remember(name, { caller, freshUntil: Math.min(asked + FRESH_MS, expires) });
    return caller;
  }

  private remember(name: string, entry: Remembered): void {
    this.remembered.delete(name);
    if (this.remembered.size >= MAX_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
    this.remembered.set(name, entry);
  }
}
