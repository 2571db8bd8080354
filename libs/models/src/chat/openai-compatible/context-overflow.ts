/**
 * The many ways in which model servers say that a prompt does not fit, as the one sentence that clients understand
 * (anthropic-compat §11).
 */

/** What is known without the server: an estimate of the prompt and the window that the model is said to have. */
interface Window {
  readonly promptTokens: number;
  readonly contextTokens: number;
}

const OVERFLOW =
  /context[ _](length|size|window)|maximum model length|exceed_context_size|context_length_exceeded|context the overflows|prompt is too long|too many tokens/i;

/** The first that matches gives the window. */
const MAXIMUM = [
  /maximum context length (?:is|of) (\d+)/i,
  /context (?:length|size|window) (?:of only |of )?\(?(\d+)/i,
  /maximum model length of (\d+)/i,
  /tokens > (\d+)/i,
];

/** The first that matches gives the length of the prompt. */
const PROMPT = [
  /\((\d+) in the messages/i,
  /messages resulted in (\d+)/i,
  /(\d+) tokens from the input/i,
  /(?:request has|has|contains(?: at least)?|requested) (\d+) input tokens/i,
  /prompt \((?:total )?length (\d+)\)/i,
  /(?:input|request|prompt) \((\d+) tokens\)/i,
  /keep the first (\d+) tokens/i,
  /(?:requested|total of) (\d+) tokens/i,
  /(\d+) tokens > /i,
];

/** Tokens kept for the answer, where the server counts them in. */
const ANSWER = [
  /(\d+) (?:tokens )?(?:in|for) the completion/i,
  /requested (\d+) output tokens/i,
  /max_(?:completion_)?tokens'? is too large: (\d+)/i,
];

/**
 * The sentence for a prompt that does not fit, or undefined where `words` are about something else.
 *
 * @param body the whole error, for servers that put the counts in fields of their own.
 */
export function contextOverflow(words: string, body: unknown, window: Window): string | undefined {
  const error = ((body as { error?: unknown } | null)?.error ?? {}) as Record<string, unknown>;
  if (![words, error.code, error.type].some((text) => typeof text === 'string' && OVERFLOW.test(text)))
    return undefined;
  const maximum = count(error.n_ctx) ?? find(MAXIMUM, words) ?? window.contextTokens;
  const prompt = count(error.n_prompt_tokens) ?? find(PROMPT, words) ?? Math.max(window.promptTokens, maximum + 1);
  const answer = find(ANSWER, words);
  if (prompt <= maximum && answer !== undefined) {
    return `input length and \`max_tokens\` exceed context limit: ${prompt} + ${answer} > ${maximum}, decrease input length or \`max_tokens\` and try again`;
  }
  return `prompt is too long: ${Math.max(prompt, maximum + 1)} tokens > ${maximum} maximum`;
}

function find(patterns: readonly RegExp[], words: string): number | undefined {
  for (const pattern of patterns) {
    const found = count(pattern.exec(words)?.[1]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function count(value: unknown): number | undefined {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
