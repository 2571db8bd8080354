/** The child's side of the schema check: one value against one schema of a caller's, with ajv. */
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { RE2JS } from 're2js';
import { plainSchema } from './plain-schema';
import type { Schema } from './schema-keywords';

export interface SchemaCheckJob {
  readonly schema: Schema;
  readonly value: unknown;
}

export interface SchemaCheckResult {
  /** What is wrong, for the model to read; never the value itself. */
  readonly problems: readonly string[];
  /** Why nothing could be enforced. */
  readonly unchecked?: string;
  /** Parts that could not be enforced, for the log. */
  readonly unenforced: readonly string[];
}

const MAX_PROBLEMS = 10;
const MAX_PROBLEM_LENGTH = 200;
const MAX_COMPILED = 200;

interface Compiled {
  readonly validate?: ValidateFunction;
  readonly unenforced: readonly string[];
}

const compiled = new Map<string, Compiled>();

export function handle({ schema, value }: SchemaCheckJob): SchemaCheckResult {
  const { validate, unenforced } = compile(schema);
  if (!validate) return { problems: [], unenforced, unchecked: 'The schema is none that can be checked.' };
  if (validate(value)) return { problems: [], unenforced };
  return { problems: (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(inWords), unenforced };
}

function compile(schema: Schema): Compiled {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known) return known;
  const unenforced: string[] = [];
  const made = { validate: validator(schema, unenforced), unenforced };
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, made);
  return made;
}

/** An Ajv for each schema: a shared one would mix up what different callers name alike. */
function validator(schema: Schema, unenforced: string[]): ValidateFunction | undefined {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    ownProperties: true,
    validateSchema: false,
    validateFormats: false,
    inlineRefs: false,
    logger: false,
    code: { regExp: linearTime(unenforced) },
  });
  try {
    return ajv.compile(plainSchema(schema));
  } catch (error) {
    unenforced.push(error instanceof Error ? error.message.slice(0, MAX_PROBLEM_LENGTH) : 'the schema');
    return undefined;
  }
}

/** Patterns by RE2, whose time is linear in the text. What RE2 has no answer to (look-around) is not enforced. */
function linearTime(unenforced: string[]) {
  const engine = (pattern: string) => {
    // Ajv tells patterns apart by this text: alike for two, and the second would not be enforced (SEC-93).
    const toString = () => `re2:${pattern}`;
    try {
      const regExp = RE2JS.compile(RE2JS.translateRegExp(pattern));
      return { test: (text: string) => regExp.matcher(text).find(), toString };
    } catch {
      unenforced.push(`the pattern ${pattern.slice(0, 100)}`);
      return { test: () => true, toString };
    }
  };
  return Object.assign(engine, { code: 'linearTime' });
}

function inWords({ instancePath, message, keyword, params }: ErrorObject): string {
  const allowed =
    keyword === 'enum' ? `: ${JSON.stringify((params as { allowedValues?: unknown }).allowedValues)}` : '';
  return `${instancePath || 'The value'} ${message ?? 'is not valid'}${allowed}`.slice(0, MAX_PROBLEM_LENGTH);
}
