/**
 * The parser wall for PostgreSQL: one SELECT, or EXPLAIN of one, made of what is known (SEC-44, SEC-45, SEC-46).
 *
 * It reads the statement by PostgreSQL's own grammar, of version 18. What that cannot read is refused; what it reads
 * otherwise than an older server would does not become more than a SELECT by it.
 */
import { loadModule, parseSync, SqlError } from 'libpg-query';
import type { Verdict } from '../database-engine';
import type { GuardedStatement } from '../guard.task';
import { isFields, kindOf, Refused, StatementWalk } from './statement-walk';

const EXPLAIN_OPTIONS: ReadonlySet<string> = new Set(['costs', 'format', 'summary', 'verbose']);
const EXPLAIN_FORMATS: ReadonlySet<string> = new Set(['text', 'json', 'yaml']);
/** Brackets open at once, counted blindly: so many make the parser run out of its stack. */
const MAX_OPEN = 500;

/** Before the first statement: what it takes is not the statement's. */
export const ready = loadModule;

export async function guard({ sql, schemas }: GuardedStatement): Promise<Verdict> {
  await loadModule();
  const walk = new StatementWalk(schemas);
  try {
    walk.query(queryOf(parse(sql)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'refused', token: error.token, reason: error.reason };
  }
  const { relations, functions, operators, types, attributes, calls } = walk;
  return {
    kind: 'passed',
    statement: {
      sql,
      schemas,
      calls,
      names: {
        relations: [...relations],
        functions: [...functions],
        operators: [...operators],
        types: [...types],
        attributes: [...attributes],
      },
    },
  };
}

function parse(sql: string): unknown {
  let open = 0;
  for (const character of sql) {
    if (character === '(' || character === '[') open++;
    else if (character === ')' || character === ']') open = Math.max(0, open - 1);
    if (open > MAX_OPEN) throw new Refused('(', 'it nests too deep');
  }
  try {
    return parseSync(sql);
  } catch (error) {
    if (error instanceof SqlError) throw new Refused(firstWord(sql), error.message);
    // Out of its stack, and in no state to read another statement: this process ends once it has said so.
    setImmediate(() => process.exit(0));
    throw new Refused('(', 'it nests too deep');
  }
}

/** The one statement there is, without EXPLAIN before it. */
function queryOf(parsed: unknown): unknown {
  const statements = isFields(parsed) && Array.isArray(parsed.stmts) ? (parsed.stmts as unknown[]) : [];
  if (statements.length === 0) throw new Refused('', 'there is no statement');
  if (statements.length > 1) throw new Refused(';', 'only one statement is run');
  const [raw] = statements;
  const statement = isFields(raw) ? raw.stmt : undefined;
  if (kindOf(statement) !== 'ExplainStmt' || !isFields(statement)) return statement;
  const explain = statement.ExplainStmt;
  if (!isFields(explain)) throw new Refused('EXPLAIN', 'it is not allowed');
  for (const option of Array.isArray(explain.options) ? (explain.options as unknown[]) : []) checkOption(option);
  return explain.query;
}

function checkOption(option: unknown): void {
  const fields = isFields(option) ? option.DefElem : undefined;
  const name = isFields(fields) ? String(fields.defname) : '';
  if (!EXPLAIN_OPTIONS.has(name)) throw new Refused(`EXPLAIN (${name})`, 'it is not allowed');
  if (name !== 'format') return;
  const value = isFields(fields) && isFields(fields.arg) && isFields(fields.arg.String) ? fields.arg.String.sval : '';
  if (!EXPLAIN_FORMATS.has(String(value))) throw new Refused(`FORMAT ${String(value)}`, 'it is not allowed');
}

const firstWord = (sql: string): string => /\S{1,40}/.exec(sql)?.[0] ?? '';
