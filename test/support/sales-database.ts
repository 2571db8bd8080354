/** A PostgreSQL with a schema of sales, one that is not the caller's to see, and a role that may only read. */
import {
  startPostgres,
  type PostgresServer,
  type PostgresServerOptions,
  type PostgresVersion,
} from './postgres-server';

/** With whatever would break a connection string that is taken apart carelessly. */
export const CANARY = 'S3CR3T-p@ss/w:ord%?#&';
export const READER = 'reader';

const SCHEMA = `
CREATE SCHEMA sales;
CREATE SCHEMA hr;
CREATE TYPE sales.state AS ENUM ('open', 'paid', 'returned');
CREATE TABLE sales.customers (id bigint PRIMARY KEY, name text NOT NULL, city text);
CREATE TABLE sales.orders (
  id bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES sales.customers,
  ordered_at timestamptz NOT NULL,
  state sales.state NOT NULL,
  amount numeric(20, 2)
);
CREATE TABLE sales.odd (big bigint, exact numeric(30, 10), moment timestamptz, local timestamp, bytes bytea, list integer[], doc jsonb, nothing text, yes boolean);
CREATE VIEW sales.paid_orders AS SELECT * FROM sales.orders WHERE state = 'paid';
CREATE TABLE hr.salaries (name text, salary numeric);
INSERT INTO hr.salaries VALUES ('Ana', 99999);
INSERT INTO sales.customers VALUES (1, 'Acequia', 'Valencia'), (2, 'Norte', 'Bilbao'), (3, 'Sur', NULL);
INSERT INTO sales.orders
  SELECT n, 1 + n % 3, timestamptz '2025-01-01 00:00+00' + n * interval '1 day', (ARRAY['open', 'paid', 'returned'])[1 + n % 3]::sales.state, n * 10.25
  FROM generate_series(1, 30) n;
INSERT INTO sales.odd VALUES (9007199254740993, 12345678901234567890.1234567890, '2025-03-30 01:30:00+00', '2025-03-30 02:30:00', '\\x00ff', '{1,NULL,3}', '{"a": [1, {"b": null}]}', NULL, true);
CREATE ROLE ${READER} LOGIN PASSWORD '${CANARY.replaceAll("'", "''")}';
GRANT USAGE ON SCHEMA sales, hr TO ${READER};
GRANT SELECT ON ALL TABLES IN SCHEMA sales, hr TO ${READER};
ALTER ROLE ${READER} SET timezone = 'Europe/Madrid';
`;

export interface SalesDatabase {
  readonly server: PostgresServer;
  connectionString(over?: {
    readonly port?: number;
    readonly host?: string;
    readonly password?: string;
    readonly query?: string;
  }): string;
  /** As its superuser. */
  query<Row = Record<string, unknown>>(sql: string): Promise<Row[]>;
}

export async function salesDatabase(
  version: PostgresVersion,
  options: PostgresServerOptions = {},
): Promise<SalesDatabase> {
  const server = await startPostgres(version, { auth: 'scram-sha-256', ...options });
  const query = async <Row>(sql: string) => {
    const client = await server.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  await query(SCHEMA);
  return {
    server,
    query,
    connectionString: ({ port = server.port, host = '127.0.0.1', password = CANARY, query: parameters = '' } = {}) =>
      `postgresql://${READER}:${encodeURIComponent(password)}@${host}:${port}/postgres${parameters}`,
  };
}
