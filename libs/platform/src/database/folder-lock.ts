/**
 * One process at a time: a file that names its holder, and is nobody's once that process is gone.
 *
 * Holders are told by their process number and start time, so it needs one process table: two containers must not
 * share a data folder.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { processStart } from './running-process';

const holderSchema = z.object({ pid: z.number().int(), started: z.string() });
/** A holder that was killed a moment ago may still be going. */
const PATIENCE_MS = 1000;
const SELF = { pid: process.pid, started: processStart(process.pid) ?? '' };

/** The folder belongs to another process that is alive. */
export class FolderInUseError extends Error {
  constructor(
    readonly file: string,
    readonly pid: number,
  ) {
    super(
      `The data folder is in use by process ${pid} (${file}). Two servers cannot share one: stop the other, ` +
        'or give this one a DATA_DIR of its own.',
    );
    this.name = 'FolderInUseError';
  }
}

/**
 * Takes the lock, from a dead holder too.
 *
 * @returns what gives it back.
 * @throws FolderInUseError
 */
export async function lockFolder(file: string): Promise<() => Promise<void>> {
  const ours = `${file}.${randomUUID()}`;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    await writeFile(ours, JSON.stringify(SELF), { mode: 0o600 });
    while (!(await claim(ours, file))) {
      const held = await readFile(file, 'utf8').catch(() => '');
      const holder = livingHolder(held);
      if (!holder) await removeStale(file, held);
      else if (patience.aborted) throw new FolderInUseError(file, holder);
      else await sleep(50);
    }
  } finally {
    await rm(ours, { force: true });
  }
  return () => rm(file, { force: true });
}

/** A link appears at once and whole, or not at all. */
async function claim(ours: string, file: string): Promise<boolean> {
  try {
    await link(ours, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function livingHolder(content: string): number | undefined {
  const parsed = holderSchema.safeParse(parse(content));
  if (!parsed.success) return undefined;
  const { pid, started } = parsed.data;
  return processStart(pid) === started ? pid : undefined;
}

/** Puts it back when another process was quicker and what was moved aside is the lock it has just taken. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if ((await readFile(aside, 'utf8')) !== stale) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
