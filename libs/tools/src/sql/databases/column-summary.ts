/** What the values of a column look like, from some rows of its table: for engines that are asked for rows alone. */
import type { JsonValue, Row } from '../exact-value';
import type { ColumnSample } from './catalog';

/** More different values than this are no list to choose from. */
const MAX_VALUES = 50;
const MAX_VALUE_LENGTH = 100;
const MAX_SAMPLES = 5;
const MAX_KEYS = 40;
const MAX_KEY_DEPTH = 3;
const DATE = /^\d{4}-\d\d-\d\d/;

/** `complete`: these are all rows of the table. */
export function summarise(columns: readonly string[], rows: readonly Row[], complete: boolean): ColumnSample[] {
  return columns.map((name, i) =>
    summaryOf(
      name,
      rows.map((row) => row[i] ?? null).filter((value) => value !== null),
      complete,
    ),
  );
}

function summaryOf(name: string, present: readonly JsonValue[], complete: boolean): ColumnSample {
  const counts = new Map<string, number>();
  for (const value of present) {
    const text = textOf(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const distinct = [...counts.keys()];
  const keys = jsonKeys(present);
  const range = complete ? rangeOf(present) : undefined;
  return {
    name,
    ...(keys.length === 0 && isList(present, distinct) && { values: { list: byFrequency(counts), complete } }),
    samples: distinct.slice(0, MAX_SAMPLES).map((text) => text.slice(0, MAX_VALUE_LENGTH).toWellFormed()),
    ...range,
    ...(keys.length > 0 && { jsonKeys: keys }),
  };
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

function isList(present: readonly JsonValue[], distinct: readonly string[]): boolean {
  if (distinct.length === 0 || distinct.length > MAX_VALUES) return false;
  if (distinct.some((text) => text.length > MAX_VALUE_LENGTH || DATE.test(text))) return false;
  // Values that hardly ever come twice are names of things, unless there are few things.
  return typeof present[0] === 'string' && (distinct.length <= 10 || distinct.length * 2 <= present.length);
}

const byFrequency = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

function rangeOf(present: readonly JsonValue[]): { minimum: string; maximum: string } | undefined {
  const isNumber = present.every((value) => typeof value === 'number');
  if (present.length === 0 || (!isNumber && !present.every((value) => DATE.test(String(value))))) return undefined;
  const sorted = [...present].sort((a, b) => (a! < b! ? -1 : a! > b! ? 1 : 0));
  return { minimum: textOf(sorted[0]!), maximum: textOf(sorted.at(-1)!) };
}

/** Paths of the keys that occur, as far as texts are JSON objects. */
function jsonKeys(present: readonly JsonValue[]): string[] {
  const keys = new Set<string>();
  for (const value of present.slice(0, 100)) {
    if (typeof value === 'string' && /^\s*[{[]/.test(value)) collectKeys(parsed(value), '', 0, keys);
    else if (typeof value === 'object') collectKeys(value, '', 0, keys);
  }
  return [...keys];
}

function collectKeys(value: unknown, path: string, depth: number, keys: Set<string>): void {
  if (typeof value !== 'object' || value === null || depth >= MAX_KEY_DEPTH) return;
  for (const [key, inner] of Array.isArray(value)
    ? value.slice(0, 3).map((item) => ['', item] as const)
    : Object.entries(value)) {
    const full = [path, key].filter(Boolean).join('.');
    if (key !== '' && keys.size < MAX_KEYS && full.length <= MAX_VALUE_LENGTH) keys.add(full);
    collectKeys(inner, full, key === '' ? depth : depth + 1, keys);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
