/**
 * Refuses a caller's schema that would be a danger to whatever reads it, before anything does (SEC-92, SEC-93).
 *
 * It is one walk with limits, and no opinion on what is valid: any other object is taken as it is.
 */
import { InvalidRequestError } from '@app/contract';
import { eachSubschema, isRecord, pointerOf, target, type Schema, type Step } from './schema-keywords';

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

/** What one character can become in JSON at most: `\\u001f`. */
const MOST_BYTES_OF_CHARACTER = 6;
/** What a number, a literal, or a pair of quotes or brackets and what separates it takes at most. */
const MOST_BYTES_OF_VALUE = 32;

/** The schemas of one request. */
export class SchemaGuard {
  /** Of all so far, at most. */
  private bytes = 0;
  /** Those of which it is not known how many bytes they really have. */
  private estimated: Schema[] = [];
  private measured = 0;

  /**
   * @param name how an error names the schema: `tools: the input_schema of add`.
   * @throws InvalidRequestError `unsafe_schema` with a JSON pointer to what is wrong.
   */
  check(schema: Schema, name: string): void {
    const refuse: Refuse = (pointer, why) => {
      throw new InvalidRequestError(`unsafe_schema: ${name}, at #${pointer}: ${why}`);
    };
    this.checkBytes(schema, checkJson(schema, refuse), refuse);
    checkNodes(schema, refuse);
  }

  /** Writing a schema out to count its bytes costs more than all else here, so it is done only near a limit. */
  private checkBytes(schema: Schema, atMost: number, refuse: Refuse): void {
    if (atMost > MAX_BYTES && bytesOf(schema) > MAX_BYTES) refuse('', `more than ${MAX_BYTES} bytes.`);
    this.estimated.push(schema);
    this.bytes += atMost;
    if (this.bytes <= MAX_BYTES_IN_ALL) return;
    for (const one of this.estimated) this.measured += bytesOf(one);
    this.estimated = [];
    this.bytes = this.measured;
    if (this.bytes > MAX_BYTES_IN_ALL) refuse('', `the schemas of a request have more than ${MAX_BYTES_IN_ALL} bytes.`);
  }
}

type Refuse = (pointer: string, why: string) => never;

const bytesOf = (schema: Schema) => Buffer.byteLength(JSON.stringify(schema));

/**
 * Looks at the raw JSON without recursion, so that nothing after it can run out of stack.
 * @returns how many bytes it has at most.
 */
function checkJson(schema: Schema, refuse: Refuse): number {
  let characters = 0;
  let values = 1;
  let level: object[] = [schema];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_NESTING) refuse('', `nested deeper than ${MAX_DEPTH} levels.`);
    const inside: object[] = [];
    for (const value of level) {
      const inner = Array.isArray(value) ? (value as unknown[]) : undefined;
      const keys = inner ? [] : Object.keys(value);
      if (Object.hasOwn(value, '__proto__')) refuse('', '__proto__ is not a name.');
      const count = inner ? inner.length : keys.length;
      values += count;
      for (let at = 0; at < count; at += 1) {
        if (!inner) characters += keys[at]!.length;
        const one = inner ? inner[at] : (value as Schema)[keys[at]!];
        if (typeof one === 'string') characters += one.length;
        else if (typeof one === 'object' && one !== null) inside.push(one);
      }
    }
    level = inside;
  }
  return characters * MOST_BYTES_OF_CHARACTER + values * MOST_BYTES_OF_VALUE;
}

/** A schema inside of another. */
interface Place {
  readonly above: Place | undefined;
  readonly step: Step;
}

const pointerTo = (place: Place | undefined): string => (place ? pointerTo(place.above) + pointerOf(place.step) : '');

function checkNodes(root: Schema, refuse: Refuse): void {
  const places = new Map<Schema, Place | undefined>();
  let patterns = 0;
  let refers = false;

  const visit = (schema: Schema, place: Place | undefined, depth: number) => {
    if (depth > MAX_DEPTH) refuse(pointerTo(place), `nested deeper than ${MAX_DEPTH} levels.`);
    places.set(schema, place);
    if (places.size > MAX_NODES) refuse(pointerTo(place), `more than ${MAX_NODES} schemas in one.`);
    const { enum: values, pattern, patternProperties, $ref } = schema;
    if (Array.isArray(values) && values.length > MAX_ENUM) {
      refuse(`${pointerTo(place)}/enum`, `more than ${MAX_ENUM} values.`);
    }
    if (pattern !== undefined || patternProperties !== undefined) {
      const own = isRecord(patternProperties) ? Object.keys(patternProperties) : [];
      if (typeof pattern === 'string') own.push(pattern);
      patterns += own.length;
      if (patterns > MAX_PATTERNS) refuse(pointerTo(place), `more than ${MAX_PATTERNS} patterns.`);
      if (own.some(({ length }) => length > MAX_PATTERN_LENGTH)) {
        refuse(pointerTo(place), `a pattern of more than ${MAX_PATTERN_LENGTH} characters.`);
      }
    }
    refers ||= typeof $ref === 'string';
    eachSubschema(schema, (inner, step) => visit(inner, { above: place, step }, depth + 1));
  };
  visit(root, undefined, 0);
  // Without a reference it is a tree, which is no larger written out than it is.
  if (refers) checkExpansion(root, places, refuse);
}

function checkExpansion(root: Schema, places: ReadonlyMap<Schema, Place | undefined>, refuse: Refuse): void {
  const sizes = new Map<Schema, number | 'counting'>();
  const sizeOf = (schema: Schema): number => {
    const known = sizes.get(schema);
    if (known === 'counting') {
      return refuse(pointerTo(places.get(schema)), 'a $ref leads back to itself without using up any input.');
    }
    if (known !== undefined) return known;
    sizes.set(schema, 'counting');
    let size = 1;
    eachSubschema(schema, (inner, _, inPlace) => {
      if (inPlace) size += sizeOf(inner);
    });
    const referred = typeof schema.$ref === 'string' ? target(root, schema.$ref) : undefined;
    if (referred) size += sizeOf(referred);
    if (size > MAX_EXPANSION) {
      refuse(pointerTo(places.get(schema)), `more than ${MAX_EXPANSION} schemas, with each $ref written out.`);
    }
    sizes.set(schema, size);
    return size;
  };
  for (const schema of places.keys()) sizeOf(schema);
}
