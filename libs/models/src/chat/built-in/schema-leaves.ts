/**
 * A JSON Schema as the list of values that have to be found, and a found list as the value of the schema again.
 *
 * Reads the part of JSON Schema that tool declarations use: objects, arrays of one kind of item, `enum`, `const`,
 * `default`, bounds, local `$ref`, `allOf`, and of `anyOf` and `oneOf` the first that is not null. A `pattern` is left
 * to whoever checks the arguments: running a caller's expression here could stop the process.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

export type LeafType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'any';

export interface Leaf {
  /** Names from the root on; 0 stands for the one item of an array of objects. */
  readonly path: readonly (string | number)[];
  readonly key: string;
  readonly schema: JsonSchema;
  readonly type: LeafType;
  readonly required: boolean;
}

/** A schema whose references and alternatives are settled. */
export interface Shape {
  readonly schema: JsonSchema;
  readonly nullable: boolean;
  readonly type: LeafType | 'object';
  readonly properties: readonly { readonly name: string; readonly required: boolean; readonly shape: Shape }[];
  readonly items?: Shape;
}

const MAX_DEPTH = 5;
const MAX_PROPERTIES = 64;

/** Settles a schema: at most five levels deep, 64 properties wide and 1,000 values in all. */
export function shapeOf(schema: unknown): Shape {
  const root = asSchema(schema);
  return shaped(root, root, 0, { left: 1000 });
}

function shaped(schema: unknown, root: JsonSchema, depth: number, budget: { left: number }): Shape {
  budget.left--;
  const { schema: settled, nullable } = settle(asSchema(schema), root, 0);
  const type = typeOf(settled);
  const required = new Set(listOf(settled.required));
  const goesOn = depth < MAX_DEPTH && budget.left > 0;
  const inner =
    type === 'object' && goesOn ? Object.entries(asSchema(settled.properties)).slice(0, MAX_PROPERTIES) : [];
  const properties = inner.map(([name, property]) => ({
    name,
    required: required.has(name),
    shape: shaped(property, root, depth + 1, budget),
  }));
  const hasItems = type === 'array' && goesOn && typeof settled.items === 'object';
  return {
    schema: settled,
    nullable,
    type,
    properties,
    ...(hasItems && { items: shaped(settled.items, root, depth + 1, budget) }),
  };
}

const asSchema = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};

function settle(schema: JsonSchema, root: JsonSchema, hops: number): { schema: JsonSchema; nullable: boolean } {
  if (hops > 10) return { schema: {}, nullable: false };
  const types = Array.isArray(schema.type) ? schema.type : undefined;
  let nullable = schema.nullable === true || (types?.includes('null') ?? false) || schema.type === 'null';
  let settled: JsonSchema = types ? { ...schema, type: types.find((type) => type !== 'null') } : schema;
  if (Array.isArray(settled.enum) && settled.enum.includes(null)) nullable = true;
  if (typeof schema.$ref === 'string') {
    const target = settle(atPointer(root, schema.$ref), root, hops + 1);
    settled = { ...target.schema, ...without(settled, '$ref') };
    nullable ||= target.nullable;
  }
  for (const part of Array.isArray(schema.allOf) ? schema.allOf.slice(0, 10) : []) {
    const { schema: inner } = settle(asSchema(part), root, hops + 1);
    settled = {
      ...inner,
      ...without(settled, 'allOf'),
      properties: { ...asSchema(inner.properties), ...asSchema(settled.properties) },
      required: [...listOf(inner.required), ...listOf(settled.required)],
      type: settled.type ?? inner.type,
    };
  }
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)].slice(0, 20).map(asSchema);
  if (choices.length > 0) {
    nullable ||= choices.some((choice) => choice.type === 'null');
    const constants = choices.map((choice) => choice.const);
    const chosen = constants.every((value) => value !== undefined)
      ? { enum: constants }
      : settle(choices.find((choice) => choice.type !== 'null') ?? {}, root, hops + 1).schema;
    settled = { ...chosen, ...without(without(settled, 'anyOf'), 'oneOf') };
  }
  return { schema: settled, nullable };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const without = (schema: JsonSchema, key: string): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));

function atPointer(root: JsonSchema, reference: string): JsonSchema {
  if (!reference.startsWith('#')) return {};
  let at: unknown = root;
  for (const part of reference.slice(1).split('/').slice(1, 12)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as JsonSchema)[name] : undefined;
  }
  return asSchema(at);
}

function typeOf(schema: JsonSchema): Shape['type'] {
  switch (schema.type) {
    case 'object':
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'array':
      return schema.type;
    default:
      return schema.properties !== undefined ? 'object' : schema.items !== undefined ? 'array' : 'any';
  }
}

/** The values to find, in the order of the schema. A leaf is required when it is and everything above it is. */
export function leavesOf(shape: Shape, path: readonly (string | number)[] = [], required = true): Leaf[] {
  if (shape.type === 'object') {
    return shape.properties.flatMap(({ name, required: own, shape: inner }) =>
      leavesOf(inner, [...path, name], required && own),
    );
  }
  if (shape.items?.type === 'object') return leavesOf(shape.items, [...path, 0], required);
  const schema = shape.items ? { ...shape.schema, items: shape.items.schema } : shape.schema;
  return [{ path, key: keyOf(path), schema, type: shape.type, required }];
}

const keyOf = (path: readonly (string | number)[]): string => JSON.stringify(path);

/**
 * The value that the found leaves make up. `missing` gets the dotted names of what is required and not there; an
 * optional object that would be incomplete is left out. With `nulls`, what may be null is null instead of missing.
 */
export function assemble(
  shape: Shape,
  found: ReadonlyMap<string, unknown>,
  { missing, nulls = false }: { missing: string[]; nulls?: boolean },
  path: readonly (string | number)[] = [],
): unknown {
  const nothing = nulls && shape.nullable ? null : undefined;
  if (shape.type === 'object') {
    const entries: [string, unknown][] = [];
    for (const { name, required, shape: inner } of shape.properties) {
      const lacking: string[] = [];
      const value = assemble(inner, found, { missing: lacking, nulls }, [...path, name]);
      if (lacking.length > 0 && required) missing.push(...lacking);
      else if (lacking.length === 0 && value !== undefined && (required || value !== null)) entries.push([name, value]);
      else if (required) missing.push([...path, name].filter((part) => part !== 0).join('.'));
    }
    const isEmpty = entries.length === 0 && path.length > 0 && shape.properties.length > 0;
    if (isEmpty && missing.length > 0) return nothing;
    return isEmpty ? undefined : Object.fromEntries(entries);
  }
  if (shape.items?.type === 'object') {
    const lacking: string[] = [];
    const item = assemble(shape.items, found, { missing: lacking, nulls }, [...path, 0]);
    return lacking.length > 0 || item === undefined ? nothing : [item];
  }
  return found.get(keyOf(path)) ?? nothing;
}
