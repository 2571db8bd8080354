import { join } from 'node:path';
import type { Caller } from '@app/access';
import type { ContextFilter } from '@app/contract';
import type { DataSource } from 'typeorm';
import { readScope } from '../artifacts/resolve-scope';
import type { TableReport } from './table-report';
import { TableStore, type StoredTable } from './table-store';

interface TableRow {
  readonly id: string;
  readonly artifact: string;
  readonly collection: string;
  readonly file_name: string;
  readonly file: string;
  readonly report: TableReport;
}

/** TableStore in PostgreSQL, over Parquet files in a folder. */
export class TypeOrmTableStore extends TableStore {
  /** @param folder in which the files are. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly folder: string,
  ) {
    super();
  }

  async find(caller: Caller, filter: ContextFilter): Promise<StoredTable[]> {
    const rows = await readScope<TableRow>(this.dataSource, caller, filter, (database, scope) =>
      database.query(
        `SELECT t.id, a.name AS artifact, co.name AS collection, a.file_name, t.file, t.report
        FROM artifact_tables t JOIN artifacts a ON a.id = t.artifact_id JOIN collections co ON co.id = a.collection_id
        WHERE t.organisation_id = $1 AND co.organisation_id = $1 AND co.id = $2
          AND ($3::uuid[] IS NULL OR a.revision = ANY($3))
        ORDER BY a.name COLLATE "C", t.position`,
        [caller.organisationId, scope.collection, scope.revisions ?? null],
      ),
    );
    return rows.map(({ file_name: fileName, file, ...row }) => ({ ...row, fileName, file: join(this.folder, file) }));
  }
}
