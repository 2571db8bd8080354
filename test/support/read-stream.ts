/**
 * Reads a streamed answer and holds every event against the contract (messages-api §10, anthropic-compat §10):
 * each event exact by its schema, `event:` equal to `data.type`, indices 0..n-1, one start, deltas that fit their
 * block, one stop, one message_delta, message_stop last, nothing after an error.
 */
import { streamEventSchema, type OutputBlock, type StreamEvent } from '@app/contract';

export interface ReadStream {
  readonly events: StreamEvent[];
  /** The blocks as a client folds them. */
  readonly content: OutputBlock[];
  readonly text: string;
}

/** @throws Error that names the rule and the event. */
export async function readStream(response: Response): Promise<ReadStream> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new Error(`Not a stream: ${response.status} ${await response.text()}`);
  }
  const raw = await response.text();
  return check(framesOf(raw));
}

function framesOf(raw: string): StreamEvent[] {
  if (!raw.endsWith('\n\n')) throw new Error(`The stream ends inside a frame: …${raw.slice(-80)}`);
  return raw
    .slice(0, -2)
    .split('\n\n')
    .map((frame) => {
      const lines = frame.split('\n');
      const [event, data] = lines;
      if (lines.length !== 2 || !event?.startsWith('event: ') || !data?.startsWith('data: ')) {
        throw new Error(`Not a frame of one event and one data line: ${frame}`);
      }
      const parsed = streamEventSchema.safeParse(JSON.parse(data.slice(6)));
      if (!parsed.success) throw new Error(`Not exact: ${frame}\n${parsed.error.message}`);
      if (parsed.data.type !== event.slice(7)) throw new Error(`event and data.type differ: ${frame}`);
      return parsed.data;
    });
}

const FITS: Record<string, string> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  input_json_delta: 'tool_use',
};

function check(events: StreamEvent[]): ReadStream {
  const content: OutputBlock[] = [];
  const open = new Set<number>();
  const seen = events.filter(({ type }) => type !== 'ping');
  const fail = (rule: string, event: unknown) => {
    throw new Error(`${rule}: ${JSON.stringify(event)}\nin ${seen.map(({ type }) => type).join(' ')}`);
  };

  for (const [position, event] of seen.entries()) {
    if ((position === 0) !== (event.type === 'message_start') && event.type !== 'error')
      fail('message_start is first, once', event);
    const before = seen[position - 1]?.type;
    if (before === 'message_stop' || before === 'error') fail('nothing follows the end', event);
    switch (event.type) {
      case 'content_block_start':
        if (event.index !== content.length) fail('indices are contiguous', event);
        content.push(structuredClone(event.content_block));
        open.add(event.index);
        break;
      case 'content_block_delta': {
        const block = content[event.index];
        if (!block || !open.has(event.index)) fail('a delta has an open block', event);
        if (FITS[event.delta.type] !== block!.type) fail('a delta fits its block', event);
        fold(block!, event);
        break;
      }
      case 'content_block_stop':
        if (!open.delete(event.index)) fail('one stop for one start', event);
        content[event.index]!.stop_timestamp = event.stop_timestamp;
        break;
      case 'message_delta':
        if (open.size) fail('every block is closed before message_delta', event);
        break;
      case 'message_stop':
        if (before !== 'message_delta') fail('message_delta stands before message_stop', event);
    }
  }
  const last = seen.at(-1)?.type;
  if (last !== 'message_stop' && last !== 'error') fail('a stream ends with message_stop or error', seen.at(-1));
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  return { events: seen, content, text };
}

function fold(block: OutputBlock, { delta }: Extract<StreamEvent, { type: 'content_block_delta' }>): void {
  if (block.type === 'text' && delta.type === 'text_delta') {
    block.text += delta.text;
    if (delta.citations) block.citations = [...(block.citations ?? []), ...delta.citations];
  }
  if (block.type === 'thinking' && delta.type === 'thinking_delta') block.thinking += delta.thinking;
  if (block.type === 'tool_use' && delta.type === 'input_json_delta' && delta.partial_json) {
    block.input = JSON.parse(delta.partial_json) as Record<string, unknown>;
  }
}
