/** What each client has to get from the server; see `client.ts` for the words in which a scenario speaks to it. */
import type { Reply } from '../support/fake-model-server';
import type { Answer, Ask, Client, Driver, Refusal, Result, Tool } from './client';
import { MOST_AT_ONCE, type World } from './world';

/** Everything a scenario needs; the getters are for what exists only while tests run. */
export interface Stage {
  readonly driver: Driver;
  readonly builtIn: boolean;
  readonly world: World;
  readonly client: Client;
}

const weather: Tool = {
  name: 'get_weather',
  description: 'The weather in a city.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  returns: 'Sunny in {city}, 31 degrees.',
};
const clock: Tool = {
  name: 'get_time',
  description: 'The time in a country.',
  schema: { type: 'object', properties: { country: { type: 'string' } }, required: ['country'] },
  returns: 'It is 10:15 in {country}.',
};

const asks = (user: string, more: Partial<Ask> = {}): Ask => ({ conversation: [{ user }], ...more });
const follow = (ask: Ask, ...turns: Ask['conversation']): Ask => ({
  ...ask,
  conversation: [...ask.conversation, ...turns],
});
const WHOLE_AND_STREAMED = [
  ['whole', false],
  ['streamed', true],
] as const;

export function answers(stage: Stage): void {
  const { builtIn } = stage;

  it('creates a message', async () => {
    const { client, world } = stage;
    world.model.says('Hello! ', '¿Qué tal?');
    const answer = await client.create(asks('Hello', { system: 'Be brief.' }));
    expect(answer).toMatchObject({ text: builtIn ? expect.stringMatching(/\w/) : 'Hello! ¿Qué tal?', ending: 'end' });
    expect(answer.calls).toEqual([]);
    expect(answer.usage.input).toBeGreaterThan(0);
    expect(answer.usage.output).toBeGreaterThan(0);
    if (!builtIn) {
      expect(world.model.requests.at(-1)!.messages).toEqual([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ]);
    }
  });

  it('streams the same message, a piece at a time', async () => {
    const { client, world } = stage;
    world.model.says('Hello! ¿Qué tal?').slow(20, 'Hello! ', '¿Qué ', 'tal?');
    const pieces: string[] = [];
    const whole = await client.create(asks('Hello'));
    const streamed = await client.stream(asks('Hello', { onText: (piece) => pieces.push(piece) }));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(whole.text);
    expect(streamed).toMatchObject({ text: whole.text, ending: 'end' });
    expect(streamed.usage.input).toBeGreaterThan(0);
    expect(streamed.usage.output).toBeGreaterThan(0);
  });

  it.each(WHOLE_AND_STREAMED)('goes on with a conversation: %s', async (_, streamed) => {
    const { client, world } = stage;
    world.model.says('Good morning, Ana.').says('You are Ana.');
    const first = asks('Good morning, my name is Ana.');
    const said = await (streamed ? client.stream(first) : client.create(first));
    const next = follow(first, { assistant: said }, { user: 'Who am I?' });
    const answer = await (streamed ? client.stream(next) : client.create(next));
    expect(answer).toMatchObject({ text: expect.stringMatching(/\w/), ending: 'end' });
    if (!builtIn) {
      expect(world.model.requests.at(-1)!.messages).toEqual([
        { role: 'user', content: 'Good morning, my name is Ana.' },
        { role: 'assistant', content: 'Good morning, Ana.' },
        { role: 'user', content: 'Who am I?' },
      ]);
    }
  });

  it('tells that the limit cut an answer', async () => {
    const { client, world } = stage;
    world.model.replies({ text: ['The sea is'], finish: 'length' });
    const question = 'Context: The sea is blue because water absorbs red light.\n\nWhy is the sea blue?';
    expect(await client.create(asks(question, { maxTokens: 3 }))).toMatchObject({ ending: 'length' });
    if (!builtIn) expect(world.model.requests.at(-1)).toMatchObject({ max_tokens: 3 });
  });

  if (builtIn) {
    it('gets an answer where it asks to see a model think that cannot', async () => {
      const answer = await stage.client.create(asks('Hello', { thinking: true }));
      expect(answer).toMatchObject({ thinking: '', text: expect.stringMatching(/\w/), ending: 'end' });
    });
  } else {
    it('stops at a stop sequence', async () => {
      const { client, world } = stage;
      world.model.says('One, two, EN', 'D three.');
      const answer = await client.create(asks('Count', { stopAt: 'END' }));
      expect(answer.text.trim()).toBe('One, two,');
      // The AI SDK tells its users "stop" for both.
      expect(['stop sequence', 'end']).toContain(answer.ending);
    });

    it.each(WHOLE_AND_STREAMED)('shows what the model thinks apart from what it says: %s', async (_, streamed) => {
      const { client, world } = stage;
      world.model.reasons(['Six times ', 'seven.'], 'It is 42.').says('Because six times seven is 42.');
      const first = asks('What is 6 × 7?', { thinking: true });
      const answer = await (streamed ? client.stream(first) : client.create(first));
      expect(answer).toMatchObject({ thinking: 'Six times seven.', text: 'It is 42.', ending: 'end' });
      expect(world.model.requests.at(-1)).toHaveProperty('reasoning_effort');
      const next = await client.create(follow(first, { assistant: answer }, { user: 'Why?' }));
      expect(next).toMatchObject({ text: 'Because six times seven is 42.' });
    });

    it('sends an image', async () => {
      const { client, world } = stage;
      world.model.says('A dot.');
      const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
      const answer = await client.create({ conversation: [{ user: 'What is this?', image }] });
      expect(answer).toMatchObject({ text: 'A dot.' });
      expect(world.model.requests.at(-1)!.messages.at(-1).content).toContainEqual({
        type: 'image_url',
        image_url: { url: `data:image/png;base64,${image}` },
      });
    });
  }

  it.each(WHOLE_AND_STREAMED)('is answered from documents that the server searches: %s', async (_, streamed) => {
    const { client, world } = stage;
    world.model.calls('search', { query: 'warranty of the pump' }).says('It lasts 36 months.').says('You are welcome.');
    const question = asks('How long is the warranty of the HydroScan pump?');
    const answer = await client.search(question, { streamed });
    expect(answer).toMatchObject({ text: expect.stringContaining('36 months'), ending: 'end', calls: [] });
    const call = {
      name: 'search',
      input: { query: expect.stringMatching(/warranty/) },
      output: expect.stringContaining('36 months'),
    };
    const hidden = streamed && stage.driver.hides?.includes('server-run calls of a stream');
    expect(answer.served).toMatchObject(hidden ? [] : [call]);
    const next = await client.search(follow(question, { assistant: answer }, { user: 'Thanks!' }), { streamed });
    expect(next).toMatchObject({ ending: 'end', served: [] });
  });
}

export function tools(stage: Stage): void {
  const { builtIn, driver } = stage;
  const question = asks('What is the weather in the city of "Madrid"?', { tools: [weather] });
  const resultsOf = (answer: Answer, content = 'Sunny, 31 degrees.', isError = false): Result[] =>
    answer.calls.map((call) => ({ ...call, content, isError }));

  it.each(WHOLE_AND_STREAMED)('loops a tool by its own means: %s', async (_, streamed) => {
    const { client, world } = stage;
    world.model.calls('get_weather', { city: 'Madrid' }).says('It is sunny in Madrid, 31 degrees.');
    const { answer, ran } = await client.loop(question, { streamed });
    expect(ran).toEqual([{ name: 'get_weather', input: { city: 'Madrid' } }]);
    expect(answer).toMatchObject({ text: expect.stringContaining('31 degrees'), ending: 'end', calls: [] });
    if (!builtIn) {
      expect(world.model.requests.at(-1)!.messages.slice(-2)).toMatchObject([
        { role: 'assistant', tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Madrid"}' } }] },
        { role: 'tool', content: expect.stringContaining('Sunny in Madrid, 31 degrees.') },
      ]);
    }
  });

  it.each(WHOLE_AND_STREAMED)('runs the calls of one answer together: %s', async (_, streamed) => {
    const { client, world } = stage;
    world.model
      .callsAll({ name: 'get_weather', input: { city: 'Paris' } }, { name: 'get_time', input: { country: 'Japan' } })
      .says('Sunny in Paris, 31 degrees; 10:15 in Japan.');
    const both = asks('What is the weather in the city of "Paris"? What is the time in the country of "Japan"?', {
      tools: [weather, clock],
    });
    const first = await (streamed ? client.stream(both) : client.create(both));
    expect(first.ending).toBe('tools');
    expect(first.calls.map(({ name, input }) => ({ name, input }))).toEqual([
      { name: 'get_weather', input: { city: 'Paris' } },
      { name: 'get_time', input: { country: 'Japan' } },
    ]);
    expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);
    const results = first.calls.map((call) => ({
      ...call,
      content: call.name === 'get_weather' ? 'Sunny, 31 degrees.' : 'It is 10:15.',
    }));
    const second = await client.create(follow(both, { assistant: first }, { results: results.reverse() }));
    expect(second).toMatchObject({
      text: expect.stringMatching(/31 degrees[^]*10:15|10:15[^]*31 degrees/),
      ending: 'end',
    });
  });

  it('tells of a tool that failed', async () => {
    const { client, world } = stage;
    world.model.calls('get_weather', { city: 'Madrid' }).says('The weather service is down.');
    const first = await client.create(question);
    const results = resultsOf(first, 'The weather service is down.', true);
    const second = await client.create(follow(question, { assistant: first }, { results }));
    expect(second).toMatchObject({ text: expect.stringContaining('down'), ending: 'end' });
    const told = driver.hides?.includes('failed results') ? /^<tool_data>/ : /^The call failed\./;
    if (!builtIn) expect(world.model.requests.at(-1)!.messages.at(-1).content).toMatch(told);
  });

  it.each([
    ['by its name', { name: 'get_weather' }],
    ['any of them', 'any'],
  ] as const)('forces a tool: %s', async (_, choice) => {
    const { client, world } = stage;
    // A model server that ignores forcing once.
    world.model.says('Sure, let me see.').calls('get_weather', { city: 'Madrid' });
    const answer = await client.create({ ...question, choice });
    expect(answer).toMatchObject({
      ending: 'tools',
      text: '',
      calls: [{ name: 'get_weather', input: { city: 'Madrid' } }],
    });
  });

  // Only a model that says so may ask instead of calling; the fake one does not.
  if (builtIn) {
    it('is asked in words for what a forced tool needs and the message does not say', async () => {
      const asked = stage.client.create(asks('What is the weather?', { tools: [weather], choice: 'any' }));
      if (driver.insists) await expect(asked).rejects.toMatchObject({ name: driver.insists });
      else expect(await asked).toMatchObject({ text: expect.stringContaining('city'), ending: 'end', calls: [] });
    });
  }

  it('forbids its tools', async () => {
    const { client, world } = stage;
    world.model.says('I may not look it up.');
    expect(await client.create({ ...question, choice: 'none' })).toMatchObject({ ending: 'end', calls: [] });
  });

  it.each(driver.structuredWays)('gets a document of its schema: %s', async (way) => {
    const { client, world } = stage;
    const wanted = { name: 'Ana Ruiz', age: 31 };
    world.model.answersWith((body) => inTheWayThatWasAsked(body, wanted));
    const document = await client.structured(
      asks('name: Ana Ruiz\nage: 31'),
      {
        title: 'person',
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: 'integer' } },
        required: ['name', 'age'],
        additionalProperties: false,
      },
      way,
    );
    expect(document).toEqual(wanted);
  });

  if (!builtIn) {
    it('calls a tool without arguments', async () => {
      const { client, world } = stage;
      const ping: Tool = {
        name: 'ping',
        description: 'Says pong.',
        schema: { type: 'object', properties: {} },
        returns: 'pong',
      };
      world.model.calls('ping', {}).says('Pong came back.');
      const { answer, ran } = await client.loop(asks('Ping it.', { tools: [ping] }), { streamed: true });
      expect(ran).toEqual([{ name: 'ping', input: {} }]);
      expect(answer.text).toBe('Pong came back.');
    });

    it('sees the model think before it calls, and again after', async () => {
      const { client, world } = stage;
      world.model
        .replies({
          reasoning: ['I have to look.'],
          text: ['Let me look.'],
          calls: [{ name: 'get_weather', input: { city: 'Madrid' } }],
        })
        .reasons('Now I know.', '31 degrees.');
      const thinking = { ...question, thinking: true };
      const first = await client.stream(thinking);
      expect(first).toMatchObject({ thinking: 'I have to look.', text: 'Let me look.', ending: 'tools' });
      const second = await client.stream(follow(thinking, { assistant: first }, { results: resultsOf(first) }));
      expect(second).toMatchObject({ thinking: 'Now I know.', text: '31 degrees.', ending: 'end' });
    });
  }
}

/** A document as text, or as arguments of the tool whose call was forced. */
function inTheWayThatWasAsked(body: any, document: object): Reply {
  const forced = body.tool_choice?.function?.name ?? (body.tool_choice === 'required' && body.tools[0].function.name);
  return forced ? { calls: [{ name: forced, input: document }] } : { text: [JSON.stringify(document)] };
}

export function failures(stage: Stage): void {
  const { driver } = stage;

  const failing = async (status: Refusal, says: RegExp, asking: Promise<unknown>) => {
    const thrown = await asking.then(
      (answer) => Promise.reject(new Error(`It was answered: ${JSON.stringify(answer)}`)),
      (error: unknown) => error,
    );
    const { kind, status: seen, message } = driver.failure(thrown);
    expect({ kind, status: seen, message }).toEqual({
      kind: driver.failures[status],
      status,
      message: expect.stringMatching(says),
    });
  };
  const bothWays = async (status: Refusal, says: RegExp, client: Client, ask: Ask) => {
    await failing(status, says, client.create(ask));
    await failing(status, says, client.stream(ask));
  };

  it('throws its error for a request that cannot be: 400', async () => {
    const { client } = stage;
    await bothWays(400, /stop_sequences/, client, asks('x', { stopAt: 'x'.repeat(1001) }));
  });

  it('throws its error for an unknown model: 404', async () => {
    await bothWays(404, /nope/, stage.client, asks('x', { model: 'nope' }));
  });

  if (stage.builtIn) return;

  it('throws its error for a wrong key: 401', async () => {
    const { url } = stage.world.server;
    const client = await driver.open({ url, key: 'wrong' });
    await bothWays(401, /API key is not valid/, client, asks('x'));
    await client.close?.();
  });

  it('throws its error for a body beyond the limit: 413', async () => {
    await bothWays(413, /MAX_MESSAGE_BODY_MB/, stage.client, asks('x'.repeat(1024 * 1024)));
  });

  it('is told of a conversation that does not fit the model, in the words on which agents compact theirs', async () => {
    const long = asks('word '.repeat(100_000));
    const thrown = await stage.client.create(long).catch((error: unknown) => error);
    expect(driver.failure(thrown).message).toMatch(/prompt is too long: \d+ tokens > 32000 maximum/);
  });

  it('throws its error for more than a key may have at once: 429', async () => {
    const { client, world } = stage;
    const { server, key, model } = world;
    const headers = { 'x-api-key': key };
    const held = new AbortController();
    const gone = Array.from({ length: MOST_AT_ONCE }, () => model.hangs());
    for (let begun = 0; begun < MOST_AT_ONCE; begun++) {
      const body = { messages: [{ role: 'user', content: 'x' }], stream: true };
      await server.post('/v1/messages', body, { headers, signal: held.signal });
    }
    await bothWays(429, /MAX_STREAMS_PER_KEY/, client, asks('x'));
    held.abort();
    await Promise.all(gone);
    // Its slots are free when something else is wrong with a request.
    const body = { model: 'nope', messages: [{ role: 'user', content: 'x' }] };
    while (
      (await server.post('/v1/messages', body, { headers: { ...headers, 'anthropic-version': '1' } })).status !== 404
    );
  });

  it('throws its error for a model server that is too busy: 529', async () => {
    const { client, world } = stage;
    // A server that asks for so long a pause is not asked again.
    const pause = { 'retry-after': '60' };
    world.model.fails(503, undefined, pause).fails(503, undefined, pause);
    await bothWays(529, /too busy/, client, asks('x'));
  });

  it('asks again by itself where that makes sense, and gets its answer', async () => {
    const { server, key, model } = stage.world;
    const client = await driver.open({ url: server.url, key, retries: 2 });
    model.fails(500).says('Here I am.');
    expect(await client.stream(asks('Hello'))).toMatchObject({ text: 'Here I am.' });
    await client.close?.();
  });

  it('throws when the model server breaks off in the middle of a stream', async () => {
    const { client, world } = stage;
    world.model.cuts('The answer ', 'is');
    const pieces: string[] = [];
    const ask = asks('What is the answer?', { onText: (piece) => pieces.push(piece) });
    const thrown = await client.stream(ask).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(pieces.join('')).toBe('The answer is');
    expect(driver.failure(thrown).message).toMatch(/stopped in the middle of its answer/);
  });

  it.each(['before a word has come', 'in the middle of a stream', 'of a whole answer'])(
    'calls off an answer, and the model server is left alone: %s',
    async (when) => {
      const { client, world } = stage;
      const abort = new AbortController();
      const before = world.model.requests.length;
      const gone = when === 'in the middle of a stream' ? world.model.hangs('Once upon ') : world.model.ignores();
      const begun = when === 'in the middle of a stream' ? { onText: () => abort.abort() } : {};
      const ask = asks('Tell me a story', { signal: abort.signal, ...begun });
      const asked = (when === 'of a whole answer' ? client.create(ask) : client.stream(ask)).then(
        () => 'answered',
        () => 'called off',
      );
      if (when !== 'in the middle of a stream') {
        await world.model.asked(before + 1);
        abort.abort();
      }
      expect(await asked).toBe('called off');
      await gone;
    },
  );
}

export function lists(stage: Stage): void {
  it('counts the tokens of a prompt before it sends it', async () => {
    const { client, world } = stage;
    const short = await client.countTokens!(asks('Hello'));
    const long = await client.countTokens!(asks('Hello '.repeat(1000), { tools: [weather], system: 'Be brief.' }));
    expect(short).toBeGreaterThan(0);
    expect(long).toBeGreaterThan(short + 500);
    expect(world.model.unasked).toBe(0);
  });

  it('lists the models page by page, and gets one', async () => {
    const { client } = stage;
    const models = await client.models!();
    expect(models).toEqual(stage.builtIn ? ['builtin'] : ['big-model', 'other/model:7b', 'builtin']);
    for (const id of models) expect(await client.model!(id)).toMatch(/\w/);
    await expect(client.model!('nope/x:1')).rejects.toBeDefined();
    const thrown = await client.model!('nope/x:1').catch((error: unknown) => error);
    expect(stage.driver.failure(thrown)).toMatchObject({ kind: stage.driver.failures[404], status: 404 });
  });
}
