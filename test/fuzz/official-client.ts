/** A stream as the official client folds it: its decoder, its accumulator, its error classes. */
import Anthropic from '@anthropic-ai/sdk';
import type { Folded } from './well-formed';

let arriving: () => Response;
const client = new Anthropic({
  apiKey: 'any',
  baseURL: 'http://fuzz.test',
  maxRetries: 0,
  fetch: () => Promise.resolve(arriving()),
});

/** @param pieces the bytes of the stream, as they come from the network. */
export async function foldByOfficialClient(pieces: readonly Buffer[]): Promise<Folded> {
  arriving = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      }),
      { headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
    );
  return fold(client, { model: 'default', max_tokens: 1000, messages: [{ role: 'user', content: 'Go on.' }] });
}

/** @throws whatever the client finds wrong with the stream itself. */
export async function fold(by: Anthropic, request: object): Promise<Folded> {
  try {
    const message = await by.messages.stream(request as Anthropic.MessageStreamParams).finalMessage();
    return {
      content: message.content,
      stopReason: message.stop_reason ?? undefined,
      stopSequence: message.stop_sequence ?? null,
      usage: message.usage as unknown as Record<string, number>,
    };
  } catch (thrown) {
    const body = thrown instanceof Anthropic.APIError ? (thrown.error as { error?: Folded['error'] }) : undefined;
    if (!body?.error) throw thrown;
    return { content: [], error: body.error };
  }
}
