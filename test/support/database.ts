import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  /** For `DATABASE_URL`. */
  readonly url: string;
  /** Also with connections open to it. */
  drop(): Promise<void>;
}

/** A fresh, empty database on the server of this run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(process.env.TEST_DATABASE_URL!);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function run(statement: string): Promise<void> {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
