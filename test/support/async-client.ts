import type { AsyncMessageStatus, StreamEvent } from '@app/contract';
import type { TestServer } from './start-server';

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A conversation of one question. */
export const ask = (content: string) => ({ messages: [{ role: 'user', content }] });

/** A client of the endpoints for async messages; `headers` go with every request. */
export function asyncClient(server: TestServer, headers: Record<string, string> = {}) {
  const path = (id: string, call: string) => `/v1/messages/async/${id}/${call}`;
  const status = async (id: string): Promise<AsyncMessageStatus> =>
    (await server.fetch(path(id, 'status'), { headers })).json() as Promise<AsyncMessageStatus>;
  return {
    status,
    start: (body: unknown, id?: string) =>
      server.post(`/v1/messages/async${id === undefined ? '' : `?message_id=${id}`}`, body, { headers }),
    stream: (id: string, init: RequestInit = {}) => server.fetch(path(id, 'stream'), { headers, ...init }),
    cancel: (id: string) => server.fetch(path(id, 'cancel'), { method: 'POST', headers }),
    remove: (id: string) => server.fetch(path(id, 'delete'), { method: 'DELETE', headers }),
    /** @throws Error with what is the case, and what the server has said, when it does not get there. */
    async until(id: string, wanted: AsyncMessageStatus['status'], withinMs = 10_000): Promise<AsyncMessageStatus> {
      for (const end = Date.now() + withinMs; ; await sleep(25)) {
        const now = await status(id);
        if (now.status === wanted) return now;
        if (Date.now() > end) throw new Error(`${id} is not ${wanted}: ${JSON.stringify(now)}\n${server.output()}`);
      }
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
