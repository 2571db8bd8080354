/** What a model means to say in one answer, before a model server puts it on the wire. */
import type { Random } from './random';

export type Segment =
  | { readonly type: 'text' | 'thinking'; readonly words: string }
  | { readonly type: 'call'; readonly name: string; readonly input: Record<string, unknown> };

const WORDS = [
  'Hola',
  ' ¿cuántos días?',
  ' año',
  ' the',
  ' billing dashboard',
  '\n',
  '\n\n',
  ' ',
  '😀',
  '👩‍👩‍👧‍👦',
  'é́',
  '漢字',
  '\u2028',
  '"',
  '\\',
  '\\"}]}',
  'STOP',
  'ST',
  'OP',
  'fin',
  'data: [DONE]\n\n',
  '\r\n\r\nevent: message_stop\ndata: {}\n\n',
  '<think>',
  '</tool_call>',
  '[GONG]',
  '[GO',
  '【AB12】',
  '<citation id="X"></citation>',
  '{"a":',
  '1.5e3',
];

export const words = (random: Random, most = 5): string =>
  Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join('');

const KEYS = ['city', 'days', 'query', 'año', 'nested', '_x', 'a b', '"q"', 'city2'];

export function json(random: Random, depth = 0): unknown {
  switch (random.below(depth < 3 ? 8 : 6)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.below(1000) - 500;
    case 3:
      return random.below(10_000) / 64;
    case 4:
    case 5:
      return words(random, 4);
    case 6:
      return random.list(3, () => json(random, depth + 1));
    default:
      return object(random, depth + 1);
  }
}

export const object = (random: Random, depth = 0): Record<string, unknown> =>
  Object.fromEntries(random.list(4, () => [random.pick(KEYS), json(random, depth)]));

/** Arguments for a tool of this name, as a rule such that they fit its schema. */
export function inputFor(random: Random, name: string): Record<string, unknown> {
  if (name === 'get_weather') {
    return random.chance(0.9)
      ? { city: words(random, 3), ...(random.chance(0.5) && { days: random.below(10) }) }
      : object(random);
  }
  if (name === 'find') return random.chance(0.9) ? { query: words(random, 3) } : object(random);
  return object(random);
}

/** At least one segment; neighbours of one type are one segment. */
export function plan(random: Random, tools: readonly string[]): Segment[] {
  const segments: Segment[] = [];
  const length = 1 + random.below(4);
  for (let place = 0; place < length; place++) {
    const kind = random.below(tools.length > 0 ? 7 : 4);
    if (kind >= 4) {
      const name = random.pick(tools);
      segments.push({ type: 'call', name, input: inputFor(random, name) });
    } else {
      const type = kind === 0 ? 'thinking' : 'text';
      if (segments.at(-1)?.type !== type) segments.push({ type, words: words(random) });
    }
  }
  return segments;
}
