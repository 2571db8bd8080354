import { randomUUID } from 'node:crypto';
import type { Caller } from '@app/access';
import { InvalidRequestError } from '@app/contract';
import type { DataSource, EntityManager } from 'typeorm';
import {
  ArtifactStore,
  MAX_ARTIFACTS,
  MAX_COLLECTIONS,
  MAX_STORED_BYTES,
  type ArtifactAddress,
  type ArtifactContent,
  type NewChunk,
  type NewRevision,
  type StoredArtifact,
} from './artifact-store';
import { EmbedderMismatchError, IngestCancelledError } from './artifact.errors';
import { sqlJson, sqlText } from './sql-text';
import { ARTIFACT_COLUMNS, storedArtifact } from './stored-artifact';

/** Chunks that go to the database in one statement. */
const BATCH = 1000;

interface CollectionRow {
  readonly id: string;
  readonly embedder_id: string;
  readonly dimensions: number;
}

/**
 * ArtifactStore in PostgreSQL. Who changes an artifact holds a lock on its name until the transaction ends, so that
 * changes come one after another, also from several servers.
 */
export class TypeOrmArtifactStore extends ArtifactStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async find(caller: Caller, { collection, artifact }: ArtifactAddress): Promise<StoredArtifact | undefined> {
    const [row] = await this.dataSource.query(
      `SELECT ${ARTIFACT_COLUMNS} FROM artifacts a JOIN collections co ON co.id = a.collection_id
        WHERE co.organisation_id = $1 AND co.name = $2 AND a.name = $3`,
      [caller.organisationId, sqlText(collection), sqlText(artifact)],
    );
    return row && storedArtifact(row);
  }

  async list(caller: Caller, collection: string): Promise<StoredArtifact[]> {
    const rows = await this.dataSource.query(
      `SELECT ${ARTIFACT_COLUMNS} FROM artifacts a JOIN collections co ON co.id = a.collection_id
        WHERE co.organisation_id = $1 AND co.name = $2 ORDER BY a.name COLLATE "C"`,
      [caller.organisationId, sqlText(collection)],
    );
    return rows.map(storedArtifact);
  }

  open(caller: Caller, revision: NewRevision): Promise<string> {
    return this.dataSource.transaction(async (database) => {
      const { id, embedder_id, dimensions } = await openCollection(database, caller, revision);
      if (embedder_id !== revision.embedder.id || dimensions !== revision.embedder.dimensions) {
        throw new EmbedderMismatchError(revision.collection, { id: embedder_id, dimensions }, revision.embedder);
      }
      await checkQuota(database, caller, id, revision);
      await database.query(
        `INSERT INTO index_revisions (revision, collection_id, artifact, state) VALUES ($1, $2, $3, 'writing')`,
        [revision.revision, id, revision.artifact],
      );
      return id;
    });
  }

  publish(caller: Caller, revision: string, content: ArtifactContent): Promise<StoredArtifact> {
    return this.dataSource.transaction(async (database) => {
      const [collection] = await database.query(`SELECT id FROM collections WHERE organisation_id = $1 AND name = $2`, [
        caller.organisationId,
        content.collection,
      ]);
      if (!collection) throw new IngestCancelledError(content.artifact);
      await lockName(database, collection.id, content.artifact);
      // The fence: a revision that `remove` has cancelled is no longer there to be published.
      const [open] = await database.query(
        `WITH opened AS (DELETE FROM index_revisions WHERE revision = $1 AND collection_id = $2 AND state = 'writing'
          RETURNING revision) SELECT * FROM opened`,
        [revision, collection.id],
      );
      if (!open) throw new IngestCancelledError(content.artifact);
      await replaceArtifact(database, caller, collection.id, revision, content);
      await database.query(`UPDATE collections SET version = version + 1 WHERE id = $1`, [collection.id]);
      const [row] = await database.query(
        `SELECT ${ARTIFACT_COLUMNS} FROM artifacts a JOIN collections co ON co.id = a.collection_id
          WHERE a.collection_id = $1 AND a.name = $2`,
        [collection.id, content.artifact],
      );
      return storedArtifact(row);
    });
  }

  remove(caller: Caller, { collection, artifact }: ArtifactAddress): Promise<boolean> {
    return this.dataSource.transaction(async (database) => {
      const [found] = await database.query(`SELECT id FROM collections WHERE organisation_id = $1 AND name = $2`, [
        caller.organisationId,
        sqlText(collection),
      ]);
      if (!found) return false;
      const name = sqlText(artifact);
      await lockName(database, found.id, name);
      const cancelled = await database.query(
        `WITH cancelled AS (UPDATE index_revisions SET state = 'removing'
          WHERE collection_id = $1 AND artifact = $2 AND state = 'writing' RETURNING revision) SELECT * FROM cancelled`,
        [found.id, name],
      );
      const removed = await database.query(
        `WITH removed AS (DELETE FROM artifacts WHERE collection_id = $1 AND name = $2 RETURNING revision),
          journal AS (INSERT INTO index_revisions (revision, collection_id, artifact, state)
            SELECT revision, $1::uuid, $2::text, 'removing' FROM removed)
          SELECT * FROM removed`,
        [found.id, name],
      );
      if (removed.length === 0) return cancelled.length > 0;
      await database.query(`UPDATE collections SET version = version + 1 WHERE id = $1`, [found.id]);
      await dropIfEmpty(database, [found.id]);
      return true;
    });
  }
}

/** Collections in which nothing is stored or being written make room for others, and for another embedder. */
export async function dropIfEmpty(database: EntityManager, collections: readonly string[]): Promise<void> {
  await database.query(
    `DELETE FROM collections co WHERE co.id = ANY($1)
      AND NOT EXISTS (SELECT FROM artifacts a WHERE a.collection_id = co.id)
      AND NOT EXISTS (SELECT FROM index_revisions r WHERE r.collection_id = co.id AND r.state = 'writing')`,
    [collections],
  );
}

async function openCollection(
  database: EntityManager,
  { organisationId }: Caller,
  { collection, embedder }: NewRevision,
): Promise<CollectionRow> {
  // Locked, so that it is not dropped as empty before this revision is noted.
  const [found] = await database.query(
    `SELECT id, embedder_id, dimensions FROM collections WHERE organisation_id = $1 AND name = $2 FOR UPDATE`,
    [organisationId, collection],
  );
  if (found) return found;
  const [{ count }] = await database.query(
    `SELECT count(*)::int AS count FROM collections WHERE organisation_id = $1`,
    [organisationId],
  );
  if (count >= MAX_COLLECTIONS) {
    throw new InvalidRequestError(`limit_exceeded: an organisation may have ${MAX_COLLECTIONS} collections.`);
  }
  const [made] = await database.query(
    `INSERT INTO collections (id, organisation_id, name, embedder_id, dimensions) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (organisation_id, name) DO UPDATE SET name = excluded.name RETURNING id, embedder_id, dimensions`,
    [randomUUID(), organisationId, collection, embedder.id, embedder.dimensions],
  );
  return made;
}

async function checkQuota(
  database: EntityManager,
  { organisationId }: Caller,
  collection: string,
  { artifact, byteSize }: NewRevision,
): Promise<void> {
  const [{ artifacts, bytes }] = await database.query(
    `SELECT count(*)::int AS artifacts, coalesce(sum(a.byte_size), 0)::float8 AS bytes
      FROM artifacts a JOIN collections co ON co.id = a.collection_id
      WHERE co.organisation_id = $1 AND (a.collection_id, a.name) <> ($2, $3)`,
    [organisationId, collection, artifact],
  );
  if (artifacts >= MAX_ARTIFACTS) {
    throw new InvalidRequestError(`limit_exceeded: an organisation may have ${MAX_ARTIFACTS} artifacts.`);
  }
  if (bytes + byteSize > MAX_STORED_BYTES) {
    throw new InvalidRequestError(
      `limit_exceeded: the artifacts of an organisation may have ${MAX_STORED_BYTES / 1024 ** 3} GiB in all.`,
    );
  }
}

const lockName = (database: EntityManager, collection: string, artifact: string) =>
  database.query(`SELECT pg_advisory_xact_lock(hashtextextended($1 || '/' || $2, 0))`, [collection, artifact]);

async function replaceArtifact(
  database: EntityManager,
  { organisationId }: Caller,
  collection: string,
  revision: string,
  content: ArtifactContent,
): Promise<void> {
  await database.query(
    `WITH old AS (DELETE FROM artifacts WHERE collection_id = $1 AND name = $2 RETURNING revision)
      INSERT INTO index_revisions (revision, collection_id, artifact, state) SELECT revision, $1::uuid, $2::text, 'removing' FROM old`,
    [collection, content.artifact],
  );
  const id = randomUUID();
  await database.query(
    `INSERT INTO artifacts (id, collection_id, name, revision, file_name, content_hash, metadata, byte_size, chunk_count,
        origin, ingested_at) VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10::jsonb, now())`,
    [
      id,
      collection,
      content.artifact,
      revision,
      content.fileName,
      content.contentHash,
      JSON.stringify(content.metadata),
      content.byteSize,
      content.chunks.length,
      content.origin ? JSON.stringify(content.origin) : null,
    ],
  );
  for (let at = 0; at < content.chunks.length; at += BATCH) {
    await insertChunks(database, id, content.chunks.slice(at, at + BATCH));
  }
  for (const [position, { file, report }] of (content.tables ?? []).entries()) {
    await database.query(
      `INSERT INTO artifact_tables (id, organisation_id, artifact_id, position, file, report) VALUES ($1, $2, $3, $4, $5, $6::jsonb)`,
      [randomUUID(), organisationId, id, position, file, sqlJson(report)],
    );
  }
}

const insertChunks = (database: EntityManager, artifact: string, chunks: readonly NewChunk[]) =>
  database.query(
    `INSERT INTO chunks (id, artifact_id, position, position_under_heading, headings, page, text)
      SELECT id, $1::uuid, position, position_under_heading, headings::jsonb, page, text
        FROM unnest($2::uuid[], $3::int[], $4::int[], $5::text[], $6::int[], $7::text[])
          AS c (id, position, position_under_heading, headings, page, text)`,
    [
      artifact,
      chunks.map(({ id }) => id),
      chunks.map(({ position }) => position),
      chunks.map(({ positionUnderHeading }) => positionUnderHeading),
      chunks.map(({ headings }) => JSON.stringify(headings.map(sqlText))),
      chunks.map(({ page }) => page ?? null),
      chunks.map(({ text }) => sqlText(text)),
    ],
  );
