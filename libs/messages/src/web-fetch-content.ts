/** The result of a fetch in the shape that Anthropic's own has (anthropic-compat §9). */
import type { OutputBlockOf, WebFetchError } from '@app/contract';
import { timestamp } from './timestamp';

type Result = OutputBlockOf<'tool_result'>;

/** By the word that a refusal begins with. */
const CODES: readonly (readonly [begins: RegExp, code: WebFetchError])[] = [
  [/^egress_denied: url_too_long/, 'url_too_long'],
  [/^egress_denied: url_not_in_prior_context/, 'url_not_in_prior_context'],
  [/^egress_denied/, 'url_not_allowed'],
  [/^max_uses_exceeded/, 'max_uses_exceeded'],
  [/^limit_exceeded: at most/, 'too_many_requests'],
  [/^(?:egress_limit|limit_exceeded)/, 'content_too_large'],
  [/^(?:unsupported_file|unsafe_file)/, 'unsupported_content_type'],
  [/^invalid_tool_arguments/, 'invalid_tool_input'],
  [
    /^(?:tool_timeout|connection_failed|consent_wall|needs_script|bot_check|login|empty|gone|http_error)/,
    'url_not_accessible',
  ],
];

export function webFetchContent({ content, is_error }: Result): OutputBlockOf<'web_fetch_tool_result'>['content'] {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const [page] = content.flatMap((part) => (part.type === 'source' ? part.sources : []));
  if (is_error || page?.object !== 'context.website') {
    const code = CODES.find(([begins]) => begins.test(text))?.[1] ?? 'unavailable';
    return { type: 'web_fetch_tool_result_error', error_code: code };
  }
  const { url, title, metadata } = page;
  return {
    type: 'web_fetch_result',
    url,
    retrieved_at: metadata?.retrieved_at ?? timestamp(),
    content: {
      type: 'document',
      ...(title !== undefined && { title }),
      source: { type: 'text', media_type: 'text/plain', data: text },
    },
  };
}
