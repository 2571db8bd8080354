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
const QUOTED_NAME = /`((?:[^`]|``)+)`/y;
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
  const matched = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(sql);
  };
  const add = (kind: Token['kind'], written: string, value = written) => {
    tokens.push({ kind, value, written, start: at, end: at + written.length });
    at += written.length;
  };
  while (at < sql.length) {
    let found = matched(SPACE) ?? matched(LINE_COMMENT);
    if (found) {
      at += found[0].length;
    } else if (sql.startsWith('/*', at)) {
      at += commentAt(sql, at, matched(COMMENT));
    } else if ((found = matched(MARKED_TEXT) ?? matched(TEXT))) {
      add('text', found[0]);
    } else if ((found = matched(QUOTED_NAME))) {
      add('name', found[0], found[1]!.replaceAll('``', '`'));
    } else if ((found = matched(WORD))) {
      add('word', found[0], wordOf(found[0], sql[at + found[0].length]));
    } else if ((found = matched(NUMBER))) {
      add('number', found[0]);
      if (matched(RUNS_INTO_NAME)) {
        throw new Refused(found[0], 'a number runs into a name; a name that begins with a digit goes into backticks');
      }
    } else if ((found = matched(SYMBOL))) {
      const why = REFUSED_SYMBOLS[found[0]];
      if (why) throw new Refused(found[0], why);
      add('symbol', found[0]);
    } else {
      throw refusedCharacter(String.fromCodePoint(sql.codePointAt(at)!));
    }
  }
  add('end', '');
  return tokens;
}

function commentAt(sql: string, at: number, found: RegExpExecArray | null): number {
  const mark = /^\/\*(?:!|M!|\+)/i.exec(sql.slice(at, at + 4))?.[0];
  if (mark) throw new Refused(mark, 'comments that the server runs, and hints, are not allowed');
  if (!found) throw new Refused('/*', 'the comment has no end');
  if (found[0].slice(2).includes('/*')) throw new Refused('/*', 'a comment in a comment is not allowed');
  return found[0].length;
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
