import type { Caller } from '@app/access';
import { TooLargeError, type ContextFilter } from '@app/contract';
import type { DataSource } from 'typeorm';
import { ContentStore, MAX_CONTENTS, type ArtifactText } from './content-store';
import { ingestedDocument } from './ingested-document';
import type { Scope } from './passage-store';
import { readScope } from './resolve-scope';
import { ARTIFACT_COLUMNS, storedArtifact, type ArtifactRow } from './stored-artifact';

/** ContentStore in PostgreSQL. */
export class TypeOrmContentStore extends ContentStore {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  read(caller: Caller, filter: ContextFilter): Promise<ArtifactText[]> {
    return readScope(this.dataSource, caller, filter, (database, scope) => readTexts(database, caller, scope));
  }
}

async function readTexts(database: Pick<DataSource, 'query'>, caller: Caller, scope: Scope): Promise<ArtifactText[]> {
  const artifacts: ArtifactRow[] = await database.query(
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
  const rows: { artifact_id: string; text: string; headings: string[] }[] = await database.query(
    `SELECT artifact_id, text, headings FROM chunks WHERE artifact_id = ANY($1) ORDER BY artifact_id, position`,
    [artifacts.map(({ id }) => id)],
  );
  return artifacts.map((row) => ({
    artifact: row.name,
    document: ingestedDocument(storedArtifact(row)),
    passages: rows.filter(({ artifact_id }) => artifact_id === row.id),
  }));
}
