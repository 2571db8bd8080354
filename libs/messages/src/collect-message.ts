import { PlatformError, type Delta, type Message, type OutputBlock, type StreamEvent } from '@app/contract';

/**
 * Folds the events of an answer into the whole Message: the sum of what a stream would have sent.
 *
 * @throws whatever the events throw, so that a failure becomes an HTTP status.
 */
export async function collectMessage(events: AsyncIterable<StreamEvent>): Promise<Message> {
  const content: OutputBlock[] = [];
  let message: Omit<Message, 'content' | 'stop_reason'> | undefined;
  let stopReason: Message['stop_reason'] | undefined;

  for await (const event of events) {
    switch (event.type) {
      case 'message_start': {
        const { id, type, role, model, usage } = event.message;
        message = { id, type, role, model, usage, stop_sequence: null };
        break;
      }
      case 'content_block_start':
        content[event.index] = { ...event.content_block };
        break;
      case 'content_block_delta':
        append(content[event.index], event.delta);
        break;
      case 'content_block_stop':
        content[event.index]!.stop_timestamp = event.stop_timestamp;
        break;
      case 'message_delta':
        stopReason = event.delta.stop_reason;
        message = { ...message!, stop_sequence: event.delta.stop_sequence ?? null, usage: event.usage };
    }
  }
  if (!message || !stopReason) throw new PlatformError('api_error', 'The answer ended before it was complete.');
  return {
    id: message.id,
    type: message.type,
    role: message.role,
    content,
    model: message.model,
    stop_reason: stopReason,
    stop_sequence: message.stop_sequence,
    usage: message.usage,
  };
}

function append(block: OutputBlock | undefined, delta: Delta): void {
  if (block?.type === 'text' && delta.type === 'text_delta') {
    block.text += delta.text;
    if (delta.citations) block.citations = [...(block.citations ?? []), ...delta.citations];
  } else if (block?.type === 'thinking' && delta.type === 'thinking_delta') block.thinking += delta.thinking;
  else if (block?.type === 'thinking' && delta.type === 'signature_delta') block.signature = delta.signature;
  else if ((block?.type === 'tool_use' || block?.type === 'server_tool_use') && delta.type === 'input_json_delta')
    block.input = delta.partial_json_obj;
  else throw new PlatformError('api_error', 'Internal error', { cause: new Error(`${delta.type} in ${block?.type}`) });
}
