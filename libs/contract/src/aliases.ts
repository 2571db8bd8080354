import { z } from 'zod';

/**
 * The same object, also by the camelCase spelling of its fields (messages-api §1.1). snake_case wins when both
 * are given. `more` names spellings that are not plain camelCase.
 */
export function withAliases<S extends z.ZodObject>(schema: S, more: Record<string, string> = {}) {
  const spellings = new Map(Object.entries(more));
  for (const name of Object.keys(schema.shape)) {
    const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (camel !== name) spellings.set(camel, name);
  }
  return z.preprocess((value) => (isPlainObject(value) ? renamed(value, spellings) : value), schema);
}

function renamed(value: Record<string, unknown>, spellings: Map<string, string>): Record<string, unknown> {
  // Hardly any object has more keys than there are aliases, and most have none of them.
  if (!Object.keys(value).some((key) => spellings.has(key))) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [alias, name] of spellings) {
    if (!Object.hasOwn(value, alias) || Object.hasOwn(value, name)) continue;
    copy ??= { ...value };
    copy[name] = copy[alias];
    delete copy[alias];
  }
  return copy ?? value;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
