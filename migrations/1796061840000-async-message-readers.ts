import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who reads which message, over all processes. Worth nothing after a crash of the database, and not logged. */
export class AsyncMessageReaders1796061840000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE async_message_readers (
        message_id uuid NOT NULL,
        place int NOT NULL,
        process uuid NOT NULL,
        PRIMARY KEY (message_id, place)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE async_message_readers');
  }
}
