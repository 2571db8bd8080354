/**
 * What another server says, as far as a caller may read it (SEC-135, SEC-137).
 *
 * Such words may name files, machines and keys of the operator's, or hold characters that move a terminal's cursor.
 * What they say about the request (`no such sampler`) is worth passing on.
 */

/** Of the words as they came; the rest is not even looked at. */
const MAX_READ_CHARACTERS = 2000;
const MAX_CHARACTERS = 300;

const PATH = '[path]';
const ADDRESS = '[address]';
const SECRET = '[secret]';

/** In this order: an address holds what looks like a path, and a path may hold what looks like a key. */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[^\s"'`,;]+/gi, `$1 ${SECRET}`],
  [
    /\b(api[ _-]?key|secret|passw(?:or)?d|passwd|authorization|access[ _-]?token)\b([^:=]{0,20}[:=])\s*\S+/gi,
    `$1$2 ${SECRET}`,
  ],
  [/\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'`<>]+/gi, ADDRESS],
  [/[^\s"'`<>]{1,200}:[^\s"'`<>]{1,200}@[^\s"'`<>]+/g, ADDRESS],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?/g, ADDRESS],
  [/\b(?:localhost|[a-z][\w-]{0,62}(?:\.[\w-]{1,63}){1,8}):\d{2,5}\b/gi, ADDRESS],
  // Base64; what begins with a slash is taken for a path below.
  [/(?<![\w+/.~-])(?!\/)(?=[a-z+/_-]*\d)(?=[\d+/_-]*[a-z])[\w+/-]{40,}={0,2}/gi, SECRET],
  // In quotation marks a path may hold blanks.
  [/(["'`])(?:~|\.{1,2})?\/[^"'`]{0,500}\1/g, `$1${PATH}$1`],
  [/(["'`])(?:[a-z]:[\\/]|\\\\)[^"'`]{0,500}\1/gi, `$1${PATH}$1`],
  [
    /(?<![\p{L}\p{N}_.#)\]])(?:~|\.{1,2})?\/[^\s"'`,;()<>[\]{}|]+(?: [^\s"'`,;()<>[\]{}|/]+\/[^\s"'`,;()<>[\]{}|]*)*/gu,
    PATH,
  ],
  [
    /(?<![\p{L}\p{N}_])(?:[a-z]:[\\/]|\\\\)[^\s"'`,;()<>[\]{}|]+(?: [^\s"'`,;()<>[\]{}|\\]+\\[^\s"'`,;()<>[\]{}|]*)*/giu,
    PATH,
  ],
  [/\b(?:sk|pk|rk|hf|gh[opsur]|xox[abprs]|glpat|gsk|nvapi|zgk)[-_][\w*-]+/gi, SECRET],
  [/\b(?:AKIA|ASIA|AIza|eyJ)[\w.-]{10,}/g, SECRET],
  [/\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{24,}={0,2}/gi, SECRET],
];

/** On one line, at most 300 characters, without paths, addresses, and what looks like a key. May be empty. */
export function forCallers(words: string): string {
  const line = words
    .slice(0, MAX_READ_CHARACTERS)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
  const open = HIDDEN.reduce((text, [shape, mask]) => text.replace(shape, mask), line)
    .replace(/\s+/g, ' ')
    .trim();
  return open.length > MAX_CHARACTERS ? `${open.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : open;
}
