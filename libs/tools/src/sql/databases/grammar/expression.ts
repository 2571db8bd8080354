/**
 * Expressions, as far as a guard has to know them: where they begin and end, what they call, and which queries are in
 * them. Types and precedence are left to the engine.
 */
import { query, seesQuery } from './query';
import { Refused } from './refused';
import type { StatementReader } from './statement-reader';

const COMPARISONS = new Set(['=', '<>', '!=', '<', '>', '<=', '>=', '==', '!<', '!>']);
const JOINING = new Set(['AND', 'OR']);
const SIGNS = new Set(['-', '+', '~']);

/** Comparisons and what joins them. */
export function expression(reader: StatementReader): void {
  reader.nested(() => {
    do {
      while (reader.accept('NOT'));
      comparison(reader);
    } while (reader.acceptOneOf(JOINING));
  });
}

function comparison(reader: StatementReader): void {
  operand(reader);
  for (;;) {
    if (reader.acceptOneOf(COMPARISONS)) {
      if (reader.acceptAny('ALL', 'ANY', 'SOME')) subquery(reader);
      else operand(reader);
    } else if (reader.peek().kind !== 'word') return;
    else if (reader.accept('IS')) {
      reader.accept('NOT');
      if (reader.accept('DISTINCT', 'FROM') || !reader.accept('NULL')) operand(reader);
    } else if (!reader.acceptOneOf(reader.dialect.tests) && !negatable(reader)) return;
  }
}

function negatable(reader: StatementReader): boolean {
  const negated = reader.sees('NOT');
  if (reader.dialect.tests.size > 0 && reader.accept('NOT', 'NULL')) return true;
  const word = reader.peek(negated ? 1 : 0);
  const { matches } = reader.dialect;
  if (word.kind !== 'word' || !(word.value === 'BETWEEN' || word.value === 'IN' || matches.has(word.value)))
    return false;
  if (negated) reader.take();
  reader.take();
  if (word.value === 'IN') inList(reader);
  else operand(reader);
  if (word.value === 'BETWEEN') {
    reader.expect('AND');
    operand(reader);
  } else if (reader.accept('ESCAPE')) operand(reader);
  return true;
}

function inList(reader: StatementReader): void {
  if (reader.sees('(') && seesQuery(reader, 1)) subquery(reader);
  else if (reader.accept('(', ')')) return;
  else reader.list(() => expression(reader));
}

function subquery(reader: StatementReader): void {
  reader.expect('(');
  query(reader, 'subquery');
  reader.expect(')');
}

/** A calculation. */
export function operand(reader: StatementReader): void {
  const { operators, afterOperand } = reader.dialect;
  for (;;) {
    while (reader.acceptOneOf(SIGNS));
    primary(reader);
    while (reader.peek().kind === 'word' && afterOperand(reader));
    const { kind, value } = reader.peek();
    if (kind !== 'symbol' || !operators.has(value)) return;
    reader.take();
  }
}

function primary(reader: StatementReader): void {
  const { kind, value } = reader.peek();
  if (kind === 'string' || kind === 'number') reader.take();
  else if (kind === 'symbol') parenthesised(reader);
  else if (kind === 'word' && value === 'CASE') caseOf(reader);
  else if (kind === 'word' && value === 'EXISTS') {
    reader.take();
    subquery(reader);
  } else if (kind === 'word' && reader.peek(1).value === '(' && reader.peek(1).kind === 'symbol') call(reader);
  else if (kind === 'word' && (value === 'NULL' || reader.dialect.constants.has(value))) reader.take();
  else column(reader);
}

function parenthesised(reader: StatementReader): void {
  if (!reader.sees('(')) reader.unexpected();
  if (seesQuery(reader, 1)) {
    subquery(reader);
    reader.dialect.afterSubquery?.(reader);
  } else reader.list(() => expression(reader));
}

function caseOf(reader: StatementReader): void {
  reader.expect('CASE');
  if (!reader.sees('WHEN')) expression(reader);
  do {
    reader.expect('WHEN');
    expression(reader);
    reader.expect('THEN');
    expression(reader);
  } while (reader.sees('WHEN'));
  if (reader.accept('ELSE')) expression(reader);
  reader.expect('END');
}

/** A column, or a function that belongs to a schema. */
function column(reader: StatementReader): void {
  const path = reader.path();
  if (!reader.sees('(')) {
    reader.columns.push(path);
    return;
  }
  if (path.parts.length === 1) throw new Refused(path.parts[0]!.text, 'this function is not allowed');
  reader.calls.push(path);
  args(reader);
}

function call(reader: StatementReader): void {
  const { text, value } = reader.take();
  const special = reader.dialect.specialCalls[value];
  if (!special && !reader.dialect.functions.has(value)) throw new Refused(text, 'this function is not allowed');
  if (special) {
    reader.expect('(');
    reader.nested(() => special(reader));
    reader.expect(')');
  } else args(reader);
  reader.dialect.afterCall?.(reader);
  if (reader.accept('FILTER')) {
    reader.expect('(', 'WHERE');
    expression(reader);
    reader.expect(')');
  }
  if (reader.accept('OVER')) window(reader);
}

export function args(reader: StatementReader): void {
  reader.expect('(');
  if (reader.accept(')')) return;
  if (!reader.accept('*')) {
    reader.acceptAny('DISTINCT', 'ALL');
    reader.items(() => expression(reader));
    if (reader.accept('ORDER', 'BY')) orderItems(reader);
  }
  reader.expect(')');
}

/** What follows OVER, or a name in WINDOW. */
export function window(reader: StatementReader): void {
  if (!reader.accept('(')) {
    reader.name();
    return;
  }
  if (reader.seesName() && !reader.seesAny('PARTITION', 'ROWS', 'RANGE', 'GROUPS')) reader.name();
  if (reader.accept('PARTITION', 'BY')) reader.items(() => expression(reader));
  if (reader.accept('ORDER', 'BY')) orderItems(reader);
  if (reader.acceptAny('ROWS', 'RANGE', 'GROUPS')) frame(reader);
  reader.expect(')');
}

function frame(reader: StatementReader): void {
  if (reader.accept('BETWEEN')) {
    frameEdge(reader);
    reader.expect('AND');
  }
  frameEdge(reader);
  if (!reader.accept('EXCLUDE')) return;
  if (reader.accept('NO', 'OTHERS') || reader.accept('CURRENT', 'ROW')) return;
  if (!reader.acceptAny('GROUP', 'TIES')) reader.unexpected();
}

function frameEdge(reader: StatementReader): void {
  if (reader.accept('CURRENT', 'ROW')) return;
  if (!reader.accept('UNBOUNDED')) operand(reader);
  if (!reader.acceptAny('PRECEDING', 'FOLLOWING')) reader.unexpected();
}

export function orderItems(reader: StatementReader): void {
  reader.items(() => {
    expression(reader);
    reader.acceptAny('ASC', 'DESC');
    if (reader.accept('NULLS') && !reader.acceptAny('FIRST', 'LAST')) reader.unexpected();
  });
}
