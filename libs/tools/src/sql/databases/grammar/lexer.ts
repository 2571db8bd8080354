/**
 * Cuts a statement into tokens the way its engine does. Where engines or versions could differ about a character, it
 * is refused: what follows must not mean one thing to the guard and another to the server.
 */
import { Refused } from './refused';

export interface Token {
  /** `word`: a name or keyword without quotes; `name`: one in quotes. */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol' | 'end';
  /** A word in upper case, a name or string without its quotes, else as written. */
  readonly value: string;
  readonly text: string;
  /** Where it begins in the statement. */
  readonly at: number;
}

export interface Lexicon {
  /** What may follow the first letter of a word, besides letters and digits. */
  readonly wordSigns: string;
  /** Opening and closing quotes of names; a closing one is doubled to stand in a name. */
  readonly nameQuotes: Readonly<Record<string, string>>;
  /** Letters that may stand right before a string. */
  readonly stringPrefixes: readonly string[];
  /** Whether a comment in a block comment has to be closed as well. */
  readonly nestedComments: boolean;
  /** Longest first. */
  readonly symbols: readonly string[];
}

/** What most statements are made of, told by one look each. */
const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const [DASH, SLASH] = [0x2d, 0x2f];
const NUMBER = /(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
/** After a number: `1union` is two tokens to one engine and a mistake to another. */
const JOINED = /[\p{L}\p{N}_$#@.]/uy;
/** Only these have an upper case that every engine agrees on. */
const ASCII = /^[!-~]+$/;
/** Ends of lines that not everybody takes for one: a comment must not end for one of us alone. */
const ODD_LINE_END = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/;
/** Characters that a collation may not see, and that editors do not show. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

export function tokensOf(sql: string, lexicon: Lexicon): Token[] {
  if (!sql.isWellFormed() || sql.includes('\0')) throw new Refused('U+0000', 'the text is not well formed');
  const lexer = new Lexer(sql, lexicon);
  const tokens: Token[] = [];
  do tokens.push(lexer.next());
  while (tokens.at(-1)!.kind !== 'end');
  return tokens;
}

class Lexer {
  private at = 0;
  private readonly word: RegExp;
  /** By their first character, the longest first. */
  private readonly symbols: ReadonlyMap<string, readonly string[]>;

  constructor(
    private readonly sql: string,
    private readonly lexicon: Lexicon,
  ) {
    this.word = new RegExp(`[\\p{L}_][\\p{L}\\p{M}\\p{N}_${lexicon.wordSigns}]*`, 'uy');
    this.symbols = symbolsOf(lexicon);
  }

  next(): Token {
    this.skip();
    const from = this.at;
    if (from >= this.sql.length) return { kind: 'end', value: '', text: '', at: from };
    return this.string(from) ?? this.name(from) ?? this.wordOrNumber(from) ?? this.symbol(from);
  }

  /** Spaces and comments. */
  private skip(): void {
    for (;;) {
      const code = this.sql.charCodeAt(this.at);
      if (isSpace(code)) this.at++;
      else if (code === DASH && this.sql.startsWith('--', this.at)) this.skipLine();
      else if (code === SLASH && this.sql.startsWith('/*', this.at)) this.skipBlock();
      else return;
    }
  }

  private skipLine(): void {
    const end = this.sql.indexOf('\n', this.at);
    const line = this.sql.slice(this.at, end < 0 ? undefined : end + 1);
    if (ODD_LINE_END.test(line)) throw new Refused('--', 'the comment has a line end that engines read differently');
    this.at += line.length;
  }

  private skipBlock(): void {
    const from = this.at;
    let depth = 0;
    do {
      const open = this.sql.indexOf('/*', this.at);
      const close = this.sql.indexOf('*/', this.at);
      if (close < 0) throw new Refused('/*', 'the comment has no end');
      const opens = open >= 0 && open < close;
      // A comment in a comment is where engines part.
      if (opens && depth === 1 && !this.lexicon.nestedComments) throw new Refused('/*', 'comments may not nest');
      depth += opens ? 1 : -1;
      this.at = (opens ? open : close) + 2;
    } while (depth > 0);
    if (/^\/\*[!+M]/.test(this.sql.slice(from, from + 3))) throw new Refused('/*!', 'the comment is an instruction');
  }

  private string(from: number): Token | undefined {
    if (this.sql[from] !== "'") {
      if (this.sql[from + 1] !== "'" || !this.lexicon.stringPrefixes.includes(this.sql[from]!)) return undefined;
      this.at++;
    }
    const value = this.quoted("'", "'");
    return { kind: 'string', value, text: this.sql.slice(from, this.at), at: from };
  }

  private name(from: number): Token | undefined {
    const close = this.lexicon.nameQuotes[this.sql[from]!];
    if (close === undefined) return undefined;
    const value = this.quoted(this.sql[from]!, close);
    const text = this.sql.slice(from, this.at);
    if (value.trim() !== value || value === '' || INVISIBLE.test(value)) {
      throw new Refused(text, 'the name holds characters that cannot be seen');
    }
    return { kind: 'name', value, text, at: from };
  }

  private quoted(open: string, close: string): string {
    const from = ++this.at;
    for (;;) {
      const end = this.sql.indexOf(close, this.at);
      if (end < 0) throw new Refused(open, 'the quotation has no end');
      this.at = end + 1;
      if (this.sql[this.at] !== close) return this.sql.slice(from, end).replaceAll(close + close, close);
      this.at++;
    }
  }

  private wordOrNumber(at: number): Token | undefined {
    const text = this.match(this.word);
    if (text !== undefined) {
      if (ASCII.test(text)) return { kind: 'word', value: text.toUpperCase(), text, at };
      // A full-width letter is the plain one to some collations.
      if (text.normalize('NFKC') !== text.normalize('NFC')) throw new Refused(text, 'its letters are look-alikes');
      return { kind: 'word', value: text, text, at };
    }
    const number = this.match(NUMBER);
    if (number === undefined) return undefined;
    JOINED.lastIndex = this.at;
    if (JOINED.test(this.sql)) throw new Refused(number, 'a number is followed by a space or a sign');
    return { kind: 'number', value: number, text: number, at };
  }

  private symbol(from: number): Token {
    const text = this.symbols.get(this.sql[from]!)?.find((symbol) => this.sql.startsWith(symbol, from));
    if (text === undefined) {
      throw new Refused(String.fromCodePoint(this.sql.codePointAt(from)!), 'this character is not allowed here');
    }
    this.at += text.length;
    return { kind: 'symbol', value: text, text, at: from };
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.sql)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }
}

const known = new WeakMap<Lexicon, ReadonlyMap<string, readonly string[]>>();

function symbolsOf(lexicon: Lexicon): ReadonlyMap<string, readonly string[]> {
  const before = known.get(lexicon);
  if (before) return before;
  const made = new Map<string, string[]>();
  for (const symbol of lexicon.symbols) made.set(symbol[0]!, [...(made.get(symbol[0]!) ?? []), symbol]);
  known.set(lexicon, made);
  return made;
}
