/** What is kept of a call that this server ran or refused: nothing of its words (SEC-140). */
import type { ToolCallRecord, Verdict } from '@app/access';
import { PlatformError, type ResultContent } from '@app/contract';
import type { BuiltInTool } from './tool';

/** A tool that the request does not offer, whatever the model called it. */
export const NOT_OFFERED: Pick<ToolCallRecord, 'tool' | 'target'> = { tool: '(not offered)', target: 'none' };

/** What a rule says no by, and what merely came to nothing. */
const REFUSALS = new Set([
  'egress_denied',
  'template_rejected',
  'sql_rejected',
  'connection_denied',
  'unsafe_schema',
  'invalid_tool_arguments',
  'unsupported_file',
  'unsafe_file',
  'limit_exceeded',
  'max_uses_exceeded',
]);
const FAILURES = new Set(['sql_timeout', 'sql_limit', 'connection_failed', 'tool_timeout', 'egress_limit']);
const REFUSING_TYPES = ['invalid_request_error', 'permission_error', 'rate_limit_error', 'request_too_large'];

export const audited = ({ name, needs }: BuiltInTool): Pick<ToolCallRecord, 'tool' | 'target'> => ({
  tool: name,
  target: TARGETS[needs?.kind ?? ''] ?? (name === 'web_fetch' || name === 'web_search' ? 'web' : 'none'),
});

const TARGETS: Readonly<Record<string, string>> = { ingested_artifact: 'collection', sql_database: 'database' };

/** By the token with which the words of an error begin, after the contract's lead (security §0). */
export function verdictOn(error: unknown, isGone: boolean): { readonly verdict: Verdict; readonly token?: string } {
  if (isGone) return { verdict: 'cancelled' };
  const token =
    /^(?:No results found\.\nError: )?([a-z_]{3,40}): /.exec(error instanceof Error ? error.message : '')?.[1] ?? '';
  if (REFUSALS.has(token)) return { verdict: 'refused', token };
  if (FAILURES.has(token)) return { verdict: 'failed', token };
  const isRefusal = error instanceof PlatformError && REFUSING_TYPES.includes(error.type);
  return { verdict: isRefusal ? 'refused' : 'failed' };
}

/** What the caller is given, without what only clients that know it are shown. */
export function bytesOf(content: readonly ResultContent[]): number {
  let bytes = 0;
  for (const part of content) {
    if (part.type === 'text') bytes += Buffer.byteLength(part.text);
    else if (part.type === 'binary' && part.source.type === 'base64')
      bytes += Math.floor((part.source.data.length * 3) / 4);
  }
  return bytes;
}
