/**
 * A MySQL or MariaDB statement in tokens, exactly as the server cuts it while the session keeps our `sql_mode`: quotes
 * make texts, a backslash in a text escapes, `||` is no concatenation (SEC-48).
 *
 * Whatever the server could read in another way than we do is refused here: comments that it runs, hints, variables,
 * placeholders, control characters, letters beyond the basic plane, numbers that run into names.
 */
import { Refused } from '../grammar/refused';

export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'symbol' | 'end';
  /** Of a word in capitals, of a quoted name without its quotes, else as it is written. */
  readonly value: string;
  readonly written: string;
  readonly start: number;
  readonly end: number;
}

/** Only these end a `--` comment's beginning; only a line feed ends the comment itself. */
const SPACE = /[ \t\n\v\f\r]+/y;
const LINE_COMMENT = /#[^\n]*|--(?=[ \t\n\v\f\r]|$)[^\n]*/y;
const COMMENT = /\/\*[^]*?\*\//y;
const WORD = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy;
const ASCII_WORD = /[A-Za-z_$][A-Za-z0-9_$]*/y;
const QUOTED_NAME = /`(?:[^`]|``)+`/y;
const DIGIT = /\d/;
const TEXT = /'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^]|"")*"/y;
/** Hexadecimal, bits, and a text of the national character set. */
const MARKED_TEXT = /[xX]'(?:[0-9a-fA-F]{2})*'|[bB]'[01]*'|[nN]'(?:[^'\\]|\\[^]|'')*'/y;
const NUMBER = /0x[0-9a-fA-F]+|0b[01]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const SYMBOL = /<=>|->>|->|<<|>>|<=|>=|<>|!=|&&|\|\||:=|[-+*/%&|^~!=<>(),.;]/y;
const RUNS_INTO_NAME = /[\p{L}\p{M}\p{N}_$]/uy;

const CONTROL = /[\0-\x08\x0e-\x1f\x7f]/;
const BEYOND_BASIC_PLANE = /[\ud800-\udfff]/;
const ASCII = /^[\x20-\x7e]*$/;

const REFUSED_SYMBOLS: Readonly<Record<string, string>> = {
  '||': 'it means OR to some servers and CONCAT to others; write which one is meant',
  ':=': 'variables are not allowed',
};
const REFUSED_CHARACTERS: Readonly<Record<string, string>> = {
  '@': 'variables are not allowed',
  '?': 'placeholders are not allowed',
};

/** @throws Refused */
export function tokensOf(sql: string): Token[] {
  if (CONTROL.test(sql)) throw new Refused('', 'control characters are not allowed');
  if (!sql.isWellFormed()) throw new Refused('', 'it is not well-formed Unicode');
  const tokens: Token[] = [];
  let at = 0;
  const ends = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(sql) ? pattern.lastIndex : at;
  };
  // Almost every word is ASCII, and that is several times quicker to see.
  const wordEnds = (): number => {
    const end = ends(ASCII_WORD);
    return sql.charCodeAt(end) > 0x7f ? ends(WORD) : end;
  };
  const add = (kind: Token['kind'], end: number, value?: string) => {
    const written = sql.slice(at, end);
    tokens.push({ kind, value: value ?? written, written, start: at, end });
    at = end;
  };
  while (at < sql.length) {
    const character = sql[at]!;
    let end: number;
    if ((end = ends(SPACE)) > at || ((character === '-' || character === '#') && (end = ends(LINE_COMMENT)) > at)) {
      at = end;
    } else if (character === '/' && sql[at + 1] === '*') {
      at = commentEnds(sql, at, ends(COMMENT));
    } else if (sql[at + 1] === "'" && (end = ends(MARKED_TEXT)) > at) {
      add('text', end);
    } else if ((end = wordEnds()) > at) {
      add('word', end, wordOf(sql.slice(at, end), sql[end]));
    } else if ((end = ends(SYMBOL)) > at && !(character === '.' && DIGIT.test(sql[at + 1] ?? ''))) {
      const written = sql.slice(at, end);
      const why = REFUSED_SYMBOLS[written];
      if (why) throw new Refused(written, why);
      add('symbol', end);
    } else if ((end = ends(NUMBER)) > at) {
      add('number', end);
      if (ends(RUNS_INTO_NAME) > at) {
        throw new Refused(
          tokens.at(-1)!.written,
          'a number runs into a name; a name that begins with a digit goes into backticks',
        );
      }
    } else if ((end = ends(TEXT)) > at) {
      add('text', end);
    } else if ((end = ends(QUOTED_NAME)) > at) {
      add('name', end, sql.slice(at + 1, end - 1).replaceAll('``', '`'));
    } else {
      throw refusedCharacter(String.fromCodePoint(sql.codePointAt(at)!));
    }
  }
  add('end', at);
  return tokens;
}

function commentEnds(sql: string, at: number, end: number): number {
  const mark = /^\/\*(?:!|M!|\+)/i.exec(sql.slice(at, at + 4))?.[0];
  if (mark) throw new Refused(mark, 'comments that the server runs, and hints, are not allowed');
  if (end === at) throw new Refused('/*', 'the comment has no end');
  if (sql.slice(at + 2, end).includes('/*')) throw new Refused('/*', 'a comment in a comment is not allowed');
  return end;
}

/** Keywords are made of ASCII; `ſelect` is none, although its capitals look like one. */
function wordOf(written: string, next: string | undefined): string {
  if (BEYOND_BASIC_PLANE.test(written)) throw new Refused(written, 'such letters go into quotes');
  if (next === "'" && /^[xbn]$/i.test(written)) throw new Refused(`${written}'`, 'it is no such text');
  return ASCII.test(written) ? written.toUpperCase() : written;
}

function refusedCharacter(character: string): Refused {
  if (/['"`]/.test(character)) return new Refused(character, 'the quote has no end, or holds nothing');
  return new Refused(character, REFUSED_CHARACTERS[character] ?? 'this character is not allowed outside of quotes');
}
