/** The audit of tool calls (SEC-140): a row for each that a model made, run or refused, and nothing of its words. */
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';
import { serving, startWeb, type TestWeb } from '../support/web-server';

const PAGE = `<main><h1>S3CR3T-page</h1><p>${'El lago alcanzó S3CR3T metros. '.repeat(20)}</p></main>`;

describe('the audit of tool calls', () => {
  let web: TestWeb;
  let model: FakeModelServer;
  let database: TestDatabase;
  let server: TestServer;
  let client: Client;
  let key: string;

  beforeAll(async () => {
    web = await startWeb(serving({ '/page': { body: PAGE }, '/page?S3CR3T': { body: PAGE } }));
    model = await FakeModelServer.start();
    database = await createTestDatabase();
    server = await startServer({
      database: { ...database, drop: () => Promise.resolve() },
      env: {
        PROFILE: 'server',
        OPENAI_BASE_URL: model.baseUrl,
        WEB_ACCESS: 'on',
        WEB_ROBOTS: 'off',
        DATABASE_ALLOW: 'db.example:5432',
        WEB_ALLOW: `127.0.0.1:${web.port}`,
      },
    });
    key = /zgk_\S+/.exec(server.output())![0];
    client = new Client({ connectionString: database.url });
    await client.connect();
    const input = { type: 'text', value: 'Cada empleado tiene S3CR3T días de vacaciones al año.' };
    const body = { artifact: 'manual', collection: 'S3CR3T-rrhh', input };
    expect((await post('/v1/artifacts/ingest', body)).status).toBe(200);
  });
  afterAll(async () => {
    await client?.end();
    await server?.stop();
    await model?.stop();
    await web?.stop();
    await database?.drop();
  });
  beforeEach(() => client.query('TRUNCATE tool_call_audit'));

  const post = (path: string, body: object) =>
    server.post(path, body, { headers: { authorization: `Bearer ${key}`, 'x-org': 'default' } });
  const rows = async () => (await client.query('SELECT * FROM tool_call_audit ORDER BY id')).rows;
  /** Those of calls that ran come a moment later. */
  const until = (count: number) => eventually(rows, ({ length }) => length >= count);
  const ask = async (content: string, more: object) => {
    const response = await post('/v1/messages', { messages: [{ role: 'user', content }], ...more });
    expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)]);
  };

  it('has a row for calls that ran and for those that were refused, and no content', async () => {
    const url = `${web.url}/page?S3CR3T`;
    model
      .callsAll(
        { name: 'S3CR3T-leer', input: { url } },
        { name: 'S3CR3T-leer', input: { url: 'http://10.0.0.1/S3CR3T' } },
        { name: 'S3CR3T-leer', input: { url: 7 } },
        { name: 'S3CR3T-buscar', input: { query: 'S3CR3T días' } },
        { name: 'S3CR3T-nada', input: {} },
      )
      .says('Ya.');
    await ask(`${url} http://10.0.0.1/S3CR3T`, {
      tools: [
        { name: 'S3CR3T-leer', type: 'web_extract_v1' },
        { name: 'S3CR3T-buscar', type: 'semantic_search_v1' },
      ],
      tool_context: [{ type: 'ingested_artifact', context_filter: { collection: 'S3CR3T-rrhh' } }],
    });
    const all = await until(5);
    expect(JSON.stringify(all)).not.toContain('S3CR3T');
    const [{ id: organisation }] = (await client.query(`SELECT id FROM organisations WHERE name = 'default'`)).rows;
    for (const row of all) {
      expect(row).toMatchObject({ organisation_id: organisation, key_id: key.slice(4, 12) });
      expect([Number(row.bytes) > 0, row.ms >= 0, row.at instanceof Date]).toEqual([true, true, true]);
    }
    const told = all.map(({ tool, target, verdict, token }) => [tool, target, verdict, token].join(' ').trim());
    expect(told.sort()).toEqual([
      '(not offered) none refused',
      'semantic_search collection allowed',
      'web_fetch web allowed',
      'web_fetch web refused egress_denied',
      'web_fetch web refused invalid_tool_arguments',
    ]);
  });

  it('has a row for a tool that a caller runs without a model, and for one that came to nothing', async () => {
    await post('/v1/tools/web-fetch', { url: `${web.url}/page` });
    await post('/v1/tools/web-fetch', { url: `${web.url}/gone` });
    expect(await until(2)).toMatchObject([
      { tool: 'web_fetch', verdict: 'allowed', token: null },
      { tool: 'web_fetch', verdict: 'failed', token: null },
    ]);
  });

  it('has what eager mode refuses, where no call comes of it', async () => {
    const refused = async (tool: string, context: object) => {
      const response = await post('/v1/messages', {
        messages: [{ role: 'user', content: '¿Cuántos?' }],
        tools: [{ name: 'S3CR3T', type: tool }],
        tool_context: [context],
        tool_choice: { type: 'auto', validation_mode: 'eager' },
      });
      return response.status;
    };
    const filter = { collection: 'S3CR3T-rrhh', artifacts: ['S3CR3T-none'] };
    expect(await refused('semantic_search_v1', { type: 'ingested_artifact', context_filter: filter })).toBe(400);
    const connection_string = 'postgresql://u:S3CR3T@10.9.8.7/x';
    expect(await refused('database_query_v1', { type: 'sql_database', connection_string })).toBe(403);
    const all = await until(2);
    expect(JSON.stringify(all)).not.toContain('S3CR3T');
    expect(all).toMatchObject([
      { tool: 'semantic_search', target: 'collection', verdict: 'refused' },
      { tool: 'database_query', target: 'database', verdict: 'refused' },
    ]);
  });

  it('has the calls beyond the limit of a request, which are not run', async () => {
    const calls = Array.from({ length: 21 }, () => ({ name: 'buscar', input: { query: 'días' } }));
    model.callsAll(...calls).says('Ya.');
    await ask('¿Cuántos?', {
      tools: [{ name: 'buscar', type: 'semantic_search_v1' }],
      tool_context: [{ type: 'ingested_artifact', context_filter: { collection: 'S3CR3T-rrhh' } }],
    });
    const all = await until(21);
    expect(all.filter(({ verdict }) => verdict === 'allowed')).toHaveLength(20);
    expect(all.filter(({ verdict }) => verdict === 'refused')).toMatchObject([{ token: 'limit_exceeded' }]);
  });

  it('has a refused call even where the server is killed the moment it tells of it', async () => {
    await post('/v1/tools/web-fetch', { url: 'http://10.0.0.1/' });
    await server.kill();
    expect(await rows()).toMatchObject([{ tool: 'web_fetch', verdict: 'refused', token: 'egress_denied' }]);
  });
});
