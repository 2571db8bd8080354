import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who had which tool run, and what came of it; nothing of what was asked or answered (SEC-140). */
export class CreateToolCallAudit1796062110000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tool_call_audit (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL,
        organisation_id uuid NOT NULL REFERENCES organisations (id),
        key_id text,
        tool text NOT NULL,
        target text NOT NULL,
        verdict text NOT NULL,
        token text,
        bytes bigint NOT NULL,
        ms int NOT NULL
      )`);
    await runner.query('CREATE INDEX tool_call_audit_by_organisation ON tool_call_audit (organisation_id, at)');
    await runner.query('CREATE INDEX tool_call_audit_by_time ON tool_call_audit (at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tool_call_audit');
  }
}
