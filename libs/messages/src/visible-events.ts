/**
 * What a caller of this kind may see, and in which shape (architecture §6, decision 1).
 *
 * Event stream in, event stream out. Native: calls of built-in tools as `tool_use` and `tool_result`; extended blocks
 * inside results only for those who asked for them. Anthropic: `server_tool_use` and the typed result for a tool that
 * was asked for by its dated type; otherwise `mcp_tool_use` and `mcp_tool_result`, the one pair that every Anthropic
 * client accepts for a tool that ran on the server (anthropic-compat §9).
 */
import type { OutputBlockOf, StreamEvent, StreamEventOf } from '@app/contract';
import { webFetchContent } from './web-fetch-content';

export type Dialect = 'native' | 'anthropic';

export interface Visibility {
  readonly dialect: Dialect;
  /** Whether the request asked for extended blocks (messages-api §4.3). */
  readonly extended: boolean;
  /** Whether the caller runs the tool of this name. */
  readonly isCallers: (name: string) => boolean;
  /** Whether the tool of this name was asked for by a dated type. */
  readonly isDated: (name: string) => boolean;
}

const SERVER_NAME = 'toolwright';

export async function* visibleEvents(
  events: AsyncIterable<StreamEvent>,
  { dialect, extended, isCallers, isDated }: Visibility,
): AsyncGenerator<StreamEvent> {
  /** A server-run call whose start waits for its arguments: Anthropic clients read them from the start alone. */
  let held: (StreamEventOf<'content_block_start'> & { content_block: OutputBlockOf<'tool_use'> }) | undefined;

  /** Ids of calls whose results have a type of their own. */
  const typed = new Set<string>();

  for await (const event of events) {
    if (event.type === 'content_block_start') {
      const { content_block: block } = event;
      if (block.type === 'tool_result') {
        const shown = typed.has(block.tool_use_id)
          ? webFetchResult(block)
          : dialect === 'anthropic'
            ? mcpResult(block)
            : extended
              ? block
              : plain(block);
        yield { ...event, content_block: shown };
        continue;
      }
      if (block.type === 'tool_use' && dialect === 'anthropic' && isDated(block.name)) {
        typed.add(block.id);
        const { id, name, input, start_timestamp } = block;
        yield {
          ...event,
          content_block: { type: 'server_tool_use', id: serverToolId(id), name, input, start_timestamp },
        };
        continue;
      }
      if (block.type === 'tool_use' && dialect === 'anthropic' && !isCallers(block.name)) {
        held = { ...event, content_block: block };
        continue;
      }
    } else if (held && event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') {
      const { id, name, start_timestamp } = held.content_block;
      const input = event.delta.partial_json_obj;
      yield {
        ...held,
        content_block: { type: 'mcp_tool_use', id: mcpId(id), name, server_name: SERVER_NAME, input, start_timestamp },
      };
      held = undefined;
      continue;
    }
    if (event.type === 'message_delta' && typed.size > 0) {
      // Of the dated types, pages are all that is served.
      const server_tool_use = { web_fetch_requests: typed.size, web_search_requests: 0 };
      yield { ...event, usage: { ...event.usage, server_tool_use } };
      continue;
    }
    yield event;
  }
}

/** Null fields are left out of native streams (messages-api §10); Anthropic clients expect these (anthropic-compat §10). */
export function withoutNulls(event: StreamEvent): StreamEvent {
  if (event.type === 'message_start') {
    const { id, type, role, content, model, usage } = event.message;
    return { type: 'message_start', message: { id, type, role, content, model, usage } };
  }
  if (event.type !== 'message_delta' || event.delta.stop_sequence !== null) return event;
  return { ...event, delta: { stop_reason: event.delta.stop_reason } };
}

const plain = ({ content, ...rest }: OutputBlockOf<'tool_result'>): OutputBlockOf<'tool_result'> => ({
  ...rest,
  content: content.filter(({ type }) => type === 'text'),
});

const webFetchResult = (block: OutputBlockOf<'tool_result'>): OutputBlockOf<'web_fetch_tool_result'> => ({
  type: 'web_fetch_tool_result',
  tool_use_id: serverToolId(block.tool_use_id),
  content: webFetchContent(block),
  start_timestamp: block.start_timestamp,
});

const mcpResult = (block: OutputBlockOf<'tool_result'>): OutputBlockOf<'mcp_tool_result'> => ({
  type: 'mcp_tool_result',
  tool_use_id: mcpId(block.tool_use_id),
  content: block.content.flatMap((part) => (part.type === 'text' ? [part] : [])),
  is_error: block.is_error,
  start_timestamp: block.start_timestamp,
});

const serverToolId = (id: string) => id.replace(/^tool_/, 'srvtoolu_');
const mcpId = (id: string) => id.replace(/^tool_/, 'mcptoolu_');
