/**
 * What has arrived of a body whose sender is slow, on the disk: it has no place in memory that others wait for.
 *
 * The file has no name from the moment it is open, so that nothing is left of it however this ends.
 */
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

export class SlowBody {
  private size = 0;

  private constructor(private readonly file: FileHandle) {}

  /** @param folder made where it is missing. */
  static async begin(folder: string): Promise<SlowBody> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, randomUUID());
    const file = await open(path, 'wx+', 0o600);
    await unlink(path).catch(() => undefined);
    return new SlowBody(file);
  }

  async add(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.file.write(bytes, at, bytes.length - at, this.size);
      at += bytesWritten;
      this.size += bytesWritten;
    }
  }

  async whole(): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(this.size);
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await this.file.read(bytes, at, bytes.length - at, at);
      if (bytesRead === 0) throw new Error('A body has left the disk before it was read');
      at += bytesRead;
    }
    return bytes;
  }

  end(): Promise<void> {
    return this.file.close();
  }
}
