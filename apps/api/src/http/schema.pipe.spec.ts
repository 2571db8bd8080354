import { InvalidRequestError, messagesRequestSchema } from '@app/contract';
import { z } from 'zod';
import { Random } from '../../../../test/fuzz/random';
import { bodyIssues } from './body-issues';
import { SchemaPipe } from './schema.pipe';

const WEATHER = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const PIXEL = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };

/** A request with everything in it, and one with nothing that need not be. */
const REQUESTS: readonly object[] = [
  { messages: [{ content: 'Go on.' }] },
  {
    model: 'default',
    max_tokens: 1000,
    stream: true,
    system: [
      { type: 'text', text: 'Be brief.', citations: { enabled: true, known_citations: [{ id: 'AB12', index: 0 }] } },
    ],
    messages: [
      { role: 'system', content: 'You are kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image', source: PIXEL },
          { type: 'document', title: 'Minutes', source: { type: 'text', data: 'They met.', media_type: 'text/plain' } },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'They left.' }] } },
          { type: 'binary', filename: 'a.pdf', data: 'AAAA', mime_type: 'application/pdf' },
          { type: 'search_result', source: 'x', title: 'y', content: [{ type: 'text', text: 'z' }] },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: '' },
          { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Málaga' } },
          { type: 'tldr', content: [{ type: 'text', text: 'short' }] },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sun.', is_error: false }] },
      { role: 'user', content: [{ type: 'mid_conv_system', content: 'Now answer.' }] },
    ],
    tools: [
      { name: 'get_weather', description: 'The weather.', input_schema: WEATHER, deferLoading: true },
      {
        name: 'find',
        type: 'semantic_search_v1',
        context: [{ type: 'ingested_artifact', context_filter: { collection: 'books' } }],
      },
      'web_fetch_v1',
    ],
    tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true, validation_mode: 'eager' },
    tool_context: [{ type: 'text', value: 'x' }],
    thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' },
    outputConfig: { effort: 'low', format: { type: 'text' } },
    responseFormat: { type: 'text' },
    temperature: 0.5,
    top_p: 0.5,
    top_k: 3,
    min_p: 0.1,
    repetition_penalty: -1,
    seed: 7,
    stop_sequences: ['STOP'],
    metadata: { user_id: 'u', more: { deep: [1] } },
    correlation_id: 'c',
    thread: null,
    surprise: [{ a: 1 }],
  },
];

const ODD = [
  null,
  undefined,
  '',
  'x',
  'auto',
  0,
  -1,
  1.5,
  1e300,
  true,
  [],
  {},
  [null],
  { type: 'text' },
  [{}],
  'x'.repeat(300),
];

/** The same with one thing in it, at any depth, left out, replaced, doubled or under another name. */
function changed(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return random.pick(ODD);
  if (Array.isArray(value)) {
    if (value.length === 0) return [random.pick(ODD)];
    const at = random.below(value.length);
    if (random.chance(0.2)) return random.chance(0.5) ? value.toSpliced(at, 1) : value.toSpliced(at, 0, value[at]);
    return value.with(at, changed(random, value[at]));
  }
  const keys = Object.keys(value);
  const key = random.pick(keys.length > 0 ? keys : ['type']);
  const { [key]: inside, ...rest } = value as Record<string, unknown>;
  switch (random.below(8)) {
    case 0:
      return rest;
    case 1:
      return { ...rest, [key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())]: inside };
    case 2:
      return {
        ...value,
        [random.pick(['type', 'text', 'content', 'id', 'name', 'maxTokens', 'odd'])]: random.pick(ODD),
      };
    default:
      return { ...value, [key]: changed(random, inside) };
  }
}

describe('the schema pipe', () => {
  const pipe = new SchemaPipe();
  const piped = (body: unknown) => {
    try {
      return { taken: pipe.transform(body, { type: 'body', schema: messagesRequestSchema }) };
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      return { refused: error.explanation };
    }
  };
  const plain = (body: unknown) => {
    const { success, data, error } = messagesRequestSchema.safeParse(body);
    return success ? { taken: data } : { refused: bodyIssues(error, 'body') };
  };

  it('has the schema of requests as code', () => {
    expect(() => z.compile(messagesRequestSchema, { strict: true })).not.toThrow();
    for (const request of REQUESTS) expect(plain(request)).toHaveProperty('taken');
  });

  it('takes, changes and refuses requests as their schema does, whatever is wrong with them', () => {
    const outcomes = { taken: 0, refused: 0 };
    for (let seed = 0; seed < 3000; seed++) {
      const random = new Random(seed);
      let body: unknown = REQUESTS[seed % REQUESTS.length];
      for (let times = random.below(3); times > 0; times--) body = changed(random, body);
      const outcome = piped(body);
      expect({ seed, ...outcome }).toStrictEqual({ seed, ...plain(body) });
      outcomes[outcome.taken === undefined ? 'refused' : 'taken']++;
    }
    // Both ways were really gone.
    expect(outcomes.taken).toBeGreaterThan(300);
    expect(outcomes.refused).toBeGreaterThan(300);
  });
});
