import { coerceArguments } from './coerce-arguments';

const coerce = (value: unknown, schema: object) =>
  coerceArguments({ value }, { type: 'object', properties: { value: schema } }).value;

describe('the arguments that a model wrote', () => {
  it.each([
    ['a numeric string for an integer', '42', { type: 'integer' }, 42],
    ['a numeric string for a number', '-2.5', { type: 'number' }, -2.5],
    ['"true" for a boolean', 'True', { type: 'boolean' }, true],
    ['JSON text for an array', '[1, "2"]', { type: 'array', items: { type: 'integer' } }, [1, 2]],
    ['JSON text for an object', '{"a":"1"}', { type: 'object', properties: { a: { type: 'number' } } }, { a: 1 }],
    ['"null" where null is allowed', 'null', { type: ['integer', 'null'] }, null],
    ['"" where null is allowed', '', { anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    ['JSON text where nothing is said of types', '{"a":1}', {}, { a: 1 }],
    ['numbers inside a list', ['1', '2'], { type: 'array', items: { type: 'number' } }, [1, 2]],
  ])('are bent: %s', (_, value, schema, expected) => {
    expect(coerce(value, schema)).toEqual(expected);
  });

  it.each([
    ['a string where a string is allowed', '42', { type: ['string', 'integer'] }],
    ['words for a number', 'many', { type: 'integer' }],
    ['an integer that a double cannot hold', '9007199254740993', { type: 'integer' }],
    ['a fraction for an integer', '1.5', { type: 'integer' }],
    ['broken JSON for an object', '{"a":', { type: 'object' }],
    ['an object where an array is wanted', '{"a":1}', { type: 'array' }],
  ])('pass through as they are: %s', (_, value, schema) => {
    expect(coerce(value, schema)).toEqual(value);
  });

  it('get null for a field that allows it and is missing, required or not', () => {
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: ['string', 'null'] }, b: { type: 'string' }, c: { type: 'number', nullable: true } },
    };
    expect(coerceArguments({}, schema)).toEqual({ a: null, c: null });
  });

  it('never reach a prototype', () => {
    const input = JSON.parse('{"__proto__": {"polluted": true}, "x": "1"}') as Record<string, unknown>;
    const output = coerceArguments(input, { type: 'object', properties: { x: { type: 'number' } } });
    expect(output.x).toBe(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
  });
});
