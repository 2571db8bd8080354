/** PostgreSQL's values, read from the text in which the server sends them, as exact JSON. */
import { wholeNumber, type JsonValue } from '../../exact-value';

export type ReadValue = (text: string) => JsonValue;

const BOOL = 16;
const WHOLE: ReadonlySet<number> = new Set([20, 21, 23, 26, 28, 29]);
const FLOATS: ReadonlySet<number> = new Set([700, 701]);
const JSONS: ReadonlySet<number> = new Set([114, 3802]);

/** Arrays of the types above, and of the others that come with every server. */
const ELEMENTS: ReadonlyMap<number, number> = new Map([
  [1000, 16],
  [1001, 17],
  [1002, 18],
  [1003, 19],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1014, 1042],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [1041, 869],
  [651, 650],
  [1115, 1114],
  [1182, 1082],
  [1183, 1083],
  [1185, 1184],
  [1187, 1186],
  [1231, 1700],
  [1270, 1266],
  [199, 114],
  [3807, 3802],
  [2951, 2950],
  [791, 790],
]);

/** @param elementOf the type of the elements of an array type that came with the database. */
export function readerOf(type: number, elementOf: (type: number) => number | undefined): ReadValue {
  if (type === BOOL) return (text) => text === 't';
  if (WHOLE.has(type)) return (text) => wholeNumber(BigInt(text));
  if (FLOATS.has(type)) return floatOf;
  if (JSONS.has(type)) return jsonOf;
  const element = ELEMENTS.get(type) ?? elementOf(type);
  if (element === undefined) return (text) => text;
  const read = readerOf(element, () => undefined);
  return (text) => arrayOf(text, read);
}

/** The server writes the shortest digits that are the number. */
function floatOf(text: string): JsonValue {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** A list for each dimension; what does not read as one stays as it is. */
export function arrayOf(text: string, read: ReadValue): JsonValue {
  // Lower bounds other than 1 are written before it: `[0:1]={1,2}`.
  const start = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  const reader = new ArrayReader(text, start, read);
  const value = reader.list(0);
  return value !== undefined && reader.ended ? value : text;
}

const MAX_DIMENSIONS = 6;

class ArrayReader {
  constructor(
    private readonly text: string,
    private at: number,
    private readonly read: ReadValue,
  ) {}

  get ended(): boolean {
    return this.at === this.text.length;
  }

  list(depth: number): JsonValue[] | undefined {
    if (this.text[this.at] !== '{' || depth >= MAX_DIMENSIONS) return undefined;
    this.at++;
    const items: JsonValue[] = [];
    if (this.text[this.at] === '}') {
      this.at++;
      return items;
    }
    for (;;) {
      const item = this.text[this.at] === '{' ? this.list(depth + 1) : this.element();
      if (item === undefined) return undefined;
      items.push(item);
      const next = this.text[this.at++];
      if (next === '}') return items;
      if (next !== ',') return undefined;
    }
  }

  private element(): JsonValue | undefined {
    if (this.text[this.at] === '"') return this.quoted();
    const start = this.at;
    while (this.at < this.text.length && !',{}"'.includes(this.text[this.at]!)) this.at++;
    const bare = this.text.slice(start, this.at);
    if (bare === '') return undefined;
    return bare === 'NULL' ? null : this.read(bare);
  }

  private quoted(): JsonValue | undefined {
    let value = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]!;
      if (character === '"') {
        this.at++;
        return this.read(value);
      }
      value += character === '\\' ? (this.text[++this.at] ?? '') : character;
    }
    return undefined;
  }
}

const MAX_JSON_DEPTH = 100;
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[[{]|[\]}]/g;

/**
 * A document, with numbers that JSON readers would round written as texts. What nests deeper than people write it
 * stays a text: not every reader down the line is up to it.
 */
export function jsonOf(text: string): JsonValue {
  let depth = 0;
  let deepest = 0;
  const exact = text.replace(JSON_TOKEN, (token) => {
    const [first] = token;
    if (first === '"') return token;
    if (first === '[' || first === '{') deepest = Math.max(deepest, ++depth);
    else if (first === ']' || first === '}') depth--;
    else if (!isExact(token)) return `"${token}"`;
    return token;
  });
  if (deepest > MAX_JSON_DEPTH) return text;
  try {
    return JSON.parse(exact) as JsonValue;
  } catch {
    return text;
  }
}

/** Whether a double holds the number: its shortest digits are those that were written. */
function isExact(written: string): boolean {
  const value = Number(written);
  return Number.isFinite(value) && digitsOf(String(value)) === digitsOf(written);
}

/** Digits without zeros around them, and where the point stands: `1.50e3` and `1500` are the same. */
function digitsOf(number: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const all = `${whole}${fraction}`;
  const significant = all.replace(/^0+/, '');
  const trimmed = significant.replace(/0+$/, '');
  if (trimmed === '') return '0';
  const power = Number(exponent) - fraction.length + (significant.length - trimmed.length);
  return `${sign}${trimmed}e${power}`;
}
