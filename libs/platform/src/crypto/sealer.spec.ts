import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sealer } from './sealer';

describe('A sealer', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolwright-sealer-'));
    file = join(folder, 'made', 'key');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('opens what it has sealed, also after a restart, and shows nothing of it', async () => {
    const sealed = (await Sealer.open(file, { create: true })).seal('the S3CR3T ñ 😀', 'here');
    expect(sealed.toString('latin1')).not.toContain('S3CR3T');
    expect((await Sealer.open(file, { create: false })).open(sealed, 'here')).toBe('the S3CR3T ñ 😀');
  });

  it('never seals the same text to the same bytes', async () => {
    const sealer = await Sealer.open(file, { create: true });
    expect(sealer.seal('text', 'here')).not.toEqual(sealer.seal('text', 'here'));
  });

  it('opens nothing that was changed, moved elsewhere or sealed with another key', async () => {
    const sealer = await Sealer.open(file, { create: true });
    const other = await Sealer.open(join(folder, 'other'), { create: true });
    const sealed = sealer.seal('text', 'here');
    expect(() => sealer.open(sealed, 'there')).toThrow();
    expect(() => other.open(sealed, 'here')).toThrow();
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => sealer.open(changed, 'here')).toThrow();
    }
    expect(() => sealer.open(sealed.subarray(0, 20), 'here')).toThrow();
    expect(other.keyId).not.toBe(sealer.keyId);
  });

  it('makes one key, for its owner only, however many ask at once', async () => {
    const sealers = await Promise.all(Array.from({ length: 8 }, () => Sealer.open(file, { create: true })));
    expect(new Set(sealers.map(({ keyId }) => keyId)).size).toBe(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toHaveLength(44);
  });

  it('says what is wrong with a key, without showing it', async () => {
    await expect(Sealer.open(file, { create: false })).rejects.toThrow(`There is no key at ${file}.`);
    const short = join(folder, 'short');
    await writeFile(short, 'S3CR3T');
    await chmod(short, 0o600);
    await expect(Sealer.open(short, { create: true })).rejects.toThrow(`${short} does not hold a key of 32 bytes`);
  });
});
