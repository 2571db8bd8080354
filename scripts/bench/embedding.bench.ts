import { median, type Benchmark } from './figure';
import { startServer } from './processes';

const WORDS_PER_CHUNK = 100;
const CHUNKS_PER_REQUEST = 16;
const REQUESTS_AT_ONCE = 4;
const ROUNDS = 3;

/** Common words, so that a chunk of them has as many tokens as one of prose. */
const WORDS =
  'the server keeps every document that was sent and finds the passage which answers a question about its contents without asking anybody else on the network because all that it needs is already inside'.split(
    ' ',
  );

/** Chunks embedded a second through the public API, by the local embedder with one worker and with two. */
export const embedding: Benchmark = {
  name: 'embedding',
  async run() {
    const one = await chunksPerSecond(1);
    const two = await chunksPerSecond(2);
    return [
      { name: 'chunks of 100 words embedded: 1 worker', measured: `${one.toFixed(1)}/s` },
      {
        name: 'chunks of 100 words embedded: 2 workers',
        measured: `${two.toFixed(1)}/s, ${(two / one).toFixed(2)}× one worker`,
      },
    ];
  },
};

async function chunksPerSecond(workers: number): Promise<number> {
  const server = await startServer({ env: { EMBEDDER_WORKERS: String(workers) } });
  try {
    await embedAll(server.url);
    const rates = [];
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now();
      await embedAll(server.url);
      rates.push((REQUESTS_AT_ONCE * CHUNKS_PER_REQUEST) / ((performance.now() - began) / 1000));
    }
    return median(rates);
  } finally {
    await server.stop();
  }
}

const embedAll = (url: string) => Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, (_, part) => embed(url, part)));

/** One request of different chunks. @throws Error when it is not answered in full. */
export async function embed(url: string, part: number, count = CHUNKS_PER_REQUEST): Promise<void> {
  const input = Array.from({ length: count }, (_, chunk) =>
    Array.from({ length: WORDS_PER_CHUNK }, (__, word) => WORDS[(word * (chunk + 1) + part) % WORDS.length]).join(' '),
  );
  const response = await fetch(`${url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  });
  const { data } = (await response.json()) as { data?: unknown[] };
  if (data?.length !== count) throw new Error(`/v1/embeddings answered ${response.status}`);
}
