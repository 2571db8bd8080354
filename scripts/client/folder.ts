import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

export interface FoundFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

export interface Unreadable {
  readonly path: string;
  readonly reason: string;
}

export interface FolderContents {
  readonly files: FoundFile[];
  readonly unreadable: Unreadable[];
  /** Paths of links that lead out of the folder; what is there was not looked at. */
  readonly leaving: string[];
}

/**
 * Every file under a folder, sorted by path.
 *
 * Hidden files and folders are left out, and whatever is neither a file nor a folder. Links are followed within the
 * folder: who names a folder means what is in it, and a link out of a folder from elsewhere may lead to a private key.
 * A folder that was already seen, as in a loop of links, is not entered again.
 */
export async function filesUnder(folder: string): Promise<FolderContents> {
  const files: FoundFile[] = [];
  const unreadable: Unreadable[] = [];
  const leaving: string[] = [];
  const root = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The folder ${folder} cannot be read: ${reasonOf(error)}.`);
  });
  if (!(await stat(root)).isDirectory()) {
    throw new Error(
      `${folder} is not a folder. Name the one that it lies in; only its new and changed files are sent.`,
    );
  }
  const inside = root.endsWith(sep) ? root : root + sep;
  const leaves = async (path: string) => {
    const target = await realpath(join(folder, path));
    return target !== root && !target.startsWith(inside);
  };
  const seen = new Set<string>();
  // Linked folders wait until the real ones are done, so that a file keeps its real path whatever the order of names.
  const waiting = [''];

  const enter = async (folderPath: string): Promise<void> => {
    const real = await realpath(join(folder, folderPath));
    if (seen.has(real)) return;
    seen.add(real);
    const entries = await readdir(real, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => compare(one.name, other.name))) {
      if (entry.name.startsWith('.')) continue;
      const path = folderPath ? `${folderPath}/${entry.name}` : entry.name;
      await attempt(path, async () => {
        if (entry.isSymbolicLink() && (await leaves(path))) return void leaving.push(path);
        const found = await stat(join(folder, path));
        if (found.isFile()) files.push({ path, size: found.size });
        else if (found.isDirectory() && entry.isSymbolicLink()) waiting.push(path);
        else if (found.isDirectory()) await enter(path);
      });
    }
  };
  const attempt = async (path: string, look: () => Promise<void>): Promise<void> => {
    await look().catch((error: NodeJS.ErrnoException) => unreadable.push({ path, reason: reasonOf(error) }));
  };

  await enter(waiting.shift() ?? '');
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const linked = path;
    await attempt(linked, () => enter(linked));
  }
  return {
    files: files.sort((one, other) => compare(one.path, other.path)),
    unreadable,
    leaving: leaving.sort(compare),
  };
}

/** By code unit, so that the order is the same on every machine. */
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** What went wrong with a file, without the path, which is told beside it. */
export function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return (code && REASONS[code]) || message;
}

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist, or is a link to nothing',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ELOOP: 'it is a link to itself',
};
