import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateArtifactsAndChunks1796061660000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE collections (
        id uuid PRIMARY KEY,
        organisation_id uuid NOT NULL REFERENCES organisations (id),
        name text NOT NULL,
        embedder_id text NOT NULL,
        dimensions int NOT NULL CHECK (dimensions > 0),
        version bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (organisation_id, name)
      )`);
    await runner.query(`
      CREATE TABLE artifacts (
        id uuid PRIMARY KEY,
        collection_id uuid NOT NULL REFERENCES collections (id),
        name text NOT NULL,
        revision uuid NOT NULL UNIQUE,
        file_name text NOT NULL,
        content_hash text NOT NULL,
        metadata jsonb NOT NULL CHECK (jsonb_typeof(metadata) = 'object'),
        byte_size bigint NOT NULL,
        chunk_count int NOT NULL,
        ingested_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (collection_id, name)
      )`);
    await runner.query(`
      CREATE TABLE chunks (
        id uuid PRIMARY KEY,
        artifact_id uuid NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
        position int NOT NULL,
        position_under_heading int NOT NULL,
        headings jsonb NOT NULL,
        page int,
        text text NOT NULL
      )`);
    await runner.query('CREATE INDEX chunks_by_artifact ON chunks (artifact_id, position)');
    // No reference to the collection: the row outlives it, until the index has let go of its records.
    await runner.query(`
      CREATE TABLE index_revisions (
        revision uuid PRIMARY KEY,
        collection_id uuid NOT NULL,
        artifact text NOT NULL,
        state text NOT NULL CHECK (state IN ('writing', 'removing')),
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX index_revisions_by_artifact ON index_revisions (collection_id, artifact)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE index_revisions');
    await runner.query('DROP TABLE chunks');
    await runner.query('DROP TABLE artifacts');
    await runner.query('DROP TABLE collections');
  }
}
