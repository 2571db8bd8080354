/** Where JSON Schema holds schemas, in every draft that clients write, and which of them look at the same value. */
export type Schema = Record<string, unknown>;

export interface Subschema {
  readonly schema: Schema;
  /** JSON pointer from the schema that holds it: `/properties/name`. */
  readonly at: string;
  /** Whether it applies to the very value that its parent applies to, so that nothing of the input is used up. */
  readonly inPlace: boolean;
}

const ONE = new Map<string, boolean>([
  ['not', true],
  ['if', true],
  ['then', true],
  ['else', true],
  ['additionalProperties', false],
  ['additionalItems', false],
  ['items', false],
  ['contains', false],
  ['propertyNames', false],
  ['unevaluatedItems', false],
  ['unevaluatedProperties', false],
]);
const LIST = new Map<string, boolean>([
  ['allOf', true],
  ['anyOf', true],
  ['oneOf', true],
  ['prefixItems', false],
  ['items', false],
]);
const MAP = new Map<string, boolean>([
  ['properties', false],
  ['patternProperties', false],
  ['dependentSchemas', true],
  ['dependencies', true],
  ['$defs', false],
  ['definitions', false],
]);

export function* subschemas(schema: Schema): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `/${escaped(keyword)}`;
    if (isRecord(value)) {
      if (ONE.has(keyword)) yield { schema: value, at, inPlace: ONE.get(keyword)! };
      else if (MAP.has(keyword)) {
        for (const [name, inner] of Object.entries(value)) {
          if (isRecord(inner)) yield { schema: inner, at: `${at}/${escaped(name)}`, inPlace: MAP.get(keyword)! };
        }
      }
    } else if (Array.isArray(value) && LIST.has(keyword)) {
      for (const [position, inner] of value.entries()) {
        if (isRecord(inner)) yield { schema: inner, at: `${at}/${position}`, inPlace: LIST.get(keyword)! };
      }
    }
  }
}

/** What a `$ref` inside the same schema points to; undefined where it leaves it, or points to nothing. */
export function target(root: Schema, reference: string): Schema | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const name = unescaped(step);
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Schema)[name];
  }
  return isRecord(found) ? found : undefined;
}

export const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
