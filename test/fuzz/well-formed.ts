/**
 * Whether the text of a stream is one that any client can read (messages-api §10, anthropic-compat §10), and what it
 * comes to when it is folded by hand.
 *
 * It shares no code with the platform, so that both would have to be wrong in the same way.
 */
export interface Folded {
  readonly content: any[];
  readonly stopReason?: string;
  readonly stopSequence?: string | null;
  readonly usage?: Record<string, number>;
  /** The `error` object of a stream that ended in one. */
  readonly error?: { readonly type: string; readonly message: string };
}

const BLOCKS: Record<'native' | 'anthropic', readonly string[]> = {
  native: ['text', 'thinking', 'tool_use', 'tool_result'],
  anthropic: ['text', 'thinking', 'tool_use', 'mcp_tool_use', 'mcp_tool_result'],
};
const STOP_REASONS = ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal'];
const ID = /^[a-zA-Z0-9_-]+$/;

/** @throws Error that names the broken rule and the frame. */
export function foldWellFormed(raw: string, dialect: 'native' | 'anthropic'): Folded {
  const content: any[] = [];
  const open = new Map<number, { id: string; inputs: number; signed: boolean }>();
  let phase: 'new' | 'blocks' | 'end' | 'over' = 'new';
  let folded: Partial<Folded> = {};
  let frame = '';
  const must = (truth: unknown, rule: string) => {
    if (!truth) throw new Error(`malformed: ${rule}\n  at ${frame}`);
  };

  must(raw.endsWith('\n\n'), 'the last frame is whole');
  for (frame of raw.slice(0, -2).split('\n\n')) {
    const [, name, data] = /^event: ([a-z_]+)\ndata: ([{].*[}])$/s.exec(frame) ?? [];
    must(name && data, 'a frame is one event line and one data line');
    const event = JSON.parse(data!);
    must(event.type === name, 'the event is named after its type');
    must(isClean(event), 'every string is whole characters without U+0000');
    must(phase !== 'over', 'nothing follows the end');
    if (name === 'ping') continue;
    if (name === 'error') {
      must(typeof event.error?.message === 'string' && event.error.message !== '', 'an error says what is wrong');
      must(/^[a-z]+(_[a-z]+)+$/.test(event.error.type), 'an error has a type');
      folded = { ...folded, error: event.error };
      phase = 'over';
      continue;
    }
    must((phase === 'new') === (name === 'message_start'), 'message_start is first, once');
    switch (name) {
      case 'message_start':
        must(/^msg_/.test(event.message.id) && event.message.role === 'assistant', 'a message has an id and a role');
        must(event.message.type === 'message' && event.message.content.length === 0, 'a message starts empty');
        must(isUsage(event.message.usage), 'usage has two counts, of the prompt more than none');
        phase = 'blocks';
        break;
      case 'content_block_start': {
        const block = event.content_block;
        must(phase === 'blocks', 'blocks stand before message_delta');
        must(event.index === content.length, 'indices are 0, 1, 2 … without a gap');
        must(BLOCKS[dialect].includes(block.type), 'a block is of a type that this dialect knows');
        must(open.size === 0, 'one block is open at a time');
        if (block.type === 'text') must(block.text === '', 'a text starts empty');
        if (block.type === 'thinking') must(block.thinking === '' && block.signature === '', 'a thought starts empty');
        if (block.type === 'tool_use') must(JSON.stringify(block.input) === '{}', 'the input of a call starts empty');
        if (/tool_use$/.test(block.type)) {
          must(ID.test(block.id) && block.name !== '', 'a call has an id and a name');
          must(!content.some(({ id }) => id === block.id), 'ids of calls are unique');
        }
        if (/tool_result$/.test(block.type)) {
          must(
            content.some(({ type, id }) => /tool_use$/.test(type) && id === block.tool_use_id),
            'a result has its call before it',
          );
          must(Array.isArray(block.content) && typeof block.is_error === 'boolean', 'a result arrives whole');
        }
        content.push(block);
        open.set(event.index, { id: event.block_id, inputs: 0, signed: false });
        break;
      }
      case 'content_block_delta': {
        const block = content[event.index];
        const state = open.get(event.index);
        must(state && state.id === event.block_id, 'a delta has an open block');
        const { delta } = event;
        must(!state!.signed, 'a signature is the last delta of its thought, once');
        if (delta.type === 'signature_delta') {
          must(block.type === 'thinking' && typeof delta.signature === 'string', 'a signature is that of a thought');
          block.signature = delta.signature;
          state!.signed = true;
        } else if (delta.type === 'text_delta') {
          must(block.type === 'text' && delta.text !== '', 'text_delta brings text to a text');
          block.text += delta.text;
          if (delta.citations) block.citations = [...(block.citations ?? []), ...delta.citations];
        } else if (delta.type === 'thinking_delta') {
          must(block.type === 'thinking' && delta.thinking !== '', 'thinking_delta brings thinking to a thought');
          block.thinking += delta.thinking;
        } else if (delta.type === 'signature_delta') {
          must(block.type === 'thinking' && delta.signature === '', 'a signature ends a thought');
        } else {
          must(delta.type === 'input_json_delta' && block.type === 'tool_use', 'a delta fits its block');
          must(++state!.inputs === 1, 'the input of a call comes in one delta');
          block.input = JSON.parse(delta.partial_json);
          must(isObject(block.input), 'the input of a call is an object');
          must(
            JSON.stringify(block.input) === JSON.stringify(delta.partial_json_obj),
            'the input as JSON and as an object are one',
          );
        }
        break;
      }
      case 'content_block_stop': {
        const block = content[event.index];
        const state = open.get(event.index);
        must(state && state.id === event.block_id, 'a block stops once');
        if (block.type === 'tool_use') must(state!.inputs === 1, 'a call stops with its input');
        if (block.type === 'text') must(block.text !== '', 'no text is empty');
        if (block.type === 'thinking') must(block.thinking !== '', 'no thought is empty');
        open.delete(event.index);
        break;
      }
      case 'message_delta':
        must(phase === 'blocks' && open.size === 0, 'message_delta follows the last block, once');
        must(STOP_REASONS.includes(event.delta.stop_reason), 'the reason is one that clients know');
        must(isUsage(event.usage), 'usage has two counts, of the prompt more than none');
        folded = {
          stopReason: event.delta.stop_reason,
          stopSequence: event.delta.stop_sequence ?? null,
          usage: event.usage,
        };
        phase = 'end';
        break;
      case 'message_stop':
        must(phase === 'end', 'message_stop follows message_delta');
        phase = 'over';
        break;
      default:
        must(false, 'an event is of a type that clients know');
    }
  }
  must(phase === 'over', 'a stream ends with message_stop or an error');
  if (!folded.error) {
    const answered = new Set(content.map(({ tool_use_id }) => tool_use_id));
    const awaited = content.some(({ type, id }) => type === 'tool_use' && !answered.has(id));
    must((folded.stopReason === 'tool_use') === awaited, 'the reason is tool_use when a call awaits its result');
    must((folded.stopReason === 'stop_sequence') === (folded.stopSequence != null), 'a stop sequence is named');
  }
  return { content, ...folded };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isUsage = (usage: any) =>
  [usage?.input_tokens, usage?.output_tokens].every((count) => Number.isSafeInteger(count) && count >= 0) &&
  usage.input_tokens > 0 &&
  (usage.cache_read_input_tokens ?? 0) >= 0;

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inside]) => isClean(key) && isClean(inside));
}
