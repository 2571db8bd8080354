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

  it('follow links within the folder, and end in a loop of links', async () => {
    write('real/file.txt');
    symlinkSync(join(root, 'real'), join(root, 'alias'));
    symlinkSync(root, join(root, 'real', 'loop'));
    symlinkSync(join(root, 'real', 'file.txt'), join(root, 'linked.txt'));
    expect(await paths()).toEqual(['linked.txt', 'real/file.txt']);
    expect((await filesUnder(root)).leaving).toEqual([]);
  });

  it('are never outside of it, wherever a link leads', async () => {
    write('docs/file.txt');
    write('docs-private/key.txt');
    const folder = join(root, 'docs');
    symlinkSync(join(root, 'docs-private'), join(folder, 'folder'));
    symlinkSync(join(root, 'docs-private', 'key.txt'), join(folder, 'file'));
    symlinkSync('../docs-private/key.txt', join(folder, 'relative'));
    symlinkSync(join(folder, 'folder'), join(folder, 'by-another-link'));
    symlinkSync('..', join(folder, 'up'));
    const { files, leaving, unreadable } = await filesUnder(folder);
    expect(files.map(({ path }) => path)).toEqual(['file.txt']);
    expect(leaving).toEqual(['by-another-link', 'file', 'folder', 'relative', 'up']);
    expect(unreadable).toEqual([]);
  });

  it('may be those of a folder that is named by a link', async () => {
    write('real/file.txt');
    symlinkSync(join(root, 'real', 'file.txt'), join(root, 'real', 'linked.txt'));
    symlinkSync(join(root, 'real'), join(root, 'alias'));
    const { files, leaving } = await filesUnder(join(root, 'alias'));
    expect([files.map(({ path }) => path), leaving]).toEqual([['file.txt', 'linked.txt'], []]);
  });

  it('tell of what cannot be read, and go on', async () => {
    write('good.txt');
    symlinkSync(join(root, 'gone.txt'), join(root, 'broken.txt'));
    symlinkSync(join(root, 'self'), join(root, 'self'));
    const { files, unreadable } = await filesUnder(root);
    expect(files.map(({ path }) => path)).toEqual(['good.txt']);
    expect(unreadable.map(({ path }) => path)).toEqual(['broken.txt', 'self']);
  });

  it('cannot be had from a file', async () => {
    write('single.txt');
    await expect(filesUnder(join(root, 'single.txt'))).rejects.toThrow(/single\.txt is not a folder\. Name the one/);
  });

  it('cannot be had from a folder that does not exist', async () => {
    await expect(filesUnder(join(root, 'nowhere'))).rejects.toThrow(
      /^The folder .*nowhere cannot be read: it does not exist/,
    );
  });
});
