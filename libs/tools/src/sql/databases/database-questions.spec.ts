/** Questions with known answers over real databases: the built-in model writes the SQL, which passes the guard and runs. */
import { answerSqlTask } from '../../../../models/src/chat/built-in/sql/answer-sql-task';
import {
  filledMariaDb,
  filledPostgres,
  filledSqlite,
  type FilledDatabase,
} from '../../../../../test/support/questions/engines';
import { sameRows } from '../../../../../test/support/questions/judge';
import { card, type TableOf } from '../../../../../test/support/questions/schema';
import { shop } from '../../../../../test/support/questions/shop';
import { SHOP_QUESTIONS, type DatabaseQuestion } from '../../../../../test/support/questions/shop-questions';
import { MariaDb } from '../../../../../test/support/mariadb';
import { tellSkipped } from '../../../../../test/support/skipped';

type Verdict = 'right' | 'wrong' | 'declined';

async function judge(
  { question, answer }: DatabaseQuestion,
  database: FilledDatabase,
  tables: readonly TableOf[],
): Promise<Verdict> {
  const said = answerSqlTask({ question, dialect: database.dialect, tables: card(tables, database.dialect) });
  const sql = /^```sql\n([^]*?)\n```/.exec(said)?.[1];
  if (sql === undefined) {
    if (process.env.SHOW) console.log('DECLINED', question, said.slice(0, 200));
    return 'declined';
  }
  const found = await database.ask(sql);
  if (found.kind === 'rows' && sameRows(found.rows, answer())) return 'right';
  const got = found.kind === 'rows' ? found.rows.slice(0, 6) : found;
  console.log('WRONG', question, said, got, answer().slice(0, 6));
  return 'wrong';
}

const missing = MariaDb.missing();
if (missing) tellSkipped(`questions over MariaDB: ${missing}`);
const ENGINES: [string, (tables: readonly TableOf[]) => Promise<FilledDatabase>][] = [
  ['PostgreSQL', filledPostgres],
  ...(missing ? [] : [['MariaDB', filledMariaDb] satisfies [string, typeof filledMariaDb]]),
  ['SQLite', filledSqlite],
];

describe.each(ENGINES)('questions over %s', (_, fill) => {
  let database: FilledDatabase;
  beforeAll(async () => {
    database = await fill(shop);
  }, 60_000);
  afterAll(() => database.close());

  it('are answered right, or not at all', async () => {
    const verdicts: Record<Verdict, number> = { right: 0, wrong: 0, declined: 0 };
    for (const question of SHOP_QUESTIONS) verdicts[await judge(question, database, shop)]++;
    if (process.env.SHOW) console.log(verdicts);
    expect(verdicts.wrong).toBe(0);
    expect(verdicts.right / SHOP_QUESTIONS.length).toBeGreaterThanOrEqual(0.9);
  });
});
