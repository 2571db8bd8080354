/**
 * Answers of model servers as they were recorded or documented, each through the real server: as a stream, as a message
 * and by the official client. All three are one message (messages-api §10).
 */
import Anthropic from '@anthropic-ai/sdk';
import type { Message } from '@app/contract';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { comparable } from '../fuzz/comparable';
import { fold } from '../fuzz/official-client';
import { foldWellFormed, type Folded } from '../fuzz/well-formed';
import { FakeModelServer, type Reply } from '../support/fake-model-server';
import { startServer, type TestServer } from '../support/start-server';

const FIXTURES = join(__dirname, '../fixtures');

/** What each recording comes to: blocks in order (`text`, `thinking`, name of a call), and how it ends. */
const RECORDED: Record<string, string> = {
  'azure-content-filter': 'text → refusal',
  'deepseek-reasoning': 'thinking text → end_turn',
  'gemini-two-calls': 'search search → tool_use',
  'groq-usage-in-a-field-of-its-own': 'text → end_turn',
  'llamacpp-call': 'thinking search → tool_use',
  'llamacpp-text-with-timings': 'text → end_turn',
  'llamacpp-two-calls': 'search add → tool_use',
  'lmstudio-call': 'text search → tool_use',
  'lmstudio-error': 'api_error',
  'lmstudio-reasoning-and-text': 'thinking text → end_turn',
  'mistral-thinking-blocks': 'thinking text → end_turn',
  'mistral-whole-calls': 'search add → tool_use',
  'mlx-call-without-index': 'text search → tool_use',
  'ollama-reasoning': 'thinking text → max_tokens',
  'ollama-text': 'text → end_turn',
  'ollama-thought-and-two-calls': 'thinking search add → tool_use',
  'ollama-two-calls-one-index': 'search search → tool_use',
  'ollama-whole-document': 'thinking text search → tool_use',
  'openai-cut-by-length': 'text → max_tokens',
  'openai-refusal': 'text → end_turn',
  'openai-text': 'text → end_turn',
  'openai-two-calls': 'search add → tool_use',
  'openrouter-reasoning-details': 'thinking text → end_turn',
  'proxy-function-call-crlf': 'search → tool_use',
  'sglang-call-with-nulls': 'thinking text search → tool_use',
  'tgi-call-as-object': 'search → tool_use',
  'vllm-error-in-the-middle': 'api_error',
  'vllm-forced-call': 'search → tool_use',
  'vllm-reasoning-and-text': 'thinking text → end_turn',
  'vllm-reasoning-then-call': 'thinking text search → tool_use',
  'vllm-stop-sequence': 'text → end_turn',
  'vllm-two-calls': 'search search → tool_use',
  'vllm-whole-document': 'text → end_turn',
};

/** What the fake model server plays in other tests: every kind of answer that it has. */
const PLAYED: Record<string, [reply: Reply, told: string]> = {
  'text in pieces': [{ text: ['Veintisiete ', 'días', '.'] }, 'text → end_turn'],
  'one word': [{ text: ['Sí'] }, 'text → end_turn'],
  nothing: [{}, '→ end_turn'],
  'reasoning alone': [{ reasoning: ['Hm', '…'] }, 'thinking → end_turn'],
  'reasoning and text': [{ reasoning: ['Let me see.'], text: ['27'] }, 'thinking text → end_turn'],
  'a call': [{ calls: [{ name: 'search', input: { query: 'días de año nuevo' } }] }, 'search → tool_use'],
  'a call with an id': [{ calls: [{ name: 'search', input: { query: 'x' }, id: 'call_1' }] }, 'search → tool_use'],
  'a call without arguments': [{ calls: [{ name: 'add', input: {} }] }, 'add → tool_use'],
  'calls side by side': [
    {
      calls: [
        { name: 'search', input: { query: 'uno' } },
        { name: 'search', input: { query: 'dos' } },
        { name: 'add', input: { a: 1, b: [2, { c: null }] } },
      ],
    },
    'search search add → tool_use',
  ],
  'everything at once': [
    { reasoning: ['Hm'], text: ['Voy a mirar.'], calls: [{ name: 'search', input: { query: 'y' } }] },
    'thinking text search → tool_use',
  ],
  'cut by the limit': [{ text: ['Half'], finish: 'length' }, 'text → max_tokens'],
  'cut by a filter': [{ text: ['Half'], finish: 'content_filter' }, 'text → refusal'],
  'stop beside a call': [{ calls: [{ name: 'search', input: { query: 'z' } }], finish: 'stop' }, 'search → tool_use'],
  'no usage': [{ text: ['27'], usage: {} }, 'text → end_turn'],
  'a cached prompt': [
    { text: ['27'], usage: { prompt_tokens: 20, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 15 } } },
    'text → end_turn',
  ],
};

const REQUEST = {
  model: 'default',
  max_tokens: 500,
  messages: [{ role: 'user', content: '¿Qué hay?' }],
  tools: [
    { name: 'search', input_schema: { type: 'object', properties: { query: { type: 'string' } } } },
    { name: 'add', input_schema: { type: 'object' } },
  ],
  thinking: { type: 'enabled', budget_tokens: 1024 },
};

describe.each(['native', 'anthropic'] as const)(
  'An answer of a model server, for a caller of the %s dialect,',
  (dialect) => {
    let model: FakeModelServer;
    let server: TestServer;
    let client: Anthropic;
    beforeAll(async () => {
      model = await FakeModelServer.start();
      server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl } });
      client = new Anthropic({ apiKey: 'any', baseURL: server.url, maxRetries: 0 });
    });
    afterAll(async () => {
      await server?.stop();
      await model?.stop();
    });

    const post = (stream: boolean) =>
      server.post(
        '/v1/messages',
        { ...REQUEST, stream },
        { headers: dialect === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {} },
      );

    async function isOneMessage(script: () => void, told: string): Promise<void> {
      script();
      const streamed = foldWellFormed(await (await post(true)).text(), dialect);
      script();
      const whole = wholeOf(await (await post(false)).json());
      expect(comparable(streamed)).toBe(comparable(whole));
      if (dialect === 'anthropic') {
        script();
        expect(comparable(await fold(client, REQUEST), { cited: false })).toBe(comparable(whole, { cited: false }));
      }
      expect(summary(whole)).toBe(told);
      expect(model.unasked).toBe(0);
    }

    it.each(Object.entries(RECORDED))(
      'is one message, streamed or whole: %s (§recorded-upstreams)',
      async (name, told) => {
        const bytes = readFileSync(join(FIXTURES, `${name}.sse`));
        await isOneMessage(() => model.sends(bytes), told);
      },
    );

    it.each(Object.entries(PLAYED))(
      'is one message, streamed or whole: %s (§recorded-upstreams)',
      async (_, [reply, told]) => {
        // The model server makes up ids of calls, so that they differ from answer to answer.
        const calls = reply.calls?.map((call, at) => ({ id: `call_${at}`, ...call }));
        await isOneMessage(() => model.replies({ ...reply, calls }), told);
      },
    );
  },
);

it('every recording is one of them', () => {
  const names = readdirSync(FIXTURES).flatMap((name) => (name.endsWith('.sse') ? [name.slice(0, -4)] : []));
  expect(Object.keys(RECORDED).sort()).toEqual(names.sort());
});

function wholeOf(body: unknown): Folded {
  const { content, stop_reason, stop_sequence, usage, error } = body as Message & { error?: Folded['error'] };
  if (error) return { content: [], error };
  return { content, stopReason: stop_reason, stopSequence: stop_sequence, usage: usage as never };
}

const summary = ({ content, stopReason, error }: Folded): string =>
  error ? error.type : `${content.map(({ type, name }) => name ?? type).join(' ')} → ${stopReason}`.trim();
