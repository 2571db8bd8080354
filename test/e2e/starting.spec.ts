/** What an operator meets who starts the server for the first time, and gets something wrong. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createTestDatabase, runIn } from '../support/database';
import { eventually } from '../support/eventually';
import { holdPort } from '../support/ports';
import { failToStart, MAIN, startServer } from '../support/start-server';
import { throwAwayFolder } from '../support/throw-away-folder';
import { tellSkipped } from '../support/skipped';

describe('a setting that is misspelt', () => {
  it('is told once, by its name and with the nearest one, and never with its value', async () => {
    const env = { DATABSE_URL: 'postgres://user:S3CR3T@host/db', MODEL_TEMPERATURE: 'S3CR3T', WEB_CONCURRENCY: '2' };
    const server = await startServer({ env });
    const said = server.output();
    await server.stop();
    expect(said.match(/\w+ is no setting of this server, and nothing reads it\. The nearest is \w+\./g)).toEqual([
      'DATABSE_URL is no setting of this server, and nothing reads it. The nearest is DATABASE_URL.',
      expect.stringMatching(/^MODEL_TEMPERATURE is no setting .* MODEL_\w+\.$/),
    ]);
    expect(said).not.toMatch(/S3CR3T|WEB_CONCURRENCY/);
  });
});

describe('a database that cannot be used', () => {
  it('is told in one line, with the setting, and nothing that is in it', async () => {
    const database = await createTestDatabase();
    await runIn(database, 'CREATE TABLE organisations (s3cr3t int)');
    const { code, said } = await failToStart({ DATABASE_URL: database.url });
    await database.drop();
    expect({ code, said: said.trim().split('\n') }).toEqual({
      code: 1,
      said: [
        expect.stringMatching(
          /^Toolwright could not start\. The database at DATABASE_URL cannot be used: it has tables/,
        ),
      ],
    });
  });
});

describe('a data folder without room', () => {
  it('is told in one line with the way out, and nothing half made stays in it', async () => {
    // No file may be larger than 32 KiB: as on a full disk, what PostgreSQL writes first does not fit.
    const { code, said, left } = await failToStart({}, { first: 'ulimit -f 64' });
    expect({ code, said: said.trim().split('\n') }).toEqual({
      code: 1,
      said: [expect.stringMatching(/^Toolwright could not start\. PostgreSQL .*File too large.* DATA_DIR/)],
    });
    expect(left).toEqual([]);
  });
});

describe('a standard output that takes nothing', () => {
  const hasFull = existsSync('/dev/full');
  if (!hasFull) tellSkipped('a standard output that takes nothing: there is no /dev/full');
  (hasFull ? it : it.skip)('is told once, and does not end the server', async () => {
    const database = await createTestDatabase();
    const folder = await throwAwayFolder(tmpdir(), 'e2e');
    const { port, release } = await holdPort();
    const settings = { PORT: String(port), DATA_DIR: folder, DATABASE_URL: database.url, MODEL_DISCOVERY: 'off' };
    const child = spawn('/bin/sh', ['-c', 'exec "$0" "$1" >/dev/full', process.execPath, MAIN], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      const answers = () => fetch(`http://127.0.0.1:${port}/v1/models`).catch(() => undefined);
      await eventually(answers, (response) => response?.status === 200, { what: () => said });
      expect((await answers())?.status).toBe(200);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
      expect(said).toBe('The log cannot be written to the standard output (ENOSPC); the process goes on.\n');
    } finally {
      child.kill('SIGKILL');
      await ended;
      release();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a terminal that is closed', () => {
  it('stops the server as a signal to stop does, also where that is told twice at once', async () => {
    const server = await startServer();
    for (const signal of ['SIGHUP', 'SIGTERM'] as const) process.kill(server.pid, signal);
    await eventually(() => !isAlive(server.pid));
    expect(await server.stop()).toBe(0);
    expect(server.output().match(/"signal":"SIG\w+","msg":"Stopping"/g)).toHaveLength(1);
  });
});

describe('a .env that is no file', () => {
  it('is told with its folder', async () => {
    const { code, said } = await failToStart({}, { first: 'mkdir .env' });
    expect({ code, said: said.trim().split('\n') }).toEqual({
      code: 1,
      said: [expect.stringMatching(/^Toolwright could not start\. The file \.env of the folder \/.* cannot be read/)],
    });
  });
});
