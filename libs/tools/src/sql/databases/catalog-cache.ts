/**
 * Catalogs and samples that were read lately, each for one organisation, one target with its credentials, and one wish.
 *
 * Who has another password reads for themselves: what is kept is what these credentials were shown. The key is a keyed
 * hash of a key that dies with the process; nothing of the target can be read out of it (SEC-135).
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Caller } from '@app/access';
import type { Catalog, CatalogTable, CatalogWish, TableSample } from './catalog';
import type { TableName } from './database-engine';
import { KeptReadings, type KeepLimits } from './kept-readings';
import type { Target } from './target';

const MiB = 2 ** 20;
const CATALOGS: Omit<KeepLimits, 'ageMs'> = { entries: 500, bytes: 128 * MiB, share: 32 * MiB };
const SAMPLES: Omit<KeepLimits, 'ageMs'> = { entries: 20_000, bytes: 64 * MiB, share: 16 * MiB };

export class CatalogCache {
  readonly #key = randomBytes(32);
  private readonly catalogs: KeptReadings<Catalog>;
  private readonly tables: KeptReadings<TableSample | null>;

  /** @param ageMs how long what was read is believed (`DATABASE_SCHEMA_SECONDS`). */
  constructor(ageMs: number, now?: () => number) {
    this.catalogs = new KeptReadings({ ...CATALOGS, ageMs }, sizeOfCatalog, now);
    this.tables = new KeptReadings({ ...SAMPLES, ageMs }, sizeOfSample, now);
  }

  /** @throws what `read` throws, for all who wait for it; the signal's reason. */
  catalog(
    caller: Caller,
    target: Target,
    wish: CatalogWish,
    read: (signal: AbortSignal) => Promise<Catalog>,
    signal: AbortSignal,
  ): Promise<Catalog> {
    return this.catalogs.get(caller.organisationId, this.keyOf(target, wish), read, signal);
  }

  /** The samples of these tables; `read` is asked for those that are not kept. A table without one is left out. */
  async samples(
    caller: Caller,
    target: Target,
    tables: readonly TableName[],
    read: (tables: readonly TableName[], signal: AbortSignal) => Promise<readonly TableSample[]>,
    signal: AbortSignal,
  ): Promise<TableSample[]> {
    const owner = caller.organisationId;
    const keys = tables.map(({ schema, name }) => this.keyOf(target, { schema, name }));
    const known = keys.map((key) => this.tables.peek(owner, key));
    const missing = tables.filter((_, i) => known[i] === undefined);
    if (missing.length > 0) {
      const found = await read(missing, signal);
      tables.forEach((table, i) => {
        if (known[i] !== undefined) return;
        const sample = found.find(({ schema, name }) => schema === table.schema && name === table.name) ?? null;
        this.tables.put(owner, keys[i]!, sample);
        known[i] = sample;
      });
    }
    return known.filter((sample) => sample !== undefined && sample !== null);
  }

  /** For a statement that named what is no longer there: the next question reads the catalog again. */
  forget(caller: Caller, target: Target, wish: CatalogWish): void {
    this.catalogs.forget(caller.organisationId, this.keyOf(target, wish));
  }

  private keyOf(target: Target, of: CatalogWish | TableName): string {
    const hash = createHmac('sha256', this.#key);
    const parts =
      target.engine === 'sqlite'
        ? [target.engine, target.path]
        : [target.engine, target.host, target.port, target.user, target.password.reveal(), target.database, target.tls];
    return hash.update(JSON.stringify([parts, entriesOf(of)])).digest('base64');
  }
}

const entriesOf = (of: object) => Object.entries(of).sort(([one], [other]) => (one < other ? -1 : 1));

/** Of the objects around the texts of a column, and of a table. */
const OBJECT_BYTES = 200;

const sizeOfCatalog = ({ tables, routines }: Catalog): number =>
  OBJECT_BYTES +
  tables.reduce((sum, table) => sum + sizeOfTable(table), 0) +
  routines.reduce((sum, { signature, comment }) => sum + OBJECT_BYTES + 2 * (signature.length + length(comment)), 0);

/** A string takes two bytes a character as soon as one of them is not Latin-1. */
const sizeOfTable = ({ comment, columns, foreignKeys }: CatalogTable): number =>
  columns.reduce(
    (sum, { name, type, comment: said, enumValues = [] }) =>
      sum + OBJECT_BYTES + 2 * (name.length + type.length + length(said) + enumValues.join('').length),
    OBJECT_BYTES * (1 + foreignKeys.length) + 2 * length(comment),
  );

/** With the words of its values, which are remembered as long as it is. */
const sizeOfSample = (sample: TableSample | null): number => (sample ? 6 * JSON.stringify(sample).length : 0);

const length = (text: string | undefined) => text?.length ?? 0;
