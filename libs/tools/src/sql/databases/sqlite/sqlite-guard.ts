/** Whether a text is one SELECT of SQLite over tables of the file (SEC-51). What the grammar does not know is refused. */
import type { Verdict } from '../database-engine';
import type { GuardedStatement } from '../guard.task';
import { statement } from '../grammar/query';
import { Refused } from '../grammar/refused';
import { StatementReader, type Path } from '../grammar/statement-reader';
import { SQLITE } from './sqlite-sql';
import { SYSTEM_NAME } from './words';

export function guard({ sql, schemas }: Pick<GuardedStatement, 'sql' | 'schemas'>): Verdict {
  try {
    const reader = new StatementReader(sql, SQLITE);
    statement(reader);
    const [call] = reader.calls;
    if (call) throw new Refused(written(call), 'this function is not allowed');
    for (const path of reader.relations) checkTable(path);
    return { kind: 'passed', statement: { sql, schemas, calls: [] } };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'refused', token: error.token, reason: error.reason };
  }
}

const written = ({ parts }: Path) => parts.map(({ text }) => text).join('.');

function checkTable(path: Path): void {
  const [first, second, ...more] = path.parts;
  if (more.length > 0 || (second && first!.value.toLowerCase() !== 'main')) {
    throw new Refused(written(path), 'there is no schema but main');
  }
  if (SYSTEM_NAME.test((second ?? first!).value)) throw new Refused(written(path), 'the catalog may not be read');
}
