import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../../test/support/eventually';
import { loadConfig } from '../config/config';
import { createLogger } from '../logging/logger';
import { findBinaries } from './binaries';
import { isDatabaseDown } from './database-errors';
import { openDatabase, type Database } from './open-database';
import { PostgresProcess, type Cluster } from './postgres-process';
import { tellSkipped } from '../../../../test/support/skipped';

const logger = createLogger({ logging: { level: 'silent' } });
const open = (dataDir: string, join = false) =>
  openDatabase(loadConfig({ DATA_DIR: dataDir }), { entities: [], migrations: [], logger, join });
const postmaster = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
function readyIn(dataDir: string): boolean {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').includes('ready');
}
const one = (database: Database) => database.dataSource.query('SELECT 1 AS one');
const isRoot = process.getuid?.() === 0;

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the embedded PostgreSQL', () => {
  const folders: string[] = [];
  const opened: Database[] = [];
  const servers: ChildProcess[] = [];

  function folder(...path: string[]): string {
    const made = mkdtempSync(join(tmpdir(), 'toolwright-spec-'));
    folders.push(made);
    return join(made, ...path);
  }

  /** A data folder that has been used before. Copied: to make one takes longer than most of these tests. */
  function usedFolder(): string {
    const dataDir = folder('data');
    execFileSync('cp', ['-a', template, dataDir]);
    return dataDir;
  }

  const template = mkdtempSync(join(tmpdir(), 'toolwright-spec-'));
  beforeAll(async () => (await open(template)).close());
  afterAll(() => rmSync(template, { recursive: true, force: true }));

  async function start(dataDir: string, joining = false): Promise<Database> {
    const database = await open(dataDir, joining);
    opened.push(database);
    return database;
  }

  /** Another process of ours, which says `ready` and writes numbered rows, telling each once it is committed. */
  async function startElsewhere(dataDir: string): Promise<{ server: ChildProcess; acknowledged: number[] }> {
    const server = fork(require.resolve('../../../../test/support/database-process'), [dataDir], { stdio: 'inherit' });
    servers.push(server);
    const acknowledged: number[] = [];
    server.on('message', (row: number) => acknowledged.push(row));
    await once(server, 'message');
    return { server, acknowledged };
  }

  afterEach(async () => {
    for (const server of servers.splice(0)) server.kill('SIGKILL');
    await Promise.all(opened.splice(0).map((database) => database.close()));
    for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
  });

  it('is made on the first start and found again on the next, and leaves nothing running', async () => {
    const dataDir = folder('data');
    const first = await open(dataDir);
    await first.dataSource.query('CREATE TABLE kept AS SELECT 7 AS n');
    const pid = postmaster(dataDir);
    await first.close();
    expect(isAlive(pid)).toBe(false);
    const again = await start(dataDir);
    expect(await again.dataSource.query('SELECT n FROM kept')).toEqual([{ n: 7 }]);
    expect(await again.dataSource.query('SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(await again.dataSource.query('SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
  });

  it('works where the path is too long for a socket', async () => {
    const database = await start(folder('x'.repeat(90), 'y'.repeat(90)));
    expect(await one(database)).toEqual([{ one: 1 }]);
  });

  it('belongs to one process at a time, and says which has it', async () => {
    const dataDir = usedFolder();
    await start(dataDir);
    await expect(open(dataDir)).rejects.toThrow(`in use by process ${process.pid}`);
  });

  it('can be joined by a command while a server has it', async () => {
    const dataDir = usedFolder();
    const { server } = await startElsewhere(dataDir);
    const pid = postmaster(dataDir);
    const joined = await open(dataDir, true);
    expect(Number((await joined.dataSource.query('SELECT count(*) AS n FROM numbers'))[0].n)).toBeGreaterThan(0);
    await joined.close();
    expect([isAlive(pid), server.exitCode]).toEqual([true, null]);
  });

  it('comes back by itself when it is killed; queries fail as such meanwhile', async () => {
    const dataDir = usedFolder();
    const database = await start(dataDir);
    await database.dataSource.query('CREATE TABLE kept AS SELECT 7 AS n');
    const running = database.dataSource.query('SELECT pg_sleep(30)').catch((error: unknown) => error);
    const pid = postmaster(dataDir);
    process.kill(pid, 'SIGKILL');
    expect(isDatabaseDown(await running)).toBe(true);
    const failures: unknown[] = [];
    const rows = () =>
      database.dataSource.query('SELECT n FROM kept').catch((error: unknown) => void failures.push(error));
    expect(await eventually(rows)).toEqual([{ n: 7 }]);
    expect(failures.filter((error) => !isDatabaseDown(error))).toEqual([]);
    expect(postmaster(dataDir)).not.toBe(pid);
  });

  it.each(['the server process', 'PostgreSQL', 'both'])(
    'loses nothing it acknowledged when %s is killed',
    async (what) => {
      const dataDir = usedFolder();
      const { server, acknowledged } = await startElsewhere(dataDir);
      await eventually(() => acknowledged.length > 50);
      const pid = postmaster(dataDir);
      if (what !== 'PostgreSQL') server.kill('SIGKILL');
      if (what !== 'the server process') process.kill(pid, 'SIGKILL');
      if (what === 'PostgreSQL') {
        await sleep(300);
        server.kill('SIGKILL');
      }
      await once(server, 'exit');

      const database = await start(dataDir);
      const rows: { n: number }[] = await database.dataSource.query('SELECT n FROM numbers');
      const stored = new Set(rows.map(({ n }) => n));
      expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
    },
  );

  it.each([
    ['where there is no database yet', () => folder('data')],
    ['beside a database that was put there since', usedFolder],
  ])('clears away what a killed first start left half made, %s', async (_, made) => {
    const dataDir = made();
    mkdirSync(join(dataDir, 'postgres.new-0'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.new-0', 'PG_VERSION'), '18\n');
    await one(await start(dataDir));
    expect(existsSync(join(dataDir, 'postgres.new-0'))).toBe(false);
  });

  it('is not kept from starting by files whose process number is somebody else’s by now', async () => {
    const dataDir = usedFolder();
    const bystander = fork(require.resolve('../../../../test/support/child-pool-task'));
    servers.push(bystander);
    const stale = `${bystander.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n.\n\n 1 1\nready   \n`;
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), stale, { mode: 0o666 });
    writeFileSync(join(dataDir, 'postgres.lock'), JSON.stringify({ pid: bystander.pid, started: 'long ago' }));
    await one(await start(dataDir));
  });

  describe('when a PostgreSQL works in its folder already', () => {
    /** As a server that was killed leaves it where the kernel does not pass the news on. */
    async function leaveRunning(dataDir: string): Promise<{ cluster: Cluster; left: PostgresProcess }> {
      const path = join(dataDir, 'postgres');
      const { uid, gid } = statSync(path);
      const account = isRoot ? { uid, gid } : undefined;
      const cluster = { folder: path, account, durable: true, binaries: await findBinaries(isRoot) };
      return { cluster, left: await PostgresProcess.start(cluster, { timeoutMs: 30_000 }) };
    }

    it('stops it when it is one that we started', async () => {
      const dataDir = usedFolder();
      const { left } = await leaveRunning(dataDir);
      await one(await start(dataDir));
      await left.ended;
    });

    it('leaves one alone that somebody else started, and says which it is', async () => {
      const dataDir = usedFolder();
      const { cluster, left } = await leaveRunning(dataDir);
      await left.stop();
      const socket = ['-c', 'unix_socket_directories=.', '-c', 'listen_addresses='];
      const theirs = spawn(cluster.binaries.postgres, ['-D', isRoot ? '/proc/self/cwd' : cluster.folder, ...socket], {
        ...cluster.account,
        cwd: cluster.folder,
        stdio: 'ignore',
      });
      servers.push(theirs);
      await eventually(() => readyIn(dataDir));
      await expect(open(dataDir)).rejects.toThrow(`Another PostgreSQL (process ${theirs.pid})`);
      expect(isAlive(theirs.pid!)).toBe(true);
      theirs.kill('SIGINT');
      await once(theirs, 'exit');
    });
  });

  it('refuses a folder that another version made', async () => {
    const dataDir = folder('data');
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
    await expect(open(dataDir)).rejects.toThrow('was made by PostgreSQL 15');
  });

  it('refuses a folder with something else in it, and leaves that alone', async () => {
    const dataDir = folder('data');
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'notes.txt'), 'mine');
    await expect(open(dataDir)).rejects.toThrow(/no folder of PostgreSQL .*DATA_DIR/);
    expect(readFileSync(join(dataDir, 'postgres', 'notes.txt'), 'utf8')).toBe('mine');
  });

  if (!isRoot) tellSkipped('the embedded PostgreSQL started as root: this is another user');
  (isRoot ? describe : describe.skip)('started as root', () => {
    it('does not run as root, also in a folder that only root may enter', async () => {
      const closed = folder('home');
      mkdirSync(closed, { mode: 0o700 });
      const dataDir = join(closed, 'data');
      const database = await start(dataDir);
      expect(await one(database)).toEqual([{ one: 1 }]);
      const owner = execFileSync('stat', ['-c', '%u', `/proc/${postmaster(dataDir)}`], { encoding: 'utf8' });
      expect(owner.trim()).toBe('65534');
      process.kill(postmaster(dataDir), 'SIGKILL');
      expect(await eventually(() => one(database).catch(() => undefined))).toEqual([{ one: 1 }]);
    });

    it('copies its programs out of a home that only root may enter', async () => {
      const { postgres } = await findBinaries(false);
      const home = folder('home');
      const native = join(home, 'package', 'native');
      mkdirSync(join(home, 'package'), { recursive: true });
      chmodSync(home, 0o700);
      execFileSync('cp', ['-a', join(postgres, '..', '..'), native]);
      writeFileSync(join(home, 'package', 'package.json'), JSON.stringify({ version: `spec-${process.pid}` }));
      const copied = await findBinaries(true, native);
      folders.push(join(copied.postgres, '..', '..'));
      expect(copied.postgres).not.toContain(home);
      const said = execFileSync(copied.postgres, ['--version'], { uid: 65_534, gid: 65_534, encoding: 'utf8' });
      expect(said).toContain('PostgreSQL) 18');
      expect(await findBinaries(true, native)).toEqual(copied);
    });
  });
});
