import type { ArtifactOrigin, StoredArtifact } from './artifact-store';

/** The columns of an artifact `a` and its collection `co` that make a StoredArtifact. */
export const ARTIFACT_COLUMNS = `a.id, a.name, a.file_name, a.content_hash, a.metadata, a.origin, a.chunk_count, a.ingested_at,
  co.name AS collection, co.embedder_id, co.dimensions`;

export interface ArtifactRow {
  readonly id: string;
  readonly name: string;
  readonly file_name: string;
  readonly content_hash: string;
  readonly metadata: Record<string, unknown>;
  readonly origin: ArtifactOrigin | null;
  readonly chunk_count: number;
  readonly ingested_at: Date;
  readonly collection: string;
  readonly embedder_id: string;
  readonly dimensions: number;
}

export const storedArtifact = (row: ArtifactRow): StoredArtifact => ({
  id: row.id,
  collection: row.collection,
  artifact: row.name,
  fileName: row.file_name,
  contentHash: row.content_hash,
  metadata: row.metadata,
  embedder: { id: row.embedder_id, dimensions: row.dimensions },
  ...(row.origin && { origin: row.origin }),
  chunkCount: row.chunk_count,
  ingestedAt: row.ingested_at,
});
