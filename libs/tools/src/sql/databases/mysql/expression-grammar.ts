/**
 * Expressions of MySQL and MariaDB, read to know what they call and hold, not to compute them: precedence does not
 * matter here, and what the server would not take it refuses itself.
 */
import { capitals } from './functions';
import { MAX_DEPTH, TokenReader } from './token-reader';
import { CALLED_RESERVED, CHARACTER_SETS, MOMENTS, OPERATORS, PREFIXES, TYPE_WORDS, TYPES, isUnit } from './words';

const QUERY_WORDS = ['SELECT', 'WITH', 'VALUES', 'TABLE'];
const SET_WORDS = ['UNION', 'EXCEPT', 'INTERSECT', 'MINUS'];
const TESTS: ReadonlySet<string> = new Set(['->', '->>', 'COLLATE', 'IS', 'NOT', 'IN', 'MEMBER']);
const CONSTANTS: ReadonlySet<string> = new Set(['NULL', 'TRUE', 'FALSE', 'UNKNOWN']);

export abstract class ExpressionGrammar extends TokenReader {
  /** A column that is written with schema and table. */
  protected wholeName: string | undefined;

  /** A query without the parentheses around it. */
  protected abstract query(): void;

  /** What follows a query in parentheses that goes on behind them: `(…) UNION (…) ORDER BY 1`. */
  protected abstract setOperations(): void;

  /** @throws Refused where it may not be called. */
  protected abstract called(schema: string | undefined, name: string): void;

  protected isQuery(): boolean {
    return this.isWord(...QUERY_WORDS);
  }

  protected isSetOperation(): boolean {
    return this.isWord(...SET_WORDS) && this.token.value !== 'MINUS';
  }

  protected expression(): void {
    do {
      this.prefixes();
      this.operand();
      this.tests();
    } while (this.takeOperator());
  }

  private prefixes(): void {
    for (let depth = 0; this.isPrefix(); depth++) {
      if (depth > MAX_DEPTH) this.refuse(`it nests deeper than ${MAX_DEPTH} levels`);
      this.step();
    }
  }

  private isPrefix(): boolean {
    const { kind, value } = this.token;
    if (kind !== 'word' && kind !== 'symbol') return false;
    return PREFIXES.has(value) && !(value === 'BINARY' && this.ahead(1).value === '(');
  }

  private takeOperator(): boolean {
    if (this.token.value === 'SOUNDS' && this.take('SOUNDS', 'LIKE')) return true;
    const negated = this.token.value === 'NOT' && /^(?:BETWEEN|LIKE|REGEXP|RLIKE)$/.test(this.ahead(1).value);
    if (negated) this.step();
    const { kind, value } = this.token;
    const found = (kind === 'word' || kind === 'symbol') && OPERATORS.has(value);
    if (found) this.step();
    return found;
  }

  /** What follows an operand and takes none itself: `IS NULL`, `IN (…)`, `COLLATE …`, `->> '$.a'`. */
  private tests(): void {
    while (TESTS.has(this.token.value)) {
      if (this.takeSymbol('->') || this.takeSymbol('->>')) this.expectText();
      else if (this.take('COLLATE')) this.characterSet();
      else if (this.take('IS')) {
        this.take('NOT');
        if (!this.takeOne(CONSTANTS)) this.refuse('NULL, TRUE, FALSE or UNKNOWN is expected here');
      } else if (this.take('NOT', 'IN') || this.take('IN')) this.inParentheses(() => this.queryOrList());
      else if (this.take('MEMBER', 'OF')) this.inParentheses(() => this.expression());
      else if (this.isWord('MEMBER') && this.ahead(1).value === '(') {
        this.step();
        this.inParentheses(() => this.expression());
      } else return;
    }
  }

  /** A column, a constant, a call, or something in parentheses. */
  private operand(): void {
    const { kind, value } = this.token;
    if (kind === 'number') return void this.step();
    if (kind === 'text') return this.expectText();
    if (kind === 'symbol') {
      if (value !== '(') this.refuse('an expression is expected here');
      return void this.parenthesised();
    }
    if (kind === 'word' && this.special(value)) return;
    const callable = kind === 'word' && CALLED_RESERVED.has(value) && this.ahead(1).value === '(';
    if (kind === 'end' || !(callable || this.isName())) this.refuse('an expression is expected here');
    if (this.ahead(1).kind === 'text' && /^(?:DATE|TIME|TIMESTAMP)$/.test(value)) {
      this.step();
      return this.expectText();
    }
    const path = callable ? [this.step().written] : this.column();
    if (!this.isSymbol('(')) return;
    if (path.length > 2) this.refuse('a function has at most a schema before its name');
    this.call(path, kind === 'name');
  }

  private column(): string[] {
    const path = this.path();
    if (path.length > 2) this.wholeName ??= path.join('.');
    return path;
  }

  /** Words that begin an expression of their own shape. Whether this was one. */
  private special(word: string): boolean {
    switch (word) {
      case 'NULL':
      case 'TRUE':
      case 'FALSE':
        this.step();
        return true;
      case 'CASE':
        this.choice();
        return true;
      case 'EXISTS':
        this.step();
        this.inParentheses(() => this.query());
        return true;
      case 'ANY':
      case 'SOME':
      case 'ALL':
        if (this.ahead(1).value !== '(') return false;
        this.step();
        this.inParentheses(() => this.query());
        return true;
      case 'ROW':
        if (this.ahead(1).value !== '(') return false;
        this.step();
        this.inParentheses(() => this.list(() => this.expression()));
        return true;
      case 'INTERVAL':
        this.interval();
        return true;
      case 'MATCH':
        this.fullText();
        return true;
      default:
        return this.moment(word) || this.markedText(word);
    }
  }

  private moment(word: string): boolean {
    if (!MOMENTS.has(word)) return false;
    this.step();
    if (this.takeSymbol('(')) {
      if (this.token.kind === 'number') this.step();
      this.expectSymbol(')');
    }
    return true;
  }

  private markedText(word: string): boolean {
    const next = this.ahead(1);
    if (!word.startsWith('_') || (next.kind !== 'text' && next.kind !== 'number')) return false;
    if (!CHARACTER_SETS.has(word)) this.refuse('a text of this character set is not allowed');
    this.step();
    if (next.kind === 'text') this.expectText();
    else this.step();
    return true;
  }

  private choice(): void {
    this.expect('CASE');
    this.nested(() => {
      if (!this.isWord('WHEN')) this.expression();
      while (this.take('WHEN')) {
        this.expression();
        this.expect('THEN');
        this.expression();
      }
      if (this.take('ELSE')) this.expression();
      this.expect('END');
    });
  }

  /** `INTERVAL 3 MONTH`, or the function that finds a place in a list. */
  private interval(): void {
    this.step();
    this.nested(() => this.expression());
    if (this.token.kind === 'word' && isUnit(this.token.value)) this.step();
  }

  private fullText(): void {
    this.expect('MATCH');
    if (this.isSymbol('(')) this.inParentheses(() => this.list(() => void this.column()));
    else this.list(() => void this.column());
    this.expect('AGAINST');
    this.inParentheses(() => {
      this.expectText();
      if (!this.take('IN', 'BOOLEAN', 'MODE')) this.take('IN', 'NATURAL', 'LANGUAGE', 'MODE');
      this.take('WITH', 'QUERY', 'EXPANSION');
    });
  }

  /** @returns whether a query is all that the parentheses hold. */
  private parenthesised(): boolean {
    this.expectSymbol('(');
    const query = this.nested(() => this.queryOrList());
    this.expectSymbol(')');
    if (query && this.isSetOperation()) this.setOperations();
    return query;
  }

  /** @returns whether it was a query. */
  protected queryOrList(): boolean {
    if (this.isQuery()) {
      this.query();
      return true;
    }
    let query = false;
    if (this.isSymbol('(')) {
      // `((SELECT 1) UNION (SELECT 2))` is found to be a query only behind its first parenthesis.
      query = this.parenthesised();
      if (query && (this.isSymbol(')') || this.isWord('ORDER', 'LIMIT'))) {
        this.setOperations();
        return true;
      }
      this.tests();
      if (this.takeOperator()) this.expression();
      if (!this.takeSymbol(',')) return false;
    }
    this.list(() => this.expression());
    return false;
  }

  private call(path: readonly string[], quoted: boolean): void {
    const name = path.at(-1)!;
    const known = path.length === 1 ? capitals(name) : '';
    this.called(path.length === 2 ? path[0] : undefined, name);
    this.expectSymbol('(');
    this.nested(() => this.argumentsOf(quoted ? '' : known));
    this.expectSymbol(')');
    this.window();
  }

  private argumentsOf(name: string): void {
    if (this.isSymbol(')')) return;
    switch (name) {
      case 'CAST':
        this.expression();
        this.expect('AS');
        return this.type();
      case 'CONVERT':
        this.expression();
        if (this.take('USING')) return this.characterSet();
        this.expectSymbol(',');
        return this.type();
      case 'CHAR':
        this.list(() => this.expression());
        if (this.take('USING')) this.characterSet();
        return;
      case 'EXTRACT':
        this.unit();
        this.expect('FROM');
        return this.expression();
      case 'TIMESTAMPADD':
      case 'TIMESTAMPDIFF':
        this.unit();
        this.expectSymbol(',');
        return this.list(() => this.expression());
      case 'GET_FORMAT':
        this.step();
        this.expectSymbol(',');
        return this.expression();
      case 'TRIM':
        return this.trimmed();
      case 'SUBSTRING':
      case 'SUBSTR':
      case 'MID':
        this.expression();
        if (this.take('FROM')) {
          this.expression();
          if (this.take('FOR')) this.expression();
          return;
        }
        while (this.takeSymbol(',')) this.expression();
        return;
      case 'POSITION':
        return this.place();
      default:
        return this.plainArguments();
    }
  }

  /** Also of aggregates: `DISTINCT a, b ORDER BY c SEPARATOR ';' LIMIT 3`; and `RETURNING` of JSON_VALUE. */
  private plainArguments(): void {
    if (!this.take('DISTINCT')) this.take('ALL');
    this.list(() => {
      if (this.takeSymbol('*')) return;
      if (this.isQuery()) return this.query();
      this.expression();
    });
    if (this.take('RETURNING')) this.type();
    this.orElse();
    if (this.take('ORDER', 'BY')) this.list(() => this.sorted());
    if (this.take('SEPARATOR')) this.expectText();
    if (this.take('LIMIT')) this.list(() => this.expectNumber());
  }

  private trimmed(): void {
    const side = this.take('BOTH') || this.take('LEADING') || this.take('TRAILING');
    if (side && this.take('FROM')) return this.expression();
    this.expression();
    if (this.take('FROM')) this.expression();
  }

  /** `POSITION('a' IN name)`: the IN is no test of the text before it. */
  private place(): void {
    const { kind } = this.token;
    if (kind === 'text') this.expectText();
    else if (this.isName()) this.column();
    else this.refuse('a text or a column is expected here');
    this.expect('IN');
    this.expression();
  }

  private unit(): void {
    if (this.token.kind !== 'word' || !isUnit(this.token.value)) this.refuse('a unit of time is expected here');
    this.step();
  }

  /** `OVER (…)`, and what may stand before it. */
  private window(): void {
    if (this.take('WITHIN', 'GROUP')) {
      this.inParentheses(() => {
        this.expect('ORDER', 'BY');
        this.list(() => this.sorted());
      });
    }
    if (!this.take('FROM', 'FIRST')) this.take('FROM', 'LAST');
    if (!this.take('RESPECT', 'NULLS')) this.take('IGNORE', 'NULLS');
    if (!this.take('OVER')) return;
    if (this.isSymbol('(')) this.inParentheses(() => this.windowOf());
    else this.name();
  }

  /** What stands in the parentheses of a window. */
  protected windowOf(): void {
    if (this.isName() && !this.isWord('GROUPS')) this.name();
    if (this.take('PARTITION', 'BY')) this.list(() => this.expression());
    if (this.take('ORDER', 'BY')) this.list(() => this.sorted());
    if (!this.isWord('ROWS', 'RANGE', 'GROUPS')) return;
    this.step();
    if (this.take('BETWEEN')) {
      this.bound();
      this.expect('AND');
    }
    this.bound();
  }

  private bound(): void {
    if (this.take('CURRENT', 'ROW')) return;
    if (!this.take('UNBOUNDED')) this.edge();
    if (!this.take('PRECEDING')) this.expect('FOLLOWING');
  }

  /** How far a window reaches: a number or an interval, before the AND of its BETWEEN. */
  private edge(): void {
    if (!this.take('INTERVAL')) return this.expectNumber();
    if (this.token.kind === 'text') this.expectText();
    else this.expectNumber();
    this.unit();
  }

  /** One of ORDER BY or GROUP BY. */
  protected sorted(): void {
    this.expression();
    if (!this.take('ASC')) this.take('DESC');
  }

  protected type(): void {
    if (!this.takeOne(TYPES)) this.refuse('a type that a value can be cast to is expected here');
    for (;;) {
      if (this.isSymbol('(')) this.inParentheses(() => this.list(() => this.expectNumber()));
      else if (this.take('CHARACTER', 'SET') || this.take('CHARSET') || this.take('COLLATE')) this.characterSet();
      else if (!this.takeOne(TYPE_WORDS)) return;
    }
  }

  /** `NULL ON EMPTY DEFAULT '0' ON ERROR`, of JSON_VALUE and JSON_TABLE. */
  protected orElse(): void {
    while (this.isWord('NULL', 'ERROR', 'DEFAULT')) {
      if (this.step().value === 'DEFAULT') this.expression();
      this.expect('ON');
      if (!this.take('EMPTY')) this.expect('ERROR');
    }
  }

  private characterSet(): void {
    if (this.token.kind === 'text' || this.isWord('BINARY')) this.step();
    else this.name();
  }
}
