import { InvalidRequestError } from '@app/contract';
import type { DataSource } from 'typeorm';
import { Organisation } from './organisation.entity';

/** The organisation of a request that names none. */
export const DEFAULT_ORGANISATION = 'default';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/**
 * Organisations by name, made when they are first named.
 *
 * They are never removed, so what was found once is remembered.
 */
export class OrganisationDirectory {
  private readonly known = new Map<string, Organisation>();
  private readonly asked = new Map<string, Promise<Organisation>>();

  /** @param limit how many there may be; one more is refused. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly limit = 1000,
  ) {}

  /** @throws InvalidRequestError when the name is not one, or there are too many organisations already. */
  async findOrCreate(name: string): Promise<Organisation> {
    checkName(name);
    const found = this.known.get(name) ?? this.asked.get(name);
    if (found) return found;
    const asked = this.load(name);
    this.asked.set(name, asked);
    try {
      const organisation = await asked;
      this.known.set(name, organisation);
      return organisation;
    } finally {
      this.asked.delete(name);
    }
  }

  /** One that was found before. */
  found(name: string): Organisation | undefined {
    return this.known.get(name);
  }

  private async load(name: string): Promise<Organisation> {
    const organisations = this.dataSource.getRepository(Organisation);
    const found = await organisations.findOneBy({ name });
    if (found) return found;
    if ((await organisations.count()) >= this.limit) {
      throw new InvalidRequestError(
        `limit_exceeded: there are ${this.limit} organisations already, and x-org names a new one.`,
      );
    }
    await organisations.createQueryBuilder().insert().values({ name }).orIgnore().execute();
    return organisations.findOneByOrFail({ name });
  }
}

/** @throws InvalidRequestError */
export function checkName(name: string): void {
  if (NAME.test(name)) return;
  throw new InvalidRequestError(
    'x-org: an organisation is named by 1 to 63 letters, digits, dots, hyphens and underscores, beginning with a ' +
      'letter or a digit.',
  );
}
