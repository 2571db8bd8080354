/** One SELECT: its common table expressions, columns, clauses, and the SELECTs it is put together of. */
import { expression, orderItems, window } from './expression';
import { Refused } from './refused';
import { sources } from './source';
import type { StatementReader } from './statement-reader';

const COMBINING: ReadonlySet<string> = new Set(['UNION', 'EXCEPT', 'INTERSECT']);

/** Reads a whole text as one SELECT, with one semicolon at its end at most. @throws Refused */
export function statement(reader: StatementReader): void {
  if (reader.peek().kind === 'end') throw new Refused('', 'there is no statement');
  if (!reader.sees('(') && !seesQuery(reader)) throw new Refused(reader.peek().text, 'only a SELECT is run');
  query(reader, 'statement');
  reader.accept(';');
  if (reader.peek().kind !== 'end') throw new Refused(reader.peek().text, 'only one statement is run');
}

/** Whether a query begins so many tokens ahead, rather than an expression or a join with a query in it. */
export function seesQuery(reader: StatementReader, ahead = 0): boolean {
  const { kind, value } = reader.peek(ahead);
  if (kind === 'symbol' && value === '(') {
    const next = reader.peek(reader.closes(ahead) + 1);
    return next.kind === 'word' && COMBINING.has(next.value) && seesQuery(reader, ahead + 1);
  }
  if (kind !== 'word') return false;
  return value === 'SELECT' || value === 'WITH' || (value === 'VALUES' && reader.dialect.valuesAsQuery);
}

export function query(reader: StatementReader, place: 'statement' | 'subquery'): void {
  reader.nested(() =>
    reader.scoped((define) => {
      if (reader.accept('WITH')) commonTables(reader, define);
      combined(reader, place);
    }),
  );
}

function commonTables(reader: StatementReader, define: (name: string) => void): void {
  reader.accept('RECURSIVE');
  reader.items(() => {
    define(reader.newName().value);
    if (reader.sees('(')) reader.list(() => reader.newName());
    reader.expect('AS');
    if (!reader.accept('NOT', 'MATERIALIZED')) reader.accept('MATERIALIZED');
    reader.expect('(');
    query(reader, 'subquery');
    reader.expect(')');
  });
}

function combined(reader: StatementReader, place: 'statement' | 'subquery'): void {
  term(reader);
  while (reader.acceptAny('UNION', 'EXCEPT', 'INTERSECT')) {
    reader.accept('ALL');
    term(reader);
  }
  if (reader.accept('ORDER', 'BY')) orderItems(reader);
  reader.dialect.afterQuery(reader, place);
}

function term(reader: StatementReader): void {
  if (reader.accept('(')) {
    query(reader, 'subquery');
    reader.expect(')');
  } else if (reader.dialect.valuesAsQuery && reader.sees('VALUES')) values(reader);
  else select(reader);
}

/** `VALUES (1, 'a'), (2, 'b')` */
export function values(reader: StatementReader): void {
  reader.expect('VALUES');
  reader.items(() => reader.list(() => expression(reader)));
}

function select(reader: StatementReader): void {
  reader.expect('SELECT');
  reader.acceptAny('DISTINCT', 'ALL');
  reader.dialect.beforeColumns?.(reader);
  reader.items(() => resultColumn(reader));
  if (reader.sees('INTO')) throw new Refused('INTO', 'a query may not make a table');
  if (reader.accept('FROM')) sources(reader);
  if (reader.accept('WHERE')) expression(reader);
  if (reader.accept('GROUP', 'BY')) groups(reader);
  if (reader.accept('HAVING')) expression(reader);
  if (reader.accept('WINDOW')) {
    reader.items(() => {
      reader.name();
      reader.expect('AS');
      if (!reader.sees('(')) reader.unexpected();
      window(reader);
    });
  }
}

function resultColumn(reader: StatementReader): void {
  if (reader.accept('*')) return;
  if (starAhead(reader)) {
    reader.path();
    reader.expect('.', '*');
    return;
  }
  if (reader.dialect.assignedAliases && reader.peek(1).value === '=' && reader.peek(1).kind === 'symbol') {
    if (reader.peek().kind === 'string') reader.take();
    else reader.name();
    reader.expect('=');
  }
  expression(reader);
  if (!reader.alias() && reader.dialect.assignedAliases && reader.peek().kind === 'string') reader.take();
}

/** `t.*`, `schema.t.*` */
function starAhead(reader: StatementReader): boolean {
  let at = 0;
  while (isName(reader, at) && reader.peek(at + 1).value === '.' && reader.peek(at + 1).kind === 'symbol') at += 2;
  return at > 0 && reader.peek(at).kind === 'symbol' && reader.peek(at).value === '*';
}

const isName = (reader: StatementReader, at: number) => ['word', 'name'].includes(reader.peek(at).kind);

function groups(reader: StatementReader): void {
  reader.items(() => group(reader));
  reader.dialect.afterGroups?.(reader);
}

/** An expression, or sets of them; `()` is the set of all rows. */
function group(reader: StatementReader): void {
  if (reader.accept('GROUPING', 'SETS')) reader.list(() => group(reader));
  else if (reader.sees('ROLLUP', '(') || reader.sees('CUBE', '(')) {
    reader.take();
    reader.list(() => group(reader));
  } else if (!reader.accept('(', ')')) expression(reader);
}
