/** The same shop in every engine that runs here, asked through the public API with the built-in model. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSqlJs } from '../../libs/tools/src/sql/databases/sqlite/sql-js';
import { MariaDb } from '../support/mariadb';
import { postgresMissing, startPostgres, type PostgresVersion } from '../support/postgres-server';
import { startServer, type TestServer } from '../support/start-server';
import { tellSkipped } from '../support/skipped';

const SHOP = [
  'CREATE TABLE customers (id integer PRIMARY KEY, name varchar(50) NOT NULL, city varchar(50))',
  'CREATE TABLE orders (id integer PRIMARY KEY, customer_id integer NOT NULL, amount decimal(12, 2) NOT NULL, ordered_on date NOT NULL, FOREIGN KEY (customer_id) REFERENCES customers (id))',
  "INSERT INTO customers VALUES (1, 'Acequia', 'Valencia'), (2, 'Norte', 'Bilbao')",
  "INSERT INTO orders VALUES (1, 1, 10.10, '2025-03-01'), (2, 1, 20.25, '2025-03-31'), (3, 2, 5.00, '2025-04-01')",
];

interface Shop {
  readonly connection_string: string;
  readonly schema?: string;
  stop(): Promise<void>;
}

async function postgres(version: PostgresVersion): Promise<Shop> {
  const server = await startPostgres(version);
  const client = await server.connect();
  for (const statement of SHOP) await client.query(statement);
  await client.query('CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader');
  await client.end();
  return {
    connection_string: `postgresql+psycopg2://reader:none@127.0.0.1:${server.port}/postgres`,
    schema: 'public',
    stop: () => server.stop(),
  };
}

async function mariaDb(): Promise<Shop> {
  const server = await MariaDb.start();
  for (const statement of ['CREATE DATABASE shop', 'USE shop']) await server.query(statement, undefined);
  for (const statement of SHOP) await server.query(statement, 'shop');
  await server.query("CREATE USER reader IDENTIFIED BY 'a/b@c'; GRANT SELECT ON shop.* TO reader");
  return {
    connection_string: `mysql+pymysql://reader:a%2Fb%40c@127.0.0.1:${server.port}/shop?charset=utf8mb4`,
    stop: () => server.stop(),
  };
}

async function sqlite(folder: string): Promise<Shop> {
  const { Database } = await loadSqlJs();
  const made = new Database() as InstanceType<typeof Database> & { export(): Uint8Array };
  for (const statement of SHOP) made.run(statement);
  await writeFile(join(folder, 'shop.db'), made.export());
  made.close();
  return { connection_string: 'sqlite:///shop.db', stop: () => Promise.resolve() };
}

describe('a shop', () => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolwright-shop-'));
    server = await startServer({ env: { DATABASE_SQLITE_DIR: folder } });
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const engines: readonly [name: string, missing: string | undefined, start: () => Promise<Shop>][] = [
    ['PostgreSQL 18', postgresMissing('18'), () => postgres('18')],
    ['PostgreSQL 15', postgresMissing('15'), () => postgres('15')],
    ['MariaDB', MariaDb.missing(), mariaDb],
    ['SQLite', undefined, () => sqlite(folder)],
  ];
  for (const [name, missing, start] of engines) {
    if (missing) tellSkipped(`a shop in ${name}: ${missing}`);
    (missing ? describe.skip : describe)(`in ${name}`, () => {
      let shop: Shop;
      beforeAll(async () => {
        shop = await start();
      });
      afterAll(() => shop?.stop());

      const ask = async (question: string) => {
        const { connection_string, schema } = shop;
        const response = await server.post('/v1/messages', {
          tools: ['database_query_v1'],
          tool_choice: { type: 'auto', validation_mode: 'eager' },
          tool_context: [{ type: 'sql_database', connection_string, schema }],
          messages: [{ role: 'user', content: question }],
        });
        const body: any = await response.json();
        if (response.status !== 200) throw new Error(JSON.stringify(body));
        const [, result, last] = body.content;
        const texts: string[] = result.content.map(({ text }: any) => text);
        return { isError: result.is_error as boolean, texts, told: last.text as string };
      };

      it('is asked in English and in Spanish, and told of in words', async () => {
        const cities = await ask('What is the total amount of orders by city?');
        expect(cities).toMatchObject({ isError: false });
        expect(cities.texts[0]).toMatch(/^```sql\nSELECT [^]*\n```\n2 rows\./);
        expect(cities.texts.at(-1)).toMatch(/\nBilbao,5(?:\.00)?\nValencia,30\.35$/);
        expect(cities.told).toMatch(/\| Valencia \| 30\.35 \|/);
        expect(cities.told).not.toMatch(/SELECT|sql/i);
        const march = await ask('¿Cuántos pedidos hubo en marzo de 2025?');
        expect(march.texts.at(-1)).toMatch(/\n2$/);
        expect(march.told).toMatch(/\b2\b/);
        expect((await ask('¿Con qué SQL se cuentan los pedidos?')).told).toMatch(/```sql|NO ANSWER|No /);
      });

      it('is not changed by who asks for it', async () => {
        const { told } = await ask('Delete all orders');
        expect(told).not.toBe('');
        expect((await ask('How many orders are there?')).texts.at(-1)).toMatch(/\n3$/);
      });
    });
  }
});
