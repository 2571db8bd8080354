import { InvalidRequestError, OverloadedError } from '@app/contract';
import { childProcesses, killNext } from '../../../../test/support/child-processes';
import { LocalEmbedder } from './local-embedder';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

const children = () => childProcesses('local-embedder').length;

describe('LocalEmbedder', () => {
  const embedder = new LocalEmbedder(2);
  afterAll(() => embedder.onApplicationShutdown());

  it('costs nothing before its first text', async () => {
    expect(await embedder.dimensions()).toBe(512);
    expect([embedder.id, embedder.maxWords, embedder.languages]).toEqual(['use-lite-en-512', 100, ['en']]);
    expect(await embedder.embed([])).toEqual([]);
    expect(children()).toBe(0);
  });

  it('gives a unit vector for each text, near for near meanings', async () => {
    const [asked, near, far] = await embedder.embed([
      'How do I reset my password?',
      'Steps to recover a forgotten password',
      'The harvest of olives was poor this year.',
    ]);
    for (const vector of [asked!, near!, far!]) {
      expect(vector).toHaveLength(512);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
    }
    expect(dot(asked!, near!)).toBeGreaterThan(dot(asked!, far!) + 0.2);
  });

  it('keeps the order, and gives a text the same vector alone and among others', async () => {
    const texts = Array.from({ length: 37 }, (_, at) => `${at} `.repeat(1 + ((at * 7) % 20)) + 'olives');
    const together = await embedder.embed(texts);
    for (const at of [0, 17, 36]) {
      const [alone] = await embedder.embed([texts[at]!]);
      expect(dot(alone!, together[at]!)).toBeCloseTo(1, 4);
    }
  });

  it('embeds a long text by its beginning, in bounded time', async () => {
    const beginning = 'The quick brown fox jumps over the lazy dog. '.repeat(30);
    const [short, long] = await embedder.embed([beginning, beginning + 'x'.repeat(1_000_000)]);
    expect(dot(short!, long!)).toBeCloseTo(1, 4);
  });

  it('takes any characters, and refuses only a text that is empty', async () => {
    const odd = ['\0', '\ud800', '😀👩‍👩‍👧', '\u200b\u00ad', ' \n', '漢字', 'ﷺ'.repeat(500), '١٢٣'];
    for (const vector of await embedder.embed(odd)) expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
    await expect(embedder.embed(['a', ''])).rejects.toThrow(InvalidRequestError);
  });

  it('lets a question in between two jobs of a long run', async () => {
    const text = 'Olives were pressed in the old mill by the river for many years. '.repeat(3);
    let running = true;
    const run = embedder.embed(Array.from({ length: 40 }, (_, at) => `${at} ${text}`)).finally(() => (running = false));
    await embedder.embed(['Where were olives pressed?']);
    expect(running).toBe(true);
    await run;
  });

  it('rejects at once when the caller goes away, and goes on for others', async () => {
    const caller = new AbortController();
    const many = Array.from({ length: 100 }, (_, at) => `${at} olives `.repeat(20));
    const run = embedder.embed(many, caller.signal);
    let othersAreDone = false;
    const others = embedder.embed(many).finally(() => (othersAreDone = true));
    setTimeout(() => caller.abort(new Error('gone')), 50);
    await expect(run).rejects.toThrow('gone');
    expect(othersAreDone).toBe(false);
    await others;
    await expect(embedder.embed(['a'], AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('embeds although a process is killed under it', async () => {
    const run = embedder.embed(Array.from({ length: 40 }, (_, at) => `${at} olives`));
    expect(await killNext('local-embedder', 1, run)).toBe(1);
    expect(await run).toHaveLength(40);
  });

  it('asks for another try when they are killed again and again', async () => {
    const run = embedder.embed(Array.from({ length: 40 }, (_, at) => `${at} olives`));
    const outcome = run.catch((error: unknown) => error);
    await killNext('local-embedder', 20, run);
    expect(await outcome).toBeInstanceOf(OverloadedError);
    expect(await outcome).toMatchObject({ retryAfter: expect.any(Number) });
    expect(await embedder.embed(['still here'])).toHaveLength(1);
  });
});
