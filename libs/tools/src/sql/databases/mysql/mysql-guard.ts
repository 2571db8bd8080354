/**
 * Whether a statement for MySQL or MariaDB is one SELECT that only reads what it may (SEC-44, 46, 48, 53).
 *
 * The statement is cut as the server cuts it and read by a grammar of our own that knows the SELECT of both servers and
 * nothing else. What it cannot read it refuses.
 */
import type { GuardScope, Verdict } from '../database-engine';
import { tokensOf } from './lexer';
import { Refused } from '../grammar/refused';
import { SelectGrammar } from './select-grammar';

/** SEC-52. */
const MAX_BYTES = 16 * 1024;

export function checkMysql(sql: string, scope: GuardScope): Verdict {
  try {
    if (Buffer.byteLength(sql) > MAX_BYTES) {
      throw new Refused(`${sql.slice(0, 20)}…`, `a statement has at most ${MAX_BYTES} bytes`);
    }
    const calls = new SelectGrammar(tokensOf(sql), scope).statement();
    return { kind: 'passed', statement: { sql, schemas: scope.schemas, calls } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'refused', token: error.token, reason: error.reason };
  }
}
