import { InvalidRequestError } from '@app/contract';
import { MAX_JSON_DEPTH, MAX_JSON_TOKENS } from './json-scan';
import { parseJson, parseLargeJson } from './parse-json';

const parse = (text: string | Buffer) => parseJson(Buffer.from(text));

function refusal(text: string | Buffer): InvalidRequestError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
  throw new Error('It was accepted');
}

describe('a JSON body', () => {
  it.each([
    { a: [1, 2.5, -3e10, true, null, { b: 'c' }] },
    { text: 'quotes " and \\ and \\" and {[:,]} in texts, "a": {', long: `${'x\\"y'.repeat(100)}\\` },
    ['', 'ñandú 漢字 🎉 \u007f', { '': 0, 'a"b': { ':': ':' } }],
    'just a text',
  ])('that is fine comes through as it is: %j', (value) => {
    expect(parse(JSON.stringify(value))).toEqual(value);
    expect(parse(JSON.stringify(value, null, 2))).toEqual(value);
  });

  it('may begin with a byte order mark', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('may nest as deep as the limit, and not one level deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parse(nested(MAX_JSON_DEPTH))).not.toThrow();
    expect(refusal(nested(MAX_JSON_DEPTH + 1)).message).toContain('limit_exceeded: the body nests deeper than 64');
  });

  it('of 50,000 nested lists is refused without being parsed', () => {
    expect(refusal('['.repeat(50_000)).message).toContain('nests deeper');
  });

  it('may not have more tokens than the limit', () => {
    expect(refusal(`[${'0,'.repeat(MAX_JSON_TOKENS)}0]`).message).toContain('more than 200000 JSON tokens');
  });

  it('counts what stands in texts neither as depth nor as tokens', () => {
    const text = '{[,:'.repeat(100_000);
    expect(parse(JSON.stringify({ text }))).toEqual({ text });
  });

  it.each(['{', '{"a":}', "{'a':1}", '[1,]', 'nope', '{"a":1} {"b":2}', '"ends in the middle', '\0'])(
    'that is not JSON is refused by its place, without its words: %j',
    (text) => {
      const { message } = refusal(text);
      expect(message).toMatch(/^The body is not valid JSON/);
      expect(message).not.toContain('nope');
    },
  );

  it('that is not UTF-8 is refused', () => {
    expect(refusal(Buffer.from([0x22, 0xff, 0xfe, 0x22])).message).toBe('The body is not valid UTF-8.');
  });

  it.each([
    '{"a":1,"a":2}',
    '{"x":[{"a":1,"b":{},"a":1}]}',
    '{"a":1,"\\u0061":2}',
    `{"${'k'.repeat(99)}":1,"${'k'.repeat(99)}":2}`,
  ])('with a key twice in one object is refused: %s', (text) =>
    expect(refusal(text).message).toContain('the same key twice'),
  );

  it.each([
    ['{"__proto__":{"polluted":true}}', ['body', '__proto__']],
    ['{"a":[{"__proto__":1}]}', ['body', 'a', 0, '__proto__']],
    ['{"\\u005f_proto__":{}}', ['body', '__proto__']],
    ['{"constructor":{"prototype":{}}}', ['body', 'constructor']],
  ])('with a key that reaches a prototype is refused by its place: %s', (text, loc) => {
    expect(refusal(text).explanation).toEqual([expect.objectContaining({ loc })]);
    expect(({} as any).polluted).toBeUndefined();
  });

  it('may have a constructor that is only a word', () => {
    expect(parse('{"constructor":"Bauhaus"}')).toEqual({ constructor: 'Bauhaus' });
  });

  it.each([
    ['{"a":["\\ud83d"]}', 'half of a surrogate pair', ['body', 'a', 0]],
    ['{"a":"\\udc00 x"}', 'half of a surrogate pair', ['body', 'a']],
    ['{"a":"x\\u0000y"}', 'NUL', ['body', 'a']],
    ['{"a\\u0000":1}', 'NUL', ['body', 'a\0']],
  ])('with a text that nothing can store is refused by its place: %s', (text, words, loc) => {
    expect(refusal(text).explanation).toEqual([{ type: 'value_error', loc, msg: expect.stringContaining(words) }]);
  });

  it('of many megabytes of text costs no more than reading it', () => {
    const bytes = Buffer.from(JSON.stringify({ input: { type: 'file', value: 'QUJD'.repeat(4 * 1024 * 1024) } }));
    const start = process.cpuUsage();
    parseJson(bytes);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
  });

  it('of many megabytes can be read a step at a time, with the same outcome, while others have their turns', async () => {
    let turns = 0;
    let over = false;
    const other = () => void (over || (turns++, setImmediate(other)));
    setImmediate(other);
    for (const text of [
      JSON.stringify({ input: { type: 'file', value: 'QUJD'.repeat(1024 * 1024) } }),
      JSON.stringify({ messages: [{ content: 'Año '.repeat(500_000) }] }),
      '{"a":1,"a":2}',
      '{"a":["\\ud83d"]}',
      '{"__proto__":{"a":1}}',
      '[1,',
      '['.repeat(100),
    ]) {
      const before = turns;
      const bytes = Buffer.from(text);
      const large = await parseLargeJson(bytes).catch((error: unknown) => error);
      let small: unknown;
      try {
        small = parseJson(bytes);
      } catch (error) {
        small = error;
      }
      expect(large).toEqual(small);
      if (!(small instanceof Error)) expect(turns - before).toBeGreaterThanOrEqual(3);
    }
    over = true;
  });
});
