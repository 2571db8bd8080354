/** Steps through the tokens of a statement; the grammars stand on it. */
import type { Token } from './lexer';
import { Refused } from '../grammar/refused';
import { RESERVED } from './words';

/** SEC-52. */
export const MAX_DEPTH = 128;

export class TokenReader {
  private position = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  protected get token(): Token {
    return this.tokens[this.position]!;
  }

  protected ahead(steps: number): Token {
    return this.tokens[Math.min(this.position + steps, this.tokens.length - 1)]!;
  }

  protected step(): Token {
    const { token } = this;
    if (token.kind !== 'end') this.position += 1;
    return token;
  }

  protected isEnd(): boolean {
    return this.token.kind === 'end';
  }

  protected isWord(...words: string[]): boolean {
    return this.token.kind === 'word' && words.includes(this.token.value);
  }

  protected isSymbol(symbol: string): boolean {
    return this.token.kind === 'symbol' && this.token.value === symbol;
  }

  /** Words one after the other, all or none. */
  protected take(...words: string[]): boolean {
    const found = words.every((word, i) => this.ahead(i).kind === 'word' && this.ahead(i).value === word);
    if (found) this.position += words.length;
    return found;
  }

  protected takeOne(words: ReadonlySet<string>): boolean {
    const found = this.token.kind === 'word' && words.has(this.token.value);
    if (found) this.position += 1;
    return found;
  }

  protected takeSymbol(symbol: string): boolean {
    const found = this.isSymbol(symbol);
    if (found) this.position += 1;
    return found;
  }

  protected expect(...words: string[]): void {
    if (!this.take(...words)) this.refuse(`${words.join(' ')} is expected here`);
  }

  protected expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) this.refuse(`${symbol} is expected here`);
  }

  protected expectText(): void {
    if (this.token.kind !== 'text') this.refuse('a text is expected here');
    while (this.token.kind === 'text') this.position += 1;
  }

  protected expectNumber(): void {
    if (this.token.kind !== 'number') this.refuse('a number is expected here');
    this.position += 1;
  }

  /** At the place where the statement is. */
  protected refuse(reason: string): never {
    const { kind, written } = this.token;
    throw new Refused(
      kind === 'end' ? '' : written.slice(0, 100),
      kind === 'end' ? `it ends too early: ${reason}` : reason,
    );
  }

  /** What stands in parentheses, or otherwise inside of something. */
  protected nested<Result>(read: () => Result): Result {
    if (++this.depth > MAX_DEPTH) this.refuse(`it nests deeper than ${MAX_DEPTH} levels`);
    const result = read();
    this.depth -= 1;
    return result;
  }

  protected inParentheses(read: () => void): void {
    this.expectSymbol('(');
    this.nested(read);
    this.expectSymbol(')');
  }

  protected list(read: () => void): void {
    do read();
    while (this.takeSymbol(','));
  }

  protected isName(): boolean {
    const { kind, value } = this.token;
    return kind === 'name' || (kind === 'word' && !RESERVED.has(value));
  }

  /** A name as it is written: servers may tell `Shop` from `shop`. */
  protected name(): string {
    if (!this.isName()) this.refuse('a name is expected here; names that are words of SQL go into backticks');
    return bare(this.step());
  }

  /** `name`, `name.name`, `name.name.name`; right after a dot every word is a name. */
  protected path(): string[] {
    const path = [this.name()];
    while (this.isSymbol('.') && path.length < 3) {
      const dot = this.token;
      const touches = this.tokens[this.position - 1]!.end === dot.start && this.ahead(1).start === dot.end;
      if (this.ahead(1).value === '*' && this.ahead(1).kind === 'symbol') return path;
      this.position += 1;
      path.push(touches && this.token.kind === 'word' ? bare(this.step()) : this.name());
    }
    return path;
  }
}

const bare = ({ kind, value, written }: Token): string => (kind === 'name' ? value : written);
