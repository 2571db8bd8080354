/**
 * Whether a statement for MySQL or MariaDB is one SELECT that only reads what it may (SEC-44, 46, 48, 53).
 *
 * The statement is cut as the server cuts it and read by a grammar of our own that knows the SELECT of both servers and
 * nothing else. What it cannot read it refuses.
 */
import type { Verdict } from '../database-engine';
import { Refused } from '../grammar/refused';
import type { StatementGuard } from '../guard.task';
import { MAX_SQL_BYTES } from '../../table-engine';
import { tokensOf } from './lexer';
import { SelectGrammar } from './select-grammar';

export const guard: StatementGuard = ({ sql, schemas }): Verdict => {
  try {
    if (Buffer.byteLength(sql) > MAX_SQL_BYTES) {
      throw new Refused(`${sql.slice(0, 20)}…`, `a statement has at most ${MAX_SQL_BYTES} bytes`);
    }
    const called = new SelectGrammar(tokensOf(sql), schemas).statement();
    return { kind: 'passed', statement: { sql, schemas, ...called } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'refused', token: error.token, reason: error.reason };
  }
};
