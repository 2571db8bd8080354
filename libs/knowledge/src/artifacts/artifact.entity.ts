import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ArtifactOrigin } from './artifact-store';
import type { TableReport } from '../tables/table-report';

/** Artifacts under one name of one organisation, whose vectors come from one embedder. */
@Entity('collections')
@Index(['organisationId', 'name'], { unique: true })
export class CollectionEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'organisation_id' })
  readonly organisationId!: string;

  @Column('text')
  readonly name!: string;

  @Column('text', { name: 'embedder_id' })
  readonly embedderId!: string;

  @Column('int')
  readonly dimensions!: number;

  /** Goes up whenever an artifact appears, changes or goes. */
  @Column('bigint', { default: 0 })
  readonly version!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt!: Date;
}

/** A document that is complete and searchable. One that is only being ingested has no row here yet. */
@Entity('artifacts')
@Index(['collectionId', 'name'], { unique: true })
export class ArtifactEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'collection_id' })
  readonly collectionId!: string;

  /** The caller's artifact id. */
  @Column('text')
  readonly name!: string;

  /** The ingest whose chunks are live; the index holds them under it. */
  @Column('uuid')
  readonly revision!: string;

  @Column('text', { name: 'file_name' })
  readonly fileName!: string;

  @Column('text', { name: 'content_hash' })
  readonly contentHash!: string;

  /** As the caller gave it, without the server's keys. */
  @Column('jsonb')
  readonly metadata!: Record<string, unknown>;

  /** Of one that was fetched. */
  @Column('jsonb', { nullable: true })
  readonly origin!: ArtifactOrigin | null;

  @Column('bigint', { name: 'byte_size' })
  readonly byteSize!: string;

  @Column('int', { name: 'chunk_count' })
  readonly chunkCount!: number;

  @Column('timestamptz', { name: 'ingested_at' })
  readonly ingestedAt!: Date;
}

/** A passage of a live artifact. */
@Entity('chunks')
@Index(['artifactId', 'position'])
export class ChunkEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'artifact_id' })
  readonly artifactId!: string;

  @Column('int')
  readonly position!: number;

  @Column('int', { name: 'position_under_heading' })
  readonly positionUnderHeading!: number;

  /** Outermost first. */
  @Column('jsonb')
  readonly headings!: string[];

  @Column('int', { nullable: true })
  readonly page!: number | null;

  @Column('text')
  readonly text!: string;
}

/** A table of a live artifact. */
@Entity('artifact_tables')
@Index(['artifactId', 'position'], { unique: true })
export class ArtifactTableEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Index()
  @Column('uuid', { name: 'organisation_id' })
  readonly organisationId!: string;

  @Column('uuid', { name: 'artifact_id' })
  readonly artifactId!: string;

  /** Its place in the file, counted from 0. */
  @Column('int')
  readonly position!: number;

  /** The Parquet file, as a path below the folder of all tables. */
  @Column('text', { unique: true })
  readonly file!: string;

  @Column('jsonb')
  readonly report!: TableReport;
}

/**
 * Revisions whose records in the index are not, or no longer, live: `writing` ones may still become so, `removing`
 * ones are to leave the index. The row outlives its collection, so that the index can be told to drop that.
 */
@Entity('index_revisions')
@Index(['collectionId', 'artifact'])
export class IndexRevisionEntity {
  @PrimaryColumn('uuid')
  readonly revision!: string;

  @Column('uuid', { name: 'collection_id' })
  readonly collectionId!: string;

  @Column('text')
  readonly artifact!: string;

  @Column('text')
  readonly state!: 'writing' | 'removing';

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt!: Date;
}

export const KNOWLEDGE_ENTITIES = [
  CollectionEntity,
  ArtifactEntity,
  ChunkEntity,
  ArtifactTableEntity,
  IndexRevisionEntity,
];
