import { readEvents } from './sse';

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(text: string, size: number) {
  const events = [];
  for await (const event of readEvents(inPieces(text, size))) events.push(event);
  return events;
}

describe('The events of a stream', () => {
  const delta = { type: 'content_block_delta', index: 0, block_id: 'b', delta: { type: 'text_delta', text: 'año ✓' } };
  const stream =
    `event: content_block_delta\ndata: ${JSON.stringify(delta)}\n\n` +
    `event: ping\ndata: {"type":"ping"}\n\n` +
    `event: message_stop\r\ndata: {"type":"message_stop"}\r\n\r\n`;

  it.each([1, 3, 50, 10_000])('are read, without the pings, from pieces of %i bytes', async (size) => {
    expect(await read(stream, size)).toEqual([delta, { type: 'message_stop' }]);
  });

  it('stop at something that is no event', async () => {
    await expect(read('data: not json\n\n', 100)).rejects.toThrow();
  });
});
