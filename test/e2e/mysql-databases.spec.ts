/** Questions over MySQL and MariaDB (messages-api §5.3, security §4), on the real server and a real MariaDB. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeModelServer } from '../support/fake-model-server';
import { MariaDb } from '../support/mariadb';
import { startServer, type TestServer } from '../support/start-server';
import { tellSkipped } from '../support/skipped';

const reason = MariaDb.missing();
if (reason) tellSkipped(`questions over MariaDB: ${reason}`);

const CANARY = 'S3CR3T-/@:word';
const fenced = (sql: string) => `\`\`\`sql\n${sql}\n\`\`\``;

(reason ? describe.skip : describe)('questions over MariaDB', () => {
  let model: FakeModelServer;
  let server: TestServer;
  let shop: MariaDb;

  beforeAll(async () => {
    [model, shop] = await Promise.all([FakeModelServer.start(), MariaDb.start()]);
    await shop.query(readFileSync(join(__dirname, '../fixtures/databases/mysql-shop.sql'), 'utf8'));
    await shop.query(`CREATE USER reader@'%' IDENTIFIED BY '${CANARY}'; GRANT SELECT, SHOW VIEW ON tienda.* TO reader@'%'; GRANT EXECUTE ON FUNCTION tienda.net_price TO reader@'%'`); // prettier-ignore
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl, LOG_LEVEL: 'debug' } });
  });
  beforeEach(() => {
    model.forget();
    model.requests.splice(0);
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
    await shop?.stop();
  });

  async function ask(statements: readonly string[], { scheme = 'mysql', password = CANARY, schema = 'tienda' } = {}) {
    for (const sql of statements) model.says(fenced(sql));
    const response = await server.post('/v1/tools/database-query', {
      query: '¿Cuánto han gastado los clientes de cada segmento?',
      artifacts: [
        {
          type: 'sql_database',
          connection_string: `${scheme}://reader:${encodeURIComponent(password)}@127.0.0.1:${shop.port}/tienda?charset=utf8mb4`,
          schema,
        },
      ],
    });
    const text = await response.text();
    expect(text).not.toContain('S3CR3T');
    const { content, is_error } = JSON.parse(text) as { content: any[]; is_error: boolean };
    return { is_error, text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n') };
  }

  it('are answered from a card in its dialect, with exact rows and the time zone', async () => {
    const told = await ask([
      'SELECT c.segment, SUM(o.total) AS gasto FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.segment ORDER BY c.segment',
    ]);
    expect(told).toEqual({ is_error: false, text: expect.stringContaining('segment,gasto\nparticular,89.47\nempresa,343.25') });
    expect(told.text).toContain('UTC');
    const prompt = JSON.stringify(model.requests);
    expect(prompt).toContain('one MariaDB SELECT');
    for (const part of ['Clientes de la tienda', 'administración', '`Ventas Año`', 'address.city']) {
      expect(prompt).toContain(part);
    }
    expect(prompt).not.toContain('S3CR3T');
  }); // prettier-ignore

  it('are tried again with the cause, and nothing that is refused is run', async () => {
    const told = await ask([
      "SELECT name FROM customers INTO OUTFILE '/tmp/x'",
      'SELECT nombre FROM customers',
      'SELECT net_price(121, 0.21) AS neto, COUNT(*) AS n FROM customers',
    ]);
    expect(told).toEqual({ is_error: false, text: expect.stringContaining('neto,n\n100.00,5') });
    const prompts = JSON.stringify(model.requests);
    expect(prompts).toContain('INTO');
    expect(prompts).toContain('1054 (42S22): There is no such column. (nombre)');
  });

  it('are refused, failed and not connected in the words that all engines have', async () => {
    const refused = await ask(Array<string>(3).fill('SELECT * FROM secreto.passwords'));
    expect(refused).toEqual({ is_error: true, text: expect.stringMatching(/^No results found\.\nError: sql_rejected/) });
    const slow = await ask(['SELECT SLEEP(100)', 'SELECT LOAD_FILE(name) FROM customers', 'DELETE FROM ledger']);
    expect(slow).toEqual({ is_error: true, text: expect.stringContaining('DELETE') });
    const wrong = await ask([], { password: 'S3CR3T-wrong' });
    expect(wrong).toEqual({ is_error: true, text: expect.stringContaining('Error: connection_failed: ') });
    expect(await shop.query('SELECT COUNT(*) AS n FROM tienda.ledger')).toEqual([{ n: 2 }]);
  }); // prettier-ignore

  it('take mariadb:// as well; the password is nowhere', async () => {
    expect(await ask(['SELECT 1 AS uno'], { scheme: 'mariadb+mysqldb' })).toMatchObject({ is_error: false });
    expect(server.output()).not.toContain('S3CR3T');
  });
});
