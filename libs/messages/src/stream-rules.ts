/**
 * The rules of the event stream (messages-api §10), held against every event just before it leaves.
 *
 * They find mistakes of ours, not of the model: a stream that breaks one ends in a typed error, never malformed. This
 * is the hot path: a delta costs a look-up and two comparisons.
 */
import { PlatformError, type OutputBlock, type StreamEvent } from '@app/contract';

type Phase = 'before the start' | 'in the blocks' | 'after the end of the blocks' | 'over';

/** The deltas that change a block of each type; blocks that are not named arrive whole. */
const DELTAS: Partial<Record<OutputBlock['type'], readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
};

interface OpenBlock {
  readonly type: OutputBlock['type'];
  readonly id: string;
  readonly deltas: readonly string[];
  /** Whether the input of a call has come. */
  complete: boolean;
}

export class StreamRules {
  private phase: Phase = 'before the start';
  private next = 0;
  private readonly open = new Map<number, OpenBlock>();

  /** @throws StreamRuleError that names the broken rule in its cause alone. */
  pass(event: StreamEvent): void {
    if (event.type === 'content_block_delta') return this.delta(event);
    switch (event.type) {
      case 'message_start':
        if (this.phase !== 'before the start') broken('message_start comes first and once', event);
        this.phase = 'in the blocks';
        return;
      case 'content_block_start':
        return this.start(event);
      case 'content_block_stop': {
        const block = this.open.get(event.index);
        if (!block || block.id !== event.block_id) return broken('a block is closed once', event);
        if (!block.complete) broken('a call is closed with its input', event);
        this.open.delete(event.index);
        return;
      }
      case 'message_delta':
        if (this.phase !== 'in the blocks') broken('message_delta comes once, after the blocks', event);
        if (this.open.size > 0) broken('every block is closed before message_delta', event);
        this.phase = 'after the end of the blocks';
        return;
      case 'message_stop':
        if (this.phase !== 'after the end of the blocks') broken('message_stop follows message_delta', event);
        this.phase = 'over';
        return;
      case 'ping':
        return;
      case 'error':
        broken('failures are thrown, not said', event);
    }
  }

  /** @throws StreamRuleError when the stream stopped before its end. */
  end(): void {
    if (this.phase !== 'over') broken('a stream ends with message_stop');
  }

  private start(event: Extract<StreamEvent, { type: 'content_block_start' }>): void {
    const { type } = event.content_block;
    if (this.phase !== 'in the blocks') broken('blocks stand between message_start and message_delta', event);
    if (event.index !== this.next++) broken('indices are 0, 1, 2 … without a gap', event);
    if (type === 'text' || type === 'thinking') {
      for (const other of this.open.values()) {
        if (other.type === 'text' || other.type === 'thinking') broken('one text is open at a time', event);
      }
    }
    this.open.set(event.index, {
      type,
      id: event.block_id,
      deltas: DELTAS[type] ?? [],
      complete: type !== 'tool_use' && type !== 'server_tool_use',
    });
  }

  private delta(event: Extract<StreamEvent, { type: 'content_block_delta' }>): void {
    const { delta } = event;
    const block = this.open.get(event.index);
    if (!block || block.id !== event.block_id) return broken('a delta has an open block', event);
    if (!block.deltas.includes(delta.type)) broken('a delta fits its block', event);
    if (delta.type !== 'input_json_delta') return;
    if (block.complete) broken('the input of a call comes in one delta', event);
    if (!isJsonObject(delta.partial_json)) broken('the input of a call is one JSON object', event);
    block.complete = true;
  }
}

function isJsonObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** What the event says is the caller's; its kind and place are enough to find the mistake. */
function broken(rule: string, event?: StreamEvent): never {
  const where = event && `${event.type}${'index' in event ? ` ${event.index}` : ''}`;
  throw new StreamRuleError(`A stream of ours broke the rule that ${rule}${where ? `, at ${where}` : ''}`);
}

/** A mistake of this server, found before it left: for the log, where the cause names the rule. */
export class StreamRuleError extends PlatformError {
  constructor(rule: string) {
    super('api_error', 'Internal error', { cause: new Error(rule) });
  }
}
