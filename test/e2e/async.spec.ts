/** Async messages (messages-api §11): their life, their readers, their limits. */
import { Client } from 'pg';
import { ask, asyncClient, eventsOf, sleep, textOf } from '../support/async-client';
import { eventually } from '../support/eventually';
import { FakeModelServer } from '../support/fake-model-server';
import { readStream } from '../support/read-stream';
import { startServer, type TestServer } from '../support/start-server';

const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

describe('An async message', () => {
  let model: FakeModelServer;
  let server: TestServer;
  let client: ReturnType<typeof asyncClient>;
  beforeAll(async () => {
    model = await FakeModelServer.start();
    server = await startServer({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k' } });
    client = asyncClient(server);
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });

  it('is taken at once, answered, told of, and removed (§async-start §async-status §async-delete)', async () => {
    model.slow(300, 'Twenty-seven ', 'days.');
    const started = await client.start(ask('How long?'));
    expect(started.status).toBe(200);
    const { message_id: id, ...rest } = (await started.json()) as any;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(rest).toEqual({ status: 'pending', message: 'Request initiated successfully' });
    await client.until(id, 'processing');
    const read = await readStream(await client.stream(id));
    expect(read.text).toBe('Twenty-seven days.');
    expect(read.events.at(-2)).toMatchObject({ type: 'message_delta', usage: { output_tokens: 2 } });

    const done = await client.until(id, 'completed');
    expect(done).toEqual({
      message_id: id,
      status: 'completed',
      created_at: expect.stringMatching(MICROSECONDS),
      updated_at: expect.stringMatching(MICROSECONDS),
      completed_at: expect.stringMatching(MICROSECONDS),
      error_message: null,
      stream_type: 'chat_completion',
      metadata: { message_count: 1, tools_enabled: false, thinking_enabled: false, citations_enabled: false },
    });
    expect(done.created_at < done.completed_at!).toBe(true);

    const removed = await client.remove(id);
    expect([removed.status, await removed.text()]).toEqual([200, 'null']);
    for (const call of [client.stream(id), client.cancel(id), client.remove(id)]) {
      const gone = await call;
      expect([gone.status, (await gone.json()) as any]).toMatchObject([
        404,
        { detail: `Stream with message_id ${id} not found` },
      ]);
    }
  });

  it('tells what the request asked for (§async-status)', async () => {
    model.says('Fine.');
    const body = {
      ...ask('Hi'),
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      thinking: { type: 'adaptive' },
      system: { citations: { enabled: true } },
    };
    await client.start(body, 'facts');
    expect((await client.until('facts', 'completed')).metadata).toEqual({
      message_count: 3,
      tools_enabled: true,
      thinking_enabled: true,
      citations_enabled: true,
    });
  });

  it('can be named by the caller, once, also under the second path (§async-id §async-prefix)', async () => {
    model.says('First.').says('Again.');
    const under = await server.post('/api/gpt/v1/messages/async?message_id=mine-1', ask('Hi'));
    expect(await under.json()).toMatchObject({ message_id: 'mine-1' });
    const again = await client.start(ask('Hi'), 'mine-1');
    expect([again.status, (await again.json()) as any]).toMatchObject([
      400,
      { detail: 'Stream with this message_id already exists' },
    ]);
    await client.until('mine-1', 'completed');
    await client.remove('mine-1');
    await client.start(ask('Hi'), 'mine-1');
    expect((await readStream(await client.stream('mine-1'))).text).toBe('Again.');
  });

  it('is refused at once when the request is wrong, whatever a model would say (§async-schema)', async () => {
    const asked = model.requests.length;
    for (const [body, name] of [
      [{ messages: [] }, 'bad-1'],
      [ask('Hi'), '..%2Fpath'],
      [ask('Hi'), 'x'.repeat(201)],
      [ask('Hi'), ''],
    ] as const) {
      expect((await client.start(body, name)).status).toBe(400);
    }
    expect((await client.stream('bad-1')).status).toBe(404);
    for (const odd of ['%00', '..%2F..', 'x'.repeat(300)]) expect((await client.cancel(odd)).status).toBe(404);
    expect(model.requests).toHaveLength(asked);
  });

  it.each([
    ['a thread', { thread: { type: 'create' } }],
    ['MCP servers', { mcp_servers: [{ url: 'https://mcp.example', name: 'x' }] }],
  ])('is refused at once for %s, with what is said without async (§async-schema)', async (_, more) => {
    const asked = await client.start({ ...ask('Hi'), ...more }, 'not-served');
    const told = await server.post('/v1/messages', { ...ask('Hi'), ...more });
    const [{ request_id: __, ...here }, { request_id: ___, ...there }] = [
      (await asked.json()) as any,
      (await told.json()) as any,
    ];
    expect([asked.status, here]).toEqual([400, there]);
    expect((await client.status('not-served')) as unknown).toMatchObject({
      detail: expect.stringContaining('not found'),
    });
  });

  it('is read from the start by everybody, early, late and afterwards, with the same events (§async-replay)', async () => {
    const words = Array.from({ length: 12 }, (_, at) => `word${at} `);
    let goOn = () => {};
    model.replies({ text: words, pauseMs: 20, until: new Promise<void>((resolve) => (goOn = resolve)) });
    await client.start(ask('Hi'), 'many-readers');
    const early = client.stream('many-readers').then((response) => response.text());
    await client.untilSaid('many-readers', 'word10');
    const late = (await client.stream('many-readers')).text();
    expect((await client.status('many-readers')).status).toBe('processing');
    goOn();
    const live = eventsOf(await early);
    expect(textOf(live)).toBe(words.join(''));
    expect(eventsOf(await late)).toEqual(live);
    expect((await readStream(await client.stream('many-readers'))).events).toEqual(live);
  });

  it('arrives as it is said, not in one piece at its end', async () => {
    const hungUp = model.hangs('At once. ');
    await client.start(ask('Hi'), 'as-said');
    await client.untilSaid('as-said', 'At once.');
    // That reader has gone, and the model speaks on.
    expect(await Promise.race([hungUp.then(() => 'stopped'), sleep(700).then(() => 'goes on')])).toBe('goes on');
    expect((await client.status('as-said')).status).toBe('processing');
    await client.remove('as-said');
    await hungUp;
  });

  it('is cancelled in the middle: the model is let go, what was said stays (§async-cancel)', async () => {
    const hungUp = model.hangs('One. ', 'Two. ');
    await client.start(ask('Hi'), 'cancelled');
    const open = client.stream('cancelled').then((response) => response.text());
    await client.untilSaid('cancelled', 'Two. ');
    const answer = await client.cancel('cancelled');
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { message: 'Stream cancelled successfully', message_id: 'cancelled' },
    ]);
    await hungUp;
    const seen = eventsOf(await open);
    expect(textOf(seen)).toBe('One. Two. ');
    const status = await client.status('cancelled');
    expect(status).toMatchObject({ status: 'cancelled', error_message: null });

    await sleep(500);
    expect(eventsOf(await (await client.stream('cancelled')).text())).toEqual(seen);
    expect(await client.status('cancelled')).toEqual(status);
    expect((await client.cancel('cancelled')).status).toBe(200);
  });

  it('keeps its status when it is cancelled after its end (§async-cancel)', async () => {
    model.says('Done.');
    await client.start(ask('Hi'), 'finished');
    const before = await client.until('finished', 'completed');
    expect((await client.cancel('finished')).status).toBe(200);
    expect(await client.status('finished')).toEqual(before);
  });

  it('lets the model go when it is deleted in the middle, and ends its streams', async () => {
    const hungUp = model.hangs('One. ');
    await client.start(ask('Hi'), 'deleted');
    const open = client.stream('deleted').then((response) => response.text());
    await client.untilSaid('deleted', 'One. ');
    expect((await client.remove('deleted')).status).toBe(200);
    await hungUp;
    expect(textOf(eventsOf(await open))).toBe('One. ');
    expect((await client.stream('deleted')).status).toBe(404);
  });

  it('does not exist for another organisation (§async-unknown)', async () => {
    model.says('Ours.').says('Theirs.');
    await client.start(ask('Hi'), 'whose');
    await client.until('whose', 'completed');
    const others = asyncClient(server, { 'x-org': 'another' });
    const text = { detail: 'Stream with message_id whose not found' };
    expect(await others.status('whose')).toMatchObject(text);
    for (const call of [others.stream('whose'), others.cancel('whose'), others.remove('whose')]) {
      const refused = await call;
      expect([refused.status, await refused.json()]).toMatchObject([404, text]);
    }
    // A name that is taken elsewhere is free, so that nobody learns of it.
    expect((await others.start(ask('Hi'), 'whose')).status).toBe(200);
    expect((await readStream(await others.stream('whose'))).text).toBe('Theirs.');
    expect((await readStream(await client.stream('whose'))).text).toBe('Ours.');
  });

  it('ends as error when the model fails, before its first word and after (§async-error)', async () => {
    model.fails(500, { error: { message: 'boom' } });
    await client.start(ask('Hi'), 'fails');
    const failed = await client.until('fails', 'error');
    const events = eventsOf(await (await client.stream('fails')).text());
    expect(events).toEqual([expect.objectContaining({ type: 'error' })]);
    expect(failed.error_message).toBe((events[0] as any).error.message);
    expect(failed.completed_at).toMatch(MICROSECONDS);

    model.cuts('Half of ');
    await client.start(ask('Hi'), 'cut');
    const live = (await readStream(await client.stream('cut'))).events;
    expect(textOf(live)).toBe('Half of ');
    expect(live.at(-1)!.type).toBe('error');
    expect((await client.until('cut', 'error')).error_message).toBeTruthy();
    expect((await readStream(await client.stream('cut'))).events).toEqual(live);
  });

  it('answers in the dialect of its request', async () => {
    model.calls('search', { query: 'x' }).says('Nothing.');
    const tools = [{ name: 'search', type: 'semantic_search_v1' }];
    const tool_context = [{ type: 'ingested_artifact', context_filter: { collection: 'none' } }];
    const anthropic = asyncClient(server, { 'anthropic-version': '2023-06-01' });
    await anthropic.start({ ...ask('Hi'), tools, tool_context, max_tokens: 100 }, 'anthropic');
    const { content } = await readStream(await anthropic.stream('anthropic'));
    expect(content.map(({ type }) => type)).toEqual(['mcp_tool_use', 'mcp_tool_result', 'text']);
    expect(content[1]).toMatchObject({ is_error: false });
  });

  it('has at most ten readers', async () => {
    const hungUp = model.hangs('One. ');
    await client.start(ask('Hi'), 'crowded');
    const leave = new AbortController();
    const readers = await Promise.all(
      Array.from({ length: 10 }, () => client.stream('crowded', { signal: leave.signal })),
    );
    expect(readers.every(({ status }) => status === 200)).toBe(true);
    const eleventh = await client.stream('crowded');
    expect([eleventh.status, eleventh.headers.has('retry-after')]).toEqual([429, true]);
    leave.abort();
    const next = await eventually(
      () => client.stream('crowded'),
      ({ status }) => status === 200,
    );
    await client.remove('crowded');
    await Promise.all([next.text(), hungUp]);
  });

  it('leaves nothing of its request in the database, neither while it waits nor afterwards', async () => {
    const database = new Client({ connectionString: server.database.url });
    await database.connect();
    const hungUp = model.hangs('One. ');
    await client.start(ask('the S3CR3T question'), 'sealed');
    await client.until('sealed', 'processing');
    const { rows: tables } = await database.query(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
        WHERE table_schema IN ('public', 'toolwright_jobs') AND table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const { name } of tables) {
      const { rows } = await database.query(`SELECT count(*)::int AS n FROM ${name} t WHERE t::text ~ 'S3CR3T'`);
      expect({ name, n: rows[0].n }).toEqual({ name, n: 0 });
    }
    const { rows } = await database.query(`SELECT request FROM async_messages WHERE name = 'sealed'`);
    expect(rows).toEqual([{ request: null }]);
    await database.end();
    await client.remove('sealed');
    await hungUp;
  });

  it('asked the model for exactly what these tests wrote', () => expect(model.unasked).toBe(0));
});

describe('The queue of async messages', () => {
  let model: FakeModelServer;
  let server: TestServer;
  const as = (organisation: string) => asyncClient(server, { 'x-org': organisation });
  beforeAll(async () => {
    model = await FakeModelServer.start();
    server = await startServer({
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        ASYNC_CONCURRENCY: '2',
        MAX_ASYNC_WAITING_PER_ORG: '3',
        MAX_ASYNC_WAITING: '5',
        MAX_ASYNC_EVENTS: '40',
        MAX_ASYNC_KEPT_PER_ORG: '4',
        ASYNC_RETENTION_SECONDS: '3',
      },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.stop();
  });

  it('is bounded for each organisation and in all, serves them in turn, and forgets who left it', async () => {
    const a = as('a');
    const hanging = model.hangs('Long. ');
    await a.start(ask('1'), 'a-1');
    await a.until('a-1', 'processing');
    for (const name of ['a-2', 'a-3', 'a-4']) expect((await a.start(ask(name), name)).status).toBe(200);
    const full = await a.start(ask('5'), 'a-5');
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '5']);
    expect(((await full.json()) as any).detail).toMatch(/^limit_exceeded: .*MAX_ASYNC_WAITING_PER_ORG/);
    expect((await a.status('a-2')).status).toBe('pending');

    // A has one hand busy and three waiting; B is served at once by the other.
    model.says('For B.');
    const b = as('b');
    await b.start(ask('b'), 'b-1');
    await b.until('b-1', 'completed');
    expect((await a.status('a-2')).status).toBe('pending');

    const busy = model.hangs('Long. ');
    await b.start(ask('b'), 'b-2');
    await b.until('b-2', 'processing');
    for (const name of ['b-3', 'b-4']) expect((await b.start(ask(name), name)).status).toBe(200);
    const crowded = await as('c').start(ask('c'), 'c-1');
    expect([crowded.status, crowded.headers.get('retry-after')]).toEqual([529, '5']);

    // Waiting ones that are cancelled or removed never reach the model; the others do, in their order.
    await a.cancel('a-2');
    await a.remove('a-3');
    await b.cancel('b-3');
    await b.cancel('b-4');
    model.says('For a-4.');
    await a.cancel('a-1');
    await hanging;
    expect((await readStream(await a.stream('a-4'))).text).toBe('For a-4.');
    expect(await a.status('a-2')).toMatchObject({ status: 'cancelled' });
    expect(await (await a.stream('a-2')).text()).toBe('');
    await b.cancel('b-2');
    await busy;
    expect(model.requests.map(({ messages }) => messages.at(-1).content)).toEqual(['1', 'b', 'b', 'a-4']);
  });

  it('begins those of an organisation first that have a higher priority (§priority)', async () => {
    const p = as('p');
    const from = model.requests.length;
    const hanging = model.hangs('Long. ');
    await p.start(ask('first'), 'p-1');
    await p.until('p-1', 'processing');
    for (const [name, priority] of Object.entries({ later: -5, usual: null, urgent: 2 ** 40 })) {
      expect((await p.start({ ...ask(name), priority }, name)).status).toBe(200);
    }
    for (let count = 0; count < 3; count++) model.says('Done.');
    await p.cancel('p-1');
    await hanging;
    await p.until('later', 'completed');
    const asked = model.requests.slice(from).map(({ messages }) => messages.at(-1).content);
    expect(asked).toEqual(['first', 'urgent', 'usual', 'later']);
  });

  it('ends a message that says more than may be kept, as error (§async-retention)', async () => {
    const d = as('d');
    model.slow(5, ...Array.from({ length: 60 }, (_, at) => `${at} `));
    await d.start(ask('Hi'), 'd-1');
    const { error_message } = await d.until('d-1', 'error');
    expect(error_message).toMatch(/^limit_exceeded: .*40 events .*MAX_ASYNC_EVENTS/);
    expect((await readStream(await d.stream('d-1'))).events.at(-1)!.type).toBe('error');
  });

  it('keeps the newest messages of an organisation', async () => {
    const e = as('e');
    for (const name of ['e-1', 'e-2', 'e-3', 'e-4', 'e-5', 'e-6']) {
      model.says('Hi.');
      await e.start(ask(name), name);
      await e.until(name, 'completed');
    }
    expect((await e.stream('e-1')).status).toBe(404);
    expect((await e.status('e-6')).status).toBe('completed');
  });

  it('forgets what has not changed for as long as messages are kept (§async-retention)', async () => {
    const f = as('f');
    model.says('Hi.');
    await f.start(ask('Hi'), 'f-1');
    const { completed_at } = await f.until('f-1', 'completed');
    await eventually(
      () => f.stream('f-1'),
      ({ status }) => status === 404,
    );
    expect(Date.now() - Date.parse(completed_at!)).toBeGreaterThanOrEqual(3000);
  });
});
