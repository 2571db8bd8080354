/** The bytes of a request body as a value that is safe to work with (SEC-90, SEC-91), or a refusal that says why. */
import { InvalidRequestError, type BodyIssue } from '@app/contract';
import { isUtf8 } from 'node:buffer';
import { setImmediate as breathe } from 'node:timers/promises';
import { scanJson } from './json-scan';

/** A faulty character can only have been written as an escape: the bytes are UTF-8, and JSON has no bare controls. */
const MAY_BE_UNFIT = /\\u(?:0000|d[89a-f])/i;

interface Seen {
  /** Of all objects. */
  members: number;
  /** Whether texts have to be looked at. */
  readonly texts: boolean;
}

/** @throws InvalidRequestError */
export function parseJson(bytes: Buffer): unknown {
  const members = scanned(bytes);
  const text = bytes.toString('utf8');
  return checked(parsed(text), text, members);
}

/**
 * The same for many megabytes, a step at a time, so that others are answered in between.
 *
 * @throws InvalidRequestError
 */
export async function parseLargeJson(bytes: Buffer): Promise<unknown> {
  const members = scanned(bytes);
  await breathe();
  const text = bytes.toString('utf8');
  await breathe();
  const value = parsed(text);
  await breathe();
  checked(value, text, members);
  await breathe();
  return value;
}

function scanned(bytes: Buffer): number {
  if (!isUtf8(bytes)) throw new InvalidRequestError('The body is not valid UTF-8.');
  return scanJson(bytes);
}

function checked(value: unknown, text: string, members: number): unknown {
  const seen: Seen = { members: 0, texts: text.includes('\\u') && MAY_BE_UNFIT.test(text) };
  const fault = faultIn(value, seen);
  if (fault) throw new InvalidRequestError([{ ...fault, loc: ['body', ...fault.loc] }]);
  if (seen.members !== members) {
    throw new InvalidRequestError('The body has an object that holds the same key twice; which of the two counts?');
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as unknown;
  } catch (error) {
    throw new InvalidRequestError(`The body is not valid JSON${positionIn(error)}.`, { cause: error });
  }
}

/** The parser's own message quotes the text around the fault, which may be anything; only the place is told on. */
function positionIn(error: unknown): string {
  const position = /at position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? '' : `: it stops making sense at byte ${position}`;
}

/**
 * What no body may contain: keys that reach prototypes, and strings that neither PostgreSQL nor UTF-8 can hold.
 * Counts the members of all objects on the way. The depth is bounded by the scan before it.
 */
function faultIn(value: unknown, seen: Seen): BodyIssue | undefined {
  if (typeof value === 'string') return seen.texts ? faultInText(value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let position = 0; position < value.length; position += 1) {
      const fault = faultIn(value[position], seen);
      if (fault) return within(position, fault);
    }
    return undefined;
  }
  const keys = Object.keys(value);
  seen.members += keys.length;
  for (const key of keys) {
    const inside = (value as Record<string, unknown>)[key];
    const fault = faultInKey(key, inside, seen) ?? faultIn(inside, seen);
    if (fault) return within(key, fault);
  }
  return undefined;
}

function faultInText(text: string): BodyIssue | undefined {
  if (!text.isWellFormed()) {
    return {
      type: 'value_error',
      loc: [],
      msg: 'Value error, the text holds half of a surrogate pair (U+D800 to U+DFFF)',
    };
  }
  if (text.includes('\0'))
    return { type: 'value_error', loc: [], msg: 'Value error, the text holds a NUL character (U+0000)' };
  return undefined;
}

function faultInKey(key: string, inside: unknown, { texts }: Seen): BodyIssue | undefined {
  const reachesPrototype =
    key === '__proto__' ||
    (key === 'constructor' && typeof inside === 'object' && inside !== null && Object.hasOwn(inside, 'prototype'));
  if (reachesPrototype) return { type: 'value_error', loc: [], msg: 'Value error, this key is not allowed' };
  return texts ? faultInText(key) : undefined;
}

const within = (step: string | number, fault: BodyIssue): BodyIssue => ({ ...fault, loc: [step, ...fault.loc] });
