import { createServer } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNotStarted } from './start-failure';

const http = { host: '127.0.0.1', port: 8080 };
const failed = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: whatever, open '/srv/data/postgres.lock'`), { code, ...more });

describe('why a process could not start', () => {
  it.each([
    ['EACCES', /may not write there\. Set DATA_DIR/],
    ['EPERM', /may not write there\. Set DATA_DIR/],
    ['EROFS', /read-only\. Set DATA_DIR/],
  ])('names the data folder where the system says %s of something in it', (code, words) => {
    const error = failed(code, { syscall: 'open' });
    expect(whyNotStarted(error, { dataDir: '/srv/data', http })).toMatch(words);
  });

  it('names the data folder where the index found it out', () => {
    const error = Object.assign(
      new Error('Unable to create a dataset at /srv/data/index: Not a directory (os error 20)'),
      { code: 'GenericFailure' },
    );
    expect(whyNotStarted(error, { dataDir: '/srv/data', http })).toMatch(/a file is in the way/);
  });

  it('names the data folder where a file is in its place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'start-failure-'));
    const dataDir = join(folder, 'data');
    await writeFile(dataDir, '');
    const error = await mkdir(dataDir, { recursive: true }).catch((thrown: unknown) => thrown);
    await rm(folder, { recursive: true });
    expect(whyNotStarted(error, { dataDir, http })).toBe(
      `The data folder ${dataDir} cannot be used: a file is in the way of a folder. Set DATA_DIR to another one, or mend this.`,
    );
  });

  it.each([
    failed('ENOSPC'),
    new Error('PostgreSQL could not make its data folder: FATAL: could not extend file\nHINT:  Check free disk space.'),
    new Error('Startup', { cause: new Error('lance error: LanceError(IO): No space left on device (os error 28)') }),
  ])('says that the data folder is full, whoever noticed (%#)', (error) => {
    expect(whyNotStarted(error, { dataDir: '/srv/data', http })).toMatch(
      /^The data folder \/srv\/data is full, or the database/,
    );
  });

  it('names HOST where that is not an address of this machine', async () => {
    // Of the block that is set apart for documentation.
    const elsewhere = { host: '192.0.2.1', port: 8080 };
    const error = await new Promise((resolve) => createServer().on('error', resolve).listen(elsewhere));
    expect(whyNotStarted(error, { dataDir: '/srv/data', http: elsewhere })).toBe(
      'HOST 192.0.2.1 is no address of this machine. Name one that is, or 0.0.0.0 for all of them.',
    );
  });

  it('names PORT where that is in use, or not for everybody', () => {
    const told = (code: string) => whyNotStarted(failed(code, { syscall: 'listen' }), { dataDir: '/srv/data', http });
    expect(told('EADDRINUSE')).toBe(
      'Port 8080 of 127.0.0.1 is in use. Stop what listens there, or give this server another PORT (0: a free one).',
    );
    expect(told('EACCES')).toMatch(/may not listen on port 8080/);
  });

  it('is what was said, where that is for people already', () => {
    expect(whyNotStarted(new Error('No.'), { dataDir: '/srv/data', http })).toBe('No.');
  });
});
