/**
 * A caller's schema, of whatever draft, in the words that the check reads: JSON Schema 2020-12 without names.
 *
 * Ids, anchors and dynamic references have no effect; a `$ref` that leaves the schema admits anything and is never
 * fetched (SEC-92). Older spellings are rewritten, and what no draft knows is left out.
 */
import { isRecord, target, type Schema } from './schema-keywords';

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ONE = ['not', 'if', 'then', 'else', 'additionalProperties', 'contains', 'propertyNames', 'unevaluatedProperties'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];

export const plainSchema = (schema: Schema): Schema => plain(schema, schema);

function plain(schema: Schema, root: Schema): Schema {
  const result: Schema = {};
  const inner = (value: unknown) => (isRecord(value) ? plain(value, root) : value !== false);
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
  if (typeof schema.$ref === 'string' && target(root, schema.$ref)) result.$ref = schema.$ref;
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

const isSchema = (value: unknown) => isRecord(value) || typeof value === 'boolean';
