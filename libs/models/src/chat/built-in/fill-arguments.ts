/**
 * Fills the arguments of a tool, or a JSON document, from what a message says.
 *
 * Nothing is made up: a value comes from the message, from `const` or from `default`, or it is missing. Each part of
 * the message fills one argument at most; who gets it is decided by the words around it, then by order.
 */
import { argumentOf, type Argument } from './argument-roles';
import { readChoices, readSwitch } from './choices';
import type { Today } from './dates';
import { Filling, numberFor, share } from './filling';
import { labelledPart, valueAfterLabel } from './labels';
import type { Language } from './language';
import { readMessage, type Reading } from './readings';
import { assemble, leavesOf, shapeOf } from './schema-leaves';
import { readString } from './strings';

export interface FilledArguments {
  readonly input: unknown;
  /** Dotted names of what is required and not in the message. */
  readonly missing: readonly string[];
  /** How many values the message gave, defaults and constants not counted. */
  readonly found: number;
}

export interface FillOptions {
  readonly language: Language;
  readonly today?: Today;
  /** Give null for what is not there and may be null. */
  readonly nulls?: boolean;
}

const MAX_ARGUMENTS = 128;

/** Fills what an object or any other JSON Schema asks for from the text. */
export function fillArguments(schema: unknown, text: string, { language, today, nulls }: FillOptions): FilledArguments {
  const shape = shapeOf(schema);
  const filling = new Filling(readMessage(text, language, today));
  // Outer values before inner ones: what a message says is rather about the thing than about a part of it.
  const leaves = leavesOf(shape).sort((a, b) => a.path.length - b.path.length);
  const all = leaves.slice(0, MAX_ARGUMENTS).map(argumentOf);
  const constants = all.filter(({ leaf }) => leaf.schema.const !== undefined);
  const open = all.filter((argument) => !constants.includes(argument));

  for (const argument of open) fillLabelled(argument, filling);
  readChoices(
    open.filter((argument) => !filling.has(argument)),
    filling,
  );
  for (const argument of open)
    if (argument.leaf.type === 'boolean' && !filling.has(argument)) readSwitch(argument, filling);
  fillTyped(open, filling);
  fillNumbers(open, filling);
  for (const argument of open) if (isText(argument) && !filling.has(argument)) readString(argument, filling, open);
  fillLists(open, filling);

  const found = filling.values.size;
  for (const { leaf } of constants) if (leaf.required) filling.values.set(leaf.key, leaf.schema.const);
  for (const argument of open) {
    const { leaf } = argument;
    if (leaf.schema.default !== undefined && !filling.has(argument)) filling.values.set(leaf.key, leaf.schema.default);
  }
  const missing: string[] = [];
  const input = assemble(shape, filling.values, { missing, nulls }) ?? (shape.type === 'object' ? {} : undefined);
  if (shape.type !== 'object' && input === undefined) missing.push('value');
  return { input, missing, found };
}

const isText = ({ leaf }: Argument): boolean => leaf.type === 'string' || leaf.type === 'any';

/** "guests: 4", "priority = high": said outright, so it goes first. */
function fillLabelled(argument: Argument, filling: Filling): void {
  const part = labelledPart(argument, filling.message);
  if (!part || argument.leaf.schema.enum !== undefined || argument.leaf.type === 'array') return;
  const value = valueAfterLabel(argument, part, filling.message);
  if (value !== undefined && filling.isFree(value)) filling.give(argument, value.value, value);
}

const TYPED = {
  email: 'email',
  url: 'url',
  phone: 'phone',
  date: 'date',
  dateTime: 'date',
  time: 'time',
  identifier: 'identifier',
} as const;

/** Strings with a form of their own: each kind is shared out among the arguments that take it. */
function fillTyped(open: readonly Argument[], filling: Filling): void {
  const { readings } = filling.message;
  for (const kind of ['email', 'url', 'phone', 'date', 'time', 'identifier'] as const) {
    const takers = open.filter(
      (argument) =>
        isText(argument) &&
        !filling.has(argument) &&
        argument.leaf.schema.enum === undefined &&
        TYPED[argument.role as keyof typeof TYPED] === kind,
    );
    const given = readings.filter(
      (reading) => reading.kind === kind || (kind === 'identifier' && isPlainNumber(reading) && takers.length > 0),
    );
    share(takers, given, filling, (argument, reading) => {
      if (argument.role !== 'dateTime')
        return reading.kind === 'number' || kind === 'identifier' ? reading.text : timed(argument, reading);
      const time = readings.find((other) => other.kind === 'time' && filling.isFree(other));
      // Times without a zone are taken as UTC, because `date-time` must name one.
      return time && `${reading.value}T${time.value}:00Z`;
    });
  }
}

const isPlainNumber = ({ kind, text }: Reading): boolean => kind === 'number' && /^\d+$/.test(text);

const timed = ({ leaf }: Argument, { kind, text }: Reading): string =>
  kind === 'time' && leaf.schema.format === 'time' ? `${text}:00Z` : text;

function fillNumbers(open: readonly Argument[], filling: Filling): void {
  const takers = open.filter(
    (argument) => ['number', 'integer'].includes(argument.leaf.type) && !filling.has(argument),
  );
  const numbers = filling.message.readings.filter(({ kind }) => kind === 'number');
  const lists = open.some(({ leaf }) => leaf.type === 'array' && itemType(leaf.schema) !== undefined);
  share(takers, numbers, filling, (argument, reading) => numberFor(argument, reading), { needsCue: lists });
}

const itemType = (schema: Readonly<Record<string, unknown>>): 'number' | 'integer' | undefined => {
  const type = (schema.items as { type?: unknown } | undefined)?.type;
  return type === 'number' || type === 'integer' ? type : undefined;
};

/** Lists take whatever of their kind is left. */
function fillLists(open: readonly Argument[], filling: Filling): void {
  for (const argument of open) {
    if (argument.leaf.type !== 'array' || filling.has(argument)) continue;
    const { schema } = argument.leaf;
    const free = filling.message.readings.filter((reading) => filling.isFree(reading));
    const most = typeof schema.maxItems === 'number' ? schema.maxItems : 100;
    let items: Reading[];
    if (itemType(schema)) {
      items = free.filter(
        ({ kind, value }) => kind === 'number' && (itemType(schema) === 'number' || Number.isSafeInteger(value)),
      );
    } else {
      const kind = TYPED[argument.role as keyof typeof TYPED];
      items = free.filter((reading) => reading.kind === kind);
      if (kind === undefined) items = free.filter((reading) => reading.kind === 'quoted');
      if (items.length === 0 && kind === undefined) {
        const listed = labelledPart(argument, filling.message);
        if (listed) {
          const parts = splitList(filling.message.text.slice(listed.start, listed.end));
          if (parts.length > 0) filling.give(argument, parts.slice(0, most), listed);
          continue;
        }
        items =
          argument.role === 'free' && !argument.leaf.required
            ? []
            : free.filter(({ kind: own, isWeak }) => own === 'name' && !isWeak);
      }
    }
    const least = typeof schema.minItems === 'number' ? schema.minItems : 1;
    if (items.length < Math.max(1, least)) continue;
    filling.give(
      argument,
      items.slice(0, most).map(({ value, text }) => (itemType(schema) ? value : text)),
    );
  }
}

const splitList = (text: string): string[] =>
  text
    .split(/,|;|\s(?:and|y|e)\s/)
    .map((part) => part.trim().replace(/[.!?"']+$|^["']+/g, ''))
    .filter((part) => part !== '' && part.length <= 200);
