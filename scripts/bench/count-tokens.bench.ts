import type { Benchmark, Figure } from './figure';
import { familyCpuSeconds, startHelper, startServer } from './processes';

const BYTES = 100_000;
const WARM_UP = 40;
const REQUESTS = 100;
const GOAL_MS = 20;

/** Processor time of `count_tokens` for texts of 100 kB, each another one. */
export const countTokens: Benchmark = {
  name: 'count-tokens',
  async run() {
    const model = await startHelper('helpers/fake-model.js', 'helpers');
    try {
      return await measured(`http://127.0.0.1:${model.port}/v1`);
    } finally {
      model.stop();
    }
  },
};

/** With the processes of the server: its database is idle, its tokenizer is not. */
async function measured(modelUrl: string): Promise<Figure[]> {
  const server = await startServer({ core: 'measured', env: { OPENAI_BASE_URL: modelUrl, OPENAI_API_KEY: 'bench' } });
  try {
    const figures: Figure[] = [];
    for (const [kind, words] of Object.entries(TEXTS)) {
      for (let at = 0; at < WARM_UP; at++) await count(server.url, textOf(words, -at));
      const before = familyCpuSeconds(server.pid);
      let tokens = 0;
      for (let at = 1; at <= REQUESTS; at++) tokens = await count(server.url, textOf(words, at));
      const ms = ((familyCpuSeconds(server.pid) - before) / REQUESTS) * 1000;
      figures.push({
        name: `count_tokens of ${BYTES / 1000} kB (${kind})`,
        measured: `${ms.toFixed(1)} ms CPU, ${(BYTES / tokens).toFixed(1)} bytes a token`,
        goal: `at most ${GOAL_MS} ms`,
        ok: ms <= GOAL_MS,
      });
    }
    return figures;
  } finally {
    await server.stop();
  }
}

const TEXTS = {
  English:
    'the server keeps every document that was sent and finds the passage which answers a question, without asking anybody else.',
  Spanish:
    'el servidor guarda cada documento que se le envió y encuentra el párrafo que responde a la pregunta, sin añadir nada más.',
  code: 'for (const [name, value] of Object.entries(given)) { if (value !== undefined) result[name] = await read(value, 0x1f); }',
  Chinese: '服务器 保存 每一份 发送的 文档 ， 并 找到 回答 问题 的 段落 。',
};

/** The words in another order each time: nothing that was counted before helps. */
function textOf(words: string, seed: number): string {
  const all = words.split(' ');
  let state = seed >>> 0;
  let text = '';
  let bytes = 0;
  while (bytes < BYTES) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const word = `${all[Math.floor((state / 2 ** 32) * all.length)]} `;
    text += word;
    bytes += Buffer.byteLength(word);
  }
  return text;
}

async function count(url: string, content: string): Promise<number> {
  const response = await fetch(`${url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content }] }),
  });
  const { input_tokens } = (await response.json()) as { input_tokens?: number };
  if (!input_tokens) throw new Error(`count_tokens answered ${response.status}`);
  return input_tokens;
}
