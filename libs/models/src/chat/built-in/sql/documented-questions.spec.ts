/** The questions over connected tables that docs/table-questions.md gives as examples, over schemas that fit them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clinic } from '../../../../../../test/support/questions/clinic';
import { desk } from '../../../../../../test/support/questions/desk';
import { card } from '../../../../../../test/support/questions/schema';
import { shop } from '../../../../../../test/support/questions/shop';
import { answerSqlTask } from './answer-sql-task';

const GUIDE = readFileSync(join(__dirname, '../../../../../../docs/table-questions.md'), 'utf8');

/** Those of the guide's second table. The first is about files, and asked by test/e2e/table-questions.spec.ts. */
function examples(): string[] {
  const [, , table = ''] = GUIDE.split(/^\| Ask for .*$/m);
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/`([^`]+)`/g)].map(([, question]) => question!);
}

describe('the examples of the guide for connected tables', () => {
  const schemas = [shop, clinic, desk].map((tables) => card(tables, 'PostgreSQL'));

  it('are there', () => {
    expect(examples().length).toBeGreaterThanOrEqual(13);
  });

  it.each(examples())('are answered: %s', (question) => {
    const said = schemas.map((tables) => answerSqlTask({ question, dialect: 'PostgreSQL', tables }));
    expect(said.filter((each) => each.startsWith('```sql\nSELECT '))).toHaveLength(1);
  });
});
