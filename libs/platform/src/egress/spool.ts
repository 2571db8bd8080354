/** A large body on disk: what comes in is written as it comes, and memory holds a part of it at a time. */
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Spool {
  /** Made when it is needed, with its folder. Whoever names it removes it. */
  readonly file: string;
  /** A body that has more bytes goes there. */
  readonly from: number;
}

export interface SpooledFile {
  readonly path: string;
  readonly size: number;
}

const FIRST_SPACE = 64 * 1024;

/**
 * The parts of a body, copied: a part of one byte may be a view of all that came with it (the extension of a chunk has
 * any length and counts for nothing), and many of them cost more than what they hold.
 */
export class WholeBody {
  private space = Buffer.allocUnsafe(FIRST_SPACE);
  private size = 0;
  private file: FileHandle | undefined;

  constructor(private readonly spool?: Spool) {}

  /** @returns a promise where the part has to be written first. */
  add(part: Buffer): Promise<void> | undefined {
    const size = this.size + part.length;
    if (this.file || (this.spool && size > this.spool.from)) return this.write(part);
    if (size > this.space.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, this.space.length * 2));
      this.space.copy(larger, 0, 0, this.size);
      this.space = larger;
    }
    part.copy(this.space, this.size);
    this.size = size;
    return undefined;
  }

  /** In memory; empty where it was written. */
  get bytes(): Buffer {
    return this.file ? Buffer.alloc(0) : this.space.subarray(0, this.size);
  }

  get spooled(): SpooledFile | undefined {
    return this.file && { path: this.spool!.file, size: this.size };
  }

  /** To be called whatever happens. */
  async close(): Promise<void> {
    await this.file?.close();
  }

  private async write(part: Buffer): Promise<void> {
    if (!this.file) {
      await mkdir(dirname(this.spool!.file), { recursive: true });
      this.file = await open(this.spool!.file, 'w');
      await this.file.writeFile(this.space.subarray(0, this.size));
      this.space = Buffer.alloc(0);
    }
    await this.file.writeFile(part);
    this.size += part.length;
  }
}
