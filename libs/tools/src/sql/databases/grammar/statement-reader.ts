/** Reads the tokens of one statement, and keeps what it names. */
import type { Dialect } from './dialect';
import { tokensOf, type Token } from './lexer';
import { Refused } from './refused';

/** SEC-52. */
const MAX_DEPTH = 128;

/** A name as it is written, from the outside in: `schema.table`. */
export interface Path {
  readonly parts: readonly Token[];
}

export class StatementReader {
  /** Tables and views, without those that the statement itself defines. */
  readonly relations: Path[] = [];
  /** Functions with a schema before their name; the others are known already. */
  readonly calls: Path[] = [];
  /** Columns that expressions name. */
  readonly columns: Path[] = [];
  /** Names that the statement itself gives. */
  readonly given = new Set<string>();
  private readonly tokens: readonly Token[];
  /** Of each opening parenthesis, where it is closed. */
  private readonly closing: ReadonlyMap<number, number>;
  private at = 0;
  private depth = 0;
  private scopes: ReadonlySet<string> = new Set();

  constructor(
    sql: string,
    readonly dialect: Dialect,
  ) {
    this.tokens = tokensOf(sql, dialect.lexicon);
    this.closing = parentheses(this.tokens);
  }

  peek(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? this.tokens.at(-1)!;
  }

  /** How far ahead the parenthesis closes that opens so far ahead. */
  closes(ahead: number): number {
    return (this.closing.get(this.at + ahead) ?? this.tokens.length) - this.at;
  }

  take(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }

  /** Whether the next tokens are these words or symbols. */
  sees(...values: readonly string[]): boolean {
    for (let i = 0; i < values.length; i++) if (!is(this.peek(i), values[i]!)) return false;
    return true;
  }

  /** Whether these words or symbols follow one another somewhere. */
  contains(first: string, ...rest: readonly string[]): boolean {
    return this.tokens.some(
      (token, from) =>
        is(token, first) && rest.every((value, i) => is(this.tokens[from + 1 + i] ?? this.tokens.at(-1)!, value)),
    );
  }

  seesAny(...values: readonly string[]): boolean {
    return isWordOrSymbol(this.peek()) && values.includes(this.peek().value);
  }

  /** Takes these words or symbols if they come next. */
  accept(...values: readonly string[]): boolean {
    if (!this.sees(...values)) return false;
    this.at += values.length;
    return true;
  }

  /** Takes one of so many, if it comes next. */
  acceptOneOf(values: ReadonlySet<string>): boolean {
    const token = this.peek();
    if (!isWordOrSymbol(token) || !values.has(token.value)) return false;
    this.at++;
    return true;
  }

  /** Takes one of these, if it comes next. */
  acceptAny(...values: readonly string[]): string | undefined {
    return this.seesAny(...values) ? this.take().value : undefined;
  }

  expect(...values: readonly string[]): void {
    for (const value of values) if (!this.accept(value)) this.unexpected();
  }

  takeKind(...kinds: readonly Token['kind'][]): Token {
    return kinds.includes(this.peek().kind) ? this.take() : this.unexpected();
  }

  unexpected(): never {
    const { kind, text } = this.peek();
    throw new Refused(text, kind === 'end' ? 'the statement is not complete' : 'it is not expected here');
  }

  /** Whether a name may begin here: one in quotes, or a word that is not reserved. */
  seesName(): boolean {
    const { kind, value } = this.peek();
    return kind === 'name' || (kind === 'word' && !this.dialect.reserved.has(value));
  }

  name(): Token {
    return this.seesName() ? this.take() : this.unexpected();
  }

  /** A name that the statement gives to something. */
  newName(): Token {
    const token = this.name();
    this.given.add(token.value);
    return token;
  }

  /** Names with dots between them; a star is left to the caller. */
  path(): Path {
    const parts = [this.name()];
    while (this.sees('.') && this.peek(1).value !== '*') {
      this.take();
      // After a dot even a reserved word is a name to some; not to us.
      parts.push(this.name());
    }
    return { parts };
  }

  /** An alias, with AS or without. */
  alias(): boolean {
    if (this.accept('AS')) {
      if (this.peek().kind === 'string') this.take();
      else this.newName();
      return true;
    }
    const { kind, value } = this.peek();
    if (kind === 'name' || (kind === 'word' && this.seesName() && this.dialect.mayBeAlias(value))) {
      this.newName();
      return true;
    }
    return false;
  }

  /** `( item, item )` around what `item` reads. */
  list(item: () => void): void {
    this.expect('(');
    this.items(item);
    this.expect(')');
  }

  items(item: () => void): void {
    do item();
    while (this.accept(','));
  }

  nested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new Refused('(', `it nests deeper than ${MAX_DEPTH} levels`);
    const result = read();
    this.depth--;
    return result;
  }

  /** Reads with names of common table expressions that go out of sight afterwards. */
  scoped<T>(read: (define: (name: string) => void) => T): T {
    const outer = this.scopes;
    const result = read((name) => (this.scopes = new Set([...this.scopes, lowerCase(name)])));
    this.scopes = outer;
    return result;
  }

  relation(path: Path): void {
    const [only, more] = path.parts;
    if (more === undefined && this.scopes.has(lowerCase(only!.value))) return;
    this.relations.push(path);
  }
}

/** Of the letters that every engine takes for the same. */
const lowerCase = (name: string) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

function parentheses(tokens: readonly Token[]): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ kind, value }, at) => {
    if (kind !== 'symbol') return;
    if (value === '(') open.push(at);
    else if (value === ')' && open.length > 0) closing.set(open.pop()!, at);
  });
  return closing;
}

const isWordOrSymbol = ({ kind }: Token) => kind === 'word' || kind === 'symbol';
const is = (token: Token, value: string) => token.value === value && isWordOrSymbol(token);
