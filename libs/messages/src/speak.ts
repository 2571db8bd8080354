/**
 * One model call as block events: text and thinking as they come, each tool call once it is complete.
 *
 * It returns what was said, for the next model call. A call's block is written only when the model has closed it:
 * what parses early may be the beginning of something longer.
 */
import { PlatformError, type StreamEvent } from '@app/contract';
import type { ChatPart, ConversationBlock } from '@app/models';
import type { ToolCall } from '@app/tools';
import type { BlockEvents, OpenBlock } from './block-events';

export type Finish = Extract<ChatPart, { type: 'finish' }>;

export interface Said {
  /** As the model should see its own words in the next call. */
  readonly content: ConversationBlock[];
  readonly calls: ToolCall[];
  readonly finish: Finish;
}

/** `omitted`: that it thinks, not what (anthropic-compat §8). */
export type ShownThinking = 'whole' | 'omitted' | 'none';

export interface SpeakOptions {
  /** How much the caller sees of what the model thinks. */
  readonly thinking: ShownThinking;
  /** Makes a call of what the model wrote; undefined drops it. */
  readonly toCall: (part: Extract<ChatPart, { type: 'tool_call' }>) => Promise<ToolCall | undefined>;
  /** Whether a call with a problem is repaired, so that the caller never sees it as it is. */
  readonly withholds: boolean;
  /** Told of each call as soon as it is complete, while the model may still be speaking. */
  readonly onCall: (call: ToolCall) => void;
}

export async function* speak(
  parts: AsyncIterable<ChatPart>,
  blocks: BlockEvents,
  { thinking, toCall, withholds, onCall }: SpeakOptions,
): AsyncGenerator<StreamEvent, Said> {
  const content: ConversationBlock[] = [];
  const calls: ToolCall[] = [];
  let open: OpenBlock | undefined;
  let words = '';
  let finish: Finish | undefined;

  const keep = () => {
    if (words)
      content.push(open?.type === 'thinking' ? { type: 'thinking', thinking: words } : { type: 'text', text: words });
    words = '';
  };

  for await (const part of parts) {
    switch (part.type) {
      case 'text':
      case 'thinking': {
        const said = part.type === 'text' ? part.text : part.thinking;
        if (said === '' || (part.type === 'thinking' && thinking === 'none')) break;
        if (open?.type !== part.type) {
          if (open) {
            keep();
            yield* blocks.close(open);
          }
          const opened = blocks.open(part.type);
          open = opened.block;
          yield opened.event;
        }
        words += said;
        if (part.type === 'thinking' && thinking === 'omitted') break;
        yield {
          type: 'content_block_delta',
          index: open.index,
          block_id: open.block_id,
          delta: part.type === 'text' ? { type: 'text_delta', text: said } : { type: 'thinking_delta', thinking: said },
        };
        break;
      }
      case 'tool_call_start':
      case 'tool_call': {
        if (open) {
          keep();
          yield* blocks.close(open);
          open = undefined;
        }
        const call = part.type === 'tool_call' ? await toCall(part) : undefined;
        if (!call) break;
        const { id, name, input } = call;
        content.push({ type: 'tool_use', id, name, input });
        calls.push(call);
        if (call.problem !== undefined && withholds) break;
        yield* blocks.call(call);
        onCall(call);
        break;
      }
      case 'finish':
        finish = part;
    }
  }

  if (open) {
    keep();
    yield* blocks.close(open);
  }
  if (!finish) throw new PlatformError('api_error', 'The model stopped in the middle of its answer.');
  return { content, calls, finish };
}
