import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AsyncMessages1796061720000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE async_messages (
        id uuid PRIMARY KEY,
        organisation_id uuid NOT NULL REFERENCES organisations (id),
        name text NOT NULL,
        key_id text,
        status text NOT NULL DEFAULT 'pending'
          CHECK (status IN ('pending', 'processing', 'completed', 'cancelled', 'error')),
        worker uuid,
        request bytea CHECK (request IS NULL OR status = 'pending'),
        facts jsonb NOT NULL,
        error_message text,
        event_count int NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        completed_at timestamptz,
        UNIQUE (organisation_id, name)
      )`);
    await runner.query(`
      CREATE INDEX async_messages_under_way ON async_messages (organisation_id) WHERE status IN ('pending', 'processing')`);
    await runner.query('CREATE INDEX async_messages_by_update ON async_messages (updated_at)');
    await runner.query(`
      CREATE TABLE async_message_events (
        message_id uuid NOT NULL REFERENCES async_messages (id) ON DELETE CASCADE,
        position int NOT NULL,
        organisation_id uuid NOT NULL,
        events text NOT NULL,
        PRIMARY KEY (message_id, position)
      )`);
    await runner.query(`
      CREATE TABLE async_workers (
        id uuid PRIMARY KEY,
        seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE async_workers');
    await runner.query('DROP TABLE async_message_events');
    await runner.query('DROP TABLE async_messages');
  }
}
