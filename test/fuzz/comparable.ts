import type { Folded } from './well-formed';

/** What the server makes up, and makes up anew each time. */
const MADE_UP = /^(tool_|toolu_|mcptoolu_|srvtoolu_)[0-9a-f]{20,}$/;

/** An answer without times, and with ids of the server's own numbered, so that two of them can be held against each other. */
export function comparable({ content, stopReason, stopSequence, usage, error }: Folded, { cited = true } = {}): string {
  if (error)
    return JSON.stringify({ error: { type: error.type, message: error.message.replaceAll(/req_\w+/g, 'req') } });
  const numbers = new Map<string, string>();
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string' && MADE_UP.test(value)) {
      if (!numbers.has(value)) numbers.set(value, `made up ${numbers.size}`);
      return numbers.get(value);
    }
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !/^(start|stop)_timestamp$/.test(key) && (cited || key !== 'citations'))
        .map(([key, inside]) => [key, plain(inside)] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  };
  const { input_tokens, output_tokens, cache_read_input_tokens = 0 } = usage ?? {};
  const counts = { input_tokens, output_tokens, cache_read_input_tokens };
  return JSON.stringify({ content: plain(content), stopReason, stopSequence: stopSequence ?? null, counts });
}
