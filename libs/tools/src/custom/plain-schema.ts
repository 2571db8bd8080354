/**
 * A caller's schema, of whatever draft, in the words that the check reads: JSON Schema 2020-12 without names.
 *
 * Ids, anchors and dynamic references have no effect; a `$ref` that leaves the schema admits anything and is never
 * fetched (SEC-92). Older spellings are rewritten, and what no draft knows is left out: so what a `$ref` points to, which
 * may lie anywhere, is moved to where the check finds it.
 */
import { isRecord, target, type Schema } from './schema-keywords';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const COUNTS = [
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains'],
];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ONE = [
  ...['not', 'if', 'then', 'else', 'additionalProperties', 'contains', 'propertyNames'],
  ...['unevaluatedProperties', 'unevaluatedItems'],
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

export function plainSchema(schema: Schema): Schema {
  const references = new References(schema);
  const result = plain(schema, references);
  return { ...result, $defs: references.targets() };
}

/** What the references of a schema point to, each once. */
class References {
  private readonly names = new Map<Schema, string>();

  constructor(private readonly root: Schema) {}

  /** Undefined for one that leaves the schema, or points to nothing. */
  moved(reference: string): string | undefined {
    const found = target(this.root, reference);
    if (!found) return undefined;
    if (found === this.root) return '#';
    if (!this.names.has(found)) this.names.set(found, `${this.names.size}`);
    return `#/$defs/${this.names.get(found)}`;
  }

  targets(): Schema {
    const targets: Schema = {};
    // The map grows while it is gone through: what is pointed to points further.
    for (const [found, name] of this.names) targets[name] = plain(found, this);
    return targets;
  }
}

function plain(schema: Schema, references: References): Schema {
  const result: Schema = {};
  const inner = (value: unknown) => (isRecord(value) ? plain(value, references) : value !== false);
  const types = [schema.type].flat().filter((type) => typeof type === 'string' && TYPES.has(type));
  if (types.length > 0 && types.length === [schema.type].flat().length) {
    result.type = schema.nullable === true ? [...new Set([...types, 'null'])] : types;
  }
  if (Array.isArray(schema.enum) && schema.enum.length > 0) {
    result.enum = schema.nullable === true ? [...schema.enum, null] : schema.enum;
  }
  if ('const' in schema) result.const = schema.const;
  if (typeof schema.pattern === 'string') result.pattern = schema.pattern;
  if (schema.uniqueItems === true) result.uniqueItems = true;
  if (Array.isArray(schema.required)) result.required = schema.required.filter((name) => typeof name === 'string');
  for (const keyword of COUNTS) {
    if (Number.isSafeInteger(schema[keyword]) && (schema[keyword] as number) >= 0) result[keyword] = schema[keyword];
  }
  for (const keyword of NUMBERS) if (typeof schema[keyword] === 'number') result[keyword] = schema[keyword];
  for (const keyword of ONE) if (isSchema(schema[keyword])) result[keyword] = inner(schema[keyword]);
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list) && list.length > 0) result[keyword] = list.map(inner);
  }
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (isRecord(map))
      result[keyword] = Object.fromEntries(Object.entries(map).map(([name, one]) => [name, inner(one)]));
  }
  items(schema, result, inner);
  dependencies(schema, result, inner);
  const reference = typeof schema.$ref === 'string' ? references.moved(schema.$ref) : undefined;
  if (reference) result.$ref = reference;
  return result;
}

/** Before 2020 `items` could be a list, and `additionalItems` was for what follows it. */
function items(schema: Schema, result: Schema, inner: (value: unknown) => unknown): void {
  const { items: given, additionalItems } = schema;
  if (Array.isArray(given)) {
    if (given.length > 0) result.prefixItems = given.map(inner);
    if (isSchema(additionalItems)) result.items = inner(additionalItems);
  } else if (isSchema(given)) result.items = inner(given);
}

/** Before 2019 one keyword held both kinds. */
function dependencies(schema: Schema, result: Schema, inner: (value: unknown) => unknown): void {
  const required: [string, unknown][] = [];
  const schemas: [string, unknown][] = [];
  const given = [schema.dependencies, schema.dependentRequired].flatMap((map) =>
    isRecord(map) ? Object.entries(map) : [],
  );
  for (const [name, value] of given) {
    if (Array.isArray(value)) required.push([name, value.filter((one) => typeof one === 'string')]);
    else if (isSchema(value)) schemas.push([name, inner(value)]);
  }
  if (required.length > 0) result.dependentRequired = Object.fromEntries(required);
  if (schemas.length === 0) return;
  result.dependentSchemas = { ...(result.dependentSchemas as Schema | undefined), ...Object.fromEntries(schemas) };
}

const isSchema = (value: unknown) => isRecord(value) || typeof value === 'boolean';
