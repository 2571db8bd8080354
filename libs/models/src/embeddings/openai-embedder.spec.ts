import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { InvalidRequestError, OverloadedError, PlatformError } from '@app/contract';
import { Secret } from '@app/platform';
import { FakeModelServer, fakeVector } from '../../../../test/support/fake-model-server';
import { OpenAiEmbedder } from './openai-embedder';

describe('OpenAiEmbedder', () => {
  let fake: FakeModelServer;
  let embedder: OpenAiEmbedder;
  const open = (more: object = {}) => {
    embedder = new OpenAiEmbedder({
      baseUrl: fake.baseUrl,
      model: 'bge-small',
      connectMs: 1000,
      idleMs: 10_000,
      ...more,
    });
  };
  beforeEach(async () => {
    fake = await FakeModelServer.start({ dimensions: 16 });
    open();
  });
  afterEach(async () => {
    await embedder.onApplicationShutdown();
    await fake.stop();
  });
  const failure = (texts = ['a']): Promise<PlatformError> =>
    embedder.embed(texts).then(
      () => Promise.reject(new Error('no failure')),
      (error: PlatformError) => error,
    );

  it('gives a unit vector for each text, by position, whatever the order of the answer', async () => {
    const texts = ['the cat', 'the dog sleeps', 'the cat'];
    const vectors = await embedder.embed(texts);
    expect(vectors).toHaveLength(3);
    texts.forEach((text, place) => {
      const expected = fakeVector(text, 16);
      const length = Math.hypot(...expected);
      expect(Array.from(vectors[place]!)).toEqual(expected.map((value) => expect.closeTo(value / length, 5)));
    });
    expect(fake.embeddingRequests).toEqual([{ model: 'bge-small', input: texts, encoding_format: 'float' }]);
  });

  it('knows its length of vectors from the first call, and its id before', async () => {
    expect(embedder.id).toBe('openai/bge-small');
    expect(await embedder.dimensions()).toBe(16);
    await embedder.embed(['a']);
    expect(await embedder.dimensions()).toBe(16);
    expect(fake.embeddingRequests).toHaveLength(2);
  });

  it('sends at most 256 texts and 400,000 characters at once', async () => {
    await embedder.embed(Array.from({ length: 600 }, (_, index) => `text ${index}`));
    expect(fake.embeddingRequests.map(({ input }) => input.length)).toEqual([256, 256, 88]);
    await embedder.embed(Array.from({ length: 150 }, () => 'x'.repeat(4000)));
    expect(fake.embeddingRequests.slice(3).map(({ input }) => input.length)).toEqual([100, 50]);
  });

  it('embeds a text beyond 300 words by its beginning', async () => {
    await embedder.embed([Array.from({ length: 1000 }, (_, index) => `w${index}`).join(' '), '漢'.repeat(10_000)]);
    const [[words, characters]] = fake.embeddingRequests.map(({ input }) => input);
    expect(words.split(' ')).toHaveLength(300);
    expect(words).toMatch(/^w0 w1 .* w299$/);
    expect(characters).toHaveLength(4000);
  });

  it('sends the key, and none where none is configured', async () => {
    await embedder.embed(['a']);
    expect(fake.headers.authorization).toBeUndefined();
    await embedder.onApplicationShutdown();
    open({ apiKey: new Secret('sk-2') });
    await embedder.embed(['a']);
    expect(fake.headers.authorization).toBe('Bearer sk-2');
  });

  it('refuses an empty text before it asks anybody', async () => {
    expect(await failure(['a', ' '])).toBeInstanceOf(InvalidRequestError);
    expect(fake.embeddingRequests).toHaveLength(0);
  });

  it('tries again when the server is busy', async () => {
    fake.failing = 503;
    const vectors = embedder.embed(['a']);
    while (fake.embeddingRequests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    fake.failing = undefined;
    expect(await vectors).toHaveLength(1);
  });

  it('names the setting to check, and not the address, when the server is down', async () => {
    await fake.stop();
    const error = await failure();
    expect(error).toBeInstanceOf(OverloadedError);
    expect(error.message).toContain('EMBEDDINGS_BASE_URL');
    expect(error.message).not.toContain('127.0.0.1');
    fake = await FakeModelServer.start();
  });

  it.each([
    [401, 'EMBEDDINGS_API_KEY'],
    [404, 'EMBEDDINGS_MODEL'],
    [400, 'failed with status 400'],
  ])('says what to do about %d', async (status, words) => {
    fake.failing = status;
    const error = await failure();
    expect([error.type, error.message]).toEqual(['api_error', expect.stringContaining(words)]);
    expect(inspect(error)).not.toContain('as the test asked');
    expect(fake.embeddingRequests).toHaveLength(1);
  });

  it.each([
    ['too few vectors', { data: [{ index: 0, embedding: [1, 0] }] }],
    ['a vector twice and another never', { data: [1, 1].map((index) => ({ index, embedding: [1, 0] })) }],
    ['lengths that differ', { data: [[1], [1, 0]].map((embedding, index) => ({ index, embedding })) }],
    [
      'a vector without a direction',
      {
        data: [
          [1, 0],
          [0, 0],
        ].map((embedding, index) => ({ index, embedding })),
      },
    ],
    [
      'no numbers',
      {
        data: [
          [1, 0],
          ['a', 'b'],
        ].map((embedding, index) => ({ index, embedding })),
      },
    ],
    ['no vectors at all', { ok: true }],
    ['a web page', '<html>'],
  ])('refuses %s', async (_, answer) => {
    fake.embeds(answer);
    expect(await failure(['a', 'b'])).toMatchObject({
      type: 'api_error',
      message: expect.stringMatching(/^The embeddings server answered with /),
    });
  });

  it('refuses vectors of another length than those of before', async () => {
    await embedder.embed(['a']);
    fake.embeds({ data: [{ index: 0, embedding: [1, 0] }] });
    expect((await failure()).message).toContain('a vector of 2 numbers after others of 16');
  });

  it('leaves nothing behind on the signal of its caller, however many requests a text takes', async () => {
    const { signal } = new AbortController();
    await embedder.embed(
      Array.from({ length: 256 * 3 }, (_, at) => `text ${at}`),
      signal,
    );
    expect(fake.embeddingRequests).toHaveLength(3);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('stops when the caller does', async () => {
    const caller = new AbortController();
    fake.failing = 503;
    const vectors = embedder.embed(['a'], caller.signal);
    while (fake.embeddingRequests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    caller.abort(new Error('gone'));
    await expect(vectors).rejects.toThrow('gone');
  });
});
