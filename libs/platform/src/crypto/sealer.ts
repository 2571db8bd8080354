/** Encryption of what is stored for a while and must not be readable in a dump of the database (SEC-136). */
import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export class Sealer {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /**
   * @param file of the key, readable by its owner only.
   * @param options.create makes it where it is missing; several processes that do so at once get the same.
   * @throws Error that names the file when it is missing or holds no key.
   */
  static async open(file: string, { create }: { create: boolean }): Promise<Sealer> {
    const found = (await read(file)) ?? (create ? await make(file) : undefined);
    if (!found) throw new Error(`There is no key at ${file}.`);
    const key = Buffer.from(found.trim(), 'base64');
    if (key.length !== KEY_BYTES) throw new Error(`${file} does not hold a key of ${KEY_BYTES} bytes in base64.`);
    return new Sealer(key);
  }

  /** Tells keys apart and tells nothing else of them: twelve hex digits. */
  get keyId(): string {
    return createHash('sha256').update('toolwright key id').update(this.#key).digest('hex').slice(0, 12);
  }

  /** @param context where it belongs; it can be opened there only. */
  seal(text: string, context: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, iv).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error when it was sealed with another key or for another context, or was changed. */
  open(sealed: Buffer, context: string): string {
    const decipher = createDecipheriv(ALGORITHM, this.#key, sealed.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Aside and then linked, so that nobody reads half a key and the first of several wins. */
async function make(file: string): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    await link(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(aside, { force: true });
  }
  return read(file);
}
