import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OverloadedError } from '@app/contract';
import { loadConfig } from '@app/platform';
import { killNext } from '../../../../test/support/child-processes';
import { ChildDocumentReader } from './document-reader.child';

const reader = (settings: NodeJS.ProcessEnv = {}) => new ChildDocumentReader(loadConfig(settings).ingestion);
const file = (name: string, content: string) => ({ name, bytes: Buffer.from(content) });

describe('ChildDocumentReader', () => {
  it('reads a file into passages with the words they are found by', async () => {
    const child = reader();
    const document = await child.read(file('a.md', '# Copias\n\nLas copias se guardan.'), { maxWords: 80 });
    expect(document).toMatchObject({
      format: 'markdown',
      chunks: [{ text: 'Las copias se guardan.', headings: ['Copias'], position: 0, positionUnderHeading: 0 }],
    });
    expect(document.chunks[0]?.terms).toEqual(expect.arrayContaining(['copias', '~copi', 'guardan', '~guard']));
    await child.close();
  });

  it.each(['big.csv', 'big.md'])('reads %s from where it lies, and removes it', async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'reader-'));
    const path = join(folder, 'fetched');
    writeFileSync(path, 'city,people\nLugo,98519\nSoria,39821\n');
    const child = reader();
    const { chunks, tables } = await child.read(
      { name, bytes: new Uint8Array(), path },
      { maxWords: 80, folder: join(folder, 'tables') },
    );
    expect(chunks.map(({ text }) => text).join()).toContain('Soria');
    expect(tables).toHaveLength(name.endsWith('.csv') ? 1 : 0);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(
      tables.length ? ['tables', 'tables/0.parquet'] : [],
    );
    await child.close();
    rmSync(folder, { recursive: true });
  });

  it('passes on what the parser says', async () => {
    const child = reader();
    await expect(child.read(file('a.docx', 'no archive'), { maxWords: 80 })).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^unsupported_file: /),
    });
    await child.close();
  });

  it('names the setting when a file has too many passages or takes too long', async () => {
    const few = reader({ MAX_CHUNKS_PER_ARTIFACT: '3' });
    const long = Array.from({ length: 20 }, (_, at) => `# Part ${at}\n\nSome words.`).join('\n\n');
    await expect(few.read(file('a.md', long), { maxWords: 80 })).rejects.toMatchObject({
      message: expect.stringMatching(/^limit_exceeded: .*MAX_CHUNKS_PER_ARTIFACT/),
    });
    await few.close();
    const hasty = new ChildDocumentReader({ ...loadConfig({}).ingestion, parserMs: 1 });
    await expect(hasty.read(file('a.md', long.repeat(100)), { maxWords: 80 })).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^limit_exceeded: .*PARSER_SECONDS/),
    });
    await hasty.close();
  });

  it('names the setting when a file takes too much memory', async () => {
    const small = new ChildDocumentReader({ ...loadConfig({}).ingestion, parserMemoryMb: 20 });
    await expect(small.read(file('a.txt', 'Words. '.repeat(500_000)), { maxWords: 80 })).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^limit_exceeded: .*PARSER_MEMORY_MB/),
    });
    await small.close();
  });

  it('reads a file although its process is killed from outside, and does not blame the file', async () => {
    const child = reader();
    const words = file('a.txt', 'Words. '.repeat(1000));
    const once = child.read(words, { maxWords: 80 });
    expect(await killNext('parse.task', 1, once)).toBe(1);
    expect((await once).format).toBe('text');
    const again = child.read(words, { maxWords: 80 });
    const outcome = again.catch((error: unknown) => error);
    await killNext('parse.task', 20, again);
    expect(await outcome).toBeInstanceOf(OverloadedError);
    await child.close();
  });
});
