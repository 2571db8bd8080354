/**
 * Whether a text is one SELECT of T-SQL that only reads tables in scope (SEC-50, SEC-53). What the grammar does not
 * know is refused: no batch separator, variable, four-part name, lock hint or function that is not listed gets through.
 */
import type { TableName, Verdict } from '../database-engine';
import type { GuardedStatement } from '../guard.task';
import { statement } from '../grammar/query';
import type { Token } from '../grammar/lexer';
import { Refused } from '../grammar/refused';
import { StatementReader, type Path } from '../grammar/statement-reader';
import { T_SQL } from './t-sql';
import { SYSTEM_NAMES, SYSTEM_SCHEMAS } from './words';

export function guard({ sql, schemas }: Pick<GuardedStatement, 'sql' | 'schemas'>): Verdict {
  try {
    const reader = new StatementReader(sql, T_SQL);
    if (reader.contains('NEXT', 'VALUE', 'FOR')) throw new Refused('NEXT VALUE FOR', 'a sequence would move on');
    statement(reader);
    const inScope = new Set(schemas.map(folded));
    for (const path of reader.relations) checkTable(path, inScope);
    const calls = reader.calls.map((path) => called(path, inScope));
    return { kind: 'passed', statement: { sql, schemas, calls } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'refused', token: error.token, reason: error.reason };
  }
}

/** The tables that a statement names, once it has passed: what they stand for, only a session can tell. */
export function tablesOf(sql: string): { readonly schema?: string; readonly name: string }[] {
  const reader = new StatementReader(sql, T_SQL);
  statement(reader);
  return reader.relations.map(({ parts: [first, second] }) =>
    second ? { schema: nameOf(first!), name: nameOf(second) } : { name: nameOf(first!) },
  );
}

/** As collations without case or accents compare names; a system name must not pass in disguise. */
const folded = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().trim();

const nameOf = ({ kind, text, value }: Token) => (kind === 'word' ? text : value);

const written = ({ parts }: Path) => parts.map(({ text }) => text).join('.');

function checkTable(path: Path, schemas: ReadonlySet<string>): void {
  const [first, second, ...more] = path.parts;
  if (more.length > 0) throw new Refused(written(path), 'only this database may be read: schema.table');
  const table = folded((second ?? first!).value);
  const schema = folded(second ? first!.value : 'dbo');
  if (SYSTEM_SCHEMAS.has(schema)) throw new Refused(written(path), 'the catalog may not be read');
  if (!schemas.has(schema)) {
    throw new Refused(written(path), second ? 'its schema is not in scope' : 'it needs its schema: schema.table');
  }
  if (SYSTEM_NAMES.has(table)) throw new Refused(written(path), 'the catalog may not be read');
}

/** A function of the database itself; whether it is one of those that may be called, the catalog says. */
function called(path: Path, schemas: ReadonlySet<string>): TableName {
  const [schema, name, ...more] = path.parts;
  if (!name || more.length > 0 || !schemas.has(folded(schema!.value))) {
    throw new Refused(written(path), 'this function is not allowed');
  }
  return { schema: nameOf(schema!), name: nameOf(name) };
}
