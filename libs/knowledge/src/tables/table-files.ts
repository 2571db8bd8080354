/**
 * The folders of Parquet files: one for each revision of an artifact that has tables, below that of its organisation.
 *
 * A folder is written under a name of its own and takes its place at once; it is part of the life of its revision, and
 * goes with it. All parts of the path are ours (SEC-82).
 */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '@app/access';

const HALF = '.part';

export class TableFiles {
  /** @param root below which everything lies. */
  constructor(private readonly root: string) {}

  /** Where the tables of a revision are to be written; nobody looks there. */
  draft({ organisationId }: Caller, revision: string): string {
    return join(this.root, organisationId, `${revision}${HALF}`);
  }

  /** Removes a draft of which nothing is to be kept. */
  async drop(caller: Caller, revision: string): Promise<void> {
    await drop(this.draft(caller, revision));
  }

  /** Puts what was written into its place. @returns the folder, below the root. */
  async keep(caller: Caller, revision: string): Promise<string> {
    const place = join(caller.organisationId, revision);
    await rename(this.draft(caller, revision), join(this.root, place));
    return place;
  }

  /** Removes all that there is of these revisions. */
  async remove(revisions: readonly string[]): Promise<void> {
    const dead = new Set(revisions);
    for (const { folder, revision } of await this.all()) if (dead.has(revision)) await drop(folder);
  }

  /**
   * Removes what a killed server left: half written folders, and those of revisions that do not live. Only before the
   * first ingest.
   */
  async recover(living: (revisions: readonly string[]) => Promise<readonly string[]>): Promise<void> {
    const all = await this.all();
    if (all.length === 0) return;
    const alive = new Set(await living(all.filter(({ half }) => !half).map(({ revision }) => revision)));
    for (const { folder, revision, half } of all) if (half || !alive.has(revision)) await drop(folder);
  }

  private async all(): Promise<{ folder: string; revision: string; half: boolean }[]> {
    const organisations = await names(this.root);
    const folders = await Promise.all(
      organisations.map(async (organisation) =>
        (await names(join(this.root, organisation))).map((name) => ({
          folder: join(this.root, organisation, name),
          revision: name.replace(HALF, ''),
          half: name.endsWith(HALF),
        })),
      ),
    );
    return folders.flat();
  }
}

const drop = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 });

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
