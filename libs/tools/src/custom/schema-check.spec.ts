import { SchemaCheck, type SchemaVerdict } from './schema-check';
import type { Schema } from './schema-keywords';

const warned: object[] = [];
const checker = new SchemaCheck({ warn: (fields) => warned.push(fields) });
afterAll(() => checker.close());
beforeEach(() => warned.splice(0));

const check = (schema: Schema, value: unknown): Promise<SchemaVerdict> =>
  checker.check(schema, value, new AbortController().signal);

/** Twice as long for each level of the value: at 32 levels nobody waits for the end. What fits takes no memory. */
const DOUBLING: Schema = {
  properties: { in: { allOf: [{ $ref: '#' }, { $ref: '#' }] }, leaf: { type: 'string' } },
};
const nested = (levels: number, leaf: unknown): object => (levels === 0 ? { leaf } : { in: nested(levels - 1, leaf) });

describe('a schema check', () => {
  it('that cannot be finished says so, and is not taken for one that found nothing', async () => {
    expect(await check(DOUBLING, nested(31, 'x'))).toEqual({
      problems: [],
      unchecked: expect.stringMatching(/^limit_exceeded: .*250 ms of processor time/),
    });
    expect(warned).toEqual([{ err: expect.objectContaining({ name: 'TaskTimeoutError' }) }]);
  });

  it('still tells right from wrong afterwards', async () => {
    expect(await check(DOUBLING, nested(3, 'x'))).toEqual({ problems: [] });
    expect((await check(DOUBLING, nested(3, 1))).problems).toContain('/in/in/in/leaf must be string');
  });

  it.each<[string, Schema, unknown, RegExp]>([
    [
      'what no draft knows',
      { x: { y: { type: 'string' } }, properties: { a: { $ref: '#/x/y' } } },
      { a: 1 },
      /a must be/,
    ],
    [
      'an older spelling',
      { properties: { a: { items: [{ type: 'string' }] }, b: { $ref: '#/properties/a/items/0' } } },
      { b: 1 },
      /b must be string/,
    ],
    [
      'what points further, and back',
      {
        definitions: { node: { properties: { next: { $ref: '#/more/node' } }, required: ['v'] } },
        more: { node: { $ref: '#/definitions/node' } },
        $ref: '#/definitions/node',
      },
      { v: 1, next: { v: 1, next: {} } },
      /next\/next must have required property 'v'/,
    ],
  ])('follows a reference to %s', async (_, schema, value, problem) => {
    expect(await check(schema, value)).toEqual({ problems: [expect.stringMatching(problem)] });
    expect(warned).toEqual([]);
  });

  it.each<[string, Schema, unknown, RegExp]>([
    ['dependencies', { dependencies: { a: ['b'] } }, { a: 1 }, /property b/],
    ['dependencies', { dependencies: { a: { required: ['b'] } } }, { a: 1 }, /'b'/],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1 }, /property b/],
    ['minContains', { contains: { const: 1 }, minContains: 2 }, [1], /at least 2/],
    ['unevaluatedItems', { prefixItems: [{}], unevaluatedItems: false }, [1, 2], /1 items/],
  ])('knows %s', async (_, schema, value, problem) => {
    expect(await check(schema, value)).toEqual({ problems: [expect.stringMatching(problem)] });
  });
});
