import type { StreamEvent } from '@app/contract';

/** An event of an answer is some kilobytes; a server that sends more than this without a line end is not ours. */
const MAX_LINE_CHARACTERS = 32 * 1024 * 1024;

/**
 * Reads the server-sent events of a streamed answer, cut anywhere, from the bytes of its body. Pings are left out.
 *
 * @throws Error if the bytes are not such a stream.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let data = '';
  for await (const line of lines(body)) {
    if (line.startsWith('data:')) data += line.slice(5);
    if (line !== '' || data === '') continue;
    const event = JSON.parse(data) as StreamEvent;
    data = '';
    if (event.type !== 'ping') yield event;
  }
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS) throw new Error('The answer is not a stream of events');
    for (const part of parts) yield part.endsWith('\r') ? part.slice(0, -1) : part;
  }
}
