import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAccess1796061600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organisations (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        name text NOT NULL UNIQUE,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE api_keys (
        id text PRIMARY KEY,
        organisation_id uuid NOT NULL REFERENCES organisations (id),
        name text NOT NULL,
        hash bytea NOT NULL CHECK (octet_length(hash) = 32),
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz
      )`);
    await runner.query('CREATE INDEX api_keys_by_organisation ON api_keys (organisation_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_keys');
    await runner.query('DROP TABLE organisations');
  }
}
