/** The roles of docs/databases.md, made as it says on real engines, and what they may do when nothing else holds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { MariaDb } from '../support/mariadb';
import { startPostgres } from '../support/postgres-server';
import { tellSkipped } from '../support/skipped';

const GUIDE = readFileSync(join(__dirname, '../../docs/databases.md'), 'utf8');
const PASSWORD = 'of-the-guide';

/** The statements below a heading of the guide, one by one. */
function statementsFor(engine: string): string[] {
  const [, sql = ''] = new RegExp(`^${engine}[^]*?:\\n\\n\`\`\`sql\\n([^]*?)\\n\`\`\``, 'm').exec(GUIDE) ?? [];
  const plain = sql.replace(/^--.*$/gm, '').replaceAll('…', PASSWORD);
  return plain
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter(Boolean);
}

const WRITES = [
  'INSERT INTO orders VALUES (2)',
  'UPDATE orders SET id = 3',
  'DELETE FROM orders',
  'CREATE TABLE mine (id int)',
  'DROP TABLE orders',
];

describe('a user made as docs/databases.md says', () => {
  it('reads and does nothing else in PostgreSQL', async () => {
    const server = await startPostgres('18', { auth: 'scram-sha-256' });
    try {
      const owner = await server.connect();
      for (const statement of ['CREATE DATABASE erp', 'CREATE ROLE erp_owner']) await owner.query(statement);
      await owner.end();
      const inErp = await server.connect('erp');
      await inErp.query('CREATE SCHEMA sales; CREATE TABLE sales.orders (id int); INSERT INTO sales.orders VALUES (1)');
      await inErp.query('CREATE FUNCTION sales.wipe() RETURNS void LANGUAGE sql AS $$ DELETE FROM sales.orders $$');
      await inErp.query('GRANT USAGE, CREATE ON SCHEMA sales TO erp_owner');
      const statements = statementsFor('PostgreSQL');
      expect(statements.length).toBeGreaterThan(6);
      for (const statement of statements) await inErp.query(statement);
      await inErp.query('SET ROLE erp_owner; CREATE TABLE sales.later (id int)');
      await inErp.query('CREATE FUNCTION sales.later_wipe() RETURNS void LANGUAGE sql AS $$ DELETE FROM sales.later $$');
      await inErp.end();
      const reader = new Client({ host: '127.0.0.1', port: server.port, user: 'reader', password: PASSWORD, database: 'erp' });
      await reader.connect();
      // What the session's default forbids is forbidden by rights as well.
      await reader.query('SET default_transaction_read_only = off; SET search_path = sales');
      for (const [sql, count] of [['SELECT * FROM orders', 1], ['SELECT * FROM later', 0]] as const) {
        expect((await reader.query(sql)).rowCount).toBe(count);
      }
      for (const sql of [...WRITES, 'CREATE TEMPORARY TABLE mine (id int)', 'SELECT wipe()', 'SELECT later_wipe()', "COPY orders TO '/tmp/x'"]) {
        await expect(reader.query(sql)).rejects.toThrow(/permission denied (?!for table later)|must be owner/);
      }
      await reader.end();
    } finally {
      await server.stop();
    }
  }); // prettier-ignore

  const missing = MariaDb.missing();
  if (missing) tellSkipped(`the user of MariaDB: ${missing}`);
  (missing ? it.skip : it)('reads and does nothing else in MariaDB', async () => {
    const server = await MariaDb.start({ options: ['--ssl=0'] });
    try {
      for (const statement of ['CREATE DATABASE erp', 'CREATE TABLE erp.orders (id int)', 'INSERT INTO erp.orders VALUES (1)']) {
        await server.query(statement);
      }
      // This server has no certificate.
      expect(statementsFor('MySQL and MariaDB')).toHaveLength(2);
      for (const statement of statementsFor('MySQL and MariaDB')) await server.query(statement.replace('REQUIRE SSL ', ''));
      const reader = await createConnection({ host: '127.0.0.1', port: server.port, user: 'reader', password: PASSWORD, database: 'erp' });
      const [rows] = await reader.query('SELECT * FROM orders');
      expect(rows).toEqual([{ id: 1 }]);
      for (const sql of [...WRITES, "SELECT 1 INTO OUTFILE '/tmp/x'", 'SET GLOBAL max_connections = 1']) {
        await expect(reader.query(sql)).rejects.toThrow(/denied/);
      }
      await reader.end();
    } finally {
      await server.stop();
    }
  }); // prettier-ignore
});
