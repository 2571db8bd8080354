import { newBlockId, type Delta, type OutputBlock, type StreamEvent } from '@app/contract';
import type { ToolCall } from '@app/tools';
import { timestamp } from './timestamp';

/** A text or thinking block that is being spoken. */
export interface OpenBlock {
  readonly type: 'text' | 'thinking';
  readonly index: number;
  readonly block_id: string;
}

/** Numbers the blocks of one answer, over all its model turns: 0, 1, 2 … without a gap (messages-api §10). */
export class BlockEvents {
  private next = 0;

  open(type: OpenBlock['type']): { block: OpenBlock; event: StreamEvent } {
    const block = { type, index: this.next++, block_id: newBlockId() };
    const start_timestamp = timestamp();
    const content_block: OutputBlock =
      type === 'text' ? { type, start_timestamp, text: '' } : { type, start_timestamp, thinking: '', signature: '' };
    const { index, block_id } = block;
    return { block, event: { type: 'content_block_start', index, block_id, content_block } };
  }

  /** The next words of an open block. */
  delta({ type, index, block_id }: OpenBlock, said: string): StreamEvent {
    const delta: Delta =
      type === 'text' ? { type: 'text_delta', text: said } : { type: 'thinking_delta', thinking: said };
    return { type: 'content_block_delta', index, block_id, delta };
  }

  /**
   * Thinking is signed before it closes, with an empty signature: there is no other. Without one a client may leave
   * what was thought out of the conversation that it sends back (anthropic-compat §8).
   */
  close({ type, index, block_id }: OpenBlock): StreamEvent[] {
    const stop: StreamEvent = { type: 'content_block_stop', index, block_id, stop_timestamp: timestamp() };
    if (type === 'text') return [stop];
    const delta: Delta = { type: 'signature_delta', signature: '' };
    return [{ type: 'content_block_delta', index, block_id, delta }, stop];
  }

  /** A whole call: start with an empty input, the arguments in one delta, stop (messages-api §10). */
  call({ id, name, input, problem, unchecked }: ToolCall): StreamEvent[] {
    const at = { index: this.next++, block_id: newBlockId() };
    const content_block: OutputBlock = {
      type: 'tool_use',
      start_timestamp: timestamp(),
      id,
      name,
      input: {},
      ...(problem !== undefined && { _meta: { invalid_arguments: problem } }),
      ...(unchecked !== undefined && { _meta: { unchecked_arguments: unchecked } }),
    };
    const delta: Delta = {
      type: 'input_json_delta',
      partial_json: JSON.stringify(input),
      partial_json_obj: input,
    };
    return [
      { type: 'content_block_start', ...at, content_block },
      { type: 'content_block_delta', ...at, delta },
      { type: 'content_block_stop', ...at, stop_timestamp: timestamp() },
    ];
  }

  /** A block that is complete when it starts, as results are. */
  whole(content_block: OutputBlock): StreamEvent[] {
    const at = { index: this.next++, block_id: newBlockId() };
    return [
      { type: 'content_block_start', ...at, content_block: { ...content_block, start_timestamp: timestamp() } },
      { type: 'content_block_stop', ...at, stop_timestamp: timestamp() },
    ];
  }
}
