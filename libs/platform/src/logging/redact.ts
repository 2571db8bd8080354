/**
 * What may be written to the log of a value that came from anywhere (SEC-135, SEC-139).
 *
 * Secrets are known by the name of their field and by their shape in text. Line breaks and escapes are written out, so
 * that no caller can forge a line or move a terminal's cursor, and nothing is longer than 2 KiB.
 */
const MAX_STRING = 2048;
const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;
const HIDDEN = '[redacted]';

const SECRET_NAMES = new Set([
  'apikey',
  'authorization',
  'authorizationtoken',
  'accesstoken',
  'clientsecret',
  'connectionstring',
  'cookie',
  'credential',
  'credentials',
  'databaseurl',
  'key',
  'passwd',
  'password',
  'proxyauthorization',
  'refreshtoken',
  'secret',
  'setcookie',
  'token',
  'xapikey',
]);

const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bzgk_([A-Za-z0-9]{1,8})_[\w-]+/g, `zgk_$1_${HIDDEN}`],
  [/\b(Bearer|Basic)\s+[^\s",;]+/gi, `$1 ${HIDDEN}`],
  // Greedy up to the last @: a password may hold slashes and an @ of its own. A file of this machine, as in stack traces,
  // names nobody before its path, but an npm package with an @ in it.
  [/\b(?!file:\/\/\/)([a-z][a-z0-9+.-]*:\/\/)[^\s"'<>]*@/gi, `$1${HIDDEN}@`],
  [/\b(password|passwd|pwd|api[-_]?key|token|secret)=[^\s&;"']+/gi, `$1=${HIDDEN}`],
];

/** Text as it may stand in the log. */
export function loggableText(text: string): string {
  // Masked before it is cut: half a secret has no shape to know it by.
  const head = text.slice(0, 4 * MAX_STRING);
  const safe = escapeControls(SECRET_SHAPES.reduce((masked, [shape, mask]) => masked.replace(shape, mask), head));
  return safe.length > MAX_STRING ? `${safe.slice(0, MAX_STRING - 40)}… (${text.length} characters)` : safe;
}

/** A value as it may stand in the log: plain data, bounded in depth and width. */
export function loggable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return loggableText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (value instanceof Error) return loggableError(value, depth);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[…]';
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => loggable(entry, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return loggable(value.toJSON(), depth + 1);
  return loggableFields(value, depth);
}

/** The fields of an object, secrets hidden. */
export function loggableFields(fields: object, depth = 0): Record<string, unknown> {
  const entries = Object.entries(fields).slice(0, MAX_ENTRIES);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      loggableText(name),
      isSecret(name) && value != null ? HIDDEN : loggable(value, depth + 1),
    ]),
  );
}

/**
 * Only these fields of an error: the rest may hold anything, such as the SQL parameters on the error of a failed
 * query. A stack begins with the message, and keeps its line breaks as `\n`. An error whose message quotes somebody
 * brings what to write instead, as `loggedAs`.
 */
function loggableError(error: Error, depth: number): object {
  const { code, loggedAs } = error as { code?: unknown; loggedAs?: unknown };
  const message = typeof loggedAs === 'string' ? loggedAs : error.message;
  return {
    type: error.name,
    message: loggableText(message),
    ...(typeof code === 'string' && { code: loggableText(code) }),
    ...(error.stack && { stack: loggableText(error.stack.replace(error.message, () => message)) }),
    ...(error.cause !== undefined && { cause: depth < 3 ? loggable(error.cause, depth + 1) : '[…]' }),
  };
}

const isSecret = (name: string) => SECRET_NAMES.has(name.toLowerCase().replace(/[-_\s]/g, ''));

/** C0, C1 and the Unicode line separators. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const NAMES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeControls = (text: string) =>
  text.replace(CONTROLS, (char) => NAMES[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
