import { InvalidRequestError, NotFoundError } from '@app/contract';
import { IsNull, type DataSource, type EntityManager } from 'typeorm';
import { SCOPES, type Scope } from '../caller';
import { DEFAULT_ORGANISATION, OrganisationDirectory } from '../organisations/organisation-directory';
import { ApiKey } from './api-key.entity';
import { hashOf, newKey } from './key-format';

export interface NewKey {
  /** What it is for, 1 to 100 characters. */
  readonly name: string;
  /** Made when there is none of that name. Default: `default`. */
  readonly organisation?: string;
  /** Default: `read` and `write`. */
  readonly scopes?: readonly Scope[];
  /** Default: never. */
  readonly expiresAt?: Date;
}

export interface KeyInfo {
  readonly id: string;
  readonly name: string;
  readonly organisation: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

/** Two first starts at once make one key. */
const BOOTSTRAP_LOCK = 7_015_002;

/** API keys: made, listed, taken back. Who comes with one is `AccessService`'s question. */
export class KeyService {
  private readonly organisations: OrganisationDirectory;

  constructor(private readonly dataSource: DataSource) {
    this.organisations = new OrganisationDirectory(dataSource);
  }

  /**
   * @returns the key, which is told this once, and what can be told of it later.
   * @throws InvalidRequestError
   */
  async create(request: NewKey): Promise<{ key: string; info: KeyInfo }> {
    check(request);
    const { id: organisationId, name: organisation } = await this.organisations.findOrCreate(
      request.organisation ?? DEFAULT_ORGANISATION,
    );
    return this.insert(this.dataSource.manager, { ...request, organisation, organisationId });
  }

  /** All keys, oldest first, also expired and revoked ones. */
  async list(): Promise<KeyInfo[]> {
    const keys = await this.dataSource
      .getRepository(ApiKey)
      .find({ relations: { organisation: true }, order: { createdAt: 'ASC', id: 'ASC' } });
    return keys.map((key) => infoOf(key, key.organisation.name));
  }

  /**
   * Every server refuses the key within five seconds. Again: nothing.
   *
   * @throws NotFoundError
   */
  async revoke(id: string): Promise<void> {
    const keys = this.dataSource.getRepository(ApiKey);
    const { affected } = await keys.update({ id, revokedAt: IsNull() }, { revokedAt: new Date() });
    if (!affected && !(await keys.existsBy({ id }))) throw new NotFoundError(`There is no key ${id}.`);
  }

  /** Which of these keys are good no longer: revoked, expired or gone. */
  async unusable(ids: readonly string[]): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT asked.id FROM unnest($1::text[]) AS asked (id) LEFT JOIN api_keys k ON k.id = asked.id
        WHERE k.id IS NULL OR k.revoked_at IS NOT NULL OR k.expires_at <= now()`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  /** The first key, with every scope, or undefined when there has ever been one. */
  async ensureBootstrapKey(): Promise<string | undefined> {
    const { id: organisationId, name: organisation } = await this.organisations.findOrCreate(DEFAULT_ORGANISATION);
    return this.dataSource.transaction(async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock($1)', [BOOTSTRAP_LOCK]);
      if (await manager.exists(ApiKey)) return undefined;
      const { key } = await this.insert(manager, { name: 'bootstrap', scopes: SCOPES, organisation, organisationId });
      return key;
    });
  }

  private async insert(
    manager: EntityManager,
    request: NewKey & { readonly organisation: string; readonly organisationId: string },
  ): Promise<{ key: string; info: KeyInfo }> {
    const { id, key } = newKey();
    const row = manager.create(ApiKey, {
      id,
      organisationId: request.organisationId,
      name: request.name,
      hash: hashOf(key),
      scopes: [...(request.scopes ?? ['read', 'write'])],
      expiresAt: request.expiresAt ?? null,
      revokedAt: null,
    });
    await manager.insert(ApiKey, row);
    return { key, info: infoOf(row, request.organisation) };
  }
}

function check({ name, scopes, expiresAt }: NewKey): void {
  if (name.length < 1 || name.length > 100) throw new InvalidRequestError('name: 1 to 100 characters.');
  if (scopes && (!scopes.length || scopes.some((scope) => !SCOPES.includes(scope)))) {
    throw new InvalidRequestError(`scopes: one or more of ${SCOPES.join(', ')}.`);
  }
  if (expiresAt && !(expiresAt.getTime() > Date.now())) throw new InvalidRequestError('expires: a time to come.');
}

const infoOf = (key: ApiKey, organisation: string): KeyInfo => ({
  id: key.id,
  name: key.name,
  organisation,
  scopes: key.scopes,
  createdAt: key.createdAt,
  ...(key.expiresAt && { expiresAt: key.expiresAt }),
  ...(key.revokedAt && { revokedAt: key.revokedAt }),
});
