/**
 * Folders of servers that tests start. A run that is killed leaves its servers running, each with its memory and its
 * files; the next one to make a folder ends and removes what belongs to no process any more.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const cleared = new Set<string>();

/** A new folder whose name says whose it is; those of the same kind are looked through for what is left behind. */
export async function throwAwayFolder(base: string, kind: string): Promise<string> {
  const beginning = join(base, `toolwright-${kind}-`);
  if (!cleared.has(beginning)) {
    cleared.add(beginning);
    await clearLeftovers(base, kind);
  }
  return mkdtemp(`${beginning}${process.pid}-${bornAt(process.pid) ?? ''}-`);
}

/** Ends the servers of folders whose makers are gone, and removes these. */
export async function clearLeftovers(base: string, kind: string): Promise<void> {
  const left = (await readdir(base)).filter((name) => {
    const [, pid, born] = new RegExp(`^toolwright-${kind}-(\\d+)-(\\d+)-`).exec(name) ?? [];
    return born !== undefined && bornAt(Number(pid)) !== born;
  });
  for (const folder of left.map((name) => join(base, name))) {
    for (const pid of processesIn(folder)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** When a process began, since numbers are given again; nothing where it is not there, or cannot be told. */
function bornAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')')).split(' ')[20];
  } catch {
    return undefined;
  }
}

/** Those that were started with the name of the folder, or in it. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = `${readlinkSync(`/proc/${pid}/cwd`)}\0${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`;
        return words.split('\0').some((word) => word.includes(folder));
      } catch {
        return false;
      }
    })
    .map(Number);
}
