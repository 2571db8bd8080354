/**
 * JSON that a model wrote, read so that it can come back: what a caller is given as arguments stands in the body of its
 * next request, which would be refused for what no body may hold (SEC-90, SEC-95).
 *
 * Models also write JSON inside of JSON strings, so this is for every level at which a text is read.
 */
import { nestsDeeper } from './nesting';

/** How deep objects and lists may lie in each other in the arguments of a call (SEC-95). */
export const MAX_ARGUMENT_DEPTH = 32;

/**
 * The value without keys that reach prototypes, without U+0000, and with whole characters only; undefined where the text
 * is no JSON, or nests deeper than `levels`.
 */
export function writtenJson(json: string, levels = MAX_ARGUMENT_DEPTH): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  // Before anything that is done by recursion.
  return nestsDeeper(value, levels) ? undefined : clean(value);
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(clean);
  const entries = Object.entries(value).filter(([key, inside]) => !reachesPrototype(key, inside));
  return Object.fromEntries(entries.map(([key, inside]) => [wholeText(key), clean(inside)]));
}

const wholeText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

function reachesPrototype(key: string, inside: unknown): boolean {
  const hasPrototype = typeof inside === 'object' && inside !== null && Object.hasOwn(inside, 'prototype');
  return wholeText(key) === '__proto__' || (wholeText(key) === 'constructor' && hasPrototype);
}
