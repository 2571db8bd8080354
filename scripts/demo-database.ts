/**
 * A database with orders of a shop, made for the demo in the server's own PostgreSQL, and a role that may only read it.
 *
 * That PostgreSQL has a Unix socket and no port. Databases of requests are named by host and port, so for as long as the
 * demo runs a port of loopback leads to the socket.
 */
import { symlink, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const DATABASE = 'demo_shop';
const READER = 'demo_reader';
const PASSWORD = 'only-to-read';
const SOCKET = '.s.PGSQL.5432';
/** Socket paths end at 104 bytes on macOS, 108 on Linux. */
const MAX_SOCKET_PATH = 100;

const SCHEMA = `
CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, city text NOT NULL);
CREATE TABLE products (id integer PRIMARY KEY, name text NOT NULL, category text NOT NULL, price numeric(8, 2) NOT NULL);
CREATE TABLE orders (
  id integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers,
  product_id integer NOT NULL REFERENCES products,
  ordered_on date NOT NULL,
  quantity integer NOT NULL,
  amount numeric(10, 2) NOT NULL
);
COMMENT ON TABLE orders IS 'One line for each order of a customer';
COMMENT ON COLUMN orders.amount IS 'In EUR, quantity times price';
INSERT INTO customers VALUES
  (1, 'Acequia SL', 'Valencia'), (2, 'Norte Aguas', 'Bilbao'), (3, 'Fontana', 'Valencia'), (4, 'Riego Sur', 'Sevilla');
INSERT INTO products VALUES
  (1, 'HydroScan 3', 'sensors', 349.00), (2, 'pH probe', 'sensors', 89.50), (3, 'Filter set', 'spare parts', 24.90);
INSERT INTO orders
  SELECT n, 1 + n % 4, p.id, date '2025-01-01' + n * 3, 1 + n * 7 % 11, p.price * (1 + n * 7 % 11)
  FROM generate_series(1, 110) n JOIN products p ON p.id = 1 + n % 3;
CREATE ROLE ${READER} LOGIN PASSWORD '${PASSWORD}' CONNECTION LIMIT 4;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${READER};
`;

export interface DemoDatabase {
  /** As `tool_context` takes it. */
  readonly connectionString: string;
  close(): Promise<void>;
}

/** @param folder the data folder of a server that runs. */
export async function openDemoDatabase(folder: string): Promise<DemoDatabase> {
  const socket = await socketOf(join(folder, 'postgres'));
  const bridge = createServer((client) => bridged(client, connect(socket.path)));
  await new Promise<void>((resolve, reject) => bridge.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = bridge.address() as AddressInfo;
  const close = async () => {
    bridge.close();
    await socket.release();
  };
  try {
    await run(port, 'postgres', `CREATE DATABASE ${DATABASE}`);
    await run(port, DATABASE, SCHEMA);
  } catch (error) {
    await close();
    throw error;
  }
  return { connectionString: `postgresql://${READER}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}`, close };
}

async function run(port: number, database: string, statements: string): Promise<void> {
  const client = new Client({ host: '127.0.0.1', port, user: 'toolwright', database });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** The path of the socket, by a name that is short enough for one. */
async function socketOf(folder: string): Promise<{ path: string; release: () => Promise<void> }> {
  const path = join(folder, SOCKET);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return { path, release: () => Promise.resolve() };
  const holder = await mkdtemp(join(tmpdir(), 'tw-'));
  await symlink(folder, join(holder, 's'));
  return { path: join(holder, 's', SOCKET), release: () => rm(holder, { recursive: true, force: true }) };
}

function bridged(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}
