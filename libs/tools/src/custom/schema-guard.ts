/**
 * Refuses a caller's schema that would be a danger to whatever reads it, before anything does (SEC-92, SEC-93).
 *
 * It is one walk with limits, and no opinion on what is valid: any other object is taken as it is.
 */
import { InvalidRequestError } from '@app/contract';
import { isRecord, subschemas, target, type Schema } from './schema-keywords';

const MAX_BYTES = 64 * 1024;
const MAX_BYTES_IN_ALL = 512 * 1024;
const MAX_DEPTH = 32;
const MAX_NODES = 1000;
/** Of the JSON text; a subschema lies about two levels below its parent. */
const MAX_NESTING = 100;
const MAX_ENUM = 1000;
const MAX_PATTERNS = 200;
const MAX_PATTERN_LENGTH = 512;
/** Schemas that one value is held against at once, with each `$ref` written out. */
const MAX_EXPANSION = 5000;

/** The schemas of one request. */
export class SchemaGuard {
  private bytes = 0;

  /**
   * @param name how an error names the schema: `tools: the input_schema of add`.
   * @throws InvalidRequestError `unsafe_schema` with a JSON pointer to what is wrong.
   */
  check(schema: Schema, name: string): void {
    const refuse: Refuse = (pointer, why) => {
      throw new InvalidRequestError(`unsafe_schema: ${name}, at #${pointer}: ${why}`);
    };
    checkJson(schema, refuse);
    const bytes = Buffer.byteLength(JSON.stringify(schema));
    if (bytes > MAX_BYTES) refuse('', `more than ${MAX_BYTES} bytes.`);
    this.bytes += bytes;
    if (this.bytes > MAX_BYTES_IN_ALL) refuse('', `the schemas of a request have more than ${MAX_BYTES_IN_ALL} bytes.`);
    checkNodes(schema, refuse);
  }
}

type Refuse = (pointer: string, why: string) => never;

/** Looks at the raw JSON without recursion, so that nothing after it can run out of stack. */
function checkJson(schema: Schema, refuse: Refuse): void {
  const open: { value: object; depth: number }[] = [{ value: schema, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > MAX_NESTING) refuse('', `nested deeper than ${MAX_DEPTH} levels.`);
    if (Object.hasOwn(value, '__proto__')) refuse('', '__proto__ is not a name.');
    for (const inner of Object.values(value)) {
      if (typeof inner === 'object' && inner !== null) open.push({ value: inner as object, depth: depth + 1 });
    }
  }
}

function checkNodes(root: Schema, refuse: Refuse): void {
  const pointers = new Map<Schema, string>();
  let patterns = 0;

  const visit = (schema: Schema, pointer: string, depth: number) => {
    if (depth > MAX_DEPTH) refuse(pointer, `nested deeper than ${MAX_DEPTH} levels.`);
    pointers.set(schema, pointer);
    if (pointers.size > MAX_NODES) refuse(pointer, `more than ${MAX_NODES} schemas in one.`);
    if (Array.isArray(schema.enum) && schema.enum.length > MAX_ENUM) {
      refuse(`${pointer}/enum`, `more than ${MAX_ENUM} values.`);
    }
    const own = isRecord(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
    if (typeof schema.pattern === 'string') own.push(schema.pattern);
    patterns += own.length;
    if (patterns > MAX_PATTERNS) refuse(pointer, `more than ${MAX_PATTERNS} patterns.`);
    if (own.some(({ length }) => length > MAX_PATTERN_LENGTH)) {
      refuse(pointer, `a pattern of more than ${MAX_PATTERN_LENGTH} characters.`);
    }
    for (const inner of subschemas(schema)) visit(inner.schema, pointer + inner.at, depth + 1);
  };
  visit(root, '', 0);

  const sizes = new Map<Schema, number | 'counting'>();
  const sizeOf = (schema: Schema): number => {
    const known = sizes.get(schema);
    const pointer = pointers.get(schema) ?? '';
    if (known === 'counting') return refuse(pointer, 'a $ref leads back to itself without using up any input.');
    if (known !== undefined) return known;
    sizes.set(schema, 'counting');
    let size = 1;
    for (const inner of subschemas(schema)) if (inner.inPlace) size += sizeOf(inner.schema);
    const referred = typeof schema.$ref === 'string' ? target(root, schema.$ref) : undefined;
    if (referred) size += sizeOf(referred);
    if (size > MAX_EXPANSION) refuse(pointer, `more than ${MAX_EXPANSION} schemas, with each $ref written out.`);
    sizes.set(schema, size);
    return size;
  };
  for (const schema of pointers.keys()) sizeOf(schema);
}
