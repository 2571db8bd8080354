import type { IngestedDocument } from '@app/contract';
import type { StoredArtifact } from './artifact-store';

/** Metadata keys that only the server writes (messages-api §14.1, SEC-103). */
export const SERVER_KEYS = [
  'artifact_id',
  'collection',
  'hash',
  'embedder',
  'dimensions',
  'chunk_count',
  'ingested_at',
] as const;

/** Names under which tenants are kept apart; in metadata and in filters they are refused (SEC-101, SEC-103). */
export const TENANT_KEYS: ReadonlySet<string> = new Set(
  ['org', 'organisation', 'organization', 'tenant'].flatMap((name) => [name, `${name}_id`]),
);

/** The caller's metadata, with the server's own keys laid over it. */
export function ingestedDocument(artifact: StoredArtifact): IngestedDocument {
  const ours: Record<(typeof SERVER_KEYS)[number] | 'file_name', unknown> = {
    artifact_id: artifact.artifact,
    collection: artifact.collection,
    file_name: artifact.fileName,
    hash: artifact.contentHash,
    embedder: artifact.embedder.id,
    dimensions: artifact.embedder.dimensions,
    chunk_count: artifact.chunkCount,
    ingested_at: artifact.ingestedAt.toISOString().replace(/Z$/, '000Z'),
  };
  return { object: 'ingest.document', artifact: artifact.artifact, doc_metadata: { ...artifact.metadata, ...ours } };
}
