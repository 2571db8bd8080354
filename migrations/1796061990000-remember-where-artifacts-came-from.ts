import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RememberWhereArtifactsCameFrom1796061990000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE artifacts ADD COLUMN origin jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE artifacts DROP COLUMN origin');
  }
}
