/** Where JSON Schema holds schemas, in every draft that clients write, and which of them look at the same value. */
export type Schema = Record<string, unknown>;

/** Where a subschema lies in the one that holds it: `/properties/name`. */
export interface Step {
  readonly keyword: string;
  /** Its name or place under the keyword, where that holds several. */
  readonly name?: string | number;
}

/**
 * @param inPlace whether the subschema applies to the very value that its parent applies to, so that nothing of the
 *   input is used up.
 */
export type SeeSubschema = (schema: Schema, step: Step, inPlace: boolean) => void;

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

/** Shows each subschema that lies directly in the schema. */
export function eachSubschema(schema: Schema, see: SeeSubschema): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      const inPlace = LIST.get(keyword);
      if (inPlace === undefined) continue;
      for (const [name, inner] of value.entries()) if (isRecord(inner)) see(inner, { keyword, name }, inPlace);
      continue;
    }
    const alone = ONE.get(keyword);
    if (alone !== undefined) {
      see(value as Schema, { keyword }, alone);
      continue;
    }
    const inPlace = MAP.get(keyword);
    if (inPlace === undefined) continue;
    for (const name of Object.keys(value)) {
      const inner = (value as Schema)[name];
      if (isRecord(inner)) see(inner, { keyword, name }, inPlace);
    }
  }
}

/** The JSON pointer of a step. */
export const pointerOf = ({ keyword, name }: Step): string =>
  `/${escaped(keyword)}` + (name === undefined ? '' : `/${escaped(String(name))}`);

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
