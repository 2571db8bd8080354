/**
 * Who is asking.
 *
 * In the server profile the key says it, and the key's organisation is the only one. In the local profile nobody
 * needs a key, `x-org` picks the organisation, and a credential that comes along is not looked at: clients insist on
 * sending one.
 */
import { OverloadedError, PlatformError } from '@app/contract';
import { isDatabaseDown, type Config } from '@app/platform';
import type { DataSource } from 'typeorm';
import { SCOPES, type Caller, type Scope } from './caller';
import { credentialsOf, type CredentialHeaders } from './credentials';
import { FailedAttempts } from './failed-attempts';
import { KeyRing } from './keys/key-ring';
import type { Organisation } from './organisations/organisation.entity';
import { checkName, DEFAULT_ORGANISATION, OrganisationDirectory } from './organisations/organisation-directory';

export class AccessService {
  private readonly keys: KeyRing;
  private readonly organisations: OrganisationDirectory;
  private readonly failed: FailedAttempts;

  constructor(
    dataSource: DataSource,
    private readonly config: Pick<Config, 'profile'>,
    now: () => number = Date.now,
  ) {
    this.keys = new KeyRing(dataSource, now);
    this.organisations = new OrganisationDirectory(dataSource);
    this.failed = new FailedAttempts(20, now);
  }

  /** Who it is, where that is known without asking anybody: nearly always. Undefined leaves it to `authenticate`. */
  known(headers: CredentialHeaders): Caller | undefined {
    if (this.config.profile === 'local') {
      const organisation = this.organisations.found(headers.organisation || DEFAULT_ORGANISATION);
      return organisation && localCaller(organisation);
    }
    const [credential] = credentialsOf(headers);
    const caller = credential === undefined ? undefined : this.keys.fresh(credential);
    return caller && (!headers.organisation || headers.organisation === caller.organisation) ? caller : undefined;
  }

  /**
   * @param ip of the caller, or of the proxy where none is trusted.
   * @throws PlatformError 401 without a good key, 403 for another organisation's name, 429 after twenty failures in a
   *   minute, 529 when the database cannot be asked; InvalidRequestError for a name that is not one.
   */
  async authenticate(headers: CredentialHeaders, ip: string): Promise<Caller> {
    try {
      return this.config.profile === 'local' ? await this.local(headers) : await this.byKey(headers, ip);
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
      throw new OverloadedError('The database cannot be reached at the moment. Try again shortly.', {
        retryAfter: 1,
        cause: error,
      });
    }
  }

  private async local({ organisation }: CredentialHeaders): Promise<Caller> {
    return localCaller(await this.organisations.findOrCreate(organisation || DEFAULT_ORGANISATION));
  }

  private async byKey(headers: CredentialHeaders, ip: string): Promise<Caller> {
    const caller = await this.ownerOf(credentialsOf(headers), ip);
    const { organisation } = headers;
    if (!organisation || organisation === caller.organisation) return caller;
    checkName(organisation);
    throw new PlatformError(
      'permission_error',
      'The API key belongs to another organisation than x-org names. Leave x-org out, or use a key of that one.',
    );
  }

  private async ownerOf(credentials: readonly string[], ip: string): Promise<Caller> {
    if (!credentials.length) {
      throw new PlatformError(
        'authentication_error',
        'An API key is needed: send it as "Authorization: Bearer <key>" or as "x-api-key: <key>".',
      );
    }
    const blocked = this.failed.blockedFor(ip) !== undefined;
    let trouble = 'The API key is not valid.';
    for (const credential of credentials) {
      // One bad client behind a shared address must not lock out those who are at work.
      if (blocked && !this.keys.knows(credential)) continue;
      const found = await this.keys.find(credential);
      if (typeof found === 'object') return found;
      if (found === 'expired') trouble = 'The API key has expired.';
    }
    // Asked again: others may have failed while the database was asked.
    const blockedFor = this.failed.blockedFor(ip);
    if (blockedFor !== undefined) {
      throw new PlatformError('rate_limit_error', 'Too many failed authentications from this address.', {
        retryAfter: blockedFor,
      });
    }
    this.failed.add(ip);
    throw new PlatformError('authentication_error', trouble);
  }
}

const localCaller = ({ id, name }: Organisation): Caller => ({
  organisationId: id,
  organisation: name,
  scopes: SCOPES,
});

/** @throws PlatformError 403 when the caller's key lacks the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  throw new PlatformError('permission_error', `The API key lacks the scope "${scope}".`);
}
