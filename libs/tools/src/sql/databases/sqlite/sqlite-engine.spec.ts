import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseOutcome } from '../database-engine';
import { loadSqlJs } from './sql-js';
import { SqliteEngine } from './sqlite-engine';
import { guard } from './sqlite-guard';

const LIMITS = { rows: 1000, bytes: 5 * 1024 * 1024, cell: 32 * 1024, ms: 30_000 };
const WISH = { tables: true, views: true, functions: true, procedures: true, maxObjects: 500 };
const signal = new AbortController().signal;

let folder: string;
let engine: SqliteEngine;

const make = (sqliteBytes = 50 * 1024 * 1024) =>
  new SqliteEngine({
    guards: { check: (_, sql, scope) => Promise.resolve(guard({ sql, schemas: scope.schemas })) },
    settings: { sqliteDir: join(folder, 'files'), sqliteBytes },
    limits: { workers: 1, memoryMb: 128 },
  });

async function database(file: string, sql: string): Promise<void> {
  const { Database } = await loadSqlJs();
  const made = new Database() as InstanceType<typeof Database> & { export(): Uint8Array };
  made.run(sql);
  await writeFile(join(folder, file), made.export());
  made.close();
}

const run = (sql: string, limits = LIMITS, path = 'shop.db'): Promise<DatabaseOutcome> =>
  engine.run({ engine: 'sqlite', path }, { sql, schemas: ['main'], calls: [] }, limits, signal);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
  await mkdir(join(folder, 'files/more'), { recursive: true });
  await database('secret.db', "CREATE TABLE s (v TEXT); INSERT INTO s VALUES ('S3CR3T')");
  await database(
    'files/shop.db',
    `CREATE TABLE clients (id INTEGER PRIMARY KEY, "Full Name" TEXT NOT NULL, kind TEXT CHECK (kind IN ('big', 'small')), data TEXT);
     CREATE TABLE orders (id INTEGER PRIMARY KEY, client INTEGER REFERENCES clients, total NUMERIC, made TEXT,
       FOREIGN KEY (client) REFERENCES clients (id));
     CREATE VIEW totals AS SELECT client, SUM(total) AS total FROM orders GROUP BY client;
     INSERT INTO clients VALUES (1, 'Niño', 'big', '{"address":{"city":"León"}}'), (2, 'Ana', 'small', NULL);
     INSERT INTO orders VALUES (1, 1, 9007199254740993, '2026-01-05'), (2, 2, 0.5, '2026-02-01');`,
  );
  await symlink(join(folder, 'secret.db'), join(folder, 'files/link.db'));
  await symlink(folder, join(folder, 'files/folder-link'));
  await writeFile(join(folder, 'files/text.db'), 'S3CR3T');
  engine = make();
}, 60_000);

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

describe('SqliteEngine', () => {
  it('gives values as they are', async () => {
    const found = await run(
      "SELECT 9007199254740993 AS big, 0.1 AS tenth, 'ñ' AS t, x'00ff' AS b, NULL AS n, -9223372036854775808 AS least, 1 AS t, 1e999",
    );
    expect(found).toMatchObject({
      kind: 'rows',
      timeZone: 'UTC',
      rows: [['9007199254740993', 0.1, 'ñ', '0x00ff', null, '-9223372036854775808', 1, 'Infinity']],
      columns: [
        { name: 'big', type: 'INTEGER' },
        { name: 'tenth', type: 'REAL' },
        { name: 't', type: 'TEXT' },
        { name: 'b', type: 'BLOB' },
        { name: 'n', type: 'NULL' },
        { name: 'least' },
        { name: 't_1' },
        { name: '1e999' },
      ],
    });
  });

  it('computes as SQLite does: sql.js brings another `log`', async () => {
    expect(await run('SELECT log(100), mod(5.5, 2), ceil(1.2)')).toMatchObject({ rows: [[2, 1.5, 2]] });
  });

  it('reads what there is: columns, keys, allowed values, views', async () => {
    const catalog = await engine.readCatalog({ engine: 'sqlite', path: 'shop.db' }, WISH, signal);
    expect(catalog.product).toMatch(/^SQLite 3\./);
    expect(catalog.schemas).toEqual(['main']);
    expect(catalog.tables.map(({ name, kind }) => [name, kind])).toEqual([
      ['clients', 'table'],
      ['orders', 'table'],
      ['totals', 'view'],
    ]);
    expect(catalog.tables[0]).toMatchObject({ primaryKey: ['id'], rowEstimate: 2 });
    expect(catalog.tables[0]!.columns).toContainEqual({ name: 'Full Name', type: 'TEXT', nullable: false });
    expect(catalog.tables[0]!.columns).toContainEqual(
      expect.objectContaining({ name: 'kind', enumValues: ['big', 'small'] }),
    );
    expect(catalog.tables[1]!.foreignKeys).toContainEqual({
      columns: ['client'],
      schema: 'main',
      table: 'clients',
      references: ['id'],
    });
  });

  it('looks at rows', async () => {
    const [sample] = await engine.sample(
      { engine: 'sqlite', path: 'shop.db' },
      [{ schema: 'main', name: 'clients' }],
      signal,
    );
    expect(sample!.columns).toContainEqual({
      name: 'kind',
      values: {
        list: [
          { value: 'big', count: 1 },
          { value: 'small', count: 1 },
        ],
        complete: true,
      },
      samples: ['big', 'small'],
    });
    expect(sample!.columns).toContainEqual(
      expect.objectContaining({ name: 'data', jsonKeys: ['address', 'address.city'] }),
    );
  });

  it('stops at the limits of rows, bytes, cells and time', async () => {
    const many = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n';
    expect(await run(many, { ...LIMITS, rows: 3 })).toMatchObject({ rows: [[1], [2], [3]], cutBy: 'rows' });
    expect(await run(many, { ...LIMITS, bytes: 10 })).toMatchObject({ rows: [[1], [2], [3]], cutBy: 'bytes' });
    expect(await run("SELECT 'abcdef' AS x", { ...LIMITS, cell: 3 })).toMatchObject({
      rows: [['abc…']],
      cutBy: 'cell',
    });
    expect(await run(`SELECT COUNT(*) FROM (${many})`, { ...LIMITS, ms: 300 })).toEqual({
      kind: 'stopped',
      limit: 'time',
    });
    expect(await run('SELECT 1')).toMatchObject({ rows: [[1]] });
  });

  it('outlives a value that does not fit into memory', async () => {
    const huge = await run("SELECT length(replace(hex(printf('%80000000d', 1)), '2', 'xxxxxx'))");
    expect(huge.kind === 'stopped' || huge.kind === 'failed').toBe(true);
    expect(await run('SELECT COUNT(*) FROM clients')).toMatchObject({ rows: [[2]] });
  });

  it('says what is wrong by the name at fault, and nothing of the data', async () => {
    expect(await run('SELECT nombre FROM clients')).toEqual({
      kind: 'failed',
      message: 'SQLITE_ERROR: there is no column nombre.',
    });
    expect(await run("SELECT json_extract('S3CR3T', '$')")).toEqual({
      kind: 'failed',
      message: 'SQLITE_ERROR: a text is not JSON.',
    });
  });

  it('takes no misspelt column in double quotes for a text, as SQLite would', async () => {
    expect(await run('SELECT "Ful Name" FROM clients')).toEqual({
      kind: 'failed',
      message: 'SQLITE_ERROR: there is no column Ful Name. Texts stand in single quotes.',
    });
    const known =
      'WITH c ("a b") AS (SELECT 1) SELECT "a b", "full name", "x y" FROM c, (SELECT "Full Name", 1 AS "x y" FROM clients)';
    expect(await run(known)).toMatchObject({ kind: 'rows' });
    expect(await run('SELECT "key" FROM clients, json_each(data)')).toMatchObject({ kind: 'rows' });
  });

  it.each([
    '../secret.db',
    'link.db',
    'more',
    'missing.db',
    '/etc/passwd',
    'folder-link/secret.db',
    'text.db',
    '',
    'shop.db\0',
  ])('opens nothing that is not a database in the folder, and says the same of each: %j', async (path) => {
    const denied = {
      token: 'connection_denied',
      message: 'There is no SQLite database of that name in DATABASE_SQLITE_DIR.',
    };
    await expect(run('SELECT 1', LIMITS, path)).rejects.toMatchObject(denied);
    await expect(engine.readCatalog({ engine: 'sqlite', path }, WISH, signal)).rejects.toMatchObject(denied);
  });

  describe('a file that something else has open', () => {
    const FIXTURE = join(__dirname, '../../../../../../test/fixtures/databases/with-log/log');
    const count = (file: string) => run('SELECT COUNT(*), MAX(x) FROM t', LIMITS, file);

    it('is read with what is still in its write-ahead log, up to the last whole transaction', async () => {
      const [file, log] = await Promise.all([readFile(`${FIXTURE}.db`), readFile(`${FIXTURE}.wal`)]);
      await writeFile(join(folder, 'files/more/log.db'), file);
      expect(await count('more/log.db')).toMatchObject({ rows: [[1, 1]] });
      const damaged = Buffer.from(log);
      damaged[damaged.length - 1]! ^= 1;
      const cases = [
        [log, [4, 9]],
        [log.subarray(0, -1), [3, 3]],
        [damaged, [3, 3]],
        [log.subarray(0, 40), [1, 1]],
        [Buffer.alloc(1000, 'x'), [1, 1]],
      ] as const;
      for (const [bytes, rows] of cases) {
        await writeFile(join(folder, 'files/more/log.db-wal'), bytes);
        expect(await count('more/log.db')).toMatchObject({ rows: [rows] });
      }
    });

    it('is not read where a transaction was cut off, which only SQLite could take back', async () => {
      await copyFile(`${FIXTURE}.db`, join(folder, 'files/more/hot.db'));
      const journal = join(folder, 'files/more/hot.db-journal');
      await writeFile(journal, Buffer.from('d9d505f920a163d70000000100000000', 'hex'));
      await expect(count('more/hot.db')).rejects.toMatchObject({ token: 'connection_failed' });
      // As it is left behind by a transaction that was finished, where journals are kept.
      await writeFile(journal, Buffer.alloc(512));
      expect(await count('more/hot.db')).toMatchObject({ rows: [[1, 1]] });
    });

    it('is waited for by nobody where it is a pipe', async () => {
      execFileSync('mkfifo', [join(folder, 'files/more/pipe.db')]);
      await expect(count('more/pipe.db')).rejects.toMatchObject({ token: 'connection_denied' });
    });
  });

  it('names the setting where a file is too large', async () => {
    const small = make(1024);
    await expect(
      small.run(
        { engine: 'sqlite', path: 'shop.db' },
        { sql: 'SELECT 1', schemas: ['main'], calls: [] },
        LIMITS,
        signal,
      ),
    ).rejects.toMatchObject({
      token: 'connection_denied',
      message: expect.stringContaining('DATABASE_SQLITE_MAX_MB') as string,
    });
    await small.close();
  });

  it('leaves the folder as it was', async () => {
    expect((await readdir(join(folder, 'files'))).filter((name) => name.endsWith('.db')).sort()).toEqual([
      'link.db',
      'shop.db',
      'text.db',
    ]);
  });
});
