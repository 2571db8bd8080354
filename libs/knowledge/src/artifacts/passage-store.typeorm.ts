import type { Caller } from '@app/access';
import type { ContextFilter } from '@app/contract';
import type { DataSource } from 'typeorm';
import { ArtifactNotReadyError } from './artifact.errors';
import { metadataCondition } from './metadata-filter';
import { PassageStore, type LiveChunks, type Passage, type Scope } from './passage-store';
import { sqlText } from './sql-text';
import { ARTIFACT_COLUMNS, storedArtifact, type ArtifactRow } from './stored-artifact';

interface CollectionRow {
  readonly id: string;
  readonly embedder_id: string;
  readonly dimensions: number;
  readonly version: string;
}

interface PassageRow {
  readonly id: string;
  readonly artifact_id: string;
  readonly text: string;
  readonly headings: string[];
  readonly page: number | null;
  readonly position: number;
  readonly position_under_heading: number;
  readonly before: string[] | null;
  readonly after: string[] | null;
}

/** PassageStore in PostgreSQL. */
export class TypeOrmPassageStore extends PassageStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async scope(caller: Caller, filter: ContextFilter): Promise<Scope | undefined> {
    const [found]: CollectionRow[] = await this.dataSource.query(
      `SELECT id, embedder_id, dimensions, version FROM collections WHERE organisation_id = $1 AND name = $2`,
      [caller.organisationId, sqlText(filter.collection)],
    );
    if (!found && filter.artifacts?.length) throw new ArtifactNotReadyError(filter.artifacts[0] as string);
    const revisions = await this.revisions(found?.id, filter);
    if (!found) return undefined;
    const embedder = { id: found.embedder_id, dimensions: found.dimensions };
    return { collection: found.id, embedder, version: found.version, ...(revisions && { revisions }) };
  }

  async live({ organisationId }: Caller, collection: string, chunks: readonly string[]): Promise<LiveChunks> {
    const [row]: { version: string | null; chunks: string[]; unpublished: string[] }[] = await this.dataSource.query(
      `SELECT (SELECT version FROM collections WHERE id = $2 AND organisation_id = $1) AS version,
        ARRAY(SELECT c.id FROM chunks c JOIN artifacts a ON a.id = c.artifact_id JOIN collections co ON co.id = a.collection_id
          WHERE c.id = ANY($3) AND co.id = $2 AND co.organisation_id = $1) AS chunks,
        ARRAY(SELECT revision FROM index_revisions WHERE collection_id = $2 AND state = 'writing') AS unpublished`,
      [organisationId, collection, chunks],
    );
    return { version: row?.version ?? undefined, chunks: new Set(row?.chunks), unpublished: new Set(row?.unpublished) };
  }

  async read(
    { organisationId }: Caller,
    collection: string,
    chunks: readonly string[],
    { neighbours }: { readonly neighbours: number },
  ): Promise<Passage[]> {
    if (chunks.length === 0) return [];
    const rows: PassageRow[] = await this.dataSource.query(
      `SELECT c.id, c.artifact_id, c.text, c.headings, c.page, c.position, c.position_under_heading,
          ${neighbouring('c.position - $4', 'c.position - 1')} AS before,
          ${neighbouring('c.position + 1', 'c.position + $4')} AS after
        FROM unnest($3::uuid[]) WITH ORDINALITY AS wanted (id, place) JOIN chunks c ON c.id = wanted.id
          JOIN artifacts a ON a.id = c.artifact_id JOIN collections co ON co.id = a.collection_id
        WHERE co.id = $2 AND co.organisation_id = $1 ORDER BY wanted.place`,
      [organisationId, collection, chunks, neighbours],
    );
    const artifacts: ArtifactRow[] = await this.dataSource.query(
      `SELECT ${ARTIFACT_COLUMNS} FROM artifacts a JOIN collections co ON co.id = a.collection_id
        WHERE a.id = ANY($3) AND co.id = $2 AND co.organisation_id = $1`,
      [organisationId, collection, [...new Set(rows.map(({ artifact_id }) => artifact_id))]],
    );
    const byId = new Map(artifacts.map((row) => [row.id, storedArtifact(row)]));
    return rows.flatMap((row) => {
      const artifact = byId.get(row.artifact_id);
      if (!artifact) return [];
      return {
        id: row.id,
        text: row.text,
        headings: row.headings,
        page: row.page ?? undefined,
        position: row.position,
        positionUnderHeading: row.position_under_heading,
        artifact,
        before: row.before ?? [],
        after: row.after ?? [],
      };
    });
  }

  /** Undefined: the filter narrows nothing. */
  private async revisions(
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
    const rows: { name: string; revision: string; wanted: boolean }[] = await this.dataSource.query(
      `SELECT a.name, a.revision, ${condition} AS wanted FROM artifacts a JOIN collections co ON co.id = a.collection_id
        WHERE co.id = $1 AND ($2::text[] IS NULL OR a.name = ANY($2))`,
      parameters,
    );
    const ready = new Set(rows.map(({ name }) => name));
    const missing = artifacts?.find((name) => !ready.has(name));
    if (missing !== undefined) throw new ArtifactNotReadyError(missing);
    return rows.filter(({ wanted }) => wanted).map(({ revision }) => revision);
  }
}

/** Texts between two positions that stand in the same section as `c`. */
const neighbouring = (from: string, to: string) =>
  `ARRAY(SELECT n.text FROM chunks n WHERE n.artifact_id = c.artifact_id AND n.position BETWEEN ${from} AND ${to}
    AND n.headings = c.headings AND n.position - n.position_under_heading = c.position - c.position_under_heading
    ORDER BY n.position)`;
