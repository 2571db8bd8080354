import type { OutputBlock, StreamEvent } from '@app/contract';
import { StreamRules } from './stream-rules';

const usage = { input_tokens: 1, output_tokens: 1 };
const start: StreamEvent = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'm',
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
};
const block_id = 'block_1';
const open = (index: number, type: 'text' | 'thinking' | 'tool_use' = 'text'): StreamEvent => {
  const blocks: Record<string, OutputBlock> = {
    text: { type: 'text', text: '' },
    thinking: { type: 'thinking', thinking: '', signature: '' },
    tool_use: { type: 'tool_use', id: 't', name: 'add', input: {} },
  };
  return { type: 'content_block_start', index, block_id, content_block: blocks[type]! };
};
const say = (index: number): StreamEvent => ({
  type: 'content_block_delta',
  index,
  block_id,
  delta: { type: 'text_delta', text: 'x' },
});
const input = (index: number, partial_json = '{"a":1}'): StreamEvent => ({
  type: 'content_block_delta',
  index,
  block_id,
  delta: { type: 'input_json_delta', partial_json, partial_json_obj: {} },
});
const close = (index: number): StreamEvent => ({ type: 'content_block_stop', index, block_id, stop_timestamp: '' });
const delta: StreamEvent = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage };
const stop: StreamEvent = { type: 'message_stop' };

function broken(events: readonly StreamEvent[]): string | undefined {
  const rules = new StreamRules();
  try {
    for (const event of events) rules.pass(event);
    rules.end();
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ type: 'api_error', message: 'Internal error' });
    return ((error as Error).cause as Error).message;
  }
}

describe('the rules of a stream', () => {
  it('let a stream in order pass, pings anywhere', () => {
    expect(
      broken([
        start,
        open(0, 'thinking'),
        { type: 'ping' },
        close(0),
        open(1),
        say(1),
        say(1),
        close(1),
        open(2, 'tool_use'),
        open(3, 'tool_use'),
        input(3),
        input(2),
        close(2),
        close(3),
        delta,
        { type: 'ping' },
        stop,
      ]),
    ).toBeUndefined();
  });

  it.each<[string, StreamEvent[]]>([
    ['message_start comes first', [start, start]],
    ['blocks stand between', [open(0)]],
    ['without a gap', [start, open(1)]],
    ['without a gap', [start, open(0), close(0), open(0)]],
    ['one text is open', [start, open(0), open(1, 'thinking')]],
    ['a delta has an open block', [start, say(0)]],
    ['a delta has an open block', [start, open(0), close(0), say(0)]],
    ['a delta fits its block', [start, open(0, 'thinking'), say(0)]],
    ['one delta', [start, open(0, 'tool_use'), input(0), input(0)]],
    ['one JSON object', [start, open(0, 'tool_use'), input(0, '{"a":')]],
    ['with its input', [start, open(0, 'tool_use'), close(0)]],
    ['closed once', [start, open(0), close(0), close(0)]],
    ['closed before message_delta', [start, open(0), delta]],
    ['message_delta comes once', [start, delta, delta]],
    ['follows message_delta', [start, stop]],
    ['ends with message_stop', [start, delta]],
    ['blocks stand between', [start, delta, stop, open(0)]],
  ])('break where %s is not so (§stream-rules)', (rule, events) => {
    expect(broken(events)).toContain(rule);
  });
});
