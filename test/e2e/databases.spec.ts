/** Questions over databases (messages-api §5.2, §5.3, §6.3, §15.2), on the real server and a real PostgreSQL. */
import { asyncClient } from '../support/async-client';
import { FakeModelServer } from '../support/fake-model-server';
import { FaultyLink } from '../support/faulty-link';
import { readStream } from '../support/read-stream';
import { salesDatabase, type SalesDatabase } from '../support/sales-database';
import { startServer, type TestServer } from '../support/start-server';

const BY_CITY =
  'SELECT c.city, count(*) AS orders, sum(o.amount) AS total FROM sales.orders o JOIN sales.customers c ON c.id = o.customer_id GROUP BY c.city ORDER BY c.city NULLS LAST';
const CSV = 'city,orders,total\nBilbao,10,1486.25\nValencia,10,1691.25\n,10,1588.75';
const fenced = (sql: string) => `\`\`\`sql\n${sql}\n\`\`\``;
const TOOL = { name: 'ventas', type: 'database_query_v1' };
const textsOf = (content: any[]): string[] => content.flatMap((block) => (block.type === 'text' ? [block.text] : []));

describe('questions over databases', () => {
  let model: FakeModelServer;
  let server: TestServer;
  let sales: SalesDatabase;
  let link: FaultyLink;
  /** All that any answer has said. */
  const said: string[] = [];

  beforeAll(async () => {
    [model, sales] = await Promise.all([FakeModelServer.start(), salesDatabase('18')]);
    link = await FaultyLink.to(sales.server.port);
    server = await startServer({
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        DATABASE_CONNECT_SECONDS: '5',
        DATABASE_WAIT_SECONDS: '300',
        LOG_LEVEL: 'debug',
      },
    });
  });
  beforeEach(() => {
    model.forget();
    model.requests.splice(0);
    link.connections = 0;
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
    link?.close();
    await sales?.server.stop();
  });

  const database = (more: object = {}) => ({
    type: 'sql_database',
    connection_string: sales.connectionString({ port: link.port }),
    schema: 'sales',
    ...more,
  });
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await server.post(path, body, { headers: { 'content-type': 'application/json', ...headers } });
    const text = await response.text();
    said.push(text);
    return { status: response.status, body: JSON.parse(text) as any };
  };
  const direct = async (sql: string | readonly string[], ...artifacts: object[]) => {
    for (const statement of [sql].flat()) model.says(fenced(statement));
    const query = '¿Cuánto vendimos por ciudad?';
    const { status, body } = await post('/v1/tools/database-query', {
      query,
      artifacts: artifacts.length > 0 ? artifacts : [database()],
    });
    expect(status).toBe(200);
    return body as { content: any[]; is_error: boolean };
  };
  const message = (more: object = {}) => ({
    tools: [TOOL],
    tool_context: [database()],
    messages: [{ role: 'user', content: '¿Cuánto vendimos por ciudad?' }],
    ...more,
  });
  const eager = { tool_choice: { type: 'auto', validation_mode: 'eager' } };

  describe('are answered by POST /v1/tools/database-query', () => {
    it('with the statement, the count, the time zone, a CSV file and the rows, exact (§database-direct §database-result)', async () => {
      const { content, is_error } = await direct(BY_CITY);
      expect(is_error).toBe(false);
      expect(content.map(({ type }) => type)).toEqual(['text', 'binary', 'text']);
      expect(textsOf(content)).toEqual([`${fenced(BY_CITY)}\n3 rows.\nTime zone: Europe/Madrid`, CSV]);
      expect(content[1].filename).toMatch(/^csv_[0-9a-f]{12}\.csv$/);
      expect(Buffer.from(content[1].data, 'base64').toString()).toBe(`${CSV.replaceAll('\n', '\r\n')}\r\n`);
    });

    it('with values of every kind as they are', async () => {
      const { content } = await direct('SELECT * FROM odd');
      expect(textsOf(content)[1]).toBe(
        'big,exact,moment,local,bytes,list,doc,nothing,yes\n' +
          '9007199254740993,12345678901234567890.1234567890,2025-03-30 03:30:00+02,2025-03-30 02:30:00,\\x00ff,' +
          '"[1,null,3]","{""a"":[1,{""b"":null}]}",,true',
      );
    });

    it('without rows in the contract’s words, and with a warning where there are too many (§database-empty §database-cut)', async () => {
      const none = await direct('SELECT * FROM orders WHERE amount < 0');
      expect(textsOf(none.content)[0]).toContain('Query executed successfully. No rows found.');
      const many = await direct('SELECT a.id, b.id AS other FROM orders a, orders b, orders c');
      expect(many.content.map(({ type }: any) => type)).toEqual(['text', 'text', 'binary', 'text']);
      expect(textsOf(many.content)[1]).toMatch(/^Warning: truncated: true\. .*SQL_MAX_ROWS/);
      const long = await direct(`SELECT repeat('x', 40) AS words FROM orders a, orders b`);
      expect(textsOf(long.content)[2]).toHaveLength(500);
    });

    it('from a prompt with the schema and the caller’s words, and no more of it than is asked for (§database-shown)', async () => {
      await direct(BY_CITY, database({ description: 'Ventas de la tienda', enable_views: false }));
      const prompt = JSON.stringify(model.requests[0]);
      for (const word of ['Ventas de la tienda', 'customers', 'state', 'returned', 'Valencia'])
        expect(prompt).toContain(word);
      for (const word of ['paid_orders', 'salaries', 'S3CR3T', 'reader']) expect(prompt).not.toContain(word);
    });

    it('only from the schemas of the request (§database-schemas §database-failure)', async () => {
      const { content, is_error } = await direct([
        'SELECT * FROM hr.salaries',
        'TABLE hr.salaries',
        'SELECT salary FROM hr.salaries',
      ]);
      expect(is_error).toBe(true);
      expect(textsOf(content)[0]).toMatch(/^No results found\.\nError: sql_rejected: /);
      const both = database({ schema: 'sales', schemas: ['hr'] });
      expect(textsOf((await direct('SELECT salary FROM hr.salaries', both)).content)[1]).toBe('salary\n99999');
      expect(JSON.stringify(said)).toContain('99999');
    });

    it.each([
      'DELETE FROM orders', 'SELECT 1; DROP TABLE orders', 'SELECT pg_sleep(1)', 'SELECT * FROM orders FOR UPDATE', 'COPY orders TO STDOUT',
      'WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone', "SELECT set_config('a.b', 'c', false)", "SELECT pg_read_file('/etc/passwd')",
    ])('never by a statement that does more than read: %s (§database-reads)', async (sql) => {
      const { content, is_error } = await direct([sql, sql, sql]);
      expect([is_error, textsOf(content)[0]]).toEqual([true, expect.stringMatching(/^No results found\.\nError: sql_rejected: /)]);
      expect(await sales.query('SELECT count(*)::int AS n FROM sales.orders')).toEqual([{ n: 30 }]);
    }); // prettier-ignore

    it('after a repair that was told the cause, without the database’s own words', async () => {
      const { is_error, content } = await direct(['SELECT citi FROM customers', BY_CITY]);
      expect([is_error, textsOf(content)]).toEqual([false, expect.anything()]);
      const told = model.requests[1]!.messages.at(-1).content;
      expect(told).toMatch(/42703.*citi/);
      expect(told).not.toMatch(/does not exist|HINT|LINE/);
    });

    it('from several databases at once, of which one may fail (§database-several)', async () => {
      const dead = database({ connection_string: sales.connectionString({ password: 'wrong-S3CR3T' }) });
      const { content, is_error } = await direct(BY_CITY, database({ description: 'Tienda' }), dead);
      expect(is_error).toBe(false);
      const texts = textsOf(content);
      expect(texts[0]).toMatch(/^Database 1 of 2 \(Tienda\):\n```sql/);
      expect(texts[1]).toBe(CSV);
      expect(texts[2]).toMatch(/^Database 2 of 2:\nNo results found\.\nError: connection_failed: /);
    });

    it('not without one (§database-none-given)', async () => {
      for (const artifacts of [[], [{ type: 'text', value: 'x' }]]) {
        const { status, body } = await post('/v1/tools/database-query', { query: 'x', artifacts });
        expect([status, body.is_error, textsOf(body.content)]).toEqual([
          200,
          true,
          ['No SQL database artifacts provided.'],
        ]);
      }
      for (const body of [
        { query: 'x' },
        { artifacts: [database()] },
        { query: 'x', artifacts: [{ type: 'sql_database' }] },
      ]) {
        expect((await post('/v1/tools/database-query', body)).status).toBe(400);
      }
    });
  });

  describe('are answered in a message', () => {
    it('whole and streamed alike, with the file for those who know it', async () => {
      const answers = () =>
        model.calls('ventas', { query: 'Total por ciudad' }).says(fenced(BY_CITY)).says('Valencia va primera.');
      answers();
      const plain = (await post('/v1/messages', message())).body;
      expect(plain.content).toMatchObject([
        { type: 'tool_use', name: 'ventas' },
        { type: 'tool_result', is_error: false, content: [{ type: 'text' }, { type: 'text', text: CSV }] },
        { type: 'text', text: 'Valencia va primera.' },
      ]);
      expect(plain.content[1].content).toHaveLength(2);
      answers();
      const streamed = await readStream(
        await server.post('/v1/messages', message({ stream: true, system: { extensions: ['zylon'] } })),
      );
      const result: any = streamed.content.find(({ type }) => type === 'tool_result');
      expect(result.content.map(({ type }: any) => type)).toEqual(['text', 'binary', 'text']);
      said.push(JSON.stringify(streamed.events));
    });

    it('as a pair of blocks of Anthropic’s', async () => {
      model.calls('ventas', { query: 'x' }).says(fenced(BY_CITY)).says('Listo.');
      const { body } = await post('/v1/messages', message(), { 'anthropic-version': '2023-06-01' });
      expect(body.content.map(({ type }: any) => type)).toEqual(['mcp_tool_use', 'mcp_tool_result', 'text']);
    });

    it('by a model that is told to leave the SQL out of its words', async () => {
      model.says('No.');
      await post('/v1/messages', message());
      expect(model.requests[0]!.tools[0].function.description).toMatch(/leave out the SQL/);
      expect(JSON.stringify(model.requests)).not.toContain('S3CR3T');
    });

    it('later, without a trace of the password in what is kept meanwhile (SEC-136)', async () => {
      const client = asyncClient(server);
      model.calls('ventas', { query: 'x' }).says(fenced(BY_CITY)).slow(200, 'Listo', '.');
      const { message_id: id } = (await (await client.start(message())).json()) as { message_id: string };
      await client.until(id, 'processing');
      await findNoCanary();
      await client.until(id, 'completed');
      said.push(await (await client.stream(id)).text());
    });
  });

  describe('look at their databases', () => {
    const wrong = () => database({ connection_string: sales.connectionString({ password: 'wrong-S3CR3T' }) });

    it('before the model runs, where that is wanted', async () => {
      model.says('Hola.');
      const { status } = await post('/v1/messages', message(eager));
      expect([status, link.connections]).toEqual([200, 1]);
      model.requests.splice(0);
      const refused = await post('/v1/messages', message({ ...eager, tool_context: [wrong(), database(), wrong()] }));
      expect([refused.status, refused.body.error.type]).toEqual([403, 'permission_error']);
      const lines = refused.body.detail.split('\n');
      expect(lines[0]).toBe('One or more database connections failed:');
      // The same words for each, and not the database's.
      expect(lines.slice(1).map((line: string) => line.replace(/^Database [13]: /, ''))).toEqual([lines[1].slice(12), lines[1].slice(12)]);
      expect(lines[1]).toMatch(/^Database 1: connection_failed: /);
      expect(model.requests).toEqual([]);
      expect((await post('/v1/messages/validate', message({ tool_context: [wrong()] }))).body).toMatchObject({ valid: false });
    }); // prettier-ignore

    it('when the model asks, else', async () => {
      model.calls('ventas', { query: 'x' }).says('No puedo.');
      const { status, body } = await post('/v1/messages', message({ tool_context: [wrong()] }));
      expect(status).toBe(200);
      expect(body.content[1]).toMatchObject({ type: 'tool_result', is_error: true });
      expect(textsOf(body.content[1].content)).toEqual([expect.stringMatching(/^No results found\.\nError: connection_failed: /)]);
      model.says('Hola.');
      await post('/v1/messages', message());
      expect(link.connections).toBe(0);
    }); // prettier-ignore

    it('never with tool_choice none', async () => {
      model.says('Hola.');
      const { status } = await post(
        '/v1/messages',
        message({ tool_choice: { type: 'none', validation_mode: 'eager' } }),
      );
      expect([status, link.connections]).toEqual([200, 0]);
    });
  });

  it('are not what this server itself is made of (SEC-42)', async () => {
    for (const url of [server.url, model.baseUrl]) {
      for (const host of ['127.0.0.1', 'localhost', '127.0.0.2', '[::ffff:127.0.0.1]']) {
        const own = database({ connection_string: sales.connectionString({ host, port: Number(new URL(url).port) }) });
        const { is_error, content } = await direct([], own);
        expect([is_error, textsOf(content)[0]]).toEqual([
          true,
          expect.stringMatching(/Error: connection_denied: .*DATABASE_ALLOW/),
        ]);
      }
    }
  });

  it('take turns: a hundred at once, two connections (SEC-58)', async () => {
    model.always(() => ({ text: [fenced('SELECT count(*) AS n FROM orders')] }));
    let most = 0;
    let done = false;
    const watcher = await sales.server.connect();
    const watch = (async () => {
      while (!done) {
        const { rows } = await watcher.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'reader'`,
        );
        most = Math.max(most, rows[0].n);
        await new Promise((later) => setTimeout(later, 5));
      }
    })();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        post('/v1/tools/database-query', { query: `¿Cuántos pedidos hay? ${i}`, artifacts: [database()] }),
      ),
    );
    done = true;
    await watch;
    await watcher.end();
    expect(answers.map(({ body }) => textsOf(body.content)[1])).toEqual(Array(100).fill('n\n30'));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    console.log(`100 questions: at most ${most} connections, ${link.connections} in all`);
  });

  it('keep their passwords out of answers, prompts, log and tables (SEC-135)', async () => {
    for (const connection_string of [
      'postgresql://S3CR3T-u:S3CR3T@127.0.0.1:1/S3CR3T',
      'postgresql://u:S3CR3T@a/b@127.0.0.1/x',
      'postgresql://u:S3CR3T%ZZ@127.0.0.1/x',
      'postgresql://u:p@127.0.0.1/x?password=S3CR3T',
      'postgresql://u:p@127.0.0.1/x?S3CR3T=S3CR3T',
      'mysql+pymysql://S3CR3T:S3CR3T@127.0.0.1:1/S3CR3T',
      'mssql+pyodbc:///?odbc_connect=SERVER%3D127.0.0.1%3BUID%3DS3CR3T%3BPWD%3DS3CR3T',
      'S3CR3T',
      `postgresql://S3CR3T-u:S3CR3T@127.0.0.1:${link.port}/postgres`,
      `postgresql://S3CR3T-u:S3CR3T@127.0.0.1:${link.port}/S3CR3T-d`,
      sales.connectionString({ port: link.port }).replace(/postgres$/, 'S3CR3T-d'),
    ]) {
      const artifacts = [{ type: 'sql_database', connection_string }];
      await post('/v1/tools/database-query', { query: 'x', artifacts });
      await post('/v1/messages', message({ ...eager, tool_context: artifacts }));
      await post('/v1/messages', message({ tool_context: [...artifacts, 7] }));
    }
    await findNoCanary();
  });

  /** In any spelling: what would be encoded stands behind it. */
  async function findNoCanary(): Promise<void> {
    expect(said.join('\n')).not.toContain('S3CR3T');
    expect(server.output()).not.toContain('S3CR3T');
    expect(JSON.stringify(model.requests)).not.toContain('S3CR3T');
    expect(await tablesWith(server.database.url, 'S3CR3T')).toEqual([]);
  }
});

/** Tables of the server's own database with a row that has the text in it. */
async function tablesWith(url: string, words: string): Promise<string[]> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(rows.length).toBeGreaterThan(5);
    const found: string[] = [];
    for (const { name } of rows) {
      const { rows: hits } = await client.query(`SELECT 1 FROM ${name} t WHERE t::text LIKE $1 LIMIT 1`, [
        `%${words}%`,
      ]);
      if (hits.length > 0) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}
