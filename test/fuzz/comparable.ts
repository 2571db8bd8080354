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
  return JSON.stringify({
    content: inOrderOfCalls(plain(content) as Block[]),
    stopReason,
    stopSequence: stopSequence ?? null,
    counts,
  });
}

interface Block {
  readonly type: string;
  readonly tool_use_id?: string;
}

/** Results come as they are done, which is for chance to say where several tools run at once (messages-api §5.5). */
function inOrderOfCalls(content: readonly Block[]): Block[] {
  const sorted = [...content];
  for (let from = 0; from < sorted.length; from++) {
    let end = from;
    while (sorted[end]?.tool_use_id !== undefined) end++;
    const results = sorted.slice(from, end).sort((one, other) => (one.tool_use_id! < other.tool_use_id! ? -1 : 1));
    sorted.splice(from, results.length, ...results);
    from = end;
  }
  return sorted;
}
