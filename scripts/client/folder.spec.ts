import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesUnder } from './folder';

describe('The files under a folder', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'toolwright-folder-'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const write = (path: string, text = 'x') => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };

  const paths = async () => (await filesUnder(root)).files.map(({ path }) => path);

  it('come sorted by path, with their size', async () => {
    for (const path of ['b.txt', 'a/z.txt', 'a.txt', 'ñ.txt', 'Z.txt']) write(path, 'four');
    expect(await paths()).toEqual(['Z.txt', 'a.txt', 'a/z.txt', 'b.txt', 'ñ.txt']);
    expect((await filesUnder(root)).files[0]!.size).toBe(4);
  });

  it('leave out what is hidden', async () => {
    for (const path of ['.env', '.git/config', 'a/.cache/x', 'a/seen.txt']) write(path);
    expect(await paths()).toEqual(['a/seen.txt']);
  });

  it('follow links to files and folders, and end in a loop of links', async () => {
    write('real/file.txt');
    symlinkSync(join(root, 'real'), join(root, 'alias'));
    symlinkSync(root, join(root, 'real', 'loop'));
    symlinkSync(join(root, 'real', 'file.txt'), join(root, 'linked.txt'));
    const outside = mkdtempSync(join(tmpdir(), 'toolwright-outside-'));
    writeFileSync(join(outside, 'far.txt'), 'x');
    symlinkSync(outside, join(root, 'away'));
    try {
      expect(await paths()).toEqual(['away/far.txt', 'linked.txt', 'real/file.txt']);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('tell of what cannot be read, and go on', async () => {
    write('good.txt');
    symlinkSync(join(root, 'gone.txt'), join(root, 'broken.txt'));
    symlinkSync(join(root, 'self'), join(root, 'self'));
    const { files, unreadable } = await filesUnder(root);
    expect(files.map(({ path }) => path)).toEqual(['good.txt']);
    expect(unreadable.map(({ path }) => path)).toEqual(['broken.txt', 'self']);
  });

  it('cannot be had from a folder that does not exist', async () => {
    await expect(filesUnder(join(root, 'nowhere'))).rejects.toThrow(/ENOENT/);
  });
});
