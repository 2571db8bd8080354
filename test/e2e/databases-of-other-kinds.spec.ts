/**
 * SQLite files and a SQL Server through the real server (messages-api §5.2, §15.2). The SQL Server is a fake that speaks
 * its protocol and runs nothing.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeModelServer } from '../support/fake-model-server';
import { FakeSqlServer, type Asked } from '../support/fake-sql-server';
import { startServer, type TestServer } from '../support/start-server';
import * as tds from '../support/tds-wire';

const fenced = (sql: string) => `\`\`\`sql\n${sql}\n\`\`\``;
const textsOf = (content: any[]): string[] => content.flatMap((block) => (block.type === 'text' ? [block.text] : []));

/** One table with one column, and one row for whatever else is asked. */
function answer({ kind, sql }: Asked) {
  if (kind !== 'call') return undefined;
  if (sql.includes('ProductVersion')) return { columns: [tds.nvarchar('v')], rows: [['16.0']] };
  if (sql.includes('sys.partitions')) {
    const columns = [tds.int('id'), ...['s', 'o', 't', 'c', 'r'].map((name) => tds.nvarchar(name))];
    return { columns, rows: [[1, 'dbo', 'orders', 'U', null, '3']] };
  }
  if (sql.includes('FROM sys.columns c JOIN sys.objects')) {
    const columns = [
      tds.int('id'),
      ...['c', 't'].map((name) => tds.nvarchar(name)),
      ...['l', 'p', 's'].map((name) => tds.int(name)),
    ];
    return {
      columns: [...columns, tds.bit('n'), tds.nvarchar('d')],
      rows: [[1, 'total', 'money', 8, 19, 4, true, null]],
    };
  }
  return sql.includes('FROM sys.') ? undefined : { columns: [tds.raw('total', 0x6e, 8)], rows: [['ffffff7fffffffff']] };
}

describe('databases of other kinds', () => {
  let folder: string;
  let model: FakeModelServer;
  let server: TestServer;
  let sqlServer: FakeSqlServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'database-files-'));
    const script = `CREATE TABLE pedidos (id INTEGER PRIMARY KEY, ciudad TEXT, importe NUMERIC);
      INSERT INTO pedidos VALUES (1, 'León', 10.5), (2, 'Bilbao', 20), (3, 'León', 9007199254740993);`;
    execFileSync(process.execPath, [
      '-e',
      `require('sql.js')().then(({ Database }) => { const d = new Database(); d.run(process.argv[1]); require('fs').writeFileSync(process.argv[2], d.export()); })`,
      script,
      join(folder, 'shop.db'),
    ]);
    [model, sqlServer] = await Promise.all([
      FakeModelServer.start(),
      FakeSqlServer.start({ password: 'S3CR3T:p@ss/', answer }),
    ]);
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl, DATABASE_SQLITE_DIR: folder } });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
    await sqlServer?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (connection_string: string, ...statements: string[]) => {
    for (const sql of statements) model.says(fenced(sql));
    const artifacts = [{ type: 'sql_database', connection_string }];
    const body = JSON.stringify({ query: '¿Cuánto por ciudad?', artifacts });
    const response = await server.post('/v1/tools/database-query', JSON.parse(body), {
      headers: { 'content-type': 'application/json' },
    });
    const text = await response.text();
    expect(text).not.toContain('S3CR3T');
    return JSON.parse(text) as { content: any[]; is_error: boolean };
  };

  it('an SQLite file is asked, and refused what it may not be', async () => {
    const sql = 'SELECT ciudad, SUM(importe) AS total FROM pedidos GROUP BY ciudad ORDER BY ciudad';
    const { content, is_error } = await ask('sqlite:///shop.db', 'PRAGMA table_info(pedidos)', sql);
    expect(is_error).toBe(false);
    expect(textsOf(content).join('\n')).toContain('ciudad,total\nBilbao,20\nLeón,');
    expect(JSON.stringify(model.requests)).toContain('pedidos');
    const outside = await ask('sqlite:///../shop.db');
    const missing = await ask('sqlite:///missing.db');
    expect(outside.is_error).toBe(true);
    expect(textsOf(outside.content)).toEqual(textsOf(missing.content));
    expect(textsOf(missing.content)[0]).toContain('connection_denied');
  });

  it('a SQL Server is asked by its protocol, with the statement as a parameter', async () => {
    const sql = 'SELECT SUM(total) AS total FROM dbo.orders';
    const string = `mssql+pyodbc://reader:${encodeURIComponent('S3CR3T:p@ss/')}@127.0.0.1:${sqlServer.port}/shop`;
    const { content, is_error } = await ask(string, 'SELECT 1 DROP TABLE dbo.orders', sql);
    expect(textsOf(content).join('\n')).toContain('total\n922337203685477.5807');
    expect(is_error).toBe(false);
    expect(
      sqlServer.asked.filter((asked) => asked.sql.includes('dbo.orders')).map(({ kind, sql: text }) => [kind, text]),
    ).toEqual([['call', sql]]);
    expect(JSON.stringify(sqlServer.asked)).not.toContain('DROP');
  });

  it('a SQL Server without TLS gets no password where "ssl" is asked for', async () => {
    const before = sqlServer.logins.length;
    const artifacts = [
      { type: 'sql_database', connection_string: `mssql://u:other-S3CR3T@localhost:${sqlServer.port}/shop`, ssl: true },
    ];
    const response = await server.post(
      '/v1/tools/database-query',
      { query: 'x', artifacts },
      { headers: { 'content-type': 'application/json' } },
    );
    expect(await response.text()).toContain('connection_failed');
    expect(sqlServer.logins).toHaveLength(before);
    expect(sqlServer.received.includes(tds.hiddenPassword('other-S3CR3T'))).toBe(false);
  });
});
