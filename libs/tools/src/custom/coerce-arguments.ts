/**
 * What a model wrote as arguments, bent to what the schema asks for (messages-api §5.5).
 *
 * Only loss-free changes: a numeric string where a number is wanted, "true" where a boolean is, JSON text where an
 * array or object is, "null" and "" where null is allowed. What does not fit passes through as it was; whether it
 * is acceptable is for the schema check, or the caller, to say.
 */
import { MAX_ARGUMENT_DEPTH, writtenJson } from './written-json';

type Schema = Record<string, unknown>;

/** @returns a new object; the input is not touched. */
export function coerceArguments(input: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  return coerceObject(input, schema, 0);
}

function coerceObject(input: Record<string, unknown>, schema: Schema, depth: number): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const entries = Object.entries(input).map(([name, value]): [string, unknown] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, isRecord(property) ? coerce(value, property, depth + 1) : value];
  });
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(input, name) && isRecord(property) && typesOf(property).has('null')) {
      entries.push([name, null]);
    }
  }
  return Object.fromEntries(entries);
}

function coerce(value: unknown, schema: Schema, depth: number): unknown {
  // Deeper than this a value is left alone: no honest tool schema gets there.
  if (depth > MAX_ARGUMENT_DEPTH) return value;
  const types = typesOf(schema);
  if (typeof value === 'string') return coerceString(value, schema, types, depth);
  if (Array.isArray(value)) {
    const { items } = schema;
    return isRecord(items) ? value.map((item) => coerce(item, items, depth + 1)) : value;
  }
  return isRecord(value) ? coerceObject(value, schema, depth) : value;
}

function coerceString(value: string, schema: Schema, types: ReadonlySet<string>, depth: number): unknown {
  if (types.has('null') && (value === 'null' || value === '')) return null;
  if (types.has('string')) return value;
  if (types.size === 0)
    return looksLikeJson(value) && !('enum' in schema || 'const' in schema) ? (parse(value, depth) ?? value) : value;
  if ((types.has('integer') || types.has('number')) && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value.trim())) {
    const number = Number(value);
    // Beyond 2^53 a number would no longer be the one that was written.
    const exact = Number.isSafeInteger(number) || (types.has('number') && !Number.isInteger(number));
    if (exact && Number.isFinite(number)) return number;
  }
  if (types.has('boolean') && /^(true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === 'true';
  if (types.has('array') || types.has('object')) {
    const parsed = parse(value, depth);
    if (Array.isArray(parsed) ? types.has('array') : isRecord(parsed) && types.has('object')) {
      return coerce(parsed, schema, depth + 1);
    }
  }
  return value;
}

/** The JSON types that a schema admits; none when it says nothing of types. */
function typesOf(schema: Schema): ReadonlySet<string> {
  const types = new Set<string>();
  for (const type of Array.isArray(schema.type) ? schema.type : [schema.type]) {
    if (typeof type === 'string') types.add(type);
  }
  for (const branch of [schema.anyOf, schema.oneOf].flatMap((branches) => (Array.isArray(branches) ? branches : []))) {
    if (isRecord(branch)) for (const type of typesOf(branch)) types.add(type);
  }
  if (schema.nullable === true) types.add('null');
  return types;
}

const looksLikeJson = (value: string): boolean => /^\s*[[{]/.test(value);

/** What is found in a string counts with the levels around it: the whole has to stay within the limit. */
const parse = (value: string, depth: number): unknown => writtenJson(value, MAX_ARGUMENT_DEPTH - depth);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
