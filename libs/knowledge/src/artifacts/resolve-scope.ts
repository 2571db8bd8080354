/** What a filter lets through, and reading it all as of one moment. */
import type { Caller } from '@app/access';
import type { ContextFilter } from '@app/contract';
import type { DataSource, EntityManager } from 'typeorm';
import { ArtifactNotReadyError } from './artifact.errors';
import { metadataCondition } from './metadata-filter';
import type { Scope } from './passage-store';
import { sqlText } from './sql-text';

type Queries = Pick<EntityManager, 'query'>;

interface CollectionRow {
  readonly id: string;
  readonly embedder_id: string;
  readonly dimensions: number;
  readonly version: string;
  readonly settled: boolean;
}

/**
 * Reads what a filter lets through: every query sees the artifacts as they were at the first one. Without that, what is
 * replaced in the middle is neither found as it was nor as it is.
 *
 * @throws what `PassageStore.scope` throws.
 */
export function readScope<Row>(
  dataSource: Pick<DataSource, 'transaction'>,
  caller: Caller,
  filter: ContextFilter,
  read: (database: Queries, scope: Scope) => Promise<Row[]>,
): Promise<Row[]> {
  return dataSource.transaction('REPEATABLE READ', async (database) => {
    const scope = await resolveScope(database, caller, filter);
    return scope ? read(database, scope) : [];
  });
}

/** See `PassageStore.scope`. */
export async function resolveScope(
  database: Queries,
  caller: Caller,
  filter: ContextFilter,
): Promise<Scope | undefined> {
  const [found]: CollectionRow[] = await database.query(
    `SELECT id, embedder_id, dimensions, version,
        NOT EXISTS (SELECT FROM index_revisions r WHERE r.collection_id = co.id) AS settled
      FROM collections co WHERE organisation_id = $1 AND name = $2`,
    [caller.organisationId, sqlText(filter.collection)],
  );
  if (!found && filter.artifacts?.length) throw new ArtifactNotReadyError(filter.artifacts[0] as string);
  const revisions = await revisionsIn(database, found?.id, filter);
  if (!found) return undefined;
  const embedder = { id: found.embedder_id, dimensions: found.dimensions };
  const { id, version, settled } = found;
  return { collection: id, embedder, version, settled, ...(revisions && { revisions }) };
}

/** Undefined: the filter narrows nothing. */
async function revisionsIn(
  database: Queries,
  collection: string | undefined,
  { artifacts, metadata_filter: conditions }: ContextFilter,
): Promise<string[] | undefined> {
  if (!artifacts && !conditions) return undefined;
  if (artifacts?.length === 0) return [];
  const parameters: unknown[] = [collection ?? null, artifacts?.map(sqlText) ?? null];
  const condition = metadataCondition(conditions ?? [], (value) => {
    parameters.push(typeof value === 'string' ? sqlText(value) : value);
    return `$${parameters.length}`;
  });
  if (!collection) return undefined;
  const rows: { name: string; revision: string; wanted: boolean }[] = await database.query(
    `SELECT a.name, a.revision, ${condition} AS wanted FROM artifacts a JOIN collections co ON co.id = a.collection_id
      WHERE co.id = $1 AND ($2::text[] IS NULL OR a.name = ANY($2))`,
    parameters,
  );
  const ready = new Set(rows.map(({ name }) => name));
  const missing = artifacts?.find((name) => !ready.has(name));
  if (missing !== undefined) throw new ArtifactNotReadyError(missing);
  return rows.filter(({ wanted }) => wanted).map(({ revision }) => revision);
}
