import type { Caller } from '@app/access';
import { TooLargeError, type ContextFilter } from '@app/contract';
import type { DataSource } from 'typeorm';
import { ContentStore, MAX_CONTENTS, type ArtifactText } from './content-store';
import type { PassageStore } from './passage-store';

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
    const artifacts: { id: string; name: string }[] = await this.dataSource.query(
      `SELECT a.id, a.name FROM artifacts a JOIN collections co ON co.id = a.collection_id
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
    return artifacts.map(({ id, name }) => ({
      artifact: name,
      passages: rows.filter(({ artifact_id }) => artifact_id === id),
    }));
  }
}
