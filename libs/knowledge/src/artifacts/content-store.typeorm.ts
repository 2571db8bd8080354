import type { Caller } from '@app/access';
import { TooLargeError, type ContextFilter } from '@app/contract';
import type { DataSource } from 'typeorm';
import { ContentStore, MAX_CONTENTS, type ArtifactText } from './content-store';
import { ingestedDocument } from './ingested-document';
import type { PassageStore } from './passage-store';
import { ARTIFACT_COLUMNS, storedArtifact, type ArtifactRow } from './stored-artifact';

/** ContentStore in PostgreSQL. */
export class TypeOrmContentStore extends ContentStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passages: PassageStore,
  ) {
    super();
  }

  async read(caller: Caller, filter: ContextFilter): Promise<ArtifactText[]> {
    const scope = await this.passages.scope(caller, filter);
    if (!scope) return [];
    const artifacts: ArtifactRow[] = await this.dataSource.query(
      `SELECT ${ARTIFACT_COLUMNS} FROM artifacts a JOIN collections co ON co.id = a.collection_id
        WHERE co.organisation_id = $1 AND co.id = $2 AND ($3::uuid[] IS NULL OR a.revision = ANY($3))
        ORDER BY a.name COLLATE "C" LIMIT ${MAX_CONTENTS + 1}`,
      [caller.organisationId, scope.collection, scope.revisions ?? null],
    );
    if (artifacts.length > MAX_CONTENTS) {
      throw new TooLargeError(
        `limit_exceeded: the filter lets more than ${MAX_CONTENTS} artifacts through. Name those that are wanted in context_filter.artifacts.`,
      );
    }
    const rows: { artifact_id: string; text: string; headings: string[] }[] = await this.dataSource.query(
      `SELECT artifact_id, text, headings FROM chunks WHERE artifact_id = ANY($1) ORDER BY artifact_id, position`,
      [artifacts.map(({ id }) => id)],
    );
    return artifacts.map((row) => ({
      artifact: row.name,
      document: ingestedDocument(storedArtifact(row)),
      passages: rows.filter(({ artifact_id }) => artifact_id === row.id),
    }));
  }
}
