import type { Caller } from '@app/access';
import type { ContextFilter } from '@app/contract';
import type { DataSource } from 'typeorm';
import { PassageStore, type LiveChunks, type ReadPassages, type Scope } from './passage-store';
import { resolveScope } from './resolve-scope';
import { ARTIFACT_COLUMNS, storedArtifact, type ArtifactRow } from './stored-artifact';

interface PassageRow extends ArtifactRow {
  readonly version: string;
  readonly chunk: string;
  readonly text: string;
  readonly headings: string[];
  readonly page: number | null;
  readonly position: number;
  readonly position_under_heading: number;
  readonly before?: string[];
  readonly after?: string[];
}

/** PassageStore in PostgreSQL. */
export class TypeOrmPassageStore extends PassageStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  scope(caller: Caller, filter: ContextFilter): Promise<Scope | undefined> {
    return resolveScope(this.dataSource, caller, filter);
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
  ): Promise<ReadPassages> {
    if (chunks.length === 0) return { passages: [] };
    const rows: PassageRow[] = await this.dataSource.query(
      `SELECT ${ARTIFACT_COLUMNS}, co.version, c.id AS chunk, c.text, c.headings, c.page, c.position,
          c.position_under_heading${neighbours > 0 ? `, ${BEFORE} AS before, ${AFTER} AS after` : ''}
        FROM unnest($3::uuid[]) WITH ORDINALITY AS wanted (id, place) JOIN chunks c ON c.id = wanted.id
          JOIN artifacts a ON a.id = c.artifact_id JOIN collections co ON co.id = a.collection_id
        WHERE co.id = $2 AND co.organisation_id = $1 ORDER BY wanted.place`,
      [organisationId, collection, chunks, ...(neighbours > 0 ? [neighbours] : [])],
    );
    return {
      version: rows[0]?.version,
      passages: rows.map((row) => ({
        id: row.chunk,
        text: row.text,
        headings: row.headings,
        page: row.page ?? undefined,
        position: row.position,
        positionUnderHeading: row.position_under_heading,
        artifact: storedArtifact(row),
        before: row.before ?? [],
        after: row.after ?? [],
      })),
    };
  }
}

/** Texts between two positions that stand in the same section as `c`. */
const neighbouring = (from: string, to: string) =>
  `ARRAY(SELECT n.text FROM chunks n WHERE n.artifact_id = c.artifact_id AND n.position BETWEEN ${from} AND ${to}
    AND n.headings = c.headings AND n.position - n.position_under_heading = c.position - c.position_under_heading
    ORDER BY n.position)`;
const BEFORE = neighbouring('c.position - $4', 'c.position - 1');
const AFTER = neighbouring('c.position + 1', 'c.position + $4');
