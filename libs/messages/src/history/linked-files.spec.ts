import { getEventListeners } from 'node:events';
import type { Caller } from '@app/access';
import { InvalidRequestError, OverloadedError, type InputMessage } from '@app/contract';
import { EgressError } from '@app/platform';
import { FetchedRoom, fetchLinked, type LinkSource } from './linked-files';

const caller = { organisation: 'default' } as unknown as Caller;
const MESSAGES = [
  { role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'https://pictures.example.com/a.png' } }] },
] as unknown as InputMessage[];

const fetching = (image: LinkSource['image'], ms = 60_000, messages = MESSAGES) =>
  fetchLinked(
    caller,
    messages,
    { images: true },
    { image, document: () => Promise.reject(new Error('no document is named')) },
    { maxBytes: 1000, room: new FetchedRoom(1000), ms },
    new AbortController().signal,
  );

describe('files that a request names', () => {
  it('are fetched again in a moment where too many fetches wait: that is no fault of the request', async () => {
    const failure = fetching(() =>
      Promise.reject(new EgressError('limit_exceeded', '100 fetches are waiting already.')),
    );
    await expect(failure).rejects.toThrow(OverloadedError);
  });

  it('listen each for the end of the request by a signal of its own', async () => {
    const most: number[] = [];
    const waiting: LinkSource['image'] = (_caller, url, signal) => {
      signal.addEventListener('abort', () => undefined);
      signal.addEventListener('abort', () => undefined);
      most.push(getEventListeners(signal, 'abort').length);
      return Promise.reject(new InvalidRequestError(url));
    };
    const image = (n: number) => ({
      type: 'image',
      source: { type: 'url', url: `https://pictures.example.com/${n}.png` },
    });
    const messages = [1, 2, 3].map((turn) => ({
      role: 'user',
      content: [1, 2, 3, 4, 5].map((n) => image(turn * 10 + n)),
    }));
    await expect(fetching(waiting, 60_000, messages as unknown as InputMessage[])).rejects.toThrow(InvalidRequestError);
    expect(most).toEqual(new Array(15).fill(2));
  });

  it('have so much time in all', async () => {
    const silent: LinkSource['image'] = (_caller, _url, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const failure = fetching(silent, 20);
    await expect(failure).rejects.toThrow(InvalidRequestError);
    await expect(failure).rejects.toThrow(/tool_timeout: .* 0\.02 seconds in all \(setting URI_SECONDS\)/);
  });
});
