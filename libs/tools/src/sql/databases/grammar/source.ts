/** What follows FROM: tables, queries, table functions, and how they are joined. */
import { args, expression } from './expression';
import { query, seesQuery, values } from './query';
import { Refused } from './refused';
import type { StatementReader } from './statement-reader';

export function sources(reader: StatementReader): void {
  reader.nested(() => {
    reader.items(() => {
      source(reader);
      joins(reader);
    });
  });
}

function joins(reader: StatementReader): void {
  // Conditions may follow later, each for the join before it: a JOIN b JOIN c ON … ON …
  let open = 0;
  for (;;) {
    const follows = reader.dialect.join(reader);
    if (follows !== undefined) {
      source(reader);
      if (follows === 'condition') open++;
      if (follows !== 'nothing' && condition(reader) && follows === 'condition') open--;
    } else if (open > 0 && condition(reader)) open--;
    else break;
  }
  if (open > 0) reader.unexpected();
}

function condition(reader: StatementReader): boolean {
  if (reader.accept('ON')) expression(reader);
  else if (reader.sees('USING', '(')) {
    reader.take();
    reader.list(() => reader.name());
  } else return false;
  return true;
}

function source(reader: StatementReader): void {
  const { beforeAlias, afterAlias } = reader.dialect;
  if (reader.sees('(')) {
    derived(reader);
  } else if (isCall(reader)) {
    call(reader);
    named(reader);
  } else {
    const path = reader.path();
    if (reader.sees('(')) {
      reader.calls.push(path);
      args(reader);
      named(reader);
    } else {
      reader.relation(path);
      beforeAlias?.(reader);
      reader.alias();
    }
  }
  afterAlias?.(reader);
}

function derived(reader: StatementReader): void {
  reader.expect('(');
  if (reader.sees('VALUES')) {
    values(reader);
    reader.expect(')');
    named(reader);
  } else if (seesQuery(reader)) {
    query(reader, 'subquery');
    reader.expect(')');
    named(reader);
  } else {
    sources(reader);
    reader.expect(')');
    if (reader.dialect.valuesAsQuery) reader.alias();
  }
}

/** An alias, and names of the columns. */
function named(reader: StatementReader): void {
  if (reader.alias() && reader.sees('(')) reader.list(() => reader.newName());
}

const isCall = (reader: StatementReader) =>
  reader.peek().kind === 'word' && reader.peek(1).kind === 'symbol' && reader.peek(1).value === '(';

function call(reader: StatementReader): void {
  const { text, value } = reader.take();
  if (!reader.dialect.tableFunctions.has(value)) throw new Refused(text, 'this table function is not allowed');
  args(reader);
  reader.dialect.afterTableCall?.(reader);
}
