import type { DataSource } from 'typeorm';
import { dropIfEmpty } from './artifact-store.typeorm';
import { RevisionJournal, type DeadRevision } from './revision-journal';

/** RevisionJournal in PostgreSQL, written in the same transactions as the artifacts. */
export class TypeOrmRevisionJournal extends RevisionJournal {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  abandon(revisions: readonly string[]): Promise<void> {
    return this.giveUp(`revision = ANY($1)`, [revisions]);
  }

  abandonAll(): Promise<void> {
    return this.giveUp('true', []);
  }

  dead(): Promise<DeadRevision[]> {
    return this.dataSource.query(
      `SELECT r.revision, r.collection_id AS collection, co.id IS NULL AS dropped
        FROM index_revisions r LEFT JOIN collections co ON co.id = r.collection_id WHERE r.state = 'removing'
        ORDER BY r.created_at LIMIT 1000`,
    );
  }

  async forget(revisions: readonly string[]): Promise<void> {
    await this.dataSource.query(`DELETE FROM index_revisions WHERE state = 'removing' AND revision = ANY($1)`, [
      revisions,
    ]);
  }

  async living(revisions: readonly string[]): Promise<string[]> {
    const rows: { revision: string }[] = await this.dataSource.query(
      `SELECT revision FROM artifacts WHERE revision::text = ANY($1::text[])`,
      [revisions],
    );
    return rows.map(({ revision }) => revision);
  }

  async collections(): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(`SELECT id FROM collections`);
    return rows.map(({ id }) => id);
  }

  private giveUp(condition: string, parameters: unknown[]): Promise<void> {
    return this.dataSource.transaction(async (database) => {
      const given: { collection_id: string }[] = await database.query(
        `WITH given AS (UPDATE index_revisions SET state = 'removing' WHERE state = 'writing' AND ${condition}
          RETURNING collection_id) SELECT DISTINCT collection_id FROM given`,
        parameters,
      );
      // Waits for whoever is just opening a revision there.
      const collections = given.map(({ collection_id }) => collection_id);
      await database.query(`SELECT id FROM collections WHERE id = ANY($1) ORDER BY id FOR UPDATE`, [collections]);
      await dropIfEmpty(database, collections);
    });
  }
}
