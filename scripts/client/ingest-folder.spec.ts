import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from './api-client';
import { ingestFolder, type FolderOptions } from './ingest-folder';

type Ingest = { artifact: string; collection: string; input: { value: string }; metadata: Record<string, unknown> };
type Reply = (response: ServerResponse, body: Ingest) => void;

/** Answers the three routes that the client uses, and remembers what was ingested; a test may write other replies. */
class FakeApi {
  readonly received: Ingest[] = [];
  readonly stored = new Map<string, Record<string, unknown>>();
  readonly replies: Reply[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<ApiClient> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return new ApiClient({ url: new URL(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`) });
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request) text += part;
    if (request.url === '/health') return json(response, 200, { status: 'ok' });
    if (request.url?.startsWith('/v1/artifacts/list')) {
      return json(response, 200, {
        data: [...this.stored].map(([artifact, doc_metadata]) => ({ artifact, doc_metadata })),
      });
    }
    const body = JSON.parse(text) as Ingest;
    this.received.push(body);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    await new Promise((resolve) => setTimeout(resolve, 5));
    this.atOnce--;
    const reply = this.replies.shift();
    if (reply) return reply(response, body);
    this.stored.set(body.artifact, body.metadata);
    json(response, 200, { data: [{ artifact: body.artifact, doc_metadata: body.metadata }] });
  }
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const refuse =
  (status: number, detail: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    json(response, status, { detail }, headers);

describe('Ingesting a folder', () => {
  let api: FakeApi;
  let client: ApiClient;
  let folder: string;

  beforeEach(async () => {
    api = new FakeApi();
    client = await api.start();
    folder = mkdtempSync(join(tmpdir(), 'toolwright-ingest-'));
  });

  afterEach(async () => {
    await api.stop();
    rmSync(folder, { recursive: true });
  });

  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  const run = (options: Partial<FolderOptions> = {}) =>
    ingestFolder(client, folder, {
      collection: 'docs',
      concurrency: 1,
      maxFileBytes: 1000,
      signal: new AbortController().signal,
      onProgress: () => {},
      ...options,
    });

  it('sends each file once, with its name, path and hash', async () => {
    write('a/one.txt', 'one');
    write('two.txt', 'two');
    const { outcomes, notTried } = await run();
    expect(outcomes.map(({ path, status }) => [path, status])).toEqual([
      ['a/one.txt', 'ingested'],
      ['two.txt', 'ingested'],
    ]);
    expect(notTried).toBe(0);
    expect(api.received[0]).toEqual({
      collection: 'docs',
      artifact: 'a--one.txt',
      input: { type: 'file', value: Buffer.from('one').toString('base64') },
      metadata: {
        file_name: 'one.txt',
        path: 'a/one.txt',
        sha256: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
      },
    });
  });

  it('sends nothing that is there unchanged, and again what has changed', async () => {
    write('same.txt', 'same');
    write('changing.txt', 'before');
    await run();
    write('changing.txt', 'after');
    api.received.length = 0;
    const { outcomes } = await run();
    expect(api.received.map(({ artifact }) => artifact)).toEqual(['changing.txt']);
    expect(outcomes.map(({ status }) => status)).toEqual(['ingested', 'unchanged']);
  });

  it('tells what the server refused in its own words, and goes on', async () => {
    write('bad.txt', 'x');
    write('good.txt', 'y');
    api.replies.push(refuse(400, 'unsupported_file: no'));
    const { outcomes } = await run();
    expect(outcomes).toEqual([
      { path: 'bad.txt', status: 'failed', reason: 'unsupported_file: no' },
      expect.objectContaining({ path: 'good.txt', status: 'ingested' }),
    ]);
  });

  it.each([429, 529])('waits as long as the server asks for after %i, then sends again', async (status) => {
    write('a.txt', 'x');
    api.replies.push(refuse(status, 'busy', { 'retry-after': '1' }));
    const startedAt = Date.now();
    const { outcomes } = await run();
    expect(outcomes[0]!.status).toBe('ingested');
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(950);
  });

  it('sends again after a connection that was cut', async () => {
    write('a.txt', 'x');
    api.replies.push((response) => response.destroy());
    expect((await run()).outcomes[0]!.status).toBe('ingested');
    expect(api.received).toHaveLength(2);
  });

  it('stops when the server is gone, and says how much was left', async () => {
    for (const name of ['a', 'b', 'c', 'd']) write(`${name}.txt`, name);
    const gone: Reply = (response) => {
      response.destroy();
      void api.stop();
    };
    api.replies.push((response) => json(response, 200, { data: [] }), gone);
    const { outcomes, notTried, stoppedBy } = await run();
    expect(outcomes.map(({ path, status }) => [path, status])).toEqual([
      ['a.txt', 'unchanged'],
      ['b.txt', 'failed'],
    ]);
    expect(notTried).toBe(2);
    expect(stoppedBy).toEqual(expect.objectContaining({ message: expect.stringContaining('nobody listens there') }));
    api = new FakeApi();
  }, 30_000);

  it('stops when the key is refused: the next file would fare no better', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}.txt`, name);
    api.replies.push(refuse(403, 'This key may not do that'));
    const { outcomes, notTried } = await run();
    expect(outcomes).toEqual([{ path: 'a.txt', status: 'failed', reason: 'This key may not do that' }]);
    expect(notTried).toBe(2);
  });

  it('does not read a file over the limit', async () => {
    write('large.txt', 'x'.repeat(1001));
    const { outcomes } = await run();
    expect(outcomes[0]).toEqual(expect.objectContaining({ status: 'failed', reason: expect.stringContaining('over') }));
    expect(api.received).toHaveLength(0);
  });

  it('tells a file whose artifact id another file has', async () => {
    write('a/b.txt', 'x');
    write('a--b.txt', 'y');
    const { outcomes } = await run();
    expect(outcomes.map(({ path, status }) => [path, status])).toEqual([
      ['a--b.txt', 'ingested'],
      ['a/b.txt', 'failed'],
    ]);
    expect(outcomes[1]!.reason).toContain('a--b.txt');
  });

  it('sends no more files at once than it was told, and no fewer', async () => {
    for (let index = 0; index < 12; index++) write(`${index}.txt`, `text ${index}`);
    await run({ concurrency: 3 });
    expect(api.mostAtOnce).toBe(3);
    expect(api.received).toHaveLength(12);
  });

  it('ends at once when it is told to stop', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}.txt`, name);
    const stop = new AbortController();
    api.replies.push(() => stop.abort(new Error('stopped')));
    const { outcomes, notTried } = await run({ signal: stop.signal });
    expect(outcomes).toEqual([]);
    expect(notTried).toBe(3);
  });

  it('counts files, bytes and chunks as it goes', async () => {
    write('a.txt', 'four');
    write('b.txt', 'six666');
    api.replies.push((response, { artifact }) =>
      json(response, 200, { data: [{ artifact, doc_metadata: { chunk_count: 7 } }] }),
    );
    const seen: number[][] = [];
    await run({
      onProgress: ({ files, bytes, doneFiles, doneBytes, chunks }) =>
        seen.push([files, bytes, doneFiles, doneBytes, chunks]),
    });
    expect(seen).toEqual([
      [2, 10, 0, 0, 0],
      [2, 10, 1, 4, 7],
      [2, 10, 2, 10, 7],
    ]);
  });
});
