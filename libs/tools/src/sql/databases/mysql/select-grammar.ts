/**
 * The SELECT of MySQL and MariaDB, and nothing else: INTO, locks, PROCEDURE and every other statement have no place in
 * it, so that they are refused wherever they stand (SEC-48).
 */
import type { CheckedStatement, TableName } from '../database-engine';
import { ExpressionGrammar } from './expression-grammar';
import { kindOf } from './functions';
import type { Token } from './lexer';
import { Refused } from '../grammar/refused';
import { SELECT_OPTIONS } from './words';

/** Never read, whatever the scope says. */
const SYSTEM_SCHEMAS: ReadonlySet<string> = new Set(['information_schema', 'mysql', 'performance_schema', 'sys']);

export const isSystemSchema = (name: string): boolean => SYSTEM_SCHEMAS.has(name.toLowerCase());

type Called = Required<Pick<CheckedStatement, 'calls' | 'names'>>;

export class SelectGrammar extends ExpressionGrammar {
  private readonly calls = new Map<string, TableName>();
  /** Functions of the server, where it has them; else the database's. */
  private readonly functions = new Set<string>();
  private mergesColumns = false;

  /** @param schemas those that may be read; a name without schema means one of the first. */
  constructor(
    tokens: readonly Token[],
    private readonly schemas: readonly string[],
  ) {
    super(tokens);
  }

  /** @throws Refused */
  statement(): Called {
    if (this.isEnd() || this.isSymbol(';')) this.refuse('there is no statement');
    if (!this.isQuery() && !this.isSymbol('(')) this.refuse('only a SELECT is run');
    this.query();
    if (this.takeSymbol(';') && !this.isEnd()) throw new Refused(';', 'only one statement is run');
    if (this.isWord('INTO', 'PROCEDURE', 'FOR', 'LOCK')) this.refuse('a query may only read');
    if (!this.isEnd()) this.refuse('it is not expected here');
    if (this.mergesColumns && this.wholeName !== undefined) {
      // MariaDB 10.11 ends with all of its sessions when it looks for a column so named and does not find it.
      const reason = 'beside NATURAL or USING a column is written with its table alone, or with an alias';
      throw new Refused(this.wholeName.slice(0, 200), reason);
    }
    const names = { functions: [...this.functions], operators: [], types: [], attributes: [] };
    return { calls: [...this.calls.values()], names };
  }

  protected query(): void {
    this.nested(() => {
      if (this.take('WITH')) {
        this.take('RECURSIVE');
        this.list(() => this.tableExpression());
      }
      this.term();
      this.setOperations();
    });
  }

  protected setOperations(): void {
    while (this.isSetOperation()) {
      this.step();
      if (!this.take('ALL')) this.take('DISTINCT');
      this.term();
    }
    if (this.take('ORDER', 'BY')) this.list(() => this.sorted());
    this.limit();
  }

  protected called(schema: string | undefined, name: string): void {
    const [home = ''] = schema === undefined ? this.schemas : [schema];
    const kind = schema === undefined ? kindOf(name) : 'unknown';
    if (kind === 'effect' || home === '') throw new Refused(name.slice(0, 100), 'this function is not allowed');
    if (kind === 'somewhere') this.functions.add(name.toLowerCase());
    else if (kind === 'unknown') this.calls.set(JSON.stringify([home, name.toLowerCase()]), { schema: home, name });
  }

  private tableExpression(): void {
    this.name();
    if (this.isSymbol('(')) this.names();
    this.expect('AS');
    this.inParentheses(() => this.query());
    if (this.take('CYCLE')) {
      this.list(() => void this.name());
      this.expect('RESTRICT');
    }
  }

  private term(): void {
    if (this.isSymbol('(')) return this.inParentheses(() => this.query());
    if (this.take('VALUES')) return this.list(() => this.rowOfValues());
    if (this.take('TABLE')) return this.tableName();
    this.expect('SELECT');
    while (this.takeOne(SELECT_OPTIONS));
    this.list(() => this.item());
    if (this.take('FROM')) this.list(() => this.joined());
    if (this.take('WHERE')) this.expression();
    if (this.take('GROUP', 'BY')) {
      this.list(() => this.sorted());
      this.take('WITH', 'ROLLUP');
    }
    if (this.take('HAVING')) this.expression();
    if (this.take('WINDOW')) this.list(() => this.namedWindow());
  }

  private rowOfValues(): void {
    this.take('ROW');
    this.inParentheses(() => this.list(() => this.expression()));
  }

  private namedWindow(): void {
    this.name();
    this.expect('AS');
    this.inParentheses(() => this.windowOf());
  }

  private limit(): void {
    if (this.take('LIMIT')) {
      this.expectNumber();
      if (this.takeSymbol(',') || this.take('OFFSET')) this.expectNumber();
      return;
    }
    if (this.take('OFFSET')) {
      this.expectNumber();
      if (!this.take('ROWS')) this.expect('ROW');
    }
    if (!this.take('FETCH')) return;
    if (!this.take('FIRST')) this.expect('NEXT');
    if (this.token.kind === 'number') this.step();
    if (!this.take('ROWS')) this.expect('ROW');
    if (!this.take('ONLY')) this.expect('WITH', 'TIES');
  }

  private item(): void {
    if (this.takeSymbol('*') || this.star()) return;
    this.expression();
    if (this.take('AS') || this.isName() || this.token.kind === 'text') {
      if (this.token.kind === 'text') this.expectText();
      else this.name();
    }
  }

  /** `t.*`, `shop.t.*` */
  private star(): boolean {
    for (const steps of [1, 3]) {
      const [dot, star] = [this.ahead(steps), this.ahead(steps + 1)];
      if (dot.kind !== 'symbol' || dot.value !== '.') return false;
      if (star.kind === 'symbol' && star.value === '*') {
        for (let i = 0; i < steps + 2; i++) this.step();
        return true;
      }
    }
    return false;
  }

  /** A table and those that are joined to it. Where each ON belongs does not matter here. */
  private joined(): void {
    this.factor();
    for (;;) {
      if (this.take('ON')) this.expression();
      else if (this.take('USING')) this.merged();
      else if (this.takeJoin()) this.factor();
      else return;
    }
  }

  private takeJoin(): boolean {
    if (this.take('STRAIGHT_JOIN')) return true;
    const natural = this.take('NATURAL');
    this.mergesColumns ||= natural;
    if (this.take('LEFT') || this.take('RIGHT')) {
      this.take('OUTER');
      this.expect('JOIN');
      return true;
    }
    const inner = this.take('INNER') || this.take('CROSS');
    if (this.take('JOIN')) return true;
    if (natural || inner) this.expect('JOIN');
    return false;
  }

  private factor(): void {
    const lateral = this.take('LATERAL');
    if (this.isSymbol('(')) {
      if (this.parenthesisedTables()) this.alias();
      return;
    }
    if (lateral) this.refuse('( is expected here');
    if (this.isWord('JSON_TABLE') && this.ahead(1).value === '(') {
      this.step();
      this.inParentheses(() => this.jsonTable());
      return this.alias();
    }
    if (this.take('DUAL')) return;
    this.tableName();
    if (this.isWord('PARTITION')) {
      this.step();
      this.names();
    }
    if (this.take('FOR', 'SYSTEM_TIME')) this.atTime();
    this.alias();
    this.indexHints();
  }

  /** @returns whether a query is all that they hold: only that has a name. */
  private parenthesisedTables(): boolean {
    this.expectSymbol('(');
    const query = this.nested(() => this.queryOrTables());
    this.expectSymbol(')');
    return query;
  }

  private queryOrTables(): boolean {
    if (this.isQuery()) {
      this.query();
      return true;
    }
    if (this.isSymbol('(')) {
      const query = this.parenthesisedTables();
      if (query && (this.isSymbol(')') || this.isSetOperation() || this.isWord('ORDER', 'LIMIT'))) {
        this.setOperations();
        return true;
      }
      if (query) this.alias();
      this.joins();
      if (!this.takeSymbol(',')) return false;
    }
    this.list(() => this.joined());
    return false;
  }

  private merged(): void {
    this.mergesColumns = true;
    this.names();
  }

  private joins(): void {
    for (;;) {
      if (this.take('ON')) this.expression();
      else if (this.take('USING')) this.merged();
      else if (this.takeJoin()) this.factor();
      else return;
    }
  }

  private tableName(): void {
    const path = this.path();
    const name = path.at(-1)!;
    if (path.length > 2) throw new Refused(path.join('.'), 'a table has at most a schema before its name');
    const schema = path.length === 2 ? path[0]! : this.schemas[0];
    if (schema === undefined || isSystemSchema(schema) || !this.schemas.includes(schema)) {
      throw new Refused(
        path.join('.').slice(0, 200),
        `the schema of ${name.slice(0, 100)} is not one that may be read`,
      );
    }
  }

  private atTime(): void {
    if (this.take('ALL')) return;
    if (this.take('AS', 'OF')) {
      this.take('TIMESTAMP');
      return this.expression();
    }
    // `BETWEEN a AND b` is one expression to us.
    this.expect(this.isWord('FROM') ? 'FROM' : 'BETWEEN');
    this.expression();
    if (this.take('TO')) this.expression();
  }

  private alias(): void {
    if (!this.take('AS') && !this.isName()) return;
    this.name();
    if (this.isSymbol('(')) this.names();
  }

  private indexHints(): void {
    while (this.isWord('USE', 'FORCE', 'IGNORE')) {
      this.step();
      if (!this.take('INDEX')) this.expect('KEY');
      if (this.take('FOR') && !this.take('JOIN') && !this.take('ORDER', 'BY')) this.expect('GROUP', 'BY');
      this.inParentheses(() => {
        if (this.isSymbol(')')) return;
        this.list(() => {
          if (!this.take('PRIMARY')) this.name();
        });
      });
      this.takeSymbol(',');
    }
  }

  private names(): void {
    this.inParentheses(() => this.list(() => void this.name()));
  }

  private jsonTable(): void {
    this.expression();
    this.expectSymbol(',');
    this.expectText();
    this.jsonColumns();
  }

  private jsonColumns(): void {
    this.expect('COLUMNS');
    this.inParentheses(() => this.list(() => this.jsonColumn()));
  }

  private jsonColumn(): void {
    if (this.isWord('NESTED') && (this.ahead(1).kind === 'text' || this.ahead(1).value === 'PATH')) {
      this.step();
      this.take('PATH');
      this.expectText();
      return this.jsonColumns();
    }
    this.name();
    if (this.take('FOR', 'ORDINALITY')) return;
    this.type();
    this.take('EXISTS');
    this.expect('PATH');
    this.expectText();
    this.orElse();
  }
}
