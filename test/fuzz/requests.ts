/** Requests with everything that changes what a stream looks like. */
import { plan } from './plan';
import type { Random } from './random';

/** A tool of the caller's with a schema that can be missed, and one that takes anything. */
export const CLIENT_TOOLS = {
  get_weather: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
  note: { type: 'object' },
} as const;

/** A tool of the server's, under the caller's name for it. */
export const SERVER_TOOL = 'find';

const DOCUMENT = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: true,
};

export interface FuzzedRequest {
  readonly body: Record<string, unknown>;
  readonly anthropic: boolean;
  /** What the model may call. */
  readonly offered: readonly string[];
}

export function fuzzedRequest(random: Random, serverTool: object): FuzzedRequest {
  const clients = Object.entries(CLIENT_TOOLS).map(([name, input_schema]) => ({ name, input_schema }));
  const tools = random.pick([[], clients, clients, [clients[1]!], [serverTool], [...clients, serverTool]]);
  const names = tools.map((tool) => (tool as { name: string }).name);
  const type = names.length === 0 ? 'auto' : random.pick(['auto', 'auto', 'auto', 'any', 'tool', 'none'] as const);
  const chosen = type === 'tool' ? random.pick(names) : undefined;
  const structured = random.chance(0.06);
  const anthropic = random.chance(0.5);
  const citations = !anthropic && !structured && random.chance(0.15);
  const body = {
    model: 'default',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'Go on.' }],
    ...(tools.length > 0 && {
      tools,
      tool_choice: {
        type,
        ...(chosen && { name: chosen }),
        ...(type !== 'none' && random.chance(0.15) && { disable_parallel_tool_use: true }),
      },
    }),
    ...(random.chance(0.5) && { thinking: { type: 'enabled', budget_tokens: 1024 } }),
    ...(random.chance(0.15) && { stop_sequences: random.pick([['STOP'], ['STOP', 'OP fin', 'día'], ['\n\n', ' ']]) }),
    ...(structured && { output_config: { format: { type: 'json_schema', schema: DOCUMENT } } }),
    ...((citations || random.chance(0.1)) &&
      !anthropic && { system: { text: 'Be brief.', citations: { enabled: citations }, extensions: ['zylon'] } }),
  };
  return { body, anthropic, offered: type === 'none' ? [] : chosen ? [chosen] : names };
}

/** What a model may mean to say to this request; now and then it calls what was not offered. */
export function planFor(random: Random, { body, offered }: FuzzedRequest) {
  if (body.output_config && random.chance(0.7)) {
    return [{ type: 'text' as const, words: JSON.stringify({ city: random.chance(0.8) ? 'Málaga' : 7 }) }];
  }
  return plan(random, random.chance(0.05) ? [...offered, 'nowhere'] : offered);
}
