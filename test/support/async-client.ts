import type { AsyncMessageStatus, StreamEvent } from '@app/contract';
import { eventually } from './eventually';
import type { TestServer } from './start-server';

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A conversation of one question. */
export const ask = (content: string) => ({ messages: [{ role: 'user', content }] });

/** A client of the endpoints for async messages; `headers` go with every request. */
export function asyncClient(server: TestServer, headers: Record<string, string> = {}) {
  const path = (id: string, call: string) => `/v1/messages/async/${id}/${call}`;
  const status = async (id: string): Promise<AsyncMessageStatus> =>
    (await server.fetch(path(id, 'status'), { headers })).json() as Promise<AsyncMessageStatus>;
  const stream = (id: string, init: RequestInit = {}) => server.fetch(path(id, 'stream'), { headers, ...init });
  return {
    status,
    stream,
    start: (body: unknown, id?: string) =>
      server.post(`/v1/messages/async${id === undefined ? '' : `?message_id=${id}`}`, body, { headers }),
    cancel: (id: string) => server.fetch(path(id, 'cancel'), { method: 'POST', headers }),
    remove: (id: string) => server.fetch(path(id, 'delete'), { method: 'DELETE', headers }),
    /** @throws Error with what is the case, and what the server has said, when it does not get there. */
    until: (id: string, wanted: AsyncMessageStatus['status']): Promise<AsyncMessageStatus> =>
      eventually(
        () => status(id),
        (now) => now.status === wanted,
        { what: () => `${id} is not ${wanted}.\n${server.output()}` },
      ),
    /** Resolves once this much has been said, to a reader of its own that has left. */
    async untilSaid(id: string, words: string): Promise<void> {
      const reader = (await stream(id)).body!.getReader();
      for (let seen = ''; !seen.includes(words);) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`${id} has ended without "${words}": ${seen}`);
        seen += Buffer.from(value).toString();
      }
      await reader.cancel();
    },
  };
}

/** Events of a stream that need not end as an answer does, without pings. */
export const eventsOf = (text: string): StreamEvent[] =>
  [...text.matchAll(/^data: (.*)$/gm)]
    .map(([, data]) => JSON.parse(data!) as StreamEvent)
    .filter(({ type }) => type !== 'ping');

/** The text that the events say. */
export const textOf = (events: readonly StreamEvent[]): string =>
  events
    .map((event) => (event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : ''))
    .join('');
