import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  /** For `DATABASE_URL`. */
  readonly url: string;
  /** Also with connections open to it. */
  drop(): Promise<void>;
}

/**
 * A fresh, empty database on the server of this run.
 *
 * @param more what `CREATE DATABASE` is told besides the name.
 */
export async function createTestDatabase(more = ''): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(`CREATE DATABASE ${name} ${more}`);
  const url = new URL(process.env.TEST_DATABASE_URL!);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Statements in it, as its owner. */
export const runIn = ({ url }: TestDatabase, statements: string): Promise<void> => run(statements, url);

async function run(statement: string, connectionString = process.env.TEST_DATABASE_URL): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
