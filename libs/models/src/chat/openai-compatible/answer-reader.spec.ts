import { InvalidRequestError, TOOL_USE_ID } from '@app/contract';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatPart } from '../chat-model';
import { AnswerBody } from './answer-body';
import { AnswerReader } from './answer-reader';

const FIXTURES = join(__dirname, '../../../../../test/fixtures');

function answer(tools: readonly string[] = ['search', 'add'], maxCharacters?: number) {
  const parts: ChatPart[] = [];
  const reader = new AnswerReader((part) => parts.push(part), {
    tools,
    usedIds: ['taken'],
    maxCharacters,
    reportedError: () => new InvalidRequestError('reported'),
  });
  return { parts, reader };
}

/** Parts of an answer whose chunks have these choices. */
function partsOf(choices: object[], tools?: readonly string[]): ChatPart[] {
  const { parts, reader } = answer(tools);
  for (const choice of choices) reader.read(JSON.stringify({ choices: [choice] }));
  reader.end();
  return parts;
}

/** Parts of an answer that makes calls from these deltas, without the `finish`. */
const partsOfCalls = (...deltas: object[]) =>
  partsOf([...deltas.map((call) => ({ delta: { tool_calls: [call] } })), { finish_reason: 'tool_calls' }]).slice(0, -1);
const callsOf = (...deltas: object[]) =>
  partsOfCalls(...deltas).flatMap((part) => (part.type === 'tool_call' ? [[part.name, part.arguments]] : []));

const text = (words: string) => ({ type: 'text', text: words });
const thinking = (thoughts: string) => ({ type: 'thinking', thinking: thoughts });

describe('AnswerReader', () => {
  describe('recorded streams', () => {
    const read = (pieces: Buffer[]) => {
      const { parts, reader } = answer();
      const body = new AnswerBody(reader);
      for (const piece of pieces) body.read(piece);
      body.end();
      return parts;
    };
    const printed = (parts: ChatPart[]) => JSON.stringify(parts).replaceAll(/toolu_[0-9a-f]{32}/g, 'toolu_');
    const replay = (name: string) => read([readFileSync(join(FIXTURES, name))]);
    const calls = (parts: ChatPart[]) => parts.filter((part) => part.type === 'tool_call');
    const said = (parts: ChatPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const thought = (parts: ChatPart[]) =>
      parts.map((part) => (part.type === 'thinking' ? part.thinking : '')).join('');

    it.each(readdirSync(FIXTURES).filter((name) => /^(?!.*-error).*\.sse$/.test(name)))(
      'gives the same parts of %s wherever it is cut',
      (name) => {
        const bytes = readFileSync(join(FIXTURES, name));
        const whole = printed(replay(name));
        const cuts = Array.from({ length: bytes.length }, (_, cut) => cut);
        const differing = cuts.filter((cut) => printed(read([bytes.subarray(0, cut), bytes.subarray(cut)])) !== whole);
        expect(differing).toEqual([]);
        expect(printed(read(Array.from(bytes, (byte) => Buffer.from([byte]))))).toBe(whole);
      },
    );

    it('vLLM: reasoning, text, usage in a chunk without choices', () => {
      const parts = replay('vllm-reasoning-and-text.sse');
      expect(thought(parts)).toBe('The user asks about\nMálaga.');
      expect(said(parts)).toBe('\n\nMálaga is sunny ☀️ — 21 °C.');
      const usage = { inputTokens: 31, outputTokens: 14, cachedInputTokens: 16 };
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop', usage });
    });

    it('vLLM: two calls in fragments', () => {
      expect(replay('vllm-two-calls.sse')).toMatchObject([
        { type: 'tool_call_start', id: 'chatcmpl-tool-0a1b2c', name: 'search' },
        { type: 'tool_call', id: 'chatcmpl-tool-0a1b2c', arguments: '{"query": "añil"}' },
        { type: 'tool_call_start', id: 'chatcmpl-tool-3d4e5f', name: 'search' },
        { type: 'tool_call', id: 'chatcmpl-tool-3d4e5f', arguments: '{"query": "a \\"b\\" {c"}' },
        { type: 'finish', reason: 'tool_calls', usage: { inputTokens: 210, outputTokens: 42 } },
      ]);
    });

    it('vLLM: stops where it was told to', () => {
      expect(replay('vllm-stop-sequence.sse').at(-1)).toMatchObject({ reason: 'stop' });
    });

    it('Ollama: calls that all have index 0', () => {
      expect(calls(replay('ollama-two-calls-one-index.sse'))).toMatchObject([
        { id: 'call_uw3t1z9k', arguments: '{"query":"first"}' },
        { id: 'call_p0c2v7aa', arguments: '{"query":"second"}' },
      ]);
    });

    it('Ollama: reasoning, a cut by length, no usage', () => {
      const parts = replay('ollama-reasoning.sse');
      expect([thought(parts), said(parts)]).toEqual(['Okay, so', 'Hola 👋🏽!']);
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'length' });
    });

    it('llama.cpp: keep-alives between the fragments of a call', () => {
      expect(calls(replay('llamacpp-call.sse'))).toMatchObject([{ id: 'b8Xk2', arguments: '{"query":"漢字"}' }]);
    });

    it('LM Studio: empty ids and names in fragments, finish reason stop beside a call', () => {
      const parts = replay('lmstudio-call.sse');
      expect(said(parts)).toBe('Let me see.');
      expect(calls(parts)).toMatchObject([{ id: '365174485', name: 'search', arguments: '{"query":"x"}' }]);
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' });
    });

    it('OpenAI: text', () => {
      const parts = replay('openai-text.sse');
      expect(said(parts)).toBe('Focus fast, daily. 😀');
      expect(parts.at(-1)).toMatchObject({ usage: { inputTokens: 19, outputTokens: 6, cachedInputTokens: 0 } });
    });

    it('a proxy: the call of before there were calls, with CRLF', () => {
      expect(calls(replay('proxy-function-call-crlf.sse'))).toMatchObject([
        { name: 'search', arguments: '{"query": "é"}', id: expect.stringMatching(TOOL_USE_ID) },
      ]);
    });
  });

  describe('calls', () => {
    const call = (index: number | undefined, id?: string, name?: string, args?: unknown) => ({
      ...(index !== undefined && { index }),
      ...(id !== undefined && { id }),
      function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
    });

    it('puts interleaved fragments together by index, and never overlaps two calls', () => {
      const parts = partsOfCalls(
        call(0, 'a', 'search', '{"q'),
        call(1, 'b', 'add', '{"a"'),
        call(0, undefined, undefined, '":1}'),
        call(1, undefined, undefined, ':2}'),
      );
      expect(parts).toEqual([
        { type: 'tool_call_start', id: 'a', name: 'search' },
        { type: 'tool_call', id: 'a', name: 'search', arguments: '{"q":1}' },
        { type: 'tool_call_start', id: 'b', name: 'add' },
        { type: 'tool_call', id: 'b', name: 'add', arguments: '{"a":2}' },
      ]);
    });

    it('closes a whole call when the next begins, not before', () => {
      const { parts, reader } = answer();
      const say = (...calls: object[]) => reader.read(JSON.stringify({ choices: [{ delta: { tool_calls: calls } }] }));
      say(call(0, 'a', 'search', '{}'));
      expect(parts.map(({ type }) => type)).toEqual(['tool_call_start']);
      say(call(1, 'b', 'add', ''));
      expect(parts.map(({ type }) => type)).toEqual(['tool_call_start', 'tool_call', 'tool_call_start']);
    });

    it('takes a name that comes late, after the arguments, and one that comes in pieces', () => {
      expect(callsOf(call(0, 'a', undefined, '{"q":1}'), call(0, undefined, 'search'))).toEqual([
        ['search', '{"q":1}'],
      ]);
      expect(callsOf(call(0, 'a', 'sea'), call(0, 'a', 'rch'), call(0, 'a', '', '{}'))).toEqual([['search', '{}']]);
      expect(callsOf(call(0, 'a', 'search', '{"q"'), call(0, 'a', 'search', ':1}'))).toEqual([['search', '{"q":1}']]);
    });

    it('takes an id that comes late for the same call', () => {
      expect(callsOf(call(0, undefined, 'search', '{"q"'), call(0, 'late', undefined, ':1}'))).toEqual([
        ['search', '{"q":1}'],
      ]);
    });

    it('gives a missing, unusable or repeated id a new one', () => {
      const ids = partsOfCalls(
        call(0, undefined, 'search', '{}'),
        call(1, 'functions.search:0', 'search', '{}'),
        call(2, 'taken', 'search', '{}'),
        call(3, 'mine', 'search', '{}'),
        call(4, 'mine', 'search', '{}'),
      ).flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
      expect(new Set(ids).size).toBe(5);
      expect(ids[3]).toBe('mine');
      for (const id of ids) expect(id).toMatch(TOOL_USE_ID);
      expect(ids).not.toContain('taken');
    });

    it('takes arguments that are an object, cumulative, empty or absent', () => {
      expect(callsOf(call(0, 'a', 'search', { q: [1] }))).toEqual([['search', '{"q":[1]}']]);
      expect(callsOf(call(0, 'a', 'search', '{"q'), call(0, 'a', undefined, '{"q":1}'))).toEqual([
        ['search', '{"q":1}'],
      ]);
      expect(callsOf(call(0, 'a', 'search', '{'), call(0, 'a', undefined, '{"q":1}'))).toEqual([['search', '{"q":1}']]);
      expect(callsOf(call(0, 'a', 'search', ''))).toEqual([['search', '{}']]);
      expect(callsOf({ index: 0, id: 'a', function: { name: 'search', arguments: null } })).toEqual([['search', '{}']]);
    });

    it('makes no call of a piece that says nothing', () => {
      expect(callsOf({}, { index: 0, type: 'function', function: { name: '', arguments: '' } })).toEqual([]);
    });

    it('goes without an index: by id, or on with the call of last', () => {
      expect(
        callsOf(
          call(undefined, 'a', 'search', '{"q"'),
          call(undefined, undefined, undefined, ':1}'),
          call(undefined, 'b', 'add', '{"a"'),
          call(undefined, 'b', undefined, ':2}'),
        ),
      ).toEqual([
        ['search', '{"q":1}'],
        ['add', '{"a":2}'],
      ]);
    });

    it('goes on with the call of last when a fresh index has neither id nor name', () => {
      expect(callsOf(call(0, 'a', 'search', '{"q"'), call(1, undefined, undefined, ':1}'))).toEqual([
        ['search', '{"q":1}'],
      ]);
    });

    it('tells calls without ids at one index apart by a name after whole arguments', () => {
      expect(callsOf(call(0, undefined, 'search', '{"q":1}'), call(0, undefined, 'search', '{"q":2}'))).toEqual([
        ['search', '{"q":1}'],
        ['search', '{"q":2}'],
      ]);
    });

    it('leaves arguments as the model wrote them, right or wrong', () => {
      expect(callsOf(call(0, 'a', 'search', '{"q": '))).toEqual([['search', '{"q": ']]);
    });

    it('names a call that nobody named after the only tool, or `unknown`', () => {
      const deltas = [{ delta: { tool_calls: [call(0, 'a', undefined, '{}')] } }, { finish_reason: 'stop' }];
      expect(partsOf(deltas, ['search'])[0]).toMatchObject({ name: 'search' });
      expect(partsOf(deltas, ['search', 'add'])[0]).toMatchObject({ name: 'unknown' });
    });

    it('keeps text out of a call that is open', () => {
      const parts = partsOf([
        { delta: { tool_calls: [call(0, 'a', 'search', '{"q"')] } },
        { delta: { content: 'between' } },
        { delta: { tool_calls: [call(0, 'a', undefined, ':1}')] } },
        { delta: { content: ' and after' } },
        { finish_reason: 'tool_calls' },
      ]);
      expect(parts.map((part) => (part.type === 'text' ? part.text : part.type))).toEqual([
        'tool_call_start',
        'tool_call',
        'between',
        ' and after',
        'finish',
      ]);
    });

    it('ends an answer that only makes calls', () => {
      expect(() => partsOfCalls(...Array.from({ length: 300 }, (_, at) => call(at, `c${at}`, 'search', '{}')))).toThrow(
        '256 calls',
      );
    });

    it('stays quick with long arguments in small fragments', () => {
      const started = process.cpuUsage();
      const fragments = Array.from({ length: 50_000 }, () => call(0, undefined, undefined, 'some words }'));
      partsOfCalls(call(0, 'a', 'search', '{"text":"'), ...fragments, call(0, undefined, undefined, '"}'));
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
    });
  });

  it('reads arguments that are never whole but once, whatever is said beside them', () => {
    const { reader } = answer();
    const parse = jest.spyOn(JSON, 'parse');
    let sent = 0;
    const read = (delta: object) => {
      const event = JSON.stringify({ choices: [{ delta }] });
      sent += event.length;
      reader.read(event);
    };
    read({ tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: `{"a":[${'{},'.repeat(500)}{}` } }] });
    read({ tool_calls: [{ index: 1, id: 'b', function: { name: 'add', arguments: '{"b":"' } }] });
    for (let piece = 0; piece < 200; piece++) {
      read({ tool_calls: [{ index: 1, function: { arguments: 'x' } }] });
      read({ content: 'and' });
    }
    const parsed = parse.mock.calls.reduce((characters, [json]) => characters + json.length, 0);
    parse.mockRestore();
    expect(parsed).toBeLessThan(2 * sent);
  });

  describe('finish', () => {
    const reason = (finish_reason: string, delta = {}) =>
      partsOf([{ delta: { content: 'x', ...delta } }, { finish_reason }]).at(-1);

    it('decides by what was said whether there were calls', () => {
      const called = { tool_calls: [{ index: 0, id: 'a', function: { name: 'search', arguments: '{}' } }] };
      expect(reason('stop', called)).toEqual({ type: 'finish', reason: 'tool_calls' });
      expect(reason('tool_calls')).toEqual({ type: 'finish', reason: 'stop' });
      expect(reason('eos')).toEqual({ type: 'finish', reason: 'stop' });
    });

    it('keeps length and content_filter', () => {
      expect(reason('length')).toMatchObject({ reason: 'length' });
      expect(reason('content_filter')).toMatchObject({ reason: 'content_filter' });
    });

    it('says that the server stopped when it gave up', () => {
      expect(() => reason('abort')).toThrow('stopped in the middle');
      expect(() => reason('error')).toThrow('stopped in the middle');
    });

    it('comes once, and nothing after it', () => {
      const { parts, reader } = answer();
      reader.read('{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}');
      reader.read('[DONE]');
      reader.read('{"choices":[{"delta":{"content":"b"}}]}');
      reader.read('[DONE]');
      reader.end();
      expect(parts.map(({ type }) => type)).toEqual(['text', 'finish']);
    });
  });

  describe('characters', () => {
    const said = (...choices: object[]) =>
      partsOf([...choices, { finish_reason: 'stop' }]).map((part) =>
        part.type === 'text' ? part.text : part.type === 'thinking' ? { thinking: part.thinking } : part.type,
      );
    const text = (content: string) => ({ delta: { content } });
    const thought = (reasoning_content: string) => ({ delta: { reasoning_content } });

    it('are put together where a pair is cut between two chunks, whatever comes in between', () => {
      expect(said(text('a\ud83d'), text('\ude00b'))).toEqual(['a', '😀b', 'finish']);
      expect(said(thought('a\ud83d'), thought('\ude00b'))).toEqual([{ thinking: 'a' }, { thinking: '😀b' }, 'finish']);
      expect(said(text('a\ud83d'), thought('x'), text(''), text('\ude00'))).toEqual([
        'a',
        { thinking: 'x' },
        '😀',
        'finish',
      ]);
    });

    it('that are no characters are replaced, at the end too', () => {
      expect(said(text('a\ude00b'), text('c\ud83d'), text('d'), text('e\ud83d'))).toEqual([
        'a\ufffdb',
        'c',
        '\ufffdd',
        'e',
        '\ufffd',
        'finish',
      ]);
      expect(said(thought('\ud83d'))).toEqual([{ thinking: '\ufffd' }, 'finish']);
    });

    it('stay in front of a call that follows them', () => {
      const called = { delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'add', arguments: '{}' } }] } };
      expect(said(text('a\ud83d'), called)).toEqual(['a', '\ufffd', 'tool_call_start', 'tool_call', 'finish']);
    });

    it('that are U+0000 are left out, of everything', () => {
      expect(said(text('a\0b'), text('\0'), thought('c\0'))).toEqual(['ab', { thinking: 'c' }, 'finish']);
      expect(
        callsOf({ index: 0, id: 'a', function: { name: 'add\0', arguments: '{"a\\u0000":"\\u0000b\0c\\\\u0000"}' } }),
      ).toEqual([['add', '{"a":"bc\\\\u0000"}']]);
      expect(callsOf({ index: 0, id: 'a', function: { name: 'add', arguments: { a: 'b\0' } } })).toEqual([
        ['add', '{"a":"b"}'],
      ]);
    });

    it('of arguments are whole, as they are and as escapes', () => {
      const pieces = (...all: string[]) =>
        callsOf(...all.map((piece) => ({ index: 0, id: 'a', function: { name: 'add', arguments: piece } })))[0]![1]!;
      expect(pieces('{"a":"\ud83d', '\ude00"}')).toBe('{"a":"😀"}');
      expect(pieces('{"a":"\ud83d"}')).toBe('{"a":"\ufffd"}');
      expect(JSON.parse(pieces('{"a":"\\ud83d', '\\ude00 \\ud83d \\uDE00 \\\\ud83d"}'))).toEqual({
        a: '😀 \ufffd \ufffd \\ud83d',
      });
    });
  });

  it.each<[string, object[], object[]]>([
    ['words', [{ content: 'abc' }, { content: 'defg' }, { content: 'hi' }], [text('abc'), text('de')]],
    ['thoughts and words', [{ reasoning: 'abc' }, { content: 'defg' }], [thinking('abc'), text('de')]],
    ['a character of two halves', [{ content: 'abcd😀' }], [text('abcd')]],
    [
      'a call that has begun',
      [{ tool_calls: [{ index: 0, function: { name: 'add', arguments: '{' } }] }, { content: 'abcdef' }],
      [
        { type: 'tool_call_start', id: expect.any(String), name: 'add' },
        { type: 'tool_call', id: expect.any(String), name: 'add', arguments: '{' },
        text('abcde'),
      ],
    ],
  ])('cuts an answer that does not end, as its limit of tokens would: %s', (_, deltas, said) => {
    const { parts, reader } = answer(undefined, 5);
    for (const delta of deltas) reader.read(JSON.stringify({ choices: [{ delta }] }));
    expect(reader.isDone).toBe(true);
    reader.end();
    expect(parts).toEqual([...said, { type: 'finish', reason: 'length' }]);
  });

  it('leaves an answer whole that is just as long as it may be', () => {
    const { parts, reader } = answer(undefined, 5);
    reader.read(JSON.stringify({ choices: [{ delta: { content: 'abcde' }, finish_reason: 'stop' }] }));
    reader.end();
    expect(parts).toEqual([text('abcde'), { type: 'finish', reason: 'stop' }]);
  });

  it('takes the first choice, wherever it stands', () => {
    const { parts, reader } = answer();
    const choices = (...list: object[]) => reader.read(JSON.stringify({ choices: list }));
    choices({ index: 1, delta: { content: 'another' } }, { index: 0, delta: { content: 'the answer' } });
    choices({ index: 1, delta: {}, finish_reason: 'length' }, { index: 0, delta: {}, finish_reason: 'stop' });
    reader.end();
    expect(parts).toEqual([
      { type: 'text', text: 'the answer' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('reads over what it does not know', () => {
    const { parts, reader } = answer();
    for (const data of ['', 'null', '7', '{"object":"ping"}', '{"choices":[null]}', '{"choices":[{"delta":null}]}']) {
      reader.read(data);
    }
    reader.read('{"choices":[{"index":1,"delta":{"content":"another choice"}}]}');
    reader.read('{"choices":[{"delta":{"content":[{"type":"text","text":"in blocks"}],"tool_calls":[null,"x"]}}]}');
    reader.read('{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":"many"}}');
    reader.end();
    expect(parts).toEqual([
      { type: 'text', text: 'in blocks' },
      { type: 'finish', reason: 'stop' },
    ]);
  });
});
