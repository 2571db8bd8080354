import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateArtifactTables1796061780000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE artifact_tables (
        id uuid PRIMARY KEY,
        organisation_id uuid NOT NULL REFERENCES organisations (id),
        artifact_id uuid NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
        position int NOT NULL,
        file text NOT NULL UNIQUE,
        report jsonb NOT NULL CHECK (jsonb_typeof(report) = 'object'),
        UNIQUE (artifact_id, position)
      )`);
    await runner.query('CREATE INDEX artifact_tables_by_organisation ON artifact_tables (organisation_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE artifact_tables');
  }
}
